"""Accounts: registration (the first account owns the installation), profile and password changes."""

from uuid import UUID

from intelli.audit.record import AuditEvent, record, record_all
from intelli.audit.wire import EventType
from intelli.identity import invitations, keys, store, wire
from intelli.identity.errors import EmailTaken, RegistrationClosed
from intelli.identity.settings import IdentitySettings
from intelli.identity.tables import User
from intelli.identity.wire import ChangeProfile, RegistrationMode
from intelli.kit.context import Role, System, UserContext
from intelli.kit.db import Tx
from intelli.kit.etag import check_if_match


async def register(
    tx: Tx, settings: IdentitySettings, request: wire.Register, *, email: str, password_hash: str
) -> Role:
    """Create the account, and a workspace for it unless an invitation names one; return the role there.

    The transaction must be opened as `System` with new ids and with the e-mail address as its proof. It continues in
    the workspace of the account. Raises RegistrationClosed when the registration mode forbids it, and EmailTaken.
    """
    user_id = tx.person_id
    is_first = await store.claim_installation(tx, user_id)
    _check_admission(settings, is_first=is_first, invited=request.invitation_token is not None)
    invitation = None if is_first or not request.invitation_token else request.invitation_token.get_secret_value()
    if invitation is not None:
        # Checked first: without a valid invitation nobody learns whether an address has an account.
        await invitations.check(tx, invitation, email=email)
    if not await store.add_user(tx, id=user_id, email=email, name=request.name, password_hash=password_hash):
        raise EmailTaken("There is an account with this e-mail address. Sign in instead.")
    if invitation is not None:
        return (await invitations.accept(tx, invitation, user_id=user_id, email=email)).role
    await store.add_workspace(tx, id=tx.tenant_id, name=request.workspace_name or f"{request.name}'s workspace")
    await store.add_membership(tx, user_id=user_id, role=Role.OWNER)
    await record(tx, EventType.SETTINGS_CHANGE, entity=("workspace", tx.tenant_id), change="created")
    return Role.OWNER


async def get_name(tx: Tx, user_id: UUID) -> str:
    """Return the display name of a user."""
    return (await store.get_user(tx, user_id)).name


async def uses_memory(tx: Tx, user_id: UUID) -> bool:
    """Return whether what a user says is remembered, and memory is searched for them."""
    return (await store.get_user(tx, user_id)).uses_memory


async def change_profile(tx: Tx, who: UserContext, request: ChangeProfile, *, if_match: str | None) -> User:
    """Change the caller's own account. Raises when `if_match` is not the current version."""
    check_if_match(if_match, (await store.get_user(tx, who.user_id)).version)
    given = {"name": request.name, "uses_memory": request.uses_memory}
    values = {column: value for column, value in given.items() if value is not None}
    user = await store.change_user(tx, who.user_id, values)
    await record(tx, EventType.SETTINGS_CHANGE, entity=("user", who.user_id), change="profile")
    return user


async def change_password(tx: Tx, who: UserContext, *, password_hash: str, end_api_keys: bool) -> None:
    """Set a new password and end every other session of the account.

    With `end_api_keys`, also revoke the account's API keys in all of its workspaces.
    """
    await store.change_user(tx, who.user_id, {"password_hash": password_hash})
    await store.end_other_sessions(tx, who.user_id, keep=who.session_id)
    affected = (
        [row.id for row in await store.list_user_workspaces(tx, who.user_id)] if end_api_keys else [who.tenant_id]
    )
    changed = AuditEvent(EventType.SETTINGS_CHANGE, ("user", who.user_id), details={"change": "password"})
    # In the order of their ids: two transactions that write to several audit logs must not deadlock.
    for workspace_id in sorted(affected):
        await tx.become(System(tenant_id=workspace_id, user_id=who.user_id))
        ended = await keys.revoke_all(tx, who.user_id) if end_api_keys else []
        here = [changed] if workspace_id == who.tenant_id else []
        if ended or here:
            await record_all(tx, [*ended, *here])


async def describe(tx: Tx, who: UserContext) -> wire.Me:
    """Return the caller's account, current workspace, role, scopes and all their workspaces."""
    installation = await store.find_installation(tx)
    return wire.Me(
        user=wire.User.model_validate(await store.get_user(tx, who.user_id)),
        workspace=wire.Workspace.model_validate(await store.get_workspace(tx)),
        role=who.role,
        scopes=sorted(who.scopes),
        auth_method=who.auth_method,
        session_id=who.session_id,
        owns_installation=installation is not None and installation.owner_id == who.user_id,
        workspaces=[
            wire.Belonging(workspace_id=row.id, name=row.name, role=Role(row.role))
            for row in await store.list_user_workspaces(tx, who.user_id)
        ],
    )


def _check_admission(settings: IdentitySettings, *, is_first: bool, invited: bool) -> None:
    """Raise RegistrationClosed unless the registration mode admits this account."""
    if is_first or settings.registration is RegistrationMode.OPEN:
        return
    if settings.registration is RegistrationMode.CLOSED:
        raise RegistrationClosed("This installation takes no new accounts.")
    if not invited:
        raise RegistrationClosed("This installation takes new accounts by invitation. Ask a member for a link.")
