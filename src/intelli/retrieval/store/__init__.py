"""Every query of retrieval."""
