"""Answers about documents: which of them tell of something, what is in a folder, and what a document is about.

The path of a question: `question.read` tells its form and what it is about; `mentions` finds the documents that have
its words, `chosen_document` the one that is meant, `summary` and `folder` choose what is told of it; `answer` puts it
together. Every statement is a whole sentence of a document; what is added are names and labels.
"""
