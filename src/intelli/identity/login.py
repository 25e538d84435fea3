"""Sign-in with e-mail and password in three steps: count the attempt, verify outside the database, open a session."""

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
    """Return the one spelling under which an e-mail address is stored: trimmed, lower case."""
    return email.strip().lower()


async def start_sign_in(tx: Tx, email: str, *, host: str) -> User | TooManyAttempts | None:
    """Count a sign-in attempt and return the account to verify against; None when there is none.

    A throttled attempt returns TooManyAttempts instead of raising it: the edge raises it after the commit.
    """
    is_familiar = await store.is_familiar_network(tx, throttle.hash_account_network(email, host))
    refusal = await throttle.count_attempt(tx, *throttle.sign_in_keys(email, host, is_familiar=is_familiar))
    return refusal or await store.find_user_by_email(tx, email)


async def record_failure(tx: Tx, user_id: UUID) -> WrongCredentials:
    """Write a failed sign-in to the audit log of the workspace that the account entered last; return the refusal.

    Where there is no account, `user_id` is a new random id, and the event goes to the log of the oldest workspace:
    otherwise the response time would reveal whether the account exists.
    """
    workspaces = await store.list_user_workspaces(tx, user_id)
    await tx.become(WorkspaceLister())
    oldest = await store.oldest_workspace_id(tx)
    if workspaces:
        await tx.become(System(tenant_id=workspaces[0].id, user_id=user_id))
        await record(tx, EventType.LOGIN_FAILED, entity=("user", user_id), success=False, reason="wrong_password")
    elif oldest:
        await tx.become(System(tenant_id=oldest))
        await record(tx, EventType.LOGIN_FAILED, success=False, reason="unknown_account")
    return WrongCredentials("The e-mail address or the password is wrong.")


async def complete_sign_in(
    tx: Tx, settings: IdentitySettings, user: User, *, host: str, client: str, invitation: str | None
) -> SignedIn:
    """Open a session in the workspace that the user entered last, or accept `invitation` and open it in that one."""
    await throttle.reset_after_sign_in(tx, user.email, host=host)
    workspace_id, role = await _choose_workspace(tx, user, invitation)
    await tx.become(System(tenant_id=workspace_id, user_id=user.id))
    signed_in = await sessions.open_session(tx, settings, user_id=user.id, role=role, client=client)
    await record(tx, EventType.LOGIN, entity=("user", user.id), how="password")
    return signed_in


async def _choose_workspace(tx: Tx, user: User, invitation: str | None) -> tuple[UUID, Role]:
    """Return the workspace to sign in to and the role there. Raises NoWorkspace."""
    if invitation is not None:
        belonging = await invitations.accept(tx, invitation, user_id=user.id, email=user.email)
        return belonging.workspace_id, belonging.role
    await tx.become(Anonymous(proof=user.email, user_id=user.id))
    workspaces = await store.list_user_workspaces(tx, user.id)
    if not workspaces:
        raise NoWorkspace("Your account belongs to no workspace any more. Ask for an invitation and open its link.")
    return workspaces[0].id, Role(workspaces[0].role)
