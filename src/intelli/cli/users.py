"""`intelli users`: lists accounts and resets passwords."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.cli import output
from intelli.cli.options import AsJson, Data, Email

if TYPE_CHECKING:
    from pydantic import SecretStr

app = typer.Typer(no_args_is_help=True, help="Look after accounts.")


@dataclass(frozen=True, slots=True)
class UserMembership:
    """Membership of an account in one workspace. `--json` prints it."""

    email: str
    name: str
    role: str
    user_id: UUID
    workspace: str
    workspace_id: UUID


@app.command("list")
def list_users(data: Data = None, as_json: AsJson = False) -> None:
    """List the members of every workspace. An account in several workspaces shows once in each."""
    members = asyncio.run(list_memberships(data))
    if as_json:
        output.write_json(members)
        return
    rows = [(m.email, m.name, m.role, m.workspace, m.workspace_id) for m in members]
    output.table(("e-mail", "name", "role", "workspace", "workspace id"), rows)


@app.command()
def reset_password(
    *,
    email: Email,
    password_stdin: Annotated[
        bool, typer.Option("--password-stdin", help="Read the new password from standard input instead of asking.")
    ] = False,
    end_keys: Annotated[bool, typer.Option("--end-keys", help="End all API keys of the account as well.")] = False,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Give an account a new password and end all its sessions; with --end-keys its API keys too."""
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else _prompt_password()
    asyncio.run(_reset(data, email, _check_password(password, email=email), end_keys=end_keys))
    if as_json:
        output.write_json({"email": email, "reset": True, "keys_ended": end_keys})
    else:
        ended = "sessions and API keys" if end_keys else "sessions"
        output.line(f"{email} has a new password. All its {ended} have ended.")


def _prompt_password() -> str:
    # On standard error, so that standard output stays free for the answer.
    answer: str = typer.prompt("New password", hide_input=True, confirmation_prompt="Once more", err=True)
    return answer


def _check_password(password: str, *, email: str) -> "SecretStr":
    from intelli.cli.local import parse_request
    from intelli.identity import operator

    new = parse_request(operator.NewPassword, new_password=password).new_password
    operator.check_password(new, email=email)
    return new


async def _reset(data: Path | None, email: str, password: "SecretStr", *, end_keys: bool) -> None:
    from intelli.cli import local
    from intelli.identity import operator
    from intelli.identity.passwords import Passwords

    hasher = Passwords()
    password_hash = await hasher.hash(password.get_secret_value())
    hasher.close()
    async with local.database(data) as db, db.begin(operator.context_for_account(email)) as tx:
        await operator.reset_password(tx, email, password_hash=password_hash, end_api_keys=end_keys)


async def list_memberships(data: Path | None) -> list[UserMembership]:
    """List the members of every workspace."""
    from intelli.cli import local
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister

    found: list[UserMembership] = []
    async with local.database(data) as db:
        async with db.begin(WorkspaceLister()) as tx:
            workspace_ids = await installation.list_workspace_ids(tx)
        for workspace_id in workspace_ids:
            async with db.begin(System(workspace_id)) as tx:
                workspace = await installation.get_workspace(tx)
                found += [
                    UserMembership(m.email, m.name, m.role, m.user_id, workspace.name, workspace_id)
                    async for m in installation.iterate_members(tx)
                ]
    return found
