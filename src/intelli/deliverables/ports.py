"""Hooks that later rooms implement."""

from uuid import UUID

from intelli.kit.db import Tx
from intelli.kit.hooks import Hook


class Delivered(Hook[[Tx, UUID]]):
    """Called with the id of a deliverable when its building has ended, well or not, in the transaction that ends it."""
