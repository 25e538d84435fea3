"""Makers for tests about the log: entries, somebody with the database at hand, and both ways to check."""

import shutil
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from tests.cli.process import Outcome, intelli
from tests.support.database import SECRET
from tests.support.server import Person

from intelli.app import App
from intelli.audit import verify
from intelli.audit.anchor_task import anchor_log
from intelli.audit.anchors import Anchors
from intelli.audit.chain import GENESIS, entry_hash
from intelli.audit.statements import LogHead
from intelli.audit.wire import AuditEntry
from intelli.kit.context import System
from intelli.kit.room import WorkspaceAccess

# Where a test's installation keeps the ends of its logs, below its data directory.
PLACES = ("anchors", "blobs/anchors")


async def tell_something(person: Person, times: int = 3) -> None:
    for number in range(times):
        (await person.client.patch("/auth/me", json={"name": f"Name {number}"})).raise_for_status()


async def tenant_of(person: Person) -> UUID:
    return UUID((await person.me())["workspace"]["id"])


async def anchor(app: App, person: Person) -> LogHead:
    """Anchor all logs, and what the first anchoring writes to them."""
    await app.anchoring.round(None)
    await app.anchoring.round(None)
    head = await anchor_log(app.db, app.anchors, await tenant_of(person))
    assert head is not None
    return head


async def report(person: Person) -> dict[str, Any]:
    found: dict[str, Any] = (await person.client.get("/audit/verify")).raise_for_status().json()
    return found


async def kinds(person: Person) -> set[str]:
    return {finding["kind"] for finding in (await report(person))["findings"]}


async def told_to_the_operator(app: App, tenant_id: UUID) -> list[str]:
    """What `intelli verify` says of a workspace's log."""
    access = WorkspaceAccess(tenant_id, app.blobs, partial(app.db.begin, System(tenant_id)), {Anchors: app.anchors})
    return [finding async for finding in verify.find_defects(access)]


def verify_by_command(app: App, *more: object) -> Outcome:
    env = {
        "INTELLI_DATABASE_URL": app.engine.app_url,
        "INTELLI_DATABASE_ADMIN_URL": app.engine.admin_url,
        "INTELLI_SECRET_KEY": SECRET.decode(),
    }
    return intelli("verify", "--json", "--data", app.settings.data, *more, env=env)


def tamper(admin_url: str, *statements: str) -> None:
    """Do as the database's superuser what the application's role may not."""
    with psycopg.connect(admin_url) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in statements:
            connection.execute(statement)  # type: ignore[arg-type]  # a test's own words


def recompute(admin_url: str, tenant_id: UUID) -> None:
    """Compute every hash of the log anew, as anybody can who has the database and knows the rule."""
    with psycopg.connect(admin_url) as connection:
        connection.execute("set session_replication_role = replica")
        rows = connection.execute("select * from audit_log_entries where tenant_id = %s order by seq", [tenant_id])
        names = [column.name for column in rows.description or ()]
        previous = GENESIS
        for row in rows.fetchall():
            entry = AuditEntry.model_validate({**dict(zip(names, row, strict=True)), "previous_hash": previous})
            change = "update audit_log_entries set previous_hash = %s, hash = %s where tenant_id = %s and id = %s"
            made = entry_hash(entry, tenant_id)
            connection.execute(change, [previous, made, tenant_id, entry.id])
            previous = made


def drop_anchors(app: App, *places: str) -> None:
    for place in places:
        shutil.rmtree(app.settings.data / place)


def head_files(app: App, place: str, tenant_id: UUID) -> list[Path]:
    return sorted((app.settings.data / place / str(tenant_id)).glob("[0-9]*.json"))
