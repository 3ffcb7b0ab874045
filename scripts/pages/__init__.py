"""What looks at pages and checks them: a browser, payloads, and what checks their scripts, styles and markup."""
