"""Routes for the caller's API keys."""

from uuid import UUID

from fastapi import APIRouter

from intelli.identity import keys, wire
from intelli.identity.routes.dependencies import OwnAccount, Person
from intelli.kit.http import Cursor, Db, Limit, OnceOnly, Reader
from intelli.kit.wire import Page

router = APIRouter(prefix="/api-keys", tags=["api-keys"])


@router.get("")
async def list_keys(who: Reader, db: Db, cursor: Cursor = None, limit: Limit = 50) -> Page[wire.ApiKey]:
    """The caller's keys in this workspace, newest first."""
    async with db.begin(who) as tx:
        return await keys.list_keys(tx, who.user_id, cursor=cursor, limit=limit)


@router.post("", status_code=201)
async def create_key(body: wire.CreateApiKey, who: Person, db: Db, once: OnceOnly) -> wire.CreatedApiKey:
    """Create a key for programs. The secret is shown this once. A key makes no keys: only a person does."""
    async with db.begin(who) as tx:
        return await once.answer(
            tx, wire.CreatedApiKey, lambda: keys.create(tx, body, user_id=who.user_id, may_grant=who.scopes)
        )


@router.delete("/{key_id}", status_code=204)
async def revoke_key(key_id: UUID, who: OwnAccount, db: Db) -> None:
    """Revoke a key; the very next request with it fails."""
    async with db.begin(who) as tx:
        await keys.revoke(tx, who.user_id, key_id)
