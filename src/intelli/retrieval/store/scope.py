"""Queries for the scope of a search: readings of the documents it may find, and documents of the readings found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import numpy as np
from sqlalchemy import TextClause, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger, Text, Uuid

from intelli.kit.db import AS_BYTES, Tx
from intelli.library import media_types
from intelli.retrieval.store.lexical import ReadingFilter, Size, VoidReadings

# Chunks within a filter that cost less to look at one by one than the postings of the whole workspace.
_NARROW = 6_000
# The newest earlier version that can be found.
_EARLIER = """
    select v.mime_type, v.artifact_sha256, v.version from document_versions v
      join readings e on e.tenant_id = v.tenant_id and e.sha256 = v.artifact_sha256 and e.status = 'completed'
     where v.tenant_id = d.tenant_id and v.document_id = d.id and v.version < d.version
     order by v.version desc limit 1
"""
# While its newest version is unread, or could not be read, a document is searched by an earlier version.
_UNREAD = """
    d.version > 1 and exists (
        select from readings u where u.tenant_id = d.tenant_id and u.sha256 = d.artifact_sha256
                                 and u.status in ('pending', 'in_progress', 'failed'))
"""
# Documents as they are now, or by an earlier version while the newest is unread; below, as they were at a time.
_NOW = f"""
    select d.id, d.name, d.path, d.source_type, d.external_url, d.mime_type, d.artifact_sha256 as sha256, d.version,
           d.version as latest
      from documents d where d.tenant_id = :tenant {{current}}
     union all
    select d.id, d.name, d.path, d.source_type, d.external_url, v.mime_type, v.artifact_sha256, v.version, d.version
      from documents d cross join lateral ({_EARLIER}) v where d.tenant_id = :tenant and {_UNREAD} {{earlier}}
"""  # noqa: S608  # put together from our own words
_THEN = """
    select d.id, v.name, v.path, d.source_type, d.external_url, v.mime_type, v.artifact_sha256 as sha256, v.version,
           v.latest
      from documents d cross join lateral (
           select v.*, max(v.version) over () as latest from document_versions v
             left join readings r on r.tenant_id = v.tenant_id and r.sha256 = v.artifact_sha256
            where v.tenant_id = d.tenant_id and v.document_id = d.id and v.created_at <= :as_of
            order by r.status is distinct from 'completed', v.version desc limit 1) v
     where d.tenant_id = :tenant
"""
# Each document once, and only those with certain readings; the planner would not find out that these are few.
_HASHES = "any(array(select sha256 from readings where tenant_id = :tenant and number = any(:numbers)))"
_OF_READINGS = {
    "current": f"and d.artifact_sha256 = {_HASHES} and not ({_UNREAD} and exists ({_EARLIER}))",
    "earlier": f"""
        and d.id in (
            select document_id from document_versions where tenant_id = :tenant and artifact_sha256 = {_HASHES})
    """,  # noqa: S608  # as above
}
_VOID = """
    (select string_agg(int8send(reading) || int8send(before), '' order by reading) from strays
      where tenant_id = :tenant) as void
"""
_EVERYTHING = f"""
    select coalesce(jsonb_agg(jsonb_build_array(language, chunks, length)), '[]') as sizes,
           coalesce(sum(chunks), 0)::bigint as total, {_VOID} from lexicons where tenant_id = :tenant and chunks > 0
"""  # noqa: S608  # as above
_FILTERED = f"""
    with wanted as materialized (
        select distinct r.number from ({{documents}}) w
          join readings r on r.tenant_id = :tenant and r.sha256 = w.sha256),
    by_language as (
        select language, sum(chunks)::bigint as chunks, sum(length)::bigint as length
          from indexed where tenant_id = :tenant and reading in (select number from wanted) group by 1)
    select coalesce((select jsonb_agg(jsonb_build_array(language, chunks, length)) from by_language), '[]') as sizes,
           coalesce((select sum(chunks)::bigint from lexicons where tenant_id = :tenant), 0) as total, {_VOID},
           (select string_agg(int8send(number), '' order by number) from wanted) as numbers
"""  # noqa: S608  # as above
# A range, which a plan for any folder finds in the index of paths; `0` is the character after `/`.
_FOLDER = "(d.path > :folder || '/' and d.path < :folder || '0')"
_DOCUMENTS = "d.id = any(:document_ids)"
_SOURCES = "d.source_type = any(:source_types)"
_SCOPE = """
    exists (select from folders f where f.tenant_id = :tenant and f.scope_id = :scope
               and starts_with(d.path, f.path || '/'))
