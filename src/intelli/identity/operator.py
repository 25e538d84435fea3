"""Operator's actions on an account without its password: act in one of its workspaces, reset the password.

The audit log records them without a member, because no member did them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from pydantic import SecretStr

from intelli.audit.record import AuditEvent, record_all
from intelli.audit.wire import EventType
from intelli.identity import keys, login, passwords, store, throttle, wire
from intelli.identity.errors import AccountNotFound, NoWorkspace, WorkspaceNotFound
from intelli.identity.tables import User
from intelli.kit.context import Anonymous, Role, System
from intelli.kit.db import Tx
from intelli.kit.wire import Request


class NewPassword(Request):
    """Password that the operator sets, under the same length rules as every password."""

    new_password: wire.Password


@dataclass(frozen=True, slots=True)
class AccountMembership:
    """Membership of an account in one workspace."""

    user_id: UUID
    workspace_id: UUID
    role: Role


def context_for_account(email: str) -> Anonymous:
    """Return the context to open the transactions of this module with."""
    return Anonymous(proof=login.normalise(email))


async def enter_workspace(tx: Tx, email: str, *, workspace_id: UUID | None = None) -> AccountMembership:
    """Continue the transaction as `System` in a workspace of the account: the named one, or the one entered last.

    Raises AccountNotFound, WorkspaceNotFound or NoWorkspace.
    """
    user = await _get_account(tx, email)
    memberships = {each.workspace_id: each for each in await _list_memberships(tx, user)}
    if workspace_id is not None and workspace_id not in memberships:
        raise WorkspaceNotFound(
            f"{user.email} belongs to no workspace {workspace_id}. `intelli users list` shows which."
        )
    if not memberships:
        raise NoWorkspace(f"{user.email} belongs to no workspace. Invite the account to one first.")
    membership = memberships[workspace_id] if workspace_id else next(iter(memberships.values()))
    await tx.become(System(tenant_id=membership.workspace_id))
    return membership


def check_password(password: SecretStr, *, email: str) -> None:
    """Raise WeakPassword for a password that is easy to guess."""
    passwords.check_strength(password.get_secret_value(), email=login.normalise(email))


async def reset_password(tx: Tx, email: str, *, password_hash: str, end_api_keys: bool = False) -> None:
    """Set a new password, end every session of the account and delete its throttle.

    The audit log of each of its workspaces records it. API keys stay valid unless `end_api_keys`.
    """
    user = await _get_account(tx, email)
    memberships = await _list_memberships(tx, user)
    await store.change_user(tx, user.id, {"password_hash": password_hash})
    await store.end_other_sessions(tx, user.id, keep=None)
    await store.delete_account_attempts(tx, throttle.hash_account(user.email))
    for membership in sorted(memberships, key=lambda each: each.workspace_id):
        await tx.become(System(tenant_id=membership.workspace_id))
        ended = await keys.revoke_all(tx, user.id) if end_api_keys else []
        changed = AuditEvent(
            EventType.SETTINGS_CHANGE, ("user", user.id), details={"change": "password", "by": "operator"}
        )
        await record_all(tx, [*ended, changed])


async def _get_account(tx: Tx, email: str) -> User:
    """Return the account and continue the transaction under its id. Raises AccountNotFound."""
    user = await store.find_user_by_email(tx, login.normalise(email))
    if user is None:
        raise AccountNotFound(f"There is no account {login.normalise(email)}. `intelli users list` shows the accounts.")
    await tx.become(Anonymous(proof=user.email, user_id=user.id))
    return user


async def _list_memberships(tx: Tx, user: User) -> Sequence[AccountMembership]:
    """List the account's memberships, the workspace entered last first."""
    return [AccountMembership(user.id, row.id, Role(row.role)) for row in await store.list_user_workspaces(tx, user.id)]
