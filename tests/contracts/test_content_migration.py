"""Content that was kept before it had owners: upgraded, it is with those who hold it; taken back, it is as it was."""

from collections.abc import Iterator
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.rows import namedtuple_row
from tests.support.database import Cluster

from intelli.app import Engine
from intelli.migrations import schema

W, ANNA, TALK, RUN = uuid4(), uuid4(), uuid4(), uuid4()
GONE = uuid4()
# What each artifact is: a question, a file of the library that is also a report's, a report, what a deleted one left.
QUESTION, BOTH, REPORT, LEFT, LOOSE = (digit * 64 for digit in "abcde")
FIRST, SECOND, THEIRS, ORPHAN = (digit * 64 for digit in "1234")


@pytest.fixture
def before(cluster: Cluster) -> Iterator[Engine]:
    """A database of the version before, with a little of everything."""
    with cluster.copy_of("template1") as engine:
        schema.upgrade(engine.admin_url, "0015")
        _fill(engine)
        yield engine


def test_content_is_given_to_those_who_hold_it(before: Engine):
    schema.upgrade(before.admin_url, "0016")
    held = "select sha256, owner_id, user_id, reference_count from artifacts order by sha256, owner_id = tenant_id"
    assert _rows(before, held) == [
        (QUESTION, TALK, ANNA, 1),
        (BOTH, TALK, ANNA, 2),
        (BOTH, W, None, 3),
        (REPORT, TALK, ANNA, 1),
        (LEFT, ANNA, ANNA, 0),
        (LOOSE, ANNA, ANNA, 0),
    ]
    owned = "select sha256, owner_id, user_id from manifests order by sha256"
    assert _rows(before, owned) == [(FIRST, TALK, ANNA), (SECOND, TALK, ANNA), (THEIRS, W, None)]
    names = "select namespace, conversation_id, user_id, owner_id from pointers order by namespace"
    assert _rows(before, names) == [(f"conversation-{TALK}", TALK, ANNA, TALK), ("team", None, None, W)]
    assert _rows(before, "select distinct owner_id from pointer_history where to_sha256 = %s", SECOND) == [(TALK,)]


def test_content_is_put_together_again(before: Engine):
    schema.upgrade(before.admin_url, "0016")
    schema.downgrade(before.admin_url, "0015")
    counts = "select sha256, reference_count from artifacts order by sha256"
    assert _rows(before, counts) == [(QUESTION, 1), (BOTH, 5), (REPORT, 1), (LEFT, 0), (LOOSE, 0)]
    assert _rows(before, "select sha256 from manifests order by 1") == [(FIRST,), (SECOND,), (THEIRS,)]


def _fill(engine: Engine) -> None:
    with psycopg.connect(engine.admin_url, autocommit=True) as connection:
        for statement, values in _statements():
            connection.execute(statement, values)


def _statements() -> Iterator[tuple[str, tuple[object, ...]]]:
    yield "insert into workspaces (id, name) values (%s, 'Lab')", (W,)
    yield "insert into conversations (tenant_id, id, user_id) values (%s, %s, %s)", (W, TALK, ANNA)
    yield (
        (
            "insert into runs (tenant_id, id, user_id, conversation_id, question, budget_cents) "
            "values (%s, %s, %s, %s, '', 1)"
        ),
        (W, RUN, ANNA, TALK),
    )
    artifact = """insert into artifacts (tenant_id, sha256, media_type, size_bytes, storage_uri, entity_type,
                                         entity_metadata, created_by)
                  values (%s, %s, 'text/plain', 1, 'x', 'DOCUMENT', '{}', %s)"""
    for sha256 in (QUESTION, BOTH, REPORT, LEFT, LOOSE):
        yield artifact, (W, sha256, ANNA)
    document = uuid4()
    yield (
        (
            "insert into documents (tenant_id, id, name, path, artifact_sha256, file_size, mime_type) "
            "values (%s, %s, 'a', '/a', %s, 1, 'text/plain')"
        ),
        (W, document, BOTH),
    )
    yield (
        (
            "insert into document_versions (tenant_id, document_id, version, name, path, artifact_sha256, file_size, "
            "mime_type, change) values (%s, %s, 1, 'a', '/a', %s, 1, 'text/plain', 'created')"
        ),
        (W, document, BOTH),
    )
    yield "insert into readings (tenant_id, sha256) values (%s, %s)", (W, BOTH)
    yield (
        (
            "insert into entities (tenant_id, id, user_id, run_id, conversation_id, entity_type, identifier, "
            "file_name, mimetype, held_sha256) values "
            "(%s, %s, %s, %s, %s, 'USER_QUERY_PART', 'q', 'q', 'text/plain', %s)"
        ),
        (W, uuid4(), ANNA, RUN, TALK, QUESTION),
    )
    yield from _trees()


def _trees() -> Iterator[tuple[str, tuple[object, ...]]]:
    manifest = """insert into manifests (tenant_id, sha256, parent_sha256, message, entry_count, total_size_bytes)
                  values (%s, %s, %s, '', 1, 1)"""
    entry = "insert into manifest_entries values (%s, %s, 'a', %s, 'text/plain', 'DOCUMENT', 1)"
    for sha256, parent, held in (
        (FIRST, None, BOTH),
        (SECOND, FIRST, BOTH),
        (THEIRS, None, BOTH),
        (ORPHAN, None, LEFT),
    ):
        yield manifest, (W, sha256, parent)
        yield entry, (W, sha256, held)
    yield "insert into manifest_entries values (%s, %s, 'b', %s, 'text/plain', 'REPORT', 1)", (W, SECOND, REPORT)
    yield from _pointer(f"conversation-{TALK}", FIRST, SECOND)
    yield from _pointer("team", THEIRS, reason="user_update")
    yield from _pointer(f"conversation-{GONE}", ORPHAN)


def _pointer(
    namespace: str, *moves: str, reason: str = "deliverable_generated"
) -> Iterator[tuple[str, tuple[object, ...]]]:
    pointer_id: UUID = uuid4()
    yield (
        (
            "insert into pointers (tenant_id, id, namespace, name, manifest_sha256, pointer_type, description, meta) "
            "values (%s, %s, %s, 'latest-report', %s, 'bundle', '', '{}')"
        ),
        (W, pointer_id, namespace, moves[-1]),
    )
    for version, (start, end) in enumerate(zip((None, *moves), moves, strict=False), start=1):
        yield (
            (
                "insert into pointer_history (tenant_id, id, pointer_id, version, from_sha256, to_sha256, reason) "
                "values (%s, %s, %s, %s, %s, %s, %s)"
            ),
            (W, uuid4(), pointer_id, version, start, end, reason),
        )


def _rows(engine: Engine, query: str, *values: object) -> list[tuple[object, ...]]:
    with psycopg.connect(engine.admin_url, row_factory=namedtuple_row) as connection:
        return [tuple(row) for row in connection.execute(query, values or None)]  # type: ignore[arg-type]  # our own text
