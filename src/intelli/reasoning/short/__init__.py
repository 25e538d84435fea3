"""How a weak model is asked: one short task a call over a few passages, and nothing is believed but what it quotes.

A question is asked in two or three forms over the same passages, which a server reads once. The model answers only if
the sentence that it copied stands in a passage and another form of the question is answered as well; else the sources
are said not to answer. The sentence of the source is what is cited, never a number that the model gave.
"""
