"""Values of all reachable states: the graph of states, its sweeps, and `solve_states`."""
