"""What later rooms add to the library."""

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook


class TextReady(Hook[[Tx, str]]):
    """Called with the hash of an artifact, in the transaction that stores its reading: the chunks may be indexed."""
