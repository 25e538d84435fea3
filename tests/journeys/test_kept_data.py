"""A data directory that an earlier version of the product wrote: opened, read, replayed and worked on by today's.

`tests/data/README.md` tells what is in it and how it was made.
"""

import json
import tarfile
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.cli.process import intelli, serving, until
from tests.support.database import postgres_version
from tests.support.make_kept_data import ARCHIVE, GROUP, OWNER, User

from intelli.kit.postgres import EmbeddedPostgres

Json = dict[str, Any]


@pytest.mark.slow
def test_what_an_earlier_version_kept_is_opened_read_replayed_and_worked_on(tmp_path: Path) -> None:
    data, kept = _restore(tmp_path)
    with serving(data) as server, User(server.url) as user:
        user.sign_in("/auth/login", {"email": OWNER["email"], "password": OWNER["password"]})
        _reads_its_library(user, kept)
        _reads_its_conversations(user, kept)
        _recalls_its_facts(user, kept)
        _exports_its_reports(user, kept)
        _replays(data, [run["id"] for run in kept["runs"] if run["status"] == "completed"])
        waited = [*_makes_the_changes_that_waited(user, kept), _goes_on_with_what_was_unclear(user, kept)]
        _replays(data, waited)
        _is_sound(data)


@pytest.mark.slow
def test_its_passages_are_encoded_by_themselves_while_they_are_found_by_meaning(tmp_path: Path) -> None:
    data, _ = _restore(tmp_path)

    def is_encoded() -> bool:
        found = user.post("/search", {"query": "how many people work there"})
        assert found["search_metadata"]["semantic"], found
        assert found["sources"]
        encoding = user.get("/library/status")["encoding"]
        return bool(encoding["total"]) and encoding["done"] == encoding["total"]

    with serving(data, env={"INTELLI_EMBEDDING__NAME": "minilm"}) as server, User(server.url) as user:
        user.sign_in("/auth/login", {"email": OWNER["email"], "password": OWNER["password"]})
        until(is_encoded)
        assert "encoder:all-minilm-l6-v2-dynamic" in _finding(data, "search")
        verified = intelli("verify", "--data", data, "--json")
        assert (verified.code, verified.json["broken"]) == (0, []), verified.out


def _finding(data: Path, name: str) -> str:
    done = intelli("doctor", "--data", data, "--json", env={"INTELLI_PORT": "0", "INTELLI_EMBEDDING__NAME": "minilm"})
    (found,) = [each["found"] for each in done.json["findings"] if each["name"] == name]
    return str(found)


def _restore(root: Path) -> tuple[Path, Json]:
    """The data directory in a place of its own, and what the product said when it was made."""
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(root, filter="data")
    data = root / "data"
    with (
        EmbeddedPostgres(data / "postgres", version=postgres_version()) as postgres,
        psycopg.connect(postgres.admin_url, autocommit=True) as connection,
    ):
        connection.execute((root / "database.sql").read_bytes())
    return data, json.loads((root / "kept.json").read_text(encoding="utf-8"))


def _insist(now: Any, then: Any) -> None:
    """All that was told then is told now; a later version may tell more."""
    if isinstance(then, dict):
        assert then.keys() <= now.keys()
        for name, value in then.items():
            _insist(now[name], value)
    elif isinstance(then, list):
        assert len(now) == len(then)
        for each, before in zip(now, then, strict=True):
            _insist(each, before)
    else:
        assert now == then


def _reads_its_library(user: User, kept: Json) -> None:
    _insist(user.get("/documents")["items"], kept["documents"])
    (report,) = [each for each in kept["documents"] if each["name"] == "report.md"]
    versions = user.get(f"/documents/{report['id']}/versions")["items"]
    assert [each["version"] for each in versions] == [2, 1]
    for query, name in (("revenue in 2025", "report.md"), ("works council", "staff.docx"), ("copper", "risks.html")):
        hits = user.post("/search", {"query": query, "limit": 3})["sources"]
        assert name in [hit["file_name"] for hit in hits], hits


