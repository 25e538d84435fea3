"""Checks of texts from elsewhere: each statement held against the library, with the passages for and against it.

The room owns text checks and their statements. Words: check, context, passage for and against, statement, verdict.
"""
