"""Content: content-addressed bytes, immutable trees of them, and named pointers to the current tree.

Owns artifacts, manifests with their entries, pointers and their history. An *artifact* is immutable bytes; a *manifest*
is an immutable tree of paths to artifacts; a *pointer* is a name for the current manifest, and the only thing that
changes. Content that nothing references is *garbage* once a grace period is over, and is deleted.

A *span* is the address of evidence in the text of an artifact, and a *passage* is a span with its text; later rooms
pass both on.
"""
