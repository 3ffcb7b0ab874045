"""How fast the table is, beside other engines and beside what the operating system charges for threads and pipes."""
