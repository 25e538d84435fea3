"""Memory: a graph of episodes (messages), nodes (the things they name) and facts about nodes, each valid for a time.

Every group is a separate graph. The group `user:{id}` is private to that person, all others belong to the workspace.
"""
