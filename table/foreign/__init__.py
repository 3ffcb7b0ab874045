"""What strangers gave: their files, names and values, held against bounds and shapes before anything uses them."""
