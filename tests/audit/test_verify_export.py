"""An exported log, checked with the public key alone: whole, cut, edited, filtered, signed by somebody else."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.audit.makers import anchor, recompute, tamper, tell_something, tenant_of
from tests.cli.process import intelli
from tests.support.server import Person

from intelli.app import App
from intelli.audit import keys, statements, verify_export
from intelli.audit.statements import ExportProof

Edit = Callable[[list[str]], list[str]]


async def export(person: Person, path: Path, **filters: Any) -> Path:
    answer = await person.client.get("/audit/export", params={"format": "jsonl", **filters})
    content = answer.raise_for_status().content
    await asyncio.to_thread(path.write_bytes, content)
    return path


async def public_key(person: Person) -> str:
    key: str = (await person.client.get("/audit/key")).raise_for_status().json()["public_key"]
    return key


def change_entry(lines: list[str]) -> list[str]:
    return [lines[0], lines[1].replace('"success":true', '"success":false'), *lines[2:]]


def sign_anew(lines: list[str]) -> list[str]:
    """Leave out an entry and sign the rest with a key of one's own."""
    proof = ExportProof.model_validate(json.loads(lines[-1])["proof"])
    other = keys.derive(b"another secret of at least 32 bytes")
    forged = statements.sign(proof.model_copy(update={"public_key": other.public_key}), other)
    return [*lines[:-1], f'{{"proof":{forged.model_dump_json()}}}\n']


async def test_an_export_is_checked_with_the_public_key_alone(app: App, owner: Person, tmp_path: Path):
    await tell_something(owner)
    await anchor(app, owner)
    path, key = await export(owner, tmp_path / "log.jsonl"), await public_key(owner)
    done = intelli("verify", path, "--key", key)
    assert done.code == 0, done.err
    assert "is whole: all" in done.out
    assert "--key" not in done.out
    assert intelli("verify", path, "--key", key[::-1]).code == 1


async def test_without_a_key_it_says_what_that_proves(owner: Person, tmp_path: Path):
    done = intelli("verify", await export(owner, tmp_path / "log.jsonl", event_type="settings_change"))
    assert done.code == 0
    assert "the key that the file names itself" in done.out
    assert "rests on who signed it" in done.out


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (change_entry, "not those that were signed"),
        (lambda lines: [lines[0], *lines[2:]], "its proof says"),
        (lambda lines: [lines[0], *lines[:]], "its proof says"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "not those that were signed"),
        (lambda lines: lines[:-1], "its last line is no proof"),
        (lambda lines: lines[:-2] + lines[-1:], "its proof says"),
        (lambda lines: [*lines, lines[0]], "its last line is no proof"),
        (lambda lines: [lines[-1], *lines], "its proof says"),
        (
            lambda lines: [*lines[:-1], lines[-1].replace('"filters":{}', '"filters":{"a":"b"}')],
            "not signed by the key",
        ),
        (sign_anew, "not signed by the key"),
        (lambda lines: ["{nothing\n", *lines], "no entries"),
    ],
)
async def test_an_export_that_was_edited_is_told(owner: Person, tmp_path: Path, edit: Edit, fault: str):
    await tell_something(owner)
    path = await export(owner, tmp_path / "log.jsonl")
    path.write_text("".join(edit(path.read_text().splitlines(keepends=True))))
    verdict = verify_export.check(path, public_key=await public_key(owner))
    assert any(fault in each for each in verdict.faults), verdict.faults


async def test_a_filtered_export_says_what_it_is_a_part_of(owner: Person, member: Person, tmp_path: Path):
    await tell_something(member)
    path = await export(member, tmp_path / "mine.jsonl")
    me = (await member.me())["user"]["id"]
    verdict = verify_export.check(path, public_key=await public_key(member))
    assert verdict.faults == []
    assert verdict.proof is not None
    assert verdict.proof.filters == {"user_id": me}
    assert verdict.proof.entries < verdict.proof.log_seq
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[1:]))
    assert verify_export.check(path, public_key=None).faults != []


async def test_an_empty_export_is_whole(owner: Person, tmp_path: Path):
    path = await export(owner, tmp_path / "none.jsonl", event_type="erase")
    assert verify_export.check(path, public_key=await public_key(owner)).faults == []


@pytest.mark.parametrize("filters", [{}, {"event_type": "settings_change"}])
async def test_nothing_is_signed_about_a_log_that_was_rewritten(
    app: App, owner: Person, tmp_path: Path, filters: dict[str, str]
):
    await tell_something(owner)
    await anchor(app, owner)
    tamper(app.engine.admin_url, "update audit_log_entries set success = false where seq = 2")
    recompute(app.engine.admin_url, await tenant_of(owner))
    path = await export(owner, tmp_path / "log.jsonl", **filters)
    assert json.loads(path.read_text().splitlines()[-1])["proof"] is None
    assert verify_export.check(path, public_key=None).faults != []


async def test_nothing_is_signed_about_a_log_that_was_cut(app: App, owner: Person, tmp_path: Path):
    await tell_something(owner)
    await anchor(app, owner)
    tamper(app.engine.admin_url, "delete from audit_log_entries where seq > 2")
    path = await export(owner, tmp_path / "log.jsonl")
    assert json.loads(path.read_text().splitlines()[-1])["proof"] is None


async def test_what_is_no_key_is_refused(owner: Person, tmp_path: Path):
    path = await export(owner, tmp_path / "log.jsonl")
    refused = intelli("verify", path, "--key", "abc")
    assert refused.code != 0
    assert "64 hexadecimal digits" in refused.err
