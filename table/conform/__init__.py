"""What every dialect says and expects, on a card, and checks of others' programs and servers against it."""
