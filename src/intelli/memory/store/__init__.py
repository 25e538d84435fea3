"""All queries of memory."""
