"""Worlds and playouts, measured: what worlds foretell, what playouts cost and gain, and a suite that they judge."""
