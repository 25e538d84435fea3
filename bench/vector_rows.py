"""Fills workspaces with synthetic vectors, directly in the database: readings of a few chunks, without their texts."""

import hashlib
from collections.abc import Iterator
from uuid import UUID

import numpy as np
import psycopg
from pgvector import HalfVector

from intelli.reasoning.ports import Vectors

DIMENSIONS = 256
SPACE = 1
PER_READING = 20
_CLUSTERS = 1_000
_SPREAD = 0.6
_BATCH = 10_000
_SPACE = """
    insert into spaces (tenant_id, number, name, dimensions, state) values (%s, %s, %s, %s, 'active')
"""
_ARTIFACTS = """
    insert into artifacts
        (tenant_id, owner_id, sha256, media_type, size_bytes, storage_uri, entity_type, entity_metadata)
    select %(workspace)s, %(workspace)s, unnest(%(hashes)s::text[]), 'text/plain', 1, 'blob', 'KNOWLEDGE_BASE', '{}'
"""
_READINGS = """
    insert into readings (tenant_id, sha256, status, text_sha256, language, chunk_count)
    select %(workspace)s, sha256, 'in_progress', sha256, 'en', %(chunks)s
      from unnest(%(hashes)s::text[]) with ordinality as h(sha256, n) order by n returning number
"""
_INDEXED = """
    insert into indexed (tenant_id, reading, version, language, chunks, length)
    select %s, unnest(%s::bigint[]), 1, 'en', %s, 100
"""


class Clusters:
    """Unit vectors around common centres, as those of texts are."""

    def __init__(self) -> None:
        self._random = np.random.default_rng(5)
        self._centres = self._random.standard_normal((_CLUSTERS, DIMENSIONS)).astype(np.float32)

    def draw(self, count: int) -> Vectors:
        """Return that many of them."""
        centres = self._centres[self._random.integers(0, _CLUSTERS, count)]
        drawn = centres + _SPREAD * self._random.standard_normal((count, DIMENSIONS)).astype(np.float32)
        return np.asarray(drawn / np.linalg.norm(drawn, axis=1, keepdims=True), np.float32)


def add_space(connection: psycopg.Connection, workspace: UUID, name: str) -> None:
    """Insert the active space of a workspace."""
    connection.execute(_SPACE, (workspace, SPACE, name, DIMENSIONS))


def add_readings(connection: psycopg.Connection, workspace: UUID, name: str, count: int, *, chunks: int) -> list[int]:
    """Insert readings of so many chunks each; return their numbers."""
    hashes = [hashlib.sha256(f"{name} {number}".encode()).hexdigest() for number in range(count)]
    given = {"workspace": workspace, "hashes": hashes, "chunks": chunks}
    connection.execute(_ARTIFACTS, given)
    return [row[0] for row in connection.execute(_READINGS, given).fetchall()]


def fill(connection: psycopg.Connection, workspace: UUID, count: int, *, clusters: Clusters, name: str) -> list[int]:
    """Insert so many vectors into the table of all workspaces; return the numbers of their readings."""
    numbers = add_readings(connection, workspace, name, count // PER_READING, chunks=PER_READING)
    connection.execute(_INDEXED, (workspace, numbers, PER_READING))
    connection.execute("set session_replication_role = replica")
    with connection.cursor().copy(
        "copy vectors (tenant_id, reading, space, chunk_index, embedding) from stdin"
    ) as copy:
        for row in _rows(workspace, numbers, clusters):
            copy.write(row)
    connection.execute("set session_replication_role = origin")
    connection.commit()
    return numbers


def _rows(workspace: UUID, numbers: list[int], clusters: Clusters) -> Iterator[str]:
    step = _BATCH // PER_READING
    for start in range(0, len(numbers), step):
        some = numbers[start : start + step]
        drawn = iter(clusters.draw(len(some) * PER_READING).astype(np.float16))
        for number in some:
            for chunk in range(PER_READING):
                yield f"{workspace}\t{number}\t{SPACE}\t{chunk}\t{HalfVector(next(drawn)).to_text()}\n"
