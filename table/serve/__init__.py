"""Wing: rooms over WebSocket for programs and people, pages to sit at and to watch, seats at other servers."""
