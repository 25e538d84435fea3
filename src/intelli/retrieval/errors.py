"""Errors of retrieval."""

from intelli.kit.errors import Conflict


class AnotherReindex(Conflict):
    """Two reindexes to different embedders cannot run at once."""

    code = "another_reindex"
