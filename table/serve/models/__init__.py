"""A seat for language models: tools of the Model Context Protocol (MCP), and the table in words."""
