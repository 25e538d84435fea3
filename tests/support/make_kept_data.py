"""Makes the data directory that `tests/journeys/test_kept_data.py` opens, by using the product as people do.

    python -m tests.support.make_kept_data

The archive in the repository is never made anew for a later version: it proves that later versions open what an
earlier one wrote. PostgreSQL 16 makes it, whose dump every later version reads.
"""

import io
import json
import subprocess
import tarfile
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import docx
import httpx
from tests.cli.process import serving
from tests.support.model_server import ModelServer, Reply
from tests.support.server import PASSWORD

from intelli.kit.postgres import EmbeddedPostgres, binaries

Json = dict[str, Any]
ARCHIVE = Path(__file__).parents[1] / "data" / "kept_data.tar.xz"
OWNER = {"email": "ada@example.org", "password": PASSWORD, "name": "Ada", "workspace_name": "Engines"}
GROUP = "team"
_VERSION = 16
_WAIT_S = 60
# What a process leaves behind that another machine has no use for.
_NOT_KEPT = ("postgres", "serve.lock", "installation.lock")
_DRAFT = "# Annual report\n\nRevenue came to 389.2 million euros in 2024.\n"
_FILES = {
    "report.md": b"# Annual report\n\nRevenue came to 412.7 million euros in 2025, after 389.2 million in 2024.\n\n"
    b"The company employed 1204 people at the end of 2025.\n",
    "sales.csv": b"Region,Sales 2025,Sales 2024\nNorth,210.4,198.1\nSouth,202.3,191.1\n",
    "risks.html": b"<html><head><title>Risks</title></head><body><h1>Risks</h1><p>The largest risk to the business is "
    b"the price of copper, which rose by 18 percent in 2025.</p></body></html>",
    "plan.md": b"# Plan\n\nThe new plant opens in 2026.\n",
}
# How the prompts begin that the model is given a reply for.
_INTENT = "You decide what a person wants"
_CHANGE = "You turn a person's request into changes"
_FACTS = (
    ("Bo works at Acme as an engineer.", "2024-03-01T09:00:00Z"),
    ("Bo lives in Vienna.", "2024-03-02T09:00:00Z"),
    ("Bo moved to Graz.", "2025-02-01T09:00:00Z"),
)


class User:
    """HTTP client of the owner, closed with the block."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=f"{url}/api/v1", timeout=60)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def sign_in(self, path: str, body: Json) -> None:
        """Register or sign in."""
        token = self.post(path, body)["access_token"]
        self.client.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **params: Any) -> Any:
        """What the product shows."""
        return self.client.get(path, params=params).raise_for_status().json()

    def post(self, path: str, body: Json) -> Any:
        """What the product answers."""
        return self.client.post(path, json=body).raise_for_status().json()

    def upload(self, name: str, content: bytes, folder: str = "/papers") -> Json:
        """A document of the library, or the next version of it."""
        answer = self.client.post("/documents", files={"file": (name, content)}, data={"folder_path": folder})
        document: Json = answer.raise_for_status().json()
        return document

    def ask(self, conversation: Json, content: str, **more: Any) -> Json:
        """Ask in a conversation; the run once it rests."""
        said = self.post(f"/conversations/{conversation['id']}/messages", {"content": content, **more})
        return self.until_rests(said["run"]["id"])

    def until_rests(self, run_id: str, *states: str) -> Json:
        """The run once it has ended or waits."""
        wanted = states or ("completed", "failed", "cancelled", "waiting")
        run: Json = until(lambda: self.get(f"/runs/{run_id}"), lambda found: found["status"] in wanted)
        return run

    def until_indexed(self) -> None:
        """Wait until all documents can be found."""
        until(
            lambda: {each["indexing_status"] for each in self.get("/documents")["items"]},
            lambda found: found == {"completed"},
        )

    def export(self, deliverable_id: str, form: str) -> Json:
        """Have a deliverable made in a form; the export once it is there."""
        self.post(f"/deliverables/{deliverable_id}/exports", {"format": form})

        def asked() -> Json:
            (found,) = [each for each in self.get(f"/deliverables/{deliverable_id}/exports") if each["format"] == form]
            return dict(found)

        export: Json = until(asked, lambda found: found["status"] in {"completed", "failed"})
        return export


def until(look: Callable[[], Any], is_so: Callable[[Any], bool]) -> Any:
    """Poll until a value satisfies a condition, and return it."""
    deadline = time.monotonic() + _WAIT_S
    while not is_so(found := look()):
        assert time.monotonic() < deadline, f"it did not come to pass: {found}"
        time.sleep(0.05)
    return found


def main() -> None:
    """Make the archive."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data"
        environment = {"INTELLI_POSTGRES_VERSION": str(_VERSION)}
        with serving(data, env=environment) as server, User(server.url) as user:
            user.sign_in("/auth/register", OWNER)
            _fill_library(user)
            _ask_without_model(user)
            _remember(user)
        with ModelServer() as model:
            named = {"INTELLI_MODEL__NAME": "test-model", "INTELLI_MODEL__BASE_URL": model.base_url}
            priced = {"INTELLI_MODEL__INPUT_PRICE": "1", "INTELLI_MODEL__OUTPUT_PRICE": "1"}
            with serving(data, env={**environment, **named, **priced}) as server, User(server.url) as user:
                user.sign_in("/auth/login", {"email": OWNER["email"], "password": PASSWORD})
                _ask_with_model(user, model)
                kept = _what_is_kept(user)
        _pack(data, kept)


