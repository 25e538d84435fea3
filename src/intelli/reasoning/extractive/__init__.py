"""Reasoning without a model: questions into facets, passages into sentences, sentences into an answer.

Nothing is fetched, nothing is drawn by lot: the same question and passages give the same words.
"""
