"""Relevance scores of facts, nodes and episodes: every item of the groups is compared, lexically and semantically.

Time is a condition of the statement itself, so that items of another time do not use up the limit.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import numpy as np
from pgvector import HalfVector
from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger, Float, Text

from intelli.kit.db import Tx
from intelli.reasoning.ports import Vectors


@dataclass(frozen=True, slots=True)
class FactTime:
    """Filter of facts: those valid at `as_of`; with `ended` also those that ended before. `as_of` None: all facts.

    With `known_at`, only what was known by then counts.
    """

    as_of: datetime | None
    known_at: datetime | None = None
    ended: bool = False


@dataclass(frozen=True, slots=True)
class ScoredQuery:
    """A query for items of one kind: its terms with their weights (`worth`), and its vector with its weight.

    `bound` is the highest sum of the terms' weights, `heaviest` the highest weight of a term in an item, `background`
    the similarity of unrelated texts.
    """

    groups: Sequence[str]
    worth: Mapping[int, float]
    bound: float
    heaviest: float
    space: str
    vector: Vectors | None
    weight: float
    background: float


@dataclass(frozen=True, slots=True)
class Score:
    """Relevance score of an item, and the share of the query's words that it has."""

    id: UUID
    score: float
    coverage: float


# Weight of the messages before and after one, which show what it is about; and weight of assistants' answers, less than
# that of what people said themselves.
_NEIGHBOURS, _ANSWERS = 0.2, 0.8
_FACTS = """
    select i.id from memory_facts i
     where i.tenant_id = :tenant and i.group_id = any(:groups) {time}
"""
_NODES = """
    select i.id, coalesce(i.merged_into, i.id) as whole_id from memory_nodes i
     where i.tenant_id = :tenant and i.group_id = any(:groups)
       and (cast(:known_at as timestamptz) is null or i.created_at <= :known_at)
"""
_EPISODES = """
    select i.id, i.group_id, i.valid_at, i.seq, i.role_type from memory_episodes i
     where i.tenant_id = :tenant and i.group_id = any(:groups)
       and (cast(:as_of as timestamptz) is null or i.valid_at <= :as_of)
       and (cast(:known_at as timestamptz) is null or i.created_at <= :known_at)
"""
_BEGUN = "and (i.valid_at is null or i.valid_at <= :as_of)"
_NOT_ENDED = "and (i.invalid_at is null or i.invalid_at > :as_of)"
# Scores are materialised before sorting: else rows carry their vectors, and scores are computed wherever named.
_SCORED = """
    words as (
        select t.item_id, sum(t.weight * q.worth) / :bound as lexical, least(sum(q.worth) / :reach, 1) as coverage
          from memory_terms t join unnest(:terms, :worths) as q(term, worth) on q.term = t.term
         where t.tenant_id = :tenant and t.group_id = any(:groups) and t.term = any(:terms) and t.kind = :kind
         group by 1),
    scored as materialized (
        select i.*, coalesce(w.coverage, 0) as coverage,
               (coalesce(w.lexical, 0) + :weight * greatest(coalesce(
                    (1 - (v.embedding <=> cast(:vector as halfvec)) - :background) / (1 - :background), 0), 0))
               / (1 + :weight) as score
          from items i left join words w on w.item_id = i.id
          left join memory_vectors v on v.tenant_id = :tenant and v.group_id = any(:groups) and v.kind = :kind
                                    and v.item_id = i.id and v.space = :space)
"""
_PLAIN = """
    with items as ({items}), {scored}
    select id, score, coverage from scored where score > 0 order by score desc, id limit :limit
"""
_MERGED = """
    with items as ({items}), {scored}
    select whole_id as id, max(score) as score, max(coverage) as coverage from scored
     where score > 0 group by 1 order by 2 desc, 1 limit :limit
"""
_NEAR = """
    with items as ({items}), {scored},
    near as (
        select id, coverage,
               (score + :neighbours * (coalesce(lag(score) over said, 0) + coalesce(lead(score) over said, 0)))
               / (1 + 2 * :neighbours) * case when role_type = 'assistant' then :answers else 1 end as score
          from scored window said as (partition by group_id order by valid_at, seq))
    select id, score, coverage from near
     where score > 0 order by score desc, id limit :limit
"""
_JOINING = text("select set_config('enable_nestloop', :is_looking_up, true)")
_FREQUENT = text("""
    select kind, term, count(*) as items from memory_terms
     where tenant_id = :tenant and group_id = any(:groups) and term = any(:terms) group by 1, 2
""").bindparams(bindparam("groups", type_=ARRAY(Text)), bindparam("terms", type_=ARRAY(BigInteger)))
_SIZES = text("""
    select 'episode' as kind, coalesce(sum(episode_count), 0)::bigint as items,
           string_agg(array_to_string(languages, ' '), ' ') as languages
      from memory_groups where tenant_id = :tenant and group_id = any(:groups)
    union all
    select 'node', count(*), null from memory_nodes where tenant_id = :tenant and group_id = any(:groups)
    union all
    select 'fact', count(*), null from memory_facts where tenant_id = :tenant and group_id = any(:groups)
""").bindparams(bindparam("groups", type_=ARRAY(Text)))


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many items of each kind groups have, and the languages that their texts were analysed in."""

    items: dict[str, int]
    languages: frozenset[str]


async def sizes(tx: Tx, groups: Sequence[str]) -> Sizes:
    """Count the items of each kind in groups."""
    rows = (await tx.session.execute(_SIZES, {"tenant": tx.tenant_id, "groups": list(groups)})).all()
    languages = " ".join(row.languages for row in rows if row.languages)
    return Sizes({row.kind: row.items for row in rows}, frozenset(languages.split()))


async def frequencies(tx: Tx, groups: Sequence[str], terms: Sequence[int]) -> dict[tuple[str, int], int]:
    """Return how many items have each term, by (kind, term)."""
    if not terms:
        return {}
    given = {"tenant": tx.tenant_id, "groups": list(groups), "terms": list(terms)}
    return {(row.kind, row.term): row.items for row in await tx.session.execute(_FREQUENT, given)}


@asynccontextmanager
async def without_nested_loops(tx: Tx) -> AsyncIterator[None]:
    """Disable nested loops in the block, where every item is compared.

    The planner knows little of tables that grew a moment ago, and would look up row by row what it should join.
    """
    await tx.session.execute(_JOINING, {"is_looking_up": "off"})
    yield
    await tx.session.execute(_JOINING, {"is_looking_up": "on"})


async def facts(tx: Tx, asked: ScoredQuery, moment: FactTime, *, limit: int) -> list[Score]:
    """Return the facts relevant to the query that pass the time filter, best first."""
    begun = _BEGUN if moment.as_of is not None else ""
    held = _NOT_ENDED if moment.as_of is not None and not moment.ended else ""
    given = {"as_of": moment.as_of} if moment.as_of is not None else {}
    return await _scores(
        tx,
        asked,
        "fact",
        _PLAIN.format(items=_FACTS.format(time=f"{begun} {held}"), scored=_SCORED),
        limit=limit,
        **given,
    )


async def nodes(tx: Tx, asked: ScoredQuery, moment: FactTime, *, limit: int) -> list[Score]:
    """Return the nodes relevant to the query, best first; an alias counts for its root."""
    return await _scores(
        tx, asked, "node", _MERGED.format(items=_NODES, scored=_SCORED), limit=limit, known_at=moment.known_at
    )


async def episodes(tx: Tx, asked: ScoredQuery, moment: FactTime, *, limit: int) -> list[Score]:
    """Return the episodes up to `as_of` relevant to the query, best first."""
    given = {"as_of": moment.as_of, "known_at": moment.known_at, "neighbours": _NEIGHBOURS, "answers": _ANSWERS}
    return await _scores(tx, asked, "episode", _NEAR.format(items=_EPISODES, scored=_SCORED), limit=limit, **given)


async def _scores(tx: Tx, asked: ScoredQuery, kind: str, statement: str, *, limit: int, **more: object) -> list[Score]:
    numbers = sorted(asked.worth)
    given = {
        "tenant": tx.tenant_id,
        "groups": list(asked.groups),
        "kind": kind,
        "terms": numbers,
        "worths": [asked.worth[term] for term in numbers],
        "bound": asked.bound * asked.heaviest,
        "reach": asked.bound,
        "space": asked.space,
        "vector": None if asked.vector is None else HalfVector(np.asarray(asked.vector, np.float16)).to_text(),
        "weight": asked.weight if asked.vector is not None else 0.0,
        "background": asked.background,
        "limit": limit,
    }
    rows = await tx.session.execute(_statement(statement), {**given, **more})
    return [Score(row.id, float(row.score), float(row.coverage)) for row in rows]


def _statement(sql: str) -> TextClause:
    return text(sql).bindparams(
        bindparam("groups", type_=ARRAY(Text)),
        bindparam("terms", type_=ARRAY(BigInteger)),
        bindparam("worths", type_=ARRAY(Float)),
    )
