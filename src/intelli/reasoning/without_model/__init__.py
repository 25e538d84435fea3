"""Rules that execute the verbs without a model. `adapters.extractive` lists them by verb.

Deterministic and offline: the same input gives the same output.
"""
