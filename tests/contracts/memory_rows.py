"""A group with a row in each table of memory, as if messages had been remembered."""

from datetime import UTC, datetime
from uuid import UUID

from sqlalchemy import text

from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.memory.tables import (
    Claim,
    Community,
    CommunityMember,
    Duplicate,
    Episode,
    Fact,
    Group,
    Mention,
    Node,
    QueuedMessage,
    Term,
)

_AT = datetime(2026, 1, 1, tzinfo=UTC)
# A vector is sent as its text.
_VECTOR = """
    insert into memory_vectors (tenant_id, item_id, group_id, kind, space, embedding)
    values (:tenant, :item, :group_id, 'fact', 'static', '[1,0]')
"""


async def fill_memory(tx: Tx, group_id: str) -> dict[str, str]:
    """Give a group an episode that claims a fact of two nodes, one of them with another name; their ids."""
    ids = {name: uuid7() for name in ("node_id", "merge", "alias", "episode_id", "fact_id", "community_id")}
    mine = {"tenant_id": tx.tenant_id, "group_id": group_id}
    rows = (
        Group(**mine),
        QueuedMessage(**mine, id=uuid7(), message={}),
        Episode(**mine, id=ids["episode_id"], seq=1, role_type="user", content="A is B.", content_sha256="",
                valid_at=_AT),
        Node(**mine, id=ids["node_id"], name="A", name_key="a"),
        Node(**mine, id=ids["merge"], name="B", name_key="b"),
        Node(**mine, id=ids["alias"], name="C", name_key="c", merged_into=ids["node_id"]),
        Mention(**mine, episode_id=ids["episode_id"], node_id=ids["node_id"]),
        Duplicate(**mine, id=uuid7(), node_id=ids["alias"], duplicate_of=ids["node_id"], episode_id=ids["episode_id"]),
        Fact(**mine, id=ids["fact_id"], slot=ids["fact_id"], **_said(ids), valid_at=_AT, known_at=_AT),
        Claim(**mine, id=uuid7(), slot=ids["fact_id"], **_said(ids), episode_id=ids["episode_id"], known_at=_AT,
              fact_id=ids["fact_id"], is_functional=True, says="holds", at=_AT, seq=1, position=0),
        Term(**mine, term=1, kind="fact", item_id=ids["fact_id"], weight=1.0),
        Community(**mine, id=ids["community_id"], name="A"),
        CommunityMember(**mine, node_id=ids["node_id"], community_id=ids["community_id"]),
    )  # fmt: skip
    for row in rows:
        tx.session.add(row)
        await tx.session.flush()
    given = {"tenant": tx.tenant_id, "item": ids["fact_id"], "group_id": group_id}
    await tx.session.execute(text(_VECTOR), given)
    return {**{name: str(each) for name, each in ids.items()}, "keep": str(ids["node_id"]), "group_id": group_id}


def _said(ids: dict[str, UUID]) -> dict[str, object]:
    nodes = {"subject_id": ids["node_id"], "object_id": ids["merge"]}
    return {**nodes, "relation": "is", "value_key": f"node:{ids['merge']}", "statement": "A is B.", "confidence": 1.0}
