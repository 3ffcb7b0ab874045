"""Commands that look at records: verify, show, view, convert, stats and diff."""
