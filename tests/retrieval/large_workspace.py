"""A workspace that is large where a few readings are many: its texts, and transactions in it."""

from functools import partial

from tests.retrieval.makers import Shelf

from intelli.retrieval import vector_builds

COUNT = 30


def body(number: int) -> str:
    """Return the text of a document."""
    return f"Bees of hive {number} dance on the comb."


def begin(shelf: Shelf) -> vector_builds.Begin:
    """Return what begins a transaction in the workspace."""
    return partial(shelf.database.begin, shelf.who)