def _reads_its_conversations(user: User, kept: Json) -> None:
    proven = 0
    for conversation_id, messages in kept["conversations"].items():
        shown = user.get(f"/conversations/{conversation_id}/messages")
        _insist(shown, messages)
        for cited in (each for message in shown["items"] for each in message["citations"]):
            assert cited["quote"] in _cited_words(user, cited)
            again = user.client.post(f"/citations/{cited['id']}/recheck").raise_for_status().json()
            assert again["check"] == cited["check"]
            proven += 1
    assert proven >= 5


def _cited_words(user: User, cited: Json) -> str:
    """What the source of a citation says at its place, or all that was remembered."""
    if cited["document_id"] is None:
        return str(user.get(f"/memory/episodes/{cited['episode_id']}")["content"])
    span = {"start": cited["char_start"], "end": cited["char_end"]}
    return user.client.get(f"/documents/{cited['document_id']}/text", params=span).raise_for_status().text


def _recalls_its_facts(user: User, kept: Json) -> None:
    found = user.post("/memory/search", {"group_ids": [GROUP], "query": "Where does Bo live?"})["facts"]
    assert [(each["id"], each["statement"]) for each in found] == [
        (each["id"], each["statement"]) for each in kept["facts"]
    ]
    assert any("Graz" in each["statement"] for each in found)


def _exports_its_reports(user: User, kept: Json) -> None:
    for deliverable in kept["deliverables"]:
        (old,) = user.get(f"/deliverables/{deliverable['id']}/exports")
        assert b"412.7 million" in _file(user, deliverable, old)
        fresh = user.export(deliverable["id"], "docx")
        assert fresh["status"] == "completed", fresh
        assert _file(user, deliverable, fresh).startswith(b"PK")


def _file(user: User, deliverable: Json, export: Json) -> bytes:
    path = f"/deliverables/{deliverable['id']}/files/{export['file']['name']}"
    return user.client.get(path).raise_for_status().content


def _replays(data: Path, runs: list[str]) -> None:
    assert runs
    for run_id in runs:
        replayed = intelli("replay", run_id, "--data", data, "--json")
        assert replayed.code == 0, replayed.out + replayed.err
        assert (replayed.json["is_same"], replayed.json["different"], replayed.json["changed"]) == (True, [], [])


def _makes_the_changes_that_waited(user: User, kept: Json) -> list[str]:
    """Agree to what two runs wait for, one without and one with a model; what they were to change is changed."""
    _insist(user.get("/interactions", confirmation_status="pending")["items"], kept["waiting"])
    assert {each["tool_name"] for each in kept["waiting"]} == {"update_document", "create_document"}
    for interaction in kept["waiting"]:
        user.client.post(f"/interactions/{interaction['id']}/approve").raise_for_status()
        run = user.until_rests(interaction["run_id"], "completed", "failed")
        assert (run["status"], run["problems"]) == ("completed", [])
    texts = {each["path"]: _text(user, each) for each in user.get("/documents")["items"]}
    assert texts["/papers/plan.md"] == "# Plan\n\nThe new plant opens in 2027.\n"
    assert "The company employed 1204 people" in texts["/notes/staff.md"]
    return [each["run_id"] for each in kept["waiting"]]


def _goes_on_with_what_was_unclear(user: User, kept: Json) -> str:
    """Answer what a run asked back."""
    decided = {each["run_id"] for each in kept["waiting"]}
    (run_id,) = [run["id"] for run in kept["runs"] if run["status"] == "waiting" and run["id"] not in decided]
    user.post(f"/runs/{run_id}/clarify", {"answer": "Revenue in 2025"})
    run = user.until_rests(run_id, "completed", "failed")
    assert run["status"] == "completed", run
    return str(run_id)


def _is_sound(data: Path) -> None:
    examined = intelli("doctor", "--data", data, "--json", env={"INTELLI_PORT": "0"}).json["findings"]
    found = {each["name"]: each["status"] for each in examined}
    named = ("data directory", "secret key", "database", "migrations", "database role", "background work", "blobs")
    assert {name: found[name] for name in named} == dict.fromkeys(named, "ok"), examined
    verified = intelli("verify", "--data", data, "--json")
    assert (verified.code, verified.json["broken"]) == (0, []), verified.out


def _text(user: User, document: Json) -> str:
    return user.client.get(f"/documents/{document['id']}/content").raise_for_status().text
