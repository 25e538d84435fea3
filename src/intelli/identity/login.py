"""Signing in with e-mail and password, in three steps: count the attempt, verify off the database, open a session."""

from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import invitations, sessions, store, throttle
from intelli.identity.errors import NoWorkspace, TooManyAttempts, WrongCredentials
from intelli.identity.sessions import SignedIn
from intelli.identity.settings import IdentitySettings
from intelli.identity.tables import User
from intelli.kit.context import Anonymous, Role, System, WorkspaceLister
from intelli.kit.db import Tx


def normalise(email: str) -> str:
    """One spelling for one address."""
    return email.strip().lower()


async def admit(tx: Tx, email: str, *, host: str) -> User | TooManyAttempts | None:
    """The account to verify against, None when there is none, or a refusal for the edge to raise after the commit."""
    is_familiar = await store.is_familiar(tx, throttle.familiarity(email, host))
    refusal = await throttle.count(tx, *throttle.sign_ins(email, host, is_familiar=is_familiar))
    return refusal or await store.find_user_by_email(tx, email)


async def fail(tx: Tx, user_id: UUID) -> WrongCredentials:
    """Record a failed sign-in in the workspace that the account entered last.

    Where there is no account, `user_id` is made up, and the oldest workspace is told of it: a stranger could see from
    the time it takes whether a log was written.
    """
    rooms = await store.belongings(tx, user_id)
    await tx.become(WorkspaceLister())
    oldest = await store.oldest_workspace_id(tx)
    if rooms:
        await tx.become(System(tenant_id=rooms[0].id, user_id=user_id))
        await record(tx, EventType.LOGIN_FAILED, entity=("user", user_id), success=False, reason="wrong_password")
    elif oldest:
        await tx.become(System(tenant_id=oldest))
        await record(tx, EventType.LOGIN_FAILED, success=False, reason="unknown_account")
    return WrongCredentials("The e-mail address or the password is wrong.")


async def enter(
    tx: Tx, settings: IdentitySettings, user: User, *, host: str, client: str, invitation: str | None
) -> SignedIn:
    """Open a session in the workspace the user entered last, or in the one they are invited to."""
    await throttle.welcome(tx, user.email, host=host)
    workspace_id, role = await _destination(tx, user, invitation)
    await tx.become(System(tenant_id=workspace_id, user_id=user.id))
    signed_in = await sessions.open_session(tx, settings, user_id=user.id, role=role, client=client)
    await record(tx, EventType.LOGIN, entity=("user", user.id), how="password")
    return signed_in


async def _destination(tx: Tx, user: User, invitation: str | None) -> tuple[UUID, Role]:
    if invitation is not None:
        belonging = await invitations.accept(tx, invitation, user_id=user.id, email=user.email)
        return belonging.workspace_id, belonging.role
    await tx.become(Anonymous(proof=user.email, user_id=user.id))
    rooms = await store.belongings(tx, user.id)
    if not rooms:
        raise NoWorkspace("Your account belongs to no workspace any more. Ask for an invitation and open its link.")
    return rooms[0].id, Role(rooms[0].role)
