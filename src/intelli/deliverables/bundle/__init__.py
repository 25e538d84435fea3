"""The evidence bundle: a deliverable with all that it rests on, in one zip that anyone can check without us.

It is an RO-Crate (what is what, for programs) in a BagIt bag (every file under its hash, for archives).
"""
