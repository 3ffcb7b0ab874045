"""A conformance exam for bots: scripted kyoku, a hanchan joined from a record, and random hanchan."""
