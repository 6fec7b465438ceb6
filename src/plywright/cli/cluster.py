"""`--cluster`: work on a Dask cluster instead of in processes of this machine."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from ..cluster.executor import Cluster, ClusterLost
from ..errors import BadInput
from .console import notes


@contextlib.contextmanager
def opened(address: str | None) -> Iterator[Cluster | None]:
    """The cluster at an address, with its dashboard told; None where none is asked for."""
    if address is None:
        yield None
        return
    cluster = Cluster(address, lambda text: print(f"plywright: {text}", file=sys.stderr, flush=True))
    notes.print(f"cluster: {address}   dashboard: {cluster.link or 'none'}", markup=False)
    try:
        yield cluster
    except ClusterLost as lost:
        raise BadInput(f"{lost}; what is finished is kept, and the same command goes on") from None
    finally:
        cluster.shutdown(wait=True, cancel_futures=True)
