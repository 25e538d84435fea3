"""Conversations: what a person asked and what was answered, as a tree of messages, with the feedback on them.

Owns conversations, messages and feedback. A question begins a branch of its own when it follows another message than
the newest one; an answer that is tried again stands beside the first.
"""
