"""Audit: tamper-evident log of the events in a workspace.

Owns `audit_log_entries`. An *entry* records one event, without raw content. The entries of a workspace form a *chain*:
each carries the hash of the one before, so a changed or missing entry breaks every hash after it. Its *seal* is a keyed
hash over that, which the database alone cannot make. A *head* is a signed statement of where the chain ended; heads are
stored outside the database as *anchors*, so that a chain which was cut is shorter than its anchor.
"""
