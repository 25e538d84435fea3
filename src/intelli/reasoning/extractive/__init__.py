"""Reading without a model: what a question asks for, passages as sentences and tables, sentences as evidence.

Nothing is fetched, nothing is drawn by lot: the same question and passages give the same words.
"""
