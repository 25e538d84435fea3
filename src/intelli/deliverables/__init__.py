"""Deliverables: reports, sites, slides and documents, all written from one brief, stored, versioned and exported.

Owns the brief (every figure stated once, with its citation), the paper (the report as a tree that every form renders),
GML (how a paper is written down), the kinds that can be asked for and their versions.
"""
