"""A setting, a tool and a column are added as CONTRIBUTING says: in the files it names and in no other."""

from pathlib import Path

import pytest
from tests.support.database import Cluster
from tests.support.source_copy import ROOT, SourceCopy, copy_source

from intelli.migrations import schema
from intelli.runs.events import RunEvent

_SETTING = '    pace: int = Field(3, ge=1, le=9, description="How fast it goes.")\n'
# Where a room's settings are, a field of theirs, the name they hang under, and the part that the room asks for.
_ROOMS = (
    ("citations", "    keep_excerpts: bool", "evidence", "EvidenceSettings"),
    ("content", "    upload_limit_bytes: int", "content", "ContentSettings"),
    ("library", "    chunk_tokens: int", "library", "LibrarySettings"),
    ("memory", "    conversations: bool", "memory", "MemorySettings"),
    ("runs", "    cents_per_run: Decimal", "budget", "RunSettings"),
)
# These are handed over where they are used: to an embedder, a reasoner, a pool of processes, a server.
_OTHERS = (
    ("reasoning/settings.py", "    name: EmbeddingName", "embedding"),
    ("reasoning/model_settings.py", "    name: str | None", "model"),
    ("kit/compute/settings.py", "    time_s: float", "compute"),
    ("kit/settings.py", "    head_timeout_s: float", "http"),
)
_TOOL = '''"""count_words: how many words a text has."""

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.tool import Tool, ToolContext


class CountAsked(Request):
    """What to count the words of."""

    text: str


class Counted(Wire):
    """How many there are."""

    words: int


async def _count(asked: CountAsked, context: ToolContext) -> Counted:
    return Counted(words=len(asked.text.split()))


TOOL = Tool("count_words", "Count the words of a text.", CountAsked, Counted, _count, label="Count")
'''
_MIGRATION = '''"""The first letter of a document's name."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    op.add_column("documents", sa.Column("initial", sa.Text))


def downgrade() -> None:
    op.drop_column("documents", "initial")
'''


@pytest.fixture
def source(tmp_path: Path) -> SourceCopy:
    """The product as it is, to be changed."""
    return copy_source(tmp_path)


def test_a_setting_of_a_room_is_one_field(source: SourceCopy):
    for room, field, *_ in _ROOMS:
        source.put_before(f"{room}/settings.py", field, _SETTING)
    for path, field, _ in _OTHERS:
        source.put_before(path, field, _SETTING)
    groups = [*(group for *_, group, _ in _ROOMS), *(group for *_, group in _OTHERS)]
    variables = {f"INTELLI_{group.upper()}__PACE": "7" for group in groups}

    made = source.run("tests.contracts.extended", "settings", "pace", *groups, **variables)

    rows = [f"| `{group}.pace` | `INTELLI_{group.upper()}__PACE` | `3` | How fast it goes. |" for group in groups]
    assert sorted(made["reference"]) == sorted(rows)
    assert made["groups"] == dict.fromkeys(groups, 7)
    assert {kind: made["handed"][kind] for *_, kind in _ROOMS} == {kind: 7 for *_, kind in _ROOMS}


def test_a_setting_of_identity_has_no_prefix_and_is_shown_with_its_source(source: SourceCopy):
    source.put_before("identity/settings.py", "    access_token_minutes: int", _SETTING)

    shown = source.run("intelli.cli", "config", "--json", "--data", "data", INTELLI_PACE="7")

    assert {"name": "pace", "value": "7", "source": "environment (INTELLI_PACE)"} in shown
    assert source.edited == {"identity/settings.py"}


def test_a_tool_is_one_file_and_its_line(source: SourceCopy):
    source.add("runs/tools/count_words.py", _TOOL)
    source.put_before("runs/tools/__init__.py", "    create_document,\n", "    count_words,\n")
    source.put_before("runs/tools/__init__.py", "    read_answer.TOOL,\n", "    count_words.TOOL,\n")

    made = source.run("tests.contracts.extended", "tool", "count_words", '{"text": "two words"}')

    assert made["schema"]["required"] == ["text"]
    assert made["given"] == {"words": 2}
    assert made["kept"] == [{"text": "two words"}, {"words": 2}]
    assert made["labels"] == ['  count_words: "Count",']


def test_a_column_is_a_column_a_migration_a_field_and_the_rule_that_fills_it(source: SourceCopy, cluster: Cluster):
    source.put_before("library/tables.py", "    last_synced_at: Mapped", "    initial: Mapped[str | None]\n")
    source.add("migrations/versions/9999_initials.py", _MIGRATION.format(head=schema.head_revision()))
    source.put_before("library/wire.py", "    last_synced_at: datetime", "    initial: str | None\n")
    source.put_before("library/upload.py", '        "last_synced_at": ', '        "initial": name[:1],\n')

    with cluster.copy_of("template1") as engine:
        made = source.run("tests.contracts.extended", "column", engine.app_url, engine.admin_url, "initial")

    assert made["differences"] == []
    assert (made["alone"], made["together"]) == ("a", ["0", "1", "2"])
    assert made["listed"] == {"alone.txt": "a", "0.txt": "0", "1.txt": "1", "2.txt": "2"}
    assert len(source.edited) == 4


def test_every_event_has_its_case_in_the_reducer_of_the_ui():
    reducer = (ROOT / "ui" / "src" / "features" / "run" / "reduce.ts").read_text(encoding="utf-8")
    mapping = RunEvent.model_json_schema(mode="serialization")["discriminator"]["mapping"]
    assert [name for name in mapping if f"case '{name}':" not in reducer] == []
