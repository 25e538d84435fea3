"""Queries of forgetting: what depends on an episode, a fact or a node, and its deletion, search entries too."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from sqlalchemy import Result, Row, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import Uuid

from intelli.kit.db import Tx
from intelli.memory.store.claims import pack

_TABLES_OF_GROUP = (
    "memory_arrivals",
    "memory_terms",
    "memory_vectors",
    "memory_community_members",
    "memory_communities",
    "memory_claims",
    "memory_facts",
    "memory_mentions",
    "memory_duplicates",
    "memory_nodes",
    "memory_episodes",
    "memory_groups",
)
_REACH = """
    select array(select distinct slot from memory_claims where tenant_id = :tenant and {claims}) as slots,
           array(select node_id from memory_mentions where tenant_id = :tenant and {mentions}
                 union select subject_id from memory_claims where tenant_id = :tenant and {claims}
                 union select object_id from memory_claims
                        where tenant_id = :tenant and {claims} and object_id is not null) as nodes
"""
_NAMING = "(subject_id = any(:ids) or object_id = any(:ids))"
_STATEMENTS = """
    select distinct c.statement from memory_claims c
     where c.tenant_id = :tenant and c.slot = any(:slots) and c.retracted_at is null
"""
_STAND_AGAIN = """
    update memory_claims set retracted_at = null, retracted_by = null
     where tenant_id = :tenant and retracted_by = any(:ids) returning slot
"""
# A merge that a message led to stays while others use the name; one that a person made by hand is undone.
_UNLINK = """
    update memory_nodes n set merged_into = null
      from memory_duplicates d join memory_episodes e on e.tenant_id = d.tenant_id and e.id = d.episode_id
     where n.tenant_id = :tenant and d.tenant_id = :tenant and d.node_id = n.id and d.episode_id = any(:ids)
       and e.source = 'correction' returning n.id, d.duplicate_of
"""
_KEEP_LINKS = """
    update memory_duplicates d set episode_id = null
     where d.tenant_id = :tenant and d.episode_id = any(:ids) and not exists (
           select from memory_episodes e
            where e.tenant_id = :tenant and e.id = d.episode_id and e.source = 'correction')
"""
_DELETE_WORDS = """
    with terms as (delete from memory_terms where tenant_id = :tenant and item_id = any(:ids))
    delete from memory_vectors where tenant_id = :tenant and item_id = any(:ids)
"""
_CLUSTERS = """
    with roots as (
        select distinct coalesce(merged_into, id) as id from memory_nodes where tenant_id = :tenant and id = any(:ids))
    select n.id, coalesce(n.merged_into, n.id) as root, n.name, n.name_key, n.labels, n.attributes, n.created_at,
           exists (select from memory_claims c where c.tenant_id = :tenant and c.subject_id = n.id)
           or exists (select from memory_claims c where c.tenant_id = :tenant and c.object_id = n.id) as is_claimed
      from roots r join memory_nodes n on n.tenant_id = :tenant and (n.id = r.id or n.merged_into = r.id)
     order by root, n.merged_into nulls first, n.created_at, n.id
"""
_SAID = """
    select coalesce(n.merged_into, n.id) as root, m.node_id, m.episode_id, m.said, e.content, e.valid_at, e.created_at
      from memory_mentions m
      join memory_nodes n on n.tenant_id = m.tenant_id and n.id = m.node_id
      join memory_episodes e on e.tenant_id = m.tenant_id and e.id = m.episode_id
     where m.tenant_id = :tenant and coalesce(n.merged_into, n.id) = any(:ids) order by e.seq
"""
_COPIES = """
    select coalesce(sum(reference_count), 0) from artifacts
     where tenant_id = :tenant and sha256 = any(cast(:hashes as text[]))
