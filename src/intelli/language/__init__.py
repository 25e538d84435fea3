"""Natural language: languages, words, sentences, numbers, dates, negation and tables in plain text.

Every rule about how people write stands here, once, with one list of words a language. It knows no document, no source
and no question: text in, values with their places in the text out.
"""
