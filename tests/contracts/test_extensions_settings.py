"""A setting, a tool and a column are added as CONTRIBUTING says: in the files it names and in no other."""

from pathlib import Path

from tests.support.contributor import ROOT, Change, before, checklist, contributed
from tests.support.database import Cluster

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


class CountInput(Request):
    """What to count the words of."""

    text: str


class CountOutput(Wire):
    """How many there are."""

    words: int


async def _count(asked: CountInput, context: ToolContext) -> CountOutput:
    return CountOutput(words=len(asked.text.split()))


TOOL = Tool("count_words", "Count the words of a text.", CountInput, CountOutput, _count, label="Count")
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


def test_a_setting_of_a_room_is_one_field(tmp_path: Path):
    places = [*((f"{room}/settings.py", field) for room, field, *_ in _ROOMS), *(each[:2] for each in _OTHERS)]
    groups = [*(group for *_, group, _ in _ROOMS), *(group for *_, group in _OTHERS)]
    variables = {f"INTELLI_{group.upper()}__PACE": "7" for group in groups}

    with contributed(tmp_path, {f"src/intelli/{path}": before(field, _SETTING) for path, field in places}) as tree:
        made = tree.run_module("tests.contracts.extended", "settings", "pace", *groups, **variables)

    rows = [f"| `{group}.pace` | `INTELLI_{group.upper()}__PACE` | `3` | How fast it goes. |" for group in groups]
    assert sorted(made["reference"]) == sorted(rows)
    assert made["groups"] == dict.fromkeys(groups, 7)
    assert {kind: made["handed"][kind] for *_, kind in _ROOMS} == {kind: 7 for *_, kind in _ROOMS}
    assert "`settings.py`" in checklist("A setting")


def test_a_setting_of_identity_has_no_prefix_and_is_shown_with_its_source(tmp_path: Path):
    change = before("    access_token_minutes: int", _SETTING)

    with contributed(tmp_path, {"src/intelli/identity/settings.py": change}) as tree:
        shown = tree.run_module("intelli.cli", "config", "--json", "--data", "data", INTELLI_PACE="7")

    assert {"name": "pace", "value": "7", "source": "environment (INTELLI_PACE)"} in shown


def test_a_tool_is_one_file_and_its_line(tmp_path: Path):
    changes: dict[str, Change] = {
        "src/intelli/runs/tools/count_words.py": _TOOL,
        "src/intelli/runs/tools/__init__.py": (
            before("    create_document,\n", "    count_words,\n"),
            before("    read_answer.TOOL,\n", "    count_words.TOOL,\n"),
        ),
    }

    with contributed(tmp_path, changes) as tree:
        made = tree.run_module("tests.contracts.extended", "tool", "count_words", '{"text": "two words"}')

    assert made["schema"]["required"] == ["text"]
    assert made["given"] == {"words": 2}
    assert made["kept"] == [{"text": "two words"}, {"words": 2}]
    assert made["labels"] == ['  count_words: "Count",']


def test_a_column_is_a_column_a_migration_a_field_and_the_rule_that_fills_it(tmp_path: Path, cluster: Cluster):
    library = "src/intelli/library"
    changes: dict[str, Change] = {
        f"{library}/tables.py": before("    last_synced_at: Mapped", "    initial: Mapped[str | None]\n"),
        "src/intelli/migrations/versions/9999_initials.py": _MIGRATION.format(head=schema.head_revision()),
        f"{library}/wire.py": before("    last_synced_at: datetime", "    initial: str | None\n"),
        f"{library}/upload.py": before('        "last_synced_at": ', '        "initial": name[:1],\n'),
    }

    with contributed(tmp_path, changes) as tree, cluster.copy_of("template1") as engine:
        made = tree.run_module("tests.contracts.extended", "column", engine.app_url, engine.admin_url, "initial")

    assert made["differences"] == []
    assert (made["alone"], made["together"]) == ("a", ["0", "1", "2"])
    assert made["listed"] == {"alone.txt": "a", "0.txt": "0", "1.txt": "1", "2.txt": "2"}


def test_every_event_has_its_case_in_the_reducer_of_the_ui():
    reducer = (ROOT / "ui" / "src" / "features" / "run" / "reduce.ts").read_text(encoding="utf-8")
    mapping = RunEvent.model_json_schema(mode="serialization")["discriminator"]["mapping"]
    assert [name for name in mapping if f"case '{name}':" not in reducer] == []
