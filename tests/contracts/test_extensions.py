"""Adding a variant touches the files that CONTRIBUTING names and no other, and it is known everywhere at once."""

from collections.abc import Iterable
from pathlib import Path

from tests.support.contributor import Change, Edit, Tree, checklist, contributed
from tests.support.database import Cluster

from intelli.deliverable_kinds import KINDS
from intelli.entities.entity_types import EntityType
from intelli.migrations import schema

_MIGRATION = '''"""{about}."""

from alembic import op

revision = "{revision}"
down_revision = "{before}"
_NAMES = {names}


def upgrade() -> None:
    _allow(_NAMES)


def downgrade() -> None:
    _allow(_NAMES[:-1])


def _allow(names: tuple[str, ...]) -> None:
    op.drop_constraint(op.f("{table}_{column}_check"), "{table}")
    op.create_check_constraint(op.f("{table}_{column}_check"), "{table}", f"{column} in {{names}}")
'''
_SCHEMA = """
import json, re, sys
from sqlalchemy import CheckConstraint, create_engine, text
from intelli.migrations import schema

url, table, column = sys.argv[1:]
name = f"{table}_{column}_check"
schema.upgrade(url)
with create_engine(url).connect() as connection:
    query = text("select pg_get_constraintdef(oid) from pg_constraint where conname = :name")
    migrated = connection.scalar(query, {"name": name})
checks = [each for each in schema.metadata().tables[table].constraints if isinstance(each, CheckConstraint)]
(declared,) = (str(each.sqltext) for each in checks if each.name == name)
print(json.dumps([re.findall(r"'(\\w+)'", each) for each in (migrated, declared)]))
"""


def test_a_deliverable_kind_is_its_module_its_declaration_and_a_migration(tmp_path: Path, cluster: Cluster):
    changes: dict[str, Change] = {
        "src/intelli/deliverables/kinds/newsletter.py": '''"""A newsletter: the short answer and the sources."""

from intelli.deliverables.brief import DataBrief
from intelli.deliverables.kinds import sections
from intelli.deliverables.paper import Paper


def compose(brief: DataBrief) -> Paper:
    """The paper of a newsletter."""
    return sections.paper(brief, [*sections.summary(brief), *sections.closing(brief)])
''',
        "src/intelli/deliverable_kinds.py": Edit(
            ")\n\n\n@dataclass(frozen=True, slots=True)\nclass DeliverableChoice",
            """    DeliverableKind(
        name="NEWSLETTER",
        label="Newsletter",
        note="The short answer, to send around",
        icon="mail",
        phrase="a newsletter",
        words=("newsletter", "rundbrief"),
        rank=4,
        pointer="latest-newsletter",
        entity_type="GENERATED_CONTENT",
        media_type="text/html",
        file_name="newsletter.html",
        composer="intelli.deliverables.kinds.newsletter",
        forms=("html",),
    ),
)


@dataclass(frozen=True, slots=True)
class DeliverableChoice""",
        ),
        **_migration("deliverables", "kind", [*(kind.name for kind in KINDS), "NEWSLETTER"]),
    }
    _are_the_files_of("A deliverable kind", changes, most=3)
    with contributed(tmp_path, changes) as tree:
        known = tree.run_code(
            """
import json
from typer.testing import CliRunner
from tests.contracts import generate
from tests.deliverables.research import material
from intelli.cli import deliverables, program
from intelli.deliverable_kinds import DeliverableType
from intelli.deliverables import compose
from intelli.deliverables.compile_brief import compile_brief
from intelli.reasoning.verbs.understand import VERB, UnderstandInput
from intelli.reasoning.without_model import intents

schemas = generate.describe()["components"]["schemas"]
asked = UnderstandInput(question="Write a newsletter on margins")
shown = CliRunner().invoke(program.app, ["research", "--help"])
print(json.dumps({
    "wire": "NEWSLETTER" in schemas["Kind"]["enum"] and "NEWSLETTER" in schemas["DeliverableType"]["enum"],
    "terminal": deliverables.parse_options(None, deliverables.KindOption("newsletter")).deliverable_type,
    "terminal's choices": "newsletter" in shown.output,
    "delivered": DeliverableType("NEWSLETTER").kinds,
    "named in a message": intents.intent(asked).deliverable,
    "named alone": intents.names_form_alone("Write a newsletter."),
    "prompt": "slides, a document or a newsletter by name" in VERB.request(asked, characters=99).prompt.system,
    "menus": generate.pages()[generate.VARIANTS].count('"Newsletter"'),
    "paper": compose.compose("NEWSLETTER", compile_brief(material()).brief).pieces != (),
}))
"""
        )
        migrated, declared = _allowed(tree, cluster, "deliverables", "kind")
    assert known == {
        "wire": True,
        "terminal": "NEWSLETTER",
        "terminal's choices": True,
        "delivered": ["NEWSLETTER"],
        "named in a message": "NEWSLETTER",
        "named alone": True,
        "prompt": True,
        "menus": 2,
        "paper": True,
    }
    assert migrated[-1] == "NEWSLETTER"
    assert migrated == declared


