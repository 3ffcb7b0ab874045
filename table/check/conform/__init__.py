"""The card of every dialect, with its messages and replies, and checks of other people's programs and servers against
it."""
