"""The tree lab: what an address says (`setup`), the search it shows (`lesson`), exercises on paper (`worksheet`)."""