"""
_IDS = {"ids": ARRAY(Uuid), "slots": ARRAY(Uuid)}


@dataclass(frozen=True, slots=True)
class EraseScope:
    """What depends on the target: slots whose facts may change, and nodes that may no longer be named."""

    slots: list[UUID] = field(default_factory=list)
    nodes: list[UUID] = field(default_factory=list)


async def scope_of_episodes(tx: Tx, ids: Sequence[UUID]) -> EraseScope:
    """Return the slots and nodes of the episodes' claims and mentions, and of the claims they retracted."""
    return await _scope(
        tx, ids, claims="(episode_id = any(:ids) or retracted_by = any(:ids))", mentions="episode_id = any(:ids)"
    )


async def scope_of_fact(tx: Tx, fact_id: UUID) -> EraseScope:
    """Return the slots and nodes of the claims behind a fact."""
    return await _scope(tx, [fact_id], claims="fact_id = any(:ids)", mentions="false")


async def scope_of_nodes(tx: Tx, ids: Sequence[UUID]) -> EraseScope:
    """Return the slots of all claims about nodes, and all nodes that these name."""
    return await _scope(
        tx, ids, claims="(subject_id = any(:ids) or object_id = any(:ids))", mentions="node_id = any(:ids)"
    )


async def statements(tx: Tx, slots: Sequence[UUID]) -> list[str]:
    """Return the distinct statements of the claims of slots; retracted claims are left out."""
    return list((await _execute(tx, _STATEMENTS, slots=list(slots))).scalars())


async def restore_retracted(tx: Tx, episodes: Sequence[UUID]) -> None:
    """Restore the claims that the episodes retracted."""
    await _execute(tx, _STAND_AGAIN, ids=list(episodes))


async def undo_merges(tx: Tx, episodes: Sequence[UUID]) -> list[UUID]:
    """Undo the merges that the episodes, as corrections, made by hand; return the nodes concerned."""
    rows = (await _execute(tx, _UNLINK, ids=list(episodes))).all()
    return [node_id for row in rows for node_id in row]


async def remove_episodes(tx: Tx, ids: Sequence[UUID]) -> None:
    """Delete episodes with their claims, mentions and search entries."""
    await _execute(tx, _KEEP_LINKS, ids=list(ids))
    await remove_search_entries(tx, ids)
    await _execute(tx, "delete from memory_episodes where tenant_id = :tenant and id = any(:ids)", ids=list(ids))


async def remove_claims_of_fact(tx: Tx, fact_id: UUID) -> None:
    """Delete all claims behind a fact."""
    await _execute(tx, "delete from memory_claims where tenant_id = :tenant and fact_id = any(:ids)", ids=[fact_id])


async def remove_claims_of_nodes(tx: Tx, ids: Sequence[UUID]) -> None:
    """Delete all claims that name nodes, and the mentions of these."""
    await _execute(tx, f"delete from memory_claims where tenant_id = :tenant and {_NAMING}", ids=list(ids))  # noqa: S608  # ours
    await _execute(tx, "delete from memory_mentions where tenant_id = :tenant and node_id = any(:ids)", ids=list(ids))


async def remove_search_entries(tx: Tx, ids: Iterable[UUID]) -> None:
    """Delete the terms and vectors of items."""
    await _execute(tx, _DELETE_WORDS, ids=list(ids))


async def clusters(tx: Tx, ids: Sequence[UUID]) -> Sequence[Row[Any]]:
    """Return the nodes with all nodes merged with them, each root first, and whether claims name each."""
    return (await _execute(tx, _CLUSTERS, ids=list(ids))).all()


async def mentions_of(tx: Tx, roots: Sequence[UUID]) -> Sequence[Row[Any]]:
    """Return the mentions of root nodes under all their names, with their episodes, in order of arrival."""
    return (await _execute(tx, _SAID, ids=list(roots))).all()


async def update_nodes(tx: Tx, rows: Sequence[Mapping[str, object]]) -> None:
    """Update name, labels, attributes, root and creation time of nodes."""
    changed = text("""
        update memory_nodes n set name = p.name, labels = p.labels, attributes = p.attributes,
               merged_into = p.merged_into, created_at = p.created_at, updated_at = now()
          from jsonb_to_recordset(cast(:portraits as jsonb)) as p(
               id uuid, name text, labels text[], attributes jsonb, merged_into uuid, created_at timestamptz)
         where n.tenant_id = :tenant and n.id = p.id
    """)
    await tx.session.execute(changed, {"tenant": tx.tenant_id, "portraits": pack(rows)})


