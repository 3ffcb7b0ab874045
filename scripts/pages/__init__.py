"""Drives and checks pages: a browser, payloads, and checks of scripts, styles and markup."""
