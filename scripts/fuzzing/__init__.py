"""Random games under random rules, and the laws that no event may break."""
