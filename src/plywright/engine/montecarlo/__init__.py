"""Monte Carlo tree search: the kernel, the pool of nodes, and the search that drives them."""
