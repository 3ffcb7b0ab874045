"""How fast the table is, compared with other engines and with the operating system's cost of threads and pipes."""
