"""Workspaces: change name and rules of the current one, create another."""

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import store
from intelli.identity.errors import RegistrationClosed
from intelli.identity.settings import IdentitySettings
from intelli.identity.tables import Workspace
from intelli.identity.wire import ChangeWorkspace, RegistrationMode
from intelli.kit.context import Role, System, UserContext
from intelli.kit.db import Tx
from intelli.kit.etag import check_if_match
from intelli.kit.ids import uuid7


async def get(tx: Tx) -> Workspace:
    """Return the transaction's workspace with its rules."""
    return await store.get_workspace(tx)


async def change(tx: Tx, request: ChangeWorkspace, *, if_match: str | None) -> Workspace:
    """Change name and rules of the transaction's workspace. Raises when `if_match` is not the current version."""
    workspace = await store.get_workspace(tx, lock=True)
    check_if_match(if_match, workspace.version)
    # Of all that may be said, only a budget can be taken back by null.
    given = request.model_dump(exclude_unset=True)
    values = {name: value for name, value in given.items() if value is not None or name == "run_budget_cents"}
    changed = await store.change_workspace(tx, values)
    what = "renamed" if values.keys() == {"name"} else "changed"
    rules = ", ".join(f"{name}={value}" for name, value in values.items() if name != "name")
    await record(tx, EventType.SETTINGS_CHANGE, entity=("workspace", changed.id), change=what, rules=rules)
    return changed


async def create(tx: Tx, settings: IdentitySettings, who: UserContext, *, name: str) -> Workspace:
    """Create a workspace owned by the caller; the transaction continues in it.

    Raises RegistrationClosed unless registration is open or the caller owns the installation.
    """
    installation = await store.find_installation(tx)
    owns_installation = installation is not None and installation.owner_id == who.user_id
    if settings.registration is not RegistrationMode.OPEN and not owns_installation:
        raise RegistrationClosed("Only the owner of this installation founds further workspaces.")
    await tx.become(System(tenant_id=uuid7(), user_id=who.user_id))
    workspace = await store.add_workspace(tx, id=tx.tenant_id, name=name)
    await store.add_membership(tx, user_id=who.user_id, role=Role.OWNER)
    await record(tx, EventType.SETTINGS_CHANGE, entity=("workspace", workspace.id), change="created")
    return workspace
