"""The `--workspace` option: resolves a workspace's name or id."""

from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from intelli.kit.errors import Invalid, NotFound

if TYPE_CHECKING:
    from intelli.kit.db import Database

_NAMED = 10

Workspace = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Name or id of the workspace; needed when it could be more than one."),
]


class NoSuchWorkspace(NotFound):
    """No workspace has this name or id."""

    code = "no_such_workspace"


class NameShared(Invalid):
    """Several workspaces have this name."""

    code = "workspace_name_shared"


async def find_id(db: "Database", named: str | None) -> UUID | None:
    """Return the id of the workspace with this id or name, ignoring case; None when `named` is None.

    Raise NoSuchWorkspace, or NameShared when several have the name.
    """
    if named is None:
        return None
    known = await _names(db)
    if (given := _as_id(named)) in known:
        return given
    found = [each for each, name in known.items() if name.casefold() == named.strip().casefold()]
    if not found:
        names = ", ".join(sorted(known.values())[:_NAMED]) or "none yet"
        raise NoSuchWorkspace(f"There is no workspace “{named}”. There are: {names}.")
    if len(found) > 1:
        ids = ", ".join(str(each) for each in found[:_NAMED])
        raise NameShared(f"Several workspaces are called “{named}”. Give the id of one: {ids}.")
    return found[0]


async def _names(db: "Database") -> dict[UUID, str]:
    from intelli.identity import installation
    from intelli.kit.context import System, WorkspaceLister

    async with db.begin(WorkspaceLister()) as tx:
        ids = await installation.list_workspace_ids(tx)
    names: dict[UUID, str] = {}
    for each in ids:
        async with db.begin(System(each)) as tx:
            names[each] = (await installation.get_workspace(tx)).name
    return names


def _as_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
