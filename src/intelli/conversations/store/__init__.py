"""SQL queries of conversations, one module per table."""
