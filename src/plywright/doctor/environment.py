"""What games are compiled with here: versions, the folder for compiled code, and which short cuts fit this Numba."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

from .. import __version__
from ..compiled import available, cache_folder

PACKAGES = ("numba", "llvmlite", "numpy")


def environment() -> dict[str, Any]:
    """The facts, as plain data; `short_cuts` says of each why it is not taken, or null where it is."""
    found: dict[str, Any] = {"plywright": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
    found |= {"cache": str(cache_folder()), "compiles": available(), "refused": None, "short_cuts": {}}
    if available():
        from ..native import codecache, numba_internals

        found["cache_used"] = codecache.own_folder()
        found["refused"] = numba_internals.bridge_fault()
        found["compiles"] = found["refused"] is None
        found["short_cuts"] = {name: numba_internals.fault(name) for name in numba_internals.SHORT_CUTS}
    return found


def sentences(facts: dict[str, Any]) -> list[str]:
    """The facts for people, a line each."""
    versions = [f"{name} {facts[name] or 'is missing'}" for name in ("plywright", "python", *PACKAGES)]
    lines = [", ".join(versions)]
    if facts["refused"]:
        lines.append(f"games run interpreted, and slowly: this version of Numba is not known ({facts['refused']})")
    elif not facts["compiles"]:
        lines.append("games run interpreted, and slowly: Numba is not installed, or is switched off")
    else:
        from ..native.numba_internals import SHORT_CUTS

        lines.append("games become native code")
        if not facts["cache_used"]:
            lines.append(f"compiled code is not kept: {facts['cache']} must belong to you, and to you alone")
        else:
            lines.append(f"compiled code is kept in {facts['cache']}")
        aside = {name: reason for name, reason in facts["short_cuts"].items() if reason}
        if not aside:
            lines.append(f"all {len(SHORT_CUTS)} short cuts through Numba are taken: {', '.join(SHORT_CUTS)}")
        for name, reason in aside.items():
            lines.append(f"note: {name} by Numba's ordinary way, with the same answers: {SHORT_CUTS[name].otherwise}")
            lines.append(f"      because {reason}")
    return lines
