"""Structure of a document: what each piece of it is, its tree of headings, and its tables as values.

It is built in the process that reads the file, from the text and the span map, and changes neither: offsets are those
of the text. It is kept beside them as an artifact of its own.
"""
