"""The judge under every schedule. Threads, time and disk of these tests are simulated; what runs there is our own.

docs/threads.md says what that proves, and up to which bound.
"""
