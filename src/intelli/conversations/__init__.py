"""Conversations: questions and answers as a tree of messages, with the feedback on them.

Owns conversations, messages and feedback. A question that follows another message than the newest one starts a branch;
a retried answer is a sibling of the first one.
"""
