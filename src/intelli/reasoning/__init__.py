"""Reasoning: the ports through which models are used, and their adapters.

Embedder (`ports`): texts in, vectors out. Reasoner (`reasoner`): the input of a verb in, its output out; the verbs are
in `verbs`. Rooms above depend on the ports; the composition root picks the adapter by settings.
"""