def _fill_library(user: User) -> None:
    user.upload("report.md", _DRAFT.encode())
    user.until_indexed()
    for name, content in _FILES.items():
        user.upload(name, content)
    user.upload("staff.docx", _word("Staff", "The works council has nine members, and Ruth Adler leads it."))
    user.until_indexed()


def _word(heading: str, paragraph: str) -> bytes:
    document = docx.Document()
    document.add_heading(heading, 1)
    document.add_paragraph(paragraph)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def _ask_without_model(user: User) -> None:
    conversation = user.post("/conversations", {})
    for question in (
        "What did revenue come to in 2025?",
        "And in 2024?",
        "Who leads the works council?",
        "Who won the chess championship of 1972?",
    ):
        _insist(user.ask(conversation, question), "completed")
    saved = user.ask(conversation, "What is the largest risk? Save the answer as notes/risk.md")
    (asked,) = user.get("/interactions", confirmation_status="pending")["items"]
    user.client.post(f"/interactions/{asked['id']}/approve").raise_for_status()
    _insist(user.until_rests(saved["id"], "completed"), "completed")
    report = user.ask(
        user.post("/conversations", {}), "What did revenue and sales come to in 2025?", deliverable_type="REPORT"
    )
    (made,) = user.get("/deliverables", run_id=_insist(report, "completed")["id"])["items"]
    assert user.export(made["id"], "md")["status"] == "completed"
    waiting = user.ask(user.post("/conversations", {}), "Replace 2026 by 2027 in papers/plan.md")
    _insist(waiting, "waiting")


def _remember(user: User) -> None:
    messages = [{"content": text, "role": "Bo", "role_type": "user", "timestamp": at} for text, at in _FACTS]
    user.post("/memory/messages", {"group_id": GROUP, "messages": messages})
    until(lambda: user.get(f"/memory/groups/{GROUP}"), lambda group: group["queued"] == 0)


def _ask_with_model(user: User, model: ModelServer) -> None:
    conversation = user.post("/conversations", {})
    _insist(user.ask(conversation, "What did revenue come to in 2025?"), "completed")
    report = user.ask(conversation, "What did revenue come to in 2025; What is the risk?", deliverable_type="REPORT")
    (made,) = user.get("/deliverables", run_id=_insist(report, "completed")["id"])["items"]
    assert user.export(made["id"], "html")["status"] == "completed"
    intent = {"kind": "question", "deliverable": "STANDARD", "clarification": None, "changing": "also"}
    change = {"action": "create", "path": "notes/staff.md", "uses_answer": True, "content": "", "edits": []}
    model.script(Reply(data=intent, when=_INTENT), Reply(data={"changes": [change]}, when=_CHANGE))
    asked = "How many people does the company employ? Put that into notes/staff.md"
    _insist(user.ask(user.post("/conversations", {}), asked), "waiting")
    unclear = {**intent, "changing": "nothing", "clarification": "Which year do you mean?"}
    model.script(Reply(data=unclear, when=_INTENT))
    _insist(user.ask(user.post("/conversations", {}), "How was it that year?"), "waiting")


def _insist(run: Json, status: str) -> Json:
    assert run["status"] == status, run
    assert run["problems"] == [], run
    return run


def _what_is_kept(user: User) -> Json:
    """Return the product's answers at this version, for later versions to give the same."""
    conversations = user.get("/conversations")["items"]
    return {
        "conversations": {each["id"]: user.get(f"/conversations/{each['id']}/messages") for each in conversations},
        "runs": user.get("/runs")["items"],
        "deliverables": user.get("/deliverables")["items"],
        "documents": user.get("/documents")["items"],
        "waiting": user.get("/interactions", confirmation_status="pending")["items"],
        "facts": user.post("/memory/search", {"group_ids": [GROUP], "query": "Where does Bo live?"})["facts"],
    }


def _pack(data: Path, kept: Json) -> None:
    ARCHIVE.parent.mkdir(exist_ok=True)
    with tarfile.open(ARCHIVE, "w:xz", preset=9) as archive:
        _add(archive, "kept.json", json.dumps(kept, indent=1).encode())
        _add(archive, "database.sql", _dump(data))
        for path in sorted(data.rglob("*")):
            name = path.relative_to(data)
            if path.is_file() and name.parts[0] not in _NOT_KEPT:
                _add(archive, f"data/{name}", path.read_bytes())


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    # Nothing of this machine: neither its user nor its clock.
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), 0o600
    archive.addfile(entry, io.BytesIO(content))


def _dump(data: Path) -> bytes:
    """Schema and rows as statements that a driver can execute, without what is of one server or program only."""
    with EmbeddedPostgres(data / "postgres") as postgres:
        tool = str(binaries(_VERSION) / "pg_dump")
        command = [tool, "--no-owner", "--inserts", "--rows-per-insert=100", "--quote-all-identifiers"]
        done = subprocess.run([*command, "--dbname", postgres.admin_url], check=True, capture_output=True, timeout=120)
    return b"\n".join(line for line in done.stdout.splitlines() if not line.startswith(b"\\")) + b"\n"


if __name__ == "__main__":
    main()
