"""A conformance exam for anybody's bot: scripted kyoku, a hanchan joined from a record, and random hanchan."""
