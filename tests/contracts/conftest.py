"""Two workspaces that know nothing of each other, each with a row in every tenant table."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text
from tests.contracts.catalogue import Catalogue
from tests.contracts.evidence_rows import fill_evidence
from tests.contracts.memory_rows import fill_memory
from tests.contracts.model_rows import fill_models
from tests.contracts.run_rows import fill_run
from tests.support.server import Person, Visit, join, register, settings_for

from intelli.app import App
from intelli.identity.wire import RegistrationMode
from intelli.kit.context import SCOPES_OF_ROLE, AuthMethod, Role, System, UserContext
from intelli.kit.ids import uuid7
from intelli.kit.tables import Effect
from intelli.settings import Settings

_NAMES_OF_FOLDERS = ("folder_id", "parent_folder_id", "parent_id", "scope_id")
_NAMES_OF_MANIFESTS = ("manifest_sha256", "before_sha256", "after_sha256", "parent_sha256", "expected")


# As a worker would, which the test's server does without. A trigger on `indexed` fills the lexicons.
_INDEX = (
    """insert into chunks (tenant_id, reading, chunk_index, char_start, char_end, kind, tokens, body)
       select tenant_id, number, 0, 0, 1, 'text', 1, 'A' from readings""",
    """insert into indexed (tenant_id, reading, version, language, chunks, length)
       select tenant_id, number, 1, 'en', 1, 1 from readings""",
    """insert into postings (tenant_id, term, batch, part, first, last, hits)
       select tenant_id, 1, number, 0, number, number, '\\x00' from readings""",
    "insert into strays (tenant_id, reading, before) select tenant_id, number, 1 from readings",
    """insert into frequent_terms (tenant_id, term, chunks, until, hits)
       select tenant_id, 1, 1, 1, '\\x00' from readings""",
    """insert into chunk_terms (tenant_id, reading, chunk_index, length, digest, terms, counts)
       select tenant_id, number, 0, 1, 1, '\\x00', '\\x00' from readings""",
    """insert into spaces (tenant_id, number, name, dimensions, state)
       select tenant_id, 1, 'static', 2, 'active' from readings""",
    """insert into vectors (tenant_id, reading, space, chunk_index, embedding)
       select tenant_id, number, 1, 0, '[1,0]' from readings""",
    "insert into reading_spaces (tenant_id, reading, space, chunks) select tenant_id, number, 1, 1 from readings",
    """insert into vector_builds (tenant_id, space, step, total) select tenant_id, 1, 'copy', 1 from readings""",
    "insert into vector_changes (tenant_id, space, reading) select tenant_id, 1, number from readings",
    """insert into document_questions (tenant_id, document_id, artifact_sha256, questions)
       select tenant_id, id, artifact_sha256, '["What is it?"]' from documents""",
)


@dataclass(frozen=True)
class Household:
    """A workspace with an owner, a viewer, an open invitation, an API key and a pointer to some content."""

    owner: Person
    viewer: Person
    me: dict[str, Any]
    invitation: dict[str, Any]
    api_key: dict[str, Any]
    artifact: dict[str, Any]
    pointer: dict[str, Any]
    run: dict[str, Any]
    document: dict[str, Any]
    asked: dict[str, Any]
    evidence: dict[str, str]

    @property
    def id(self) -> UUID:
        return UUID(self.me["workspace"]["id"])

    @property
    def user_id(self) -> UUID:
        return UUID(self.me["user"]["id"])

    @property
    def who(self) -> UserContext:
        """The owner, as the database knows them."""
        return UserContext(
            user_id=self.user_id,
            tenant_id=self.id,
            role=Role.OWNER,
            scopes=SCOPES_OF_ROLE[Role.OWNER],
            auth_method=AuthMethod.JWT,
            session_id=UUID(self.me["session_id"]),
        )

    def ids(self) -> dict[str, str]:
        """Every id of the workspace that a route can name, by the parameter's name."""
        return {
            "session_id": self.me["session_id"],
            "user_id": self.me["user"]["id"],
            "invitation_id": self.invitation["id"],
            "key_id": self.api_key["id"],
            "workspace_id": self.me["workspace"]["id"],
            **dict.fromkeys(("sha256", "content_artifact_id"), self.artifact["sha256"]),
            **self.evidence,
            **dict.fromkeys(_NAMES_OF_MANIFESTS, self.pointer["manifest_sha256"]),
            "run_id": self.run["id"],
            "namespace": self.pointer["namespace"],
            "name": self.pointer["name"],
            **dict.fromkeys(("document_id", "initialization_document_id"), self.document["id"]),
            "conversation_id": self.asked["message"]["conversation_id"],
            **dict.fromkeys(("message_id", "parent_message_id"), self.asked["message"]["id"]),
            **dict.fromkeys(_NAMES_OF_FOLDERS, self.document["folder_id"]),
            "page": "888999",
            "number": "4999",
            "token": "feed.beef.feed",
            "path": "of-somebody/page.html",
            "source_type": "of-somebody",
            "external_id": "of/somebody",
        }


