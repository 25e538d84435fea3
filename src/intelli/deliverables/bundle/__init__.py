"""The evidence bundle: a deliverable with all its evidence, in one zip that anyone can check without us.

It is an RO-Crate (a description of the files, for programs) in a BagIt bag (every file with its hash, for archives).
"""
