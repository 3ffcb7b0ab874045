"""What attacks are made of, and what runs them."""
