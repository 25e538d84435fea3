"""`intelli keys`: creates, lists and revokes API keys of an account, for the operator of the machine."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data, Email
from intelli.cli.workspaces import Workspace
from intelli.kit.context import SCOPES_OF_ROLE, Scope

if TYPE_CHECKING:
    from intelli.identity.operator import AccountMembership
    from intelli.identity.wire import ApiKey, CreateApiKey, CreatedApiKey
    from intelli.kit.db import Tx

app = typer.Typer(no_args_is_help=True, help="Look after API keys.")

_PAGE = 200


@app.command()
def create(
    *,
    email: Email,
    name: Annotated[str, typer.Option(help="What the key is for.", show_default=False)],
    scope: Annotated[
        list[Scope] | None, typer.Option(help="What the key may do; repeat for several. Read, if not given.")
    ] = None,
    expires: Annotated[int | None, typer.Option(metavar="DAYS", min=1, max=3650, help="Days until it expires.")] = None,
    workspace: Workspace = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Make an API key for an account and show it, this once.

    Send it as the header X-API-Key. It reaches no further than the account's role in the workspace.
    """
    made = asyncio.run(_create(data, email, _request(name, scope or [Scope.READ], expires), workspace=workspace))
    if as_json:
        output.write_json(made)
        return
    output.line(made.key)
    output.line(f"Keep it now: it is not shown again. Its id, to revoke it: {made.id}")


@app.command("list")
def list_keys(email: Email, workspace: Workspace = None, data: Data = None, as_json: AsJson = False) -> None:
    """List the API keys of an account, without their secrets."""
    keys = asyncio.run(_list(data, email, workspace=workspace))
    if as_json:
        output.write_json(keys)
        return
    columns = ("id", "name", "begins with", "scopes", "created", "expires", "last used")
    rows = [(k.id, k.name, k.prefix, k.scopes, k.created_at, k.expires_at, k.last_used_at) for k in keys]
    output.table(columns, rows)


@app.command()
def revoke(
    key_id: Annotated[UUID, typer.Argument(metavar="ID", help="The key's id, as `intelli keys list` shows it.")],
    *,
    email: Email,
    workspace: Workspace = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Revoke an API key; the very next request with it fails."""
    asyncio.run(_revoke(data, email, key_id, workspace=workspace))
    if as_json:
        output.write_json({"id": key_id, "revoked": True})
    else:
        output.line(f"The key {key_id} is revoked.")


def _request(name: str, scope: list[Scope], days: int | None) -> "CreateApiKey":
    from intelli.cli.local import parse_request
    from intelli.identity.wire import CreateApiKey
    from intelli.kit import clock

    expires_at = clock.now() + timedelta(days=days) if days else None
    return parse_request(CreateApiKey, name=name, scopes=scope, expires_at=expires_at)


@asynccontextmanager
async def _begin_as(
    data: Path | None, email: str, workspace: str | None
) -> "AsyncIterator[tuple[Tx, AccountMembership]]":
    """Open a transaction as the account, in the given workspace or the one it entered last."""
    from intelli.cli import local, workspaces
    from intelli.identity import operator

    async with local.database(data) as db:
        meant = await workspaces.find_id(db, workspace)
        async with db.begin(operator.context_for_account(email)) as tx:
            yield tx, await operator.enter_workspace(tx, email, workspace_id=meant)


async def _create(data: Path | None, email: str, request: "CreateApiKey", *, workspace: str | None) -> "CreatedApiKey":
    from intelli.identity import keys

    async with _begin_as(data, email, workspace) as (tx, account):
        return await keys.create(tx, request, user_id=account.user_id, may_grant=SCOPES_OF_ROLE[account.role])


async def _list(data: Path | None, email: str, *, workspace: str | None) -> "list[ApiKey]":
    from intelli.identity import keys

    found: list[ApiKey] = []
    async with _begin_as(data, email, workspace) as (tx, account):
        cursor = None
        while True:
            page = await keys.list_keys(tx, account.user_id, cursor=cursor, limit=_PAGE)
            found += page.items
            cursor = page.next_cursor
            if cursor is None:
                return found


async def _revoke(data: Path | None, email: str, key_id: UUID, *, workspace: str | None) -> None:
    from intelli.identity import keys

    async with _begin_as(data, email, workspace) as (tx, account):
        await keys.revoke(tx, account.user_id, key_id)
