"""Reasoning: the ports through which models are used, and their adapters.

Embedder: texts in, vectors out. Rooms above depend on the ports; the composition root picks the adapter by settings.
"""
