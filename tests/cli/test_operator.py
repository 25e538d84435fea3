"""What an operator does beside a running server: keys, accounts, jobs, verification and the doctor."""

import asyncio
import stat
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import pytest
from tests.cli.conftest import OWNER
from tests.cli.process import Process, intelli, until
from tests.support.installation import Install
from tests.support.server import PASSWORD

from intelli.kit.context import System
from intelli.kit.db import Database
from intelli.kit.jobs import Job, Queue
from intelli.kit.postgres import EmbeddedPostgres


@pytest.fixture(scope="module")
def database_urls(server: Process, data: Path) -> EmbeddedPostgres:
    """The running database's addresses."""
    return EmbeddedPostgres(data / "postgres")


def me(server: Process, key: str) -> httpx.Response:
    return httpx.get(f"{server.url}/api/v1/auth/me", headers={"X-API-Key": key}, timeout=60)


def sign_in(server: Process, password: str) -> httpx.Response:
    return httpx.post(f"{server.url}/api/v1/auth/login", json={"email": OWNER, "password": password}, timeout=60)


def audit(server: Process) -> list[dict[str, object]]:
    token = sign_in(server, PASSWORD).json()["access_token"]
    headers = {"Authorization": f"Bearer {token}"}
    items: list[dict[str, object]] = httpx.get(f"{server.url}/api/v1/audit", headers=headers, timeout=60).json()[
        "items"
    ]
    return items


def test_a_key_made_on_the_command_line_works_until_it_is_revoked_there(server: Process, data: Path) -> None:
    options = ("--email", OWNER.upper(), "--data", data, "--json")
    made = intelli("keys", "create", "--name", "robot", "--scope", "read", "--scope", "write", "--expires", 7, *options)
    assert made.code == 0, made.err
    assert made.json["scopes"] == ["read", "write"]
    assert made.json["expires_at"] is not None
    assert me(server, made.json["key"]).json()["user"]["email"] == OWNER
    listed = intelli("keys", "list", *options).json
    assert [key["id"] for key in listed] == [made.json["id"]]
    assert "key" not in listed[0]
    assert intelli("keys", "revoke", made.json["id"], *options).json["revoked"]
    assert me(server, made.json["key"]).status_code == 401
    told = {(entry["event_type"], entry["entity_id"]): entry for entry in audit(server)}
    for event in ("key_created", "key_revoked"):
        assert told[event, made.json["id"]]["user_id"] is None, "no member did it"


def test_for_people_the_key_stands_on_a_line_of_its_own(server: Process, data: Path) -> None:
    made = intelli("keys", "create", "--email", OWNER, "--name", "by hand", "--data", data)
    key = made.out.splitlines()[0]
    assert me(server, key).status_code == 200


def test_what_does_not_exist_ends_with_three(server: Process, data: Path) -> None:
    nobody = intelli("keys", "create", "--email", "nobody@example.org", "--name", "x", "--data", data)
    assert (nobody.code, nobody.out) == (3, "")
    assert "There is no account nobody@example.org" in nobody.err
    elsewhere = intelli("keys", "list", "--email", OWNER, "--workspace", uuid4(), "--data", data)
    assert elsewhere.code == 3
    assert intelli("keys", "list", "--email", OWNER, "--workspace", "research", "--data", data).code == 0
    misnamed = intelli("keys", "list", "--email", OWNER, "--workspace", "Atlantis", "--data", data)
    assert (misnamed.code, "There is no workspace “Atlantis”. There are: " in misnamed.err) == (3, True)
    assert intelli("keys", "revoke", uuid4(), "--email", OWNER, "--data", data).code == 3
    assert intelli("jobs", "cancel", 12345, "--data", data).code == 3


def test_a_request_that_breaks_the_rules_of_form_ends_with_two(server: Process, data: Path) -> None:
    done = intelli("keys", "create", "--email", OWNER, "--name", " ", "--data", data)
    assert done.code == 2
    assert "name" in done.err


