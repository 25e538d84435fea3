"""Audit: what happened in a workspace, in order, in a form that cannot be changed unnoticed.

Owns `audit_log_entries`. An *entry* tells one thing that happened, without raw content. The entries of a workspace
form a *chain*: each carries the hash of the one before, so a changed or missing entry breaks every hash after it.
"""
