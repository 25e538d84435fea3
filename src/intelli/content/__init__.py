"""Content: every byte under its hash, every version of a whole, and names that move between versions.

Owns artifacts, manifests with their entries, pointers and their history. An *artifact* is immutable bytes; a *manifest*
an immutable tree of paths to artifacts; a *pointer* a name that says which manifest is current, and the only thing that
changes. Whatever is referenced by nothing is *garbage* once a grace period is over, and is collected.

A *span* is the address of evidence in the text of an artifact, and a *passage* a span with its words; later rooms carry
both.
"""