async def move_mentions(tx: Tx, heirs: Mapping[UUID, UUID]) -> None:
    """Move the mentions of nodes (keys) to others (values)."""
    moved = text("""
        update memory_mentions m set node_id = h.heir
          from unnest(cast(:from_ids as uuid[]), cast(:heirs as uuid[])) as h(node_id, heir)
         where m.tenant_id = :tenant and m.node_id = h.node_id
    """)
    given = {"tenant": tx.tenant_id, "from_ids": list(heirs), "heirs": list(heirs.values())}
    await tx.session.execute(moved, given)


async def remove_nodes(tx: Tx, ids: Sequence[UUID]) -> None:
    """Delete nodes, which nothing may name any more, with their search entries."""
    await remove_search_entries(tx, ids)
    await _execute(tx, "delete from memory_nodes where tenant_id = :tenant and id = any(:ids)", ids=list(ids))


async def episodes_naming(tx: Tx, ids: Sequence[UUID]) -> list[UUID]:
    """Return the ids of the episodes that mention one of these nodes."""
    named = "select distinct episode_id from memory_mentions where tenant_id = :tenant and node_id = any(:ids)"
    return list((await _execute(tx, named, ids=list(ids))).scalars())


async def remove_communities(tx: Tx, nodes: Sequence[UUID]) -> bool:
    """Delete the communities of nodes, whose summaries quote facts; return whether there were any."""
    theirs = """
        delete from memory_communities c using memory_community_members m
         where c.tenant_id = :tenant and m.tenant_id = :tenant and m.community_id = c.id and m.node_id = any(:ids)
        returning c.id
    """
    return bool((await _execute(tx, theirs, ids=list(nodes))).scalars().all())


async def remove_group(tx: Tx, group_id: str) -> None:
    """Delete a group with everything in it, also its queued messages."""
    for table in _TABLES_OF_GROUP:
        statement = text(f"delete from {table} where tenant_id = :tenant and group_id = :group_id")  # noqa: S608  # ours
        await tx.session.execute(statement, {"tenant": tx.tenant_id, "group_id": group_id})


async def count_copies(tx: Tx, hashes: Sequence[str]) -> int:
    """Count the references to artifacts with these hashes."""
    given = {"tenant": tx.tenant_id, "hashes": list(hashes)}
    return int(await tx.session.scalar(text(_COPIES), given) or 0)


async def count(tx: Tx, group_id: str) -> dict[str, int]:
    """Count the episodes, facts, open facts and nodes of a group."""
    counted = text("""
        select (select count(*) from memory_episodes where tenant_id = :tenant and group_id = :group_id) as episodes,
               (select count(*) from memory_facts where tenant_id = :tenant and group_id = :group_id) as facts,
               (select count(*) from memory_facts
                 where tenant_id = :tenant and group_id = :group_id and invalid_at is null) as open,
               (select count(*) from memory_nodes where tenant_id = :tenant and group_id = :group_id) as nodes
    """)
    row = (await tx.session.execute(counted, {"tenant": tx.tenant_id, "group_id": group_id})).one()
    return dict(row._mapping)


@asynccontextmanager
async def rolled_back(tx: Tx) -> AsyncIterator[None]:
    """Roll back to the beginning of the block when it ends."""
    savepoint = await tx.session.begin_nested()
    try:
        yield
    finally:
        await savepoint.rollback()


async def _scope(tx: Tx, ids: Sequence[UUID], *, claims: str, mentions: str) -> EraseScope:
    row = (await _execute(tx, _REACH.format(claims=claims, mentions=mentions), ids=list(ids))).one()
    return EraseScope(list(row.slots), list(row.nodes))


async def _execute(tx: Tx, statement: str, **given: list[UUID]) -> Result[Any]:
    kinds = [bindparam(name, type_=_IDS[name]) for name in given]
    return await tx.session.execute(text(statement).bindparams(*kinds), {"tenant": tx.tenant_id, **given})
