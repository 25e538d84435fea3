"""Notification channel of the library: sent to on every change of a document or reading, so that views reload."""

from intelli.kit.db import Tx

CHANNEL = "library"


async def notify(tx: Tx) -> None:
    """Notify followers of the workspace's library once this transaction commits."""
    await tx.notify(CHANNEL, str(tx.tenant_id))
