"""Sessions: open, rotate the refresh token, end, switch to another workspace.

A refresh token that is sent again within seconds of its first use (from another tab, or because the answer was lost)
gets the same successor. Sent again later, it is in the hands of two parties, and its session is ended.
"""

from dataclasses import dataclass
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import credentials, store, wire
from intelli.identity.credentials import CredentialKind
from intelli.identity.errors import InvalidRefreshToken, RefreshTokenReused, SessionNotFound, WorkspaceNotFound
from intelli.identity.settings import IdentitySettings
from intelli.identity.tables import Session
from intelli.identity.tokens import mint_access_token
from intelli.kit import pagination
from intelli.kit.context import SCOPES_OF_ROLE, AuthMethod, Role, System, UserContext
from intelli.kit.db import Tx
from intelli.kit.errors import Unauthenticated
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page

_GRACE_S = 30
_MOST_ROTATIONS_IN_GRACE = 20


@dataclass(frozen=True, slots=True)
class SignedIn:
    """Access and refresh token of a session with their lifetimes in seconds."""

    access_token: str
    refresh_token: str
    expires_in_s: int
    refresh_expires_in_s: int


async def open_session(tx: Tx, settings: IdentitySettings, *, user_id: UUID, role: Role, client: str) -> SignedIn:
    """Open a session for a member in the transaction's workspace and return its tokens."""
    session_id = uuid7()
    lifetime_s = int(settings.refresh_token_lifetime.total_seconds())
    await store.add_session(tx, id=session_id, user_id=user_id, client=client[:200], lifetime_s=lifetime_s)
    await store.touch_membership(tx, user_id)
    raw = credentials.mint(CredentialKind.REFRESH)
    await store.add_refresh_token(tx, session_id=session_id, user_id=user_id, token_hash=credentials.digest(raw))
    return _issue_tokens(tx, settings, role=role, session_id=session_id, refresh_token=raw)


async def refresh(tx: Tx, settings: IdentitySettings, raw: str) -> SignedIn | Unauthenticated:
    """Rotate a refresh token and return the new tokens.

    A refusal is returned, not raised: ending a stolen session has to be committed.
    """
    token_hash = credentials.digest(raw)
    token = await store.find_refresh_token(tx, token_hash)
    if token is None:
        return InvalidRefreshToken("This refresh token is not known. Sign in again.")
    await tx.become(System(tenant_id=token.tenant_id, user_id=token.user_id))
    membership = await store.find_membership(tx, token.user_id)
    session = await store.lock_session(tx, token.session_id)
    if session is None or membership is None:
        return InvalidRefreshToken("This session has ended. Sign in again.")
    following = await _rotate(tx, raw, session=session, secret=settings.signing_key)
    if following is None:
        return await _end_stolen(tx, user_id=token.user_id, session_id=session.id)
    await store.touch_session(tx, session.id, lifetime_s=int(settings.refresh_token_lifetime.total_seconds()))
    return _issue_tokens(tx, settings, role=Role(membership.role), session_id=session.id, refresh_token=following)


async def end_by_token(tx: Tx, raw: str) -> None:
    """End the session of a refresh token; an unknown token is ignored."""
    token = await store.find_refresh_token(tx, credentials.digest(raw))
    if token is None:
        return
    await tx.become(System(tenant_id=token.tenant_id, user_id=token.user_id))
    await store.end_session(tx, token.user_id, token.session_id)


async def end(tx: Tx, who: UserContext, session_id: UUID) -> None:
    """End one of the caller's sessions. Raises SessionNotFound."""
    if not await store.end_session(tx, who.user_id, session_id):
        raise SessionNotFound("You have no such session. It may have ended already.")


async def end_others(tx: Tx, who: UserContext) -> None:
    """End all sessions of the caller except the current one."""
    await store.end_other_sessions(tx, who.user_id, keep=who.session_id)
    await record(tx, EventType.SETTINGS_CHANGE, entity=("user", who.user_id), change="sessions_ended")


async def list_sessions(tx: Tx, who: UserContext, *, cursor: str | None, limit: int) -> Page[wire.Session]:
    """List the caller's live sessions, newest first."""
    rows = await store.list_live_sessions(tx, who.user_id, after=pagination.decode_id(cursor), limit=limit + 1)

    def item(row: Session) -> wire.Session:
        return wire.Session.model_validate(row).model_copy(update={"current": row.id == who.session_id})

    return pagination.page(rows, limit, item=item, key=lambda row: row.id)


async def switch(tx: Tx, settings: IdentitySettings, who: UserContext, *, workspace_id: UUID, client: str) -> SignedIn:
    """End the current session and open one in another workspace of the caller. Raises WorkspaceNotFound."""
    roles = {row.id: Role(row.role) for row in await store.list_user_workspaces(tx, who.user_id)}
    if workspace_id not in roles:
        raise WorkspaceNotFound("You belong to no such workspace.")
    if who.session_id:
        await store.end_session(tx, who.user_id, who.session_id)
    await tx.become(System(tenant_id=workspace_id, user_id=who.user_id))
    signed_in = await open_session(tx, settings, user_id=who.user_id, role=roles[workspace_id], client=client)
    await record(tx, EventType.LOGIN, how="switch")
    return signed_in


async def _rotate(tx: Tx, raw: str, *, session: Session, secret: bytes) -> str | None:
    """Return the next refresh token: a new one at first use, the newest again within the grace, None later.

    A token that was rotated more often than the limit within the grace also returns None.
    """
    following, token_hash = credentials.derive_successor(raw, secret=secret), credentials.digest(raw)
    if await store.use_refresh_token(tx, token_hash):
        following_hash = credentials.digest(following)
        await store.add_refresh_token(tx, session_id=session.id, user_id=session.user_id, token_hash=following_hash)
        return following
    if not await store.was_used_within(tx, token_hash, within_s=_GRACE_S):
        return None
    for _ in range(_MOST_ROTATIONS_IN_GRACE):
        token = await store.find_refresh_token(tx, credentials.digest(following))
        if token is None or token.used_at is None:
            return following if token else None
        following = credentials.derive_successor(following, secret=secret)
    return None


def _issue_tokens(tx: Tx, settings: IdentitySettings, *, role: Role, session_id: UUID, refresh_token: str) -> SignedIn:
    """Mint an access token for the session and return it with the refresh token."""
    who = UserContext(
        user_id=tx.person_id,
        tenant_id=tx.tenant_id,
        role=role,
        scopes=SCOPES_OF_ROLE[role],
        auth_method=AuthMethod.JWT,
        session_id=session_id,
    )
    return SignedIn(
        access_token=mint_access_token(settings, who),
        refresh_token=refresh_token,
        expires_in_s=int(settings.access_token_lifetime.total_seconds()),
        refresh_expires_in_s=int(settings.refresh_token_lifetime.total_seconds()),
    )


async def _end_stolen(tx: Tx, *, user_id: UUID, session_id: UUID) -> RefreshTokenReused:
    """End the session with all its tokens: two parties have the token, and which one is the thief is unknown."""
    await store.end_session(tx, user_id, session_id)
    await record(
        tx, EventType.LOGIN_FAILED, entity=("session", session_id), success=False, reason="refresh_token_reused"
    )
    return RefreshTokenReused("This refresh token was used before, so its session was ended. Sign in again.")
