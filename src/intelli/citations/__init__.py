"""Citations: the sources of an answer. Each names bytes, a span in them and the words of that span, and is checked.

The room owns the citations of messages with their checks and reviews, and the evidence of a message: its figures,
queries and counts. Words: binding, check, citation, cited file, figure, number ledger, quote, review, skeleton,
statement.
"""