def test_someone_locked_out_gets_a_new_password_and_all_sessions_end(server: Process, data: Path) -> None:
    session = sign_in(server, PASSWORD).raise_for_status().json()
    for _ in range(11):
        last = sign_in(server, "not the password")
    assert last.status_code == 429
    new = "a wholly new password"
    command = ("users", "reset-password", "--email", OWNER, "--password-stdin", "--data", data, "--json")
    done = intelli(*command, given=f"{new}\n")
    assert done.json == {"email": OWNER, "reset": True, "keys_ended": False}
    headers = {"Authorization": f"Bearer {session['access_token']}"}
    assert httpx.get(f"{server.url}/api/v1/auth/me", headers=headers, timeout=60).status_code == 401
    assert sign_in(server, new).status_code == 200
    create = ("keys", "create", "--email", OWNER, "--data", data, "--json", "--name", "to end")
    key = intelli(*create).json["key"]
    assert me(server, key).status_code == 200
    assert intelli(*command, "--end-keys", given=f"{PASSWORD}\n").json["keys_ended"] is True
    assert me(server, key).status_code == 401
    details = [entry["details"] for entry in audit(server) if entry["event_type"] == "settings_change"]
    assert {"change": "password", "by": "operator"} in details


@pytest.mark.parametrize("password", ["short", "a" * 20, "owner@example.org", ""])
def test_a_weak_password_is_not_set(server: Process, data: Path, password: str) -> None:
    done = intelli(
        "users", "reset-password", "--email", OWNER, "--password-stdin", "--data", data, given=f"{password}\n"
    )
    assert done.code == 2
    assert "assword" in done.err
    assert sign_in(server, PASSWORD).status_code == 200


def test_accounts_are_listed_with_their_workspaces(server: Process, data: Path) -> None:
    (owner,) = intelli("users", "list", "--json", "--data", data).json
    assert (owner["email"], owner["role"], owner["workspace"]) == (OWNER, "owner", "Research")
    assert OWNER in intelli("users", "list", "--data", data).out


async def never_run(_work: object) -> None:
    raise AssertionError


def test_jobs_are_listed_counted_and_tried_again(database_urls: EmbeddedPostgres, data: Path) -> None:
    with psycopg.connect(database_urls.admin_url) as connection:
        (tenant_id,) = connection.execute("select id from workspaces").fetchone() or ()

    async def defer() -> None:
        db = Database(database_urls.app_url)
        async with db.begin(System(tenant_id)) as tx:
            await tx.defer(Job("tests.unheard_of", Queue.RUNS, never_run))
        await db.close()

    def find() -> list[dict[str, Any]]:
        found = intelli("jobs", "list", "--queue", "runs", "--status", "failed", "--json", "--data", data).json
        return [job for job in found if job["name"] == "tests.unheard_of"]

    asyncio.run(defer())
    until(find)  # the server's worker has not heard of it, so it fails
    job_id = find()[0]["id"]
    assert "tests.unheard_of" in intelli("jobs", "list", "--data", data).out
    counted = intelli("jobs", "stats", "--json", "--data", data).json
    assert {"queue": "runs", "status": "failed", "jobs": 1} in counted["queues"]
    assert counted["worker_heartbeat_age_s"] < 60
    examined = intelli("doctor", "--json", "--data", data).json["findings"]
    (work,) = [finding for finding in examined if finding["name"] == "background work"]
    assert (work["status"], work["found"]) == ("warn", "1 failed and not tried again")
    refused = intelli("jobs", "cancel", job_id, "--data", data)
    assert refused.code == 4
    assert "nothing to cancel" in refused.err
    assert intelli("jobs", "retry", job_id, "--json", "--data", data).json["status"] == "todo"