@pytest.fixture
def catalogue(admin_url: str) -> Iterator[Catalogue]:
    """What PostgreSQL says about the test's database."""
    catalogue = Catalogue(admin_url)
    yield catalogue
    catalogue.close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Open registration, so that strangers can found workspaces of their own."""
    return settings_for(tmp_path, registration=RegistrationMode.OPEN)


@pytest.fixture
async def ours(app: App, visit: Visit) -> Household:
    """The workspace whose owner looks around."""
    return await _settle(app, visit, "ours")


@pytest.fixture
async def theirs(ours: Household, app: App, visit: Visit) -> Household:
    """Another workspace of the same installation, which nobody of ours belongs to."""
    return await _settle(app, visit, "theirs")


async def _settle(app: App, visit: Visit, name: str) -> Household:
    owner = await register(visit(), f"owner@{name}.example.org", workspace_name=f"The workspace of {name}")
    viewer = await join(owner, visit(), f"viewer@{name}.example.org", role="viewer")
    once = {"Idempotency-Key": f"first of {name}"}
    invitation = (await owner.client.post("/invitations", json={}, headers=once)).raise_for_status().json()
    api_key = (await owner.client.post("/api-keys", json={"name": name, "scopes": ["read"]})).raise_for_status().json()
    artifact, pointer = await _fill(owner, name)
    run = (await owner.client.post("/runs", json={"question": f"What is with {name}?"})).raise_for_status().json()
    document = await _shelve(owner, name)
    asked = await _ask(owner, name)
    evidence: dict[str, str] = {}
    household = Household(
        owner, viewer, await owner.me(), invitation, api_key, artifact, pointer, run, document, asked, evidence
    )
    async with app.db.begin(System(tenant_id=household.id)) as tx:
        tx.session.add(Effect(tenant_id=household.id, id=uuid7(), key=f"effect of {name}"))
        for statement in _INDEX:
            await tx.session.execute(text(statement))
        evidence |= await fill_run(tx, household.user_id, UUID(run["id"]))
        named = {"message_id": UUID(asked["message"]["id"]), "document_id": UUID(document["id"])}
        evidence |= await fill_evidence(tx, household.user_id, **named)
        evidence |= await fill_memory(tx, f"group-of-{name}")
        evidence |= await fill_models(tx)
    return household


async def _fill(owner: Person, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Some content, and a pointer to it."""
    file = {"file": (f"{name}.txt", f"The content of {name}".encode())}
    artifact = (await owner.client.post("/artifacts", files=file)).raise_for_status().json()
    tree = {"tree": {f"{name}.txt": {"sha256": artifact["sha256"]}}}
    manifest = (await owner.client.post("/manifests", json=tree)).raise_for_status().json()
    move = {"manifest_sha256": manifest["sha256"], "expected": None}
    pointer = (await owner.client.put(f"/pointers/of-{name}/{name}", json=move)).raise_for_status().json()
    return artifact, pointer


async def _shelve(owner: Person, name: str) -> dict[str, Any]:
    """A document in a folder."""
    file, place = {"file": (f"{name}.txt", f"A document of {name}".encode())}, {"folder_path": f"/Folder of {name}"}
    document: dict[str, Any] = (await owner.client.post("/documents", files=file, data=place)).raise_for_status().json()
    return document


async def _ask(owner: Person, name: str) -> dict[str, Any]:
    """A question in a conversation, and an opinion of it."""
    conversation = (await owner.client.post("/conversations", json={"title": name})).raise_for_status().json()
    question = {"content": f"What of {name}?"}
    asked = await owner.client.post(f"/conversations/{conversation['id']}/messages", json=question)
    said: dict[str, Any] = asked.raise_for_status().json()
    path = f"/messages/{said['message']['id']}/feedback"
    (await owner.client.put(path, json={"rating": "thumbs_up"})).raise_for_status()
    return said
