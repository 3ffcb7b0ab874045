"""Commands that read records: verify, show, view, review, convert, decisions, stats and diff."""
