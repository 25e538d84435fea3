"""API keys of members: create, list, revoke. The secret is shown only when the key is created."""

from datetime import datetime, timedelta
from uuid import UUID

from intelli.audit.record import AuditEvent, record
from intelli.audit.wire import EventType
from intelli.identity import credentials, store, wire
from intelli.identity.credentials import VISIBLE, CredentialKind
from intelli.identity.errors import ApiKeyNotFound, ExpiryInPast, ExpiryTooFar, ScopesTooWide
from intelli.identity.tables import ApiKey
from intelli.kit import clock, pagination
from intelli.kit.context import Scope, with_lower
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7
from intelli.kit.wire import Page

LONGEST_LIFE = timedelta(days=3650)


async def create(
    tx: Tx, request: wire.CreateApiKey, *, user_id: UUID, may_grant: frozenset[Scope]
) -> wire.CreatedApiKey:
    """Create an API key for a member. Raises ScopesTooWide unless its scopes are within `may_grant`."""
    scopes = with_lower(request.scopes)
    if not may_grant.issuperset(scopes):
        reach = ", ".join(sorted(may_grant))
        raise ScopesTooWide(f"You may give a key these scopes: {reach}.")
    if request.expires_at is not None:
        _check_expiry(request.expires_at)
    raw = credentials.mint(CredentialKind.API_KEY)
    row = ApiKey(
        tenant_id=tx.tenant_id,
        id=uuid7(),
        user_id=user_id,
        name=request.name,
        prefix=raw[:VISIBLE],
        key_hash=credentials.digest(raw),
        scopes=sorted(scopes),
        expires_at=request.expires_at,
    )
    row = await store.add_api_key(tx, row)
    await record(tx, EventType.KEY_CREATED, entity=("api_key", row.id), scopes=" ".join(row.scopes))
    return wire.CreatedApiKey(**wire.ApiKey.model_validate(row).model_dump(), key=raw)


def _check_expiry(expires_at: datetime) -> None:
    """Raise when the expiry is in the past or beyond the longest life of a key."""
    if expires_at <= clock.now():
        raise ExpiryInPast("The expiry lies in the past. Give a later time or leave it out.")
    if expires_at > clock.now() + LONGEST_LIFE:
        raise ExpiryTooFar(f"A key lives {LONGEST_LIFE.days} days at most. Give an earlier time or leave it out.")


async def list_keys(tx: Tx, user_id: UUID, *, cursor: str | None, limit: int) -> Page[wire.ApiKey]:
    """List a member's keys in the transaction's workspace, newest first."""
    rows = await store.list_api_keys(tx, user_id, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=wire.ApiKey.model_validate, key=lambda row: row.id)


async def revoke(tx: Tx, user_id: UUID, key_id: UUID) -> None:
    """Delete a key; the next request with it fails. Raises ApiKeyNotFound."""
    if await store.remove_api_key(tx, user_id, key_id) is None:
        raise ApiKeyNotFound("You have no such API key.")
    await record(tx, EventType.KEY_REVOKED, entity=("api_key", key_id))


async def revoke_all(tx: Tx, user_id: UUID) -> list[AuditEvent]:
    """Delete all keys of a member in the transaction's workspace because the password was changed.

    Returns the audit events for the caller to record.
    """
    ended = await store.remove_api_keys(tx, user_id)
    reason = {"reason": "password_change"}
    return [AuditEvent(EventType.KEY_REVOKED, ("api_key", key_id), details=reason) for key_id in ended]
