"""What the operator of the machine does for an account without its password: act in a workspace of it, let it back in.

The audit log tells these as done by no member, for none did them.
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
    """A password that the operator sets; the rules of form are those of everyone's."""

    new_password: wire.Password


@dataclass(frozen=True, slots=True)
class AccountMembership:
    """An account in one of its workspaces."""

    user_id: UUID
    workspace_id: UUID
    role: Role


def at_the_door(email: str) -> Anonymous:
    """As whom to open the transactions below."""
    return Anonymous(proof=login.normalise(email))


async def enter(tx: Tx, email: str, *, workspace_id: UUID | None = None) -> AccountMembership:
    """Go on as our own code in a workspace of the account: the one named, or the one entered last."""
    user = await _get_account(tx, email)
    rooms = {room.workspace_id: room for room in await _belongings(tx, user)}
    if workspace_id is not None and workspace_id not in rooms:
        raise WorkspaceNotFound(
            f"{user.email} belongs to no workspace {workspace_id}. `intelli users list` shows which."
        )
    if not rooms:
        raise NoWorkspace(f"{user.email} belongs to no workspace. Invite the account to one first.")
    room = rooms[workspace_id] if workspace_id else next(iter(rooms.values()))
    await tx.become(System(tenant_id=room.workspace_id))
    return room


def check(password: SecretStr, *, email: str) -> None:
    """Refuse a password that is guessed first."""
    passwords.check_strength(password.get_secret_value(), email=login.normalise(email))


async def reset_password(tx: Tx, email: str, *, password_hash: str, end_api_keys: bool = False) -> None:
    """Set a new password, end every session of the account and lift its throttle; told in each of its workspaces.

    API keys go on working unless they are to end as well.
    """
    user = await _get_account(tx, email)
    rooms = await _belongings(tx, user)
    await store.change_user(tx, user.id, password_hash=password_hash)
    await store.end_other_sessions(tx, user.id, keep=None)
    await store.forget_attempts_at_account(tx, throttle.hash_of_account(user.email))
    for room in sorted(rooms, key=lambda room: room.workspace_id):
        await tx.become(System(tenant_id=room.workspace_id))
        ended = await keys.end_all(tx, user.id) if end_api_keys else []
        changed = AuditEvent(
            EventType.SETTINGS_CHANGE, ("user", user.id), details={"change": "password", "by": "operator"}
        )
        await record_all(tx, [*ended, changed])


async def _get_account(tx: Tx, email: str) -> User:
    user = await store.find_user_by_email(tx, login.normalise(email))
    if user is None:
        raise AccountNotFound(f"There is no account {login.normalise(email)}. `intelli users list` shows the accounts.")
    await tx.become(Anonymous(proof=user.email, user_id=user.id))
    return user


async def _belongings(tx: Tx, user: User) -> Sequence[AccountMembership]:
    """The account's workspaces, the one entered last first."""
    return [AccountMembership(user.id, row.id, Role(row.role)) for row in await store.belongings(tx, user.id)]
