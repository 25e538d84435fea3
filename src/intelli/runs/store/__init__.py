"""Queries of the room, one module per subject."""
