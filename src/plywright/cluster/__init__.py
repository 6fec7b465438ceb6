"""Work on more than one machine: an executor on a Dask cluster (extra `[cluster]`), and what travels to it."""
