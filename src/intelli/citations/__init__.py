"""Citations: what an answer rests on. Each names bytes, a span of them and the words that stand there, and is checked.

It owns the citations of messages with their checks and reviews, and the evidence of a message: its figures, queries and
counts. Words: binding, check, citation, cited file, figure, number ledger, quote, review, skeleton, statement.
"""
