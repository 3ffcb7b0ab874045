"""An exam for bots and programs: scripted kyoku, a hanchan joined from a record, and random hanchan."""
