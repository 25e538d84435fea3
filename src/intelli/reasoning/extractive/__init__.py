"""Text analysis without a model: questions, passages as sentences and tables, sentences as evidence.

Deterministic and offline: the same question and passages give the same words.
"""
