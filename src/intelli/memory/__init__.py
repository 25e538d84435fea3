"""Memory: what was said, as episodes; what it is about, as nodes; what it says of them, as facts that hold in time.

Every group is a graph of its own. The group `user:{id}` is private to that person, all others belong to the workspace.
"""
