"""Audit: what happened in a workspace, in order, in a form that cannot be changed unnoticed.

Owns `audit_log_entries`. An *entry* tells one thing that happened, without raw content. The entries of a workspace
form a *chain*: each carries the hash of the one before, so a changed or missing entry breaks every hash after it. Its
*seal* is a keyed hash over that, which the database alone cannot make. A *head* is a signed statement where the chain
ended; heads are kept outside the database as *anchors*, so that a chain which was cut is shorter than its anchor.
"""
