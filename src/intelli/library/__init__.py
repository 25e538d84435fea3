"""Library: folders and documents with their versions, and what was read from them.

A *document* has a place and a name, and its *versions* name artifacts. A *reading* is what extraction made of an
artifact: text, span map, thumbnail, chunks. Readings belong to the bytes and not to the document, so the same file
in two folders is read and indexed once. A *source* is where documents come from; each is one adapter.
"""
