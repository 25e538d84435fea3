"""Reasoning: the ports through which models are used, and their adapters.

Embedder (`ports`) turns texts into vectors. Reasoner (`reasoner`) turns the input of a verb into its output; the verbs
are in `verbs`. Rooms above depend on the ports; the composition root picks the adapter by settings.
"""