def test_verify_finds_an_audit_entry_that_was_changed_behind_our_back(
    database_urls: EmbeddedPostgres, data: Path
) -> None:
    whole = intelli("verify", "--json", "--data", data)
    assert (whole.code, whole.json["broken"]) == (0, [])
    assert whole.json["workspaces"] == 1
    assert whole.json["checks"] >= 1
    with psycopg.connect(database_urls.admin_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        (success,) = connection.execute("select success from audit_log_entries where seq = 2").fetchone() or ()
        connection.execute("update audit_log_entries set success = not success where seq = 2")
        try:
            broken = intelli("verify", "--json", "--data", data)
            told = intelli("verify", "--data", data)
        finally:
            connection.execute("update audit_log_entries set success = %s where seq = 2", [success])
    assert broken.code == told.code == 1
    (finding,) = broken.json["broken"]
    assert finding["room"] == "audit"
    assert "Entry 2" in finding["finding"]
    assert "Entry 2" in told.out


def test_the_doctor_finds_a_running_installation_well(server: Process, data: Path) -> None:
    port = server.url.rpartition(":")[2]
    done = intelli("doctor", "--json", "--data", data, env={"INTELLI_PORT": port})
    found = {finding["name"]: finding for finding in done.json["findings"]}
    assert (done.code, done.json["ok"]) == (0, True), done.out
    assert str(server.said["pid"]) in found["port"]["found"]
    assert found["worker"]["status"] == "ok"
    assert found["search"]["found"].startswith("by words and by meaning, with ")
    assert found["migrations"]["status"] == "ok"
    assert found["database role"]["status"] == "ok"


def test_the_doctor_names_a_remedy_for_what_is_wrong(server: Process, tmp_path: Path, install: Install) -> None:
    data = install(tmp_path / "data")
    (data / "secret.key").chmod(0o644)
    port = server.url.rpartition(":")[2]
    done = intelli("doctor", "--json", "--data", data, env={"INTELLI_PORT": port})
    assert (done.code, done.json["ok"]) == (1, False)
    found = {finding["name"]: finding for finding in done.json["findings"]}
    assert found["secret key"]["remedy"] == f"Run: chmod 600 {data / 'secret.key'}"
    assert "--port" in found["port"]["remedy"]
    assert "silent" not in found["worker"]["found"], "nobody runs here who could be"
    assert (found["worker"]["status"], found["database"]["status"]) == ("warn", "ok")
    assert stat.S_IMODE((data / "secret.key").stat().st_mode) == 0o644, "a doctor changes nothing"


def test_the_doctor_examines_an_installation_that_cannot_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with EmbeddedPostgres(data / "postgres"):
        pass
    (data / "postgres" / "pgdata" / "global" / "pg_control").write_bytes(b"junk")
    done = intelli("doctor", "--json", "--data", data, env={"INTELLI_POSTGRES_VERSION": "18"})
    found = {finding["name"]: finding for finding in done.json["findings"]}
    assert done.code == 1
    assert "PostgreSQL did not start" in found["embedded postgresql"]["found"]
    assert found["disk space"]["status"] == "ok"


def test_the_doctor_examines_wrong_settings_and_an_empty_directory(tmp_path: Path) -> None:
    wrong = intelli("doctor", "--json", "--data", tmp_path, env={"INTELLI_PORT": "many"})
    assert wrong.code == 1
    assert "port" in wrong.json["findings"][-1]["found"]
    empty = intelli("doctor", "--json", "--data", tmp_path / "new", env={"INTELLI_PORT": "0"})
    assert (empty.code, empty.json["ok"]) == (0, True), empty.out
    assert not (tmp_path / "new").exists()


def test_the_doctor_says_what_is_missed_without_tesseract(tmp_path: Path) -> None:
    without = {"INTELLI_PORT": "0", "PATH": str(tmp_path), "INTELLI_MODEL__NAME": "gpt-4o"}
    done = intelli("doctor", "--json", "--data", tmp_path / "new", env=without)
    found = {finding["name"]: finding for finding in done.json["findings"]}
    assert (done.code, found["tesseract"]["status"]) == (0, "warn")
    assert "tesseract-ocr" in found["tesseract"]["remedy"]
    assert "check it with your provider" in found["model"]["found"]
