"""The library's channel: whoever changes a document or a reading says so, and whoever shows them looks again."""

from intelli.kit.db import Tx

CHANNEL = "library"


async def tell(tx: Tx) -> None:
    """Wake those who follow the workspace's library when this transaction commits."""
    await tx.notify(CHANNEL, str(tx.tenant_id))