def test_an_export_form_is_its_module_and_its_declaration(tmp_path: Path):
    changes: dict[str, Change] = {
        "src/intelli/deliverables/forms/plain.py": '''"""Plain text: the words and nothing else."""

from intelli.deliverables import prose
from intelli.deliverables.brief import DataBrief
from intelli.deliverables.forms.form import Options
from intelli.deliverables.paper import Paper


def render(brief: DataBrief, paper: Paper, options: Options) -> bytes:
    """The words of every block."""
    return "\\n\\n".join(map(prose.words, paper.blocks)).encode()
''',
        "src/intelli/deliverables/forms/__init__.py": Edit(
            ")\nFORMS: Mapping",
            """    ExportForm(
        name="txt",
        label="Plain text",
        note="Words alone",
        media_type="text/plain",
        extension="txt",
        kind="REPORT",
        writer="intelli.deliverables.forms.plain:render",
    ),
)
FORMS: Mapping""",
        ),
    }
    _are_the_files_of("An export form", changes, most=2)
    with contributed(tmp_path, changes) as tree:
        known = tree.run_code(
            """
import json
from pathlib import Path
from tests.contracts import generate, reference
from tests.deliverables import papers
from intelli.cli import deliverables
from intelli.deliverables import gml, rendering

asked = deliverables.parse_options(Path("answer.txt"), None)
request = rendering.RenderRequest(form="txt", brief=papers.brief(), gml=gml.write(papers.paper()))
print(json.dumps({
    "wire": generate.describe()["components"]["schemas"]["NewExport"]["properties"]["format"]["enum"][-1],
    "terminal": [asked.kind, asked.form],
    "terminal's help": "bib, csl, txt" in reference.cli_page(),
    "menu": generate.pages()[generate.VARIANTS].count('"Plain text"'),
    "rendered": len(rendering.render_in_process(request)) > 100,
}))
"""
        )
    assert known == {
        "wire": "txt",
        "terminal": ["REPORT", "txt"],
        "terminal's help": True,
        "menu": 1,
        "rendered": True,
    }


def test_an_entity_type_is_its_declaration_and_a_migration(tmp_path: Path, cluster: Cluster):
    changes: dict[str, Change] = {
        "src/intelli/entities/entity_types.py": Edit(
            "\n\nPASSAGES = ",
            """    MARKET_FEED = (
        "MARKET_FEED",
        EntityDeclaration(
            description="Prices as they came.",
            metadata=metadata.ApiData,
            platform=PlatformType.API_DATA,
            is_opened=True,
            source_tab="data",
        ),
    )


PASSAGES = """,
        ),
        **_migration("entities", "entity_type", [*EntityType, "MARKET_FEED"]),
    }
    _are_the_files_of("An entity type", changes, most=3)
    with contributed(tmp_path, changes) as tree:
        known = tree.run_code(
            """
import json
from tests.contracts import generate
from intelli.conversations import show
from intelli.entities import entity_types
from intelli.entities.entity_types import EntityType

schemas = generate.describe()["components"]["schemas"]
feed = EntityType("MARKET_FEED")
print(json.dumps({
    "wire": "MARKET_FEED" in schemas["EntityType"]["enum"],
    "model": schemas["MarketFeed"]["description"],
    "union": schemas["Entity"]["discriminator"]["mapping"]["MARKET_FEED"],
    "metadata": entity_types.validate_metadata(feed, {"api_subtype": "prices"}),
    "shown with an answer": feed in show._OPENABLE,
    "tab": '{"value": "MARKET_FEED", "isSource": true, "tab": "data"}' in generate.pages()[generate.VARIANTS],
}))
"""
        )
        migrated, declared = _allowed(tree, cluster, "entities", "entity_type")
    assert known == {
        "wire": True,
        "model": "Prices as they came.",
        "union": "#/components/schemas/MarketFeed",
        "metadata": {"api_subtype": "prices"},
        "shown with an answer": True,
        "tab": True,
    }
    assert migrated[-1] == "MARKET_FEED"
    assert migrated == declared


def _migration(table: str, column: str, names: Iterable[str]) -> dict[str, Change]:
    """The migration that allows one more name, after the newest that there is."""
    before = schema.head_revision()
    revision = f"{int(before) + 1:04}"
    text = _MIGRATION.format(
        about=f"One more {column}",
        revision=revision,
        before=before,
        table=table,
        column=column,
        names=tuple(map(str, names)),
    )
    return {f"src/intelli/migrations/versions/{revision}_one_more.py": text}


def _are_the_files_of(title: str, changes: dict[str, Change], *, most: int) -> None:
    """A checklist names every file that is edited and the folder of every file that is new."""
    told = checklist(title)
    assert len(changes) <= most
    for name, change in changes.items():
        path = Path(name).relative_to("src/intelli")
        named = path if isinstance(change, Edit) else path.parent
        assert f"`{named}`" in told, f"{title}: {named}"


def _allowed(tree: Tree, cluster: Cluster, table: str, column: str) -> tuple[list[str], list[str]]:
    """The names that the database allows once it is migrated, and those that the model declares."""
    with cluster.copy_of("template1") as engine:
        found: tuple[list[str], list[str]] = tree.run_code(_SCHEMA, engine.admin_url, table, column)
        return found
