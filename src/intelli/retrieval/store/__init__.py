"""All SQL of retrieval."""
