"""What a message costs does not grow: what is looked up for it is looked up by keys, from the first message on."""

import re
from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import TextClause
from tests.support.database import Cluster

from intelli.kit.db import session_options
from intelli.memory.store import claims, queue, write
from intelli.migrations import schema

STATEMENTS = {
    "facts in question": write._EARLIER,
    "what stands before a claim": claims._TAILS,
    "claims and facts": claims._WRITE,
    "nodes and mentions": write._WRITE_GRAPH,
    "what was said before": queue._PICK_UP_ANY,
}
# These grow with every message; nodes may be read whole while there are few.
GROWING = ("memory_arrivals", "memory_episodes", "memory_facts", "memory_claims", "memory_mentions", "memory_terms")


def _numbered(statement: TextClause) -> str:
    """The statement as a plan for any values is made of it."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return re.sub(r"(?<!:):([a-z_]+)", number, statement.text)


@pytest.fixture(scope="module")
def untouched(cluster: Cluster) -> Iterator[psycopg.Connection]:
    """The application's connection to a database in which nothing was ever said, nor looked at by the planner."""
    with cluster.copy_of("template1") as engine:
        schema.upgrade(engine.admin_url)
        with psycopg.connect(engine.app_url, options=session_options(), autocommit=True) as connection:
            if connection.info.server_version < 180000:
                pytest.skip("older servers cannot be told what to expect; theirs is known after the first look")
            connection.execute("select intelli_enter(%s, null, null, null, null, null, null)", [str(uuid4())])
            yield connection


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_plan_reads_all_that_was_ever_said_for_one_message(untouched: psycopg.Connection, name: str):
    found = untouched.execute(f"explain (generic_plan, costs off) {_numbered(STATEMENTS[name])}".encode())
    plan = "\n".join(row[0] for row in found)
    whole = [table for table in GROWING if re.search(rf"Seq Scan on {table}\b", plan)]
    assert whole == [], plan
    # An index of which only the workspace is known would be read from end to end.
    for condition in re.findall(r"Index Cond: (.+)", plan):
        assert "AND" in condition, plan
