"""Members of a workspace and their roles. A workspace always has an owner; nobody manages roles above their own."""

from collections.abc import Collection
from uuid import UUID

from intelli.audit.record import record
from intelli.audit.wire import EventType
from intelli.identity import store, wire
from intelli.identity.errors import LastOwner, MemberNotFound, RoleTooLow
from intelli.identity.tables import Membership, User
from intelli.kit import pagination
from intelli.kit.context import SCOPES_OF_ROLE, Role, Scope, UserContext
from intelli.kit.db import Tx
from intelli.kit.wire import Page


async def list_members(tx: Tx, *, cursor: str | None, limit: int) -> Page[wire.Member]:
    """List the members of the workspace, ordered by user id."""
    rows = await store.list_members(tx, after=pagination.decode_id(cursor), limit=limit + 1)
    return pagination.page(rows, limit, item=lambda row: _member(row[0], row[1]), key=lambda row: row[0].user_id)


async def load_names(tx: Tx, user_ids: Collection[UUID]) -> dict[UUID, str]:
    """Return display names by user id; users who are no longer members are missing."""
    return await store.load_member_names(tx, user_ids) if user_ids else {}


async def has_scope(tx: Tx, user_id: UUID, scope: Scope) -> bool:
    """True when the user is a member whose role includes the scope."""
    membership = await store.find_membership(tx, user_id)
    return membership is not None and scope in SCOPES_OF_ROLE[Role(membership.role)]


async def change_role(tx: Tx, who: UserContext, user_id: UUID, *, role: Role) -> wire.Member:
    """Change a member's role. Raises MemberNotFound, RoleTooLow or LastOwner."""
    membership = await _lock(tx, user_id)
    _check_may_manage(who, Role(membership.role), role)
    if membership.role == Role.OWNER and role is not Role.OWNER:
        await _check_not_last_owner(tx)
    await store.set_role(tx, user_id, role)
    await record(tx, EventType.SETTINGS_CHANGE, entity=("user", user_id), change="role", role=role)
    user = await store.get_user(tx, user_id)
    await tx.session.refresh(membership)
    return _member(membership, user)


async def remove(tx: Tx, who: UserContext, user_id: UUID) -> None:
    """Remove a member, or let the caller leave. The member's sessions and keys in this workspace end."""
    membership = await _lock(tx, user_id)
    if user_id != who.user_id:
        _check_may_manage(who, Role(membership.role))
    if membership.role == Role.OWNER:
        await _check_not_last_owner(tx)
    change = "left" if user_id == who.user_id else "removed"
    await record(tx, EventType.SETTINGS_CHANGE, entity=("user", user_id), change=change)
    await store.remove_membership(tx, user_id)


async def _lock(tx: Tx, user_id: UUID) -> Membership:
    """Return the membership with the workspace's row locked, so that two owners cannot both leave at once."""
    await store.get_workspace(tx, lock=True)
    membership = await store.find_membership(tx, user_id)
    if membership is None:
        raise MemberNotFound("Nobody with this id is a member of the workspace.")
    return membership


def _check_may_manage(who: UserContext, *roles: Role) -> None:
    """Raise RoleTooLow unless the caller may manage members with these roles."""
    if not who.may(Scope.ADMIN):
        raise RoleTooLow("Only owners and admins manage members; an API key needs the scope 'admin'.")
    if Role.OWNER in roles and who.role is not Role.OWNER:
        raise RoleTooLow("Only an owner makes or changes an owner.")


async def _check_not_last_owner(tx: Tx) -> None:
    if await store.count_owners(tx) == 1:
        raise LastOwner("A workspace needs an owner. Make someone else owner first.")


def _member(membership: Membership, user: User) -> wire.Member:
    return wire.Member(
        user_id=user.id, email=user.email, name=user.name, role=Role(membership.role), joined_at=membership.joined_at
    )
