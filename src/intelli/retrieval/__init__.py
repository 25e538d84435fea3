"""Retrieval: search for passages with a lexical and a vector index over chunks, in PostgreSQL, and their fusion.

A *space* holds the vectors of one embedder. One space is active for searching; `reindex` fills another beside it and
then switches.
"""
