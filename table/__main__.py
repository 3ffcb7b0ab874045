"""`python -m table` is the command `jantaku`."""

from table.cli.main import main

if __name__ == "__main__":
    main()