"""


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Filter of the documents that a search may find; None is any. `folder_path` includes all folders below it.

    Documents `without` are never found, whatever else the filter says.
    """

    folder_path: str | None = None
    document_ids: tuple[UUID, ...] | None = None
    source_types: tuple[str, ...] | None = None
    scope: UUID | None = None
    as_of: datetime | None = None
    without: frozenset[UUID] = frozenset()

    @property
    def is_everything(self) -> bool:
        """True when every document in its current state may be found, but those `without`."""
        return replace(self, without=frozenset()) == SearchFilter()


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document with a reading that was found. Its `latest` version may not be read yet, or be unreadable."""

    reading: int
    sha256: str
    id: UUID
    name: str
    path: str
    source_type: str
    external_url: str | None
    mime_type: str
    version: int
    latest: int
    language: str | None


@dataclass(frozen=True, slots=True)
class IndexScope:
    """What a search looks at: readings, their size by language, and the readings with void hits.

    `total` is the number of chunks in the workspace.
    """

    within: ReadingFilter
    sizes: Sequence[Size]
    total: int
    void: VoidReadings

    @property
    def chunks(self) -> int:
        """Number of chunks within the filter."""
        return sum(size.chunks for size in self.sizes)

    @property
    def languages(self) -> list[str]:
        """Languages of the chunks within the filter."""
        return [size.language for size in self.sizes]

    @property
    def is_narrow(self) -> bool:
        """True when the filter leaves so few chunks that each of them can be looked at."""
        return self.within.only is not None and self.chunks <= _NARROW

    def without(self, readings: Sequence[int]) -> "IndexScope":
        """Return the scope without certain readings, which no document has any more."""
        return replace(self, within=replace(self.within, never=readings))


async def load(tx: Tx, wanted: SearchFilter) -> IndexScope:
    """Return the scope of a search for the documents that match a filter."""
    statement = text(_EVERYTHING) if wanted.is_everything else _bound(_FILTERED.format(documents=_documents(wanted)))
    row = (await tx.session.execute(statement.execution_options(**{AS_BYTES: True}), _parameters(tx, wanted))).one()
    void = np.frombuffer(row.void or b"", ">i8").astype(np.int64).reshape(-1, 2)
    only = None if wanted.is_everything else np.frombuffer(row.numbers or b"", ">i8").astype(np.int64)
    return IndexScope(
        ReadingFilter(only), [Size(*each) for each in row.sizes], row.total, VoidReadings(void[:, 0], void[:, 1])
    )


async def list_unused_readings(tx: Tx) -> list[int]:
    """Return the numbers of the readings that no document has in its current state."""
    statement = f"""
        select r.number from readings r where r.tenant_id = :tenant and r.chunk_count > 0
           and not exists (select from documents d where d.tenant_id = :tenant and d.artifact_sha256 = r.sha256)
           and r.sha256 not in (
               select v.artifact_sha256 from documents d cross join lateral ({_EARLIER}) v
                where d.tenant_id = :tenant and {_UNREAD})
    """  # noqa: S608  # what is put in is ours, here and below
    return list(await tx.session.scalars(text(statement), {"tenant": tx.tenant_id}))


async def find_documents(tx: Tx, wanted: SearchFilter, numbers: Sequence[int]) -> list[FoundDocument]:
    """Return the documents that match the filter and have one of these readings."""
    statement = f"""
        select r.number as reading, w.sha256, w.id, w.name, w.path, w.source_type, w.external_url, w.mime_type,
               w.version, w.latest, r.language, r.media_type
          from readings r join ({_documents(wanted, of_readings=True)}) w on w.sha256 = r.sha256
         where r.tenant_id = :tenant and r.number = any(:numbers) order by r.number, w.path
    """  # noqa: S608
    bound = _bound(statement).bindparams(bindparam("numbers", type_=ARRAY(BigInteger)))
    rows = await tx.session.execute(bound, {**_parameters(tx, wanted), "numbers": list(numbers)})
    return [_found(**row) for row in rows.mappings() if row["id"] not in wanted.without]


def _found(*, mime_type: str, media_type: str | None, **columns: Any) -> FoundDocument:
    return FoundDocument(mime_type=media_types.resolve(mime_type, media_type), **columns)


def _documents(wanted: SearchFilter, *, of_readings: bool = False) -> str:
    conditions = [
        condition
        for condition, is_set in (
            (_FOLDER, wanted.folder_path is not None),
            (_DOCUMENTS, wanted.document_ids is not None),
            (_SOURCES, wanted.source_types is not None),
            (_SCOPE, wanted.scope is not None),
        )
        if is_set
    ]
    if of_readings:
        conditions.append(
            "d.sha256 in (select sha256 from readings where tenant_id = :tenant and number = any(:numbers))"
        )
    now = _NOW.format(**(_OF_READINGS if of_readings else dict.fromkeys(_OF_READINGS, "")))
    every = now if wanted.as_of is None else _THEN
    return f"select * from ({every}) d" + (f" where {' and '.join(conditions)}" if conditions else "")  # noqa: S608


def _bound(statement: str) -> TextClause:
    kinds = (
        bindparam("document_ids", type_=ARRAY(Uuid)),
        bindparam("source_types", type_=ARRAY(Text)),
        bindparam("scope", type_=Uuid()),
    )
    return text(statement).bindparams(*(kind for kind in kinds if f":{kind.key}" in statement))


def _parameters(tx: Tx, wanted: SearchFilter) -> dict[str, object]:
    given: dict[str, object] = {"tenant": tx.tenant_id}
    if wanted.folder_path is not None:
        given["folder"] = wanted.folder_path.rstrip("/")
    if wanted.document_ids is not None:
        given["document_ids"] = list(wanted.document_ids)
    if wanted.source_types is not None:
        given["source_types"] = list(wanted.source_types)
    if wanted.scope is not None:
        given["scope"] = wanted.scope
    if wanted.as_of is not None:
        given["as_of"] = wanted.as_of
    return given
