"""The tree lab: what an address asks for (`setup`), the search it shows (`lesson`), exercises on paper (`worksheet`)."""
