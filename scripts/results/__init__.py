"""The ladder of docs/results: plays its plan, and draws picture and page from what was played."""
