"""Hooks of content that later rooms implement."""

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook


class ArtifactStored(Hook[[Tx, int]]):
    """Called with the size in bytes, in the transaction that adds an artifact to a workspace; may refuse it."""
