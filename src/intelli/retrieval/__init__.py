"""Retrieval: finding the passage. A lexical and a vector index over chunks, in PostgreSQL, and their fusion.

A *space* is what one embedder's vectors live in. One space is active for searching; `reindex` fills another beside it
and then switches.
"""
