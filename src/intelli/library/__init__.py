"""Library: folders, documents, their versions, and the text extracted from them.

A *document* has a folder and a name; each of its *versions* references an artifact. A *reading* is the result of
extracting an artifact: text, span map, thumbnail, chunks. Readings belong to the bytes and not to the document, so the
same file in two folders is read and indexed once. A *source* is a place to import documents from; each has one adapter.
"""
