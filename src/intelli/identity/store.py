"""SQL queries of identity. Each filters by tenant or user explicitly, although row-level security would do so too."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Row, case, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import insert

from intelli.identity.tables import (
    ApiKey,
    FamiliarNetwork,
    Installation,
    Invitation,
    Membership,
    RefreshToken,
    Session,
    Throttle,
    User,
    Workspace,
)
from intelli.kit.context import Role
from intelli.kit.db import Tx
from intelli.kit.ids import uuid7

# --- installation, users, workspaces -------------------------------------------------------------------------------


async def find_installation(tx: Tx) -> Installation | None:
    """Return the installation's row with its owner; None before the first account."""
    return await tx.session.get(Installation, 1)


async def claim_installation(tx: Tx, owner_id: UUID) -> bool:
    """Insert the installation's row. True for one transaction only; others wait for it and get False."""
    statement = insert(Installation).values(id=1, owner_id=owner_id).on_conflict_do_nothing().returning(Installation.id)
    return await tx.session.scalar(statement) is not None


async def find_user_by_email(tx: Tx, email: str) -> User | None:
    """Return the account with this normalised address; None when there is none."""
    return await tx.session.scalar(select(User).where(User.email == email))


async def get_user(tx: Tx, user_id: UUID) -> User:
    """Return the account with this id, which must exist."""
    return (await tx.session.scalars(select(User).where(User.id == user_id))).one()


async def add_user(tx: Tx, *, id: UUID, email: str, name: str, password_hash: str) -> bool:
    """Insert an account. False when the address is taken."""
    row = {"id": id, "email": email, "name": name, "password_hash": password_hash}
    statement = insert(User).values(**row).on_conflict_do_nothing(index_elements=["email"]).returning(User.id)
    return await tx.session.scalar(statement) is not None


async def change_user(tx: Tx, user_id: UUID, values: Mapping[str, object]) -> User:
    """Set columns of an account and increment the version."""
    statement = update(User).where(User.id == user_id).values(**values, version=User.version + 1).returning(User)
    return (await tx.session.scalars(statement)).one()


async def add_workspace(tx: Tx, *, id: UUID, name: str) -> Workspace:
    """Insert an empty workspace."""
    return (await tx.session.scalars(insert(Workspace).values(id=id, name=name).returning(Workspace))).one()


async def get_workspace(tx: Tx, *, lock: bool = False) -> Workspace:
    """Return the transaction's workspace; `lock` locks its row for a rule about its members."""
    statement = select(Workspace).where(Workspace.id == tx.tenant_id)
    return (await tx.session.scalars(statement.with_for_update() if lock else statement)).one()


async def change_workspace(tx: Tx, values: Mapping[str, object]) -> Workspace:
    """Set columns of the transaction's workspace and increment the version."""
    statement = update(Workspace).where(Workspace.id == tx.tenant_id)
    changed = statement.values(**values, version=Workspace.version + 1).returning(Workspace)
    return (await tx.session.scalars(changed, execution_options={"populate_existing": True})).one()


async def list_workspace_ids(tx: Tx) -> Sequence[UUID]:
    """Return the ids of all workspaces of the installation, for background jobs."""
    return (await tx.session.scalars(select(Workspace.id).order_by(Workspace.id))).all()


async def oldest_workspace_id(tx: Tx) -> UUID | None:
    """Return the id of the first workspace; None in an installation that is not in use yet."""
    return await tx.session.scalar(select(Workspace.id).order_by(Workspace.id).limit(1))


# --- memberships ---------------------------------------------------------------------------------------------------


async def add_membership(tx: Tx, *, user_id: UUID, role: Role) -> bool:
    """Insert a membership in the transaction's workspace. False when the user is a member already."""
    row = {"tenant_id": tx.tenant_id, "user_id": user_id, "role": role}
    statement = insert(Membership).values(**row).on_conflict_do_nothing().returning(Membership.user_id)
    return await tx.session.scalar(statement) is not None


async def find_membership(tx: Tx, user_id: UUID) -> Membership | None:
    """Return a user's membership in the transaction's workspace; None when there is none."""
    statement = select(Membership).where(Membership.tenant_id == tx.tenant_id, Membership.user_id == user_id)
    return await tx.session.scalar(statement)


async def list_user_workspaces(tx: Tx, user_id: UUID) -> Sequence[Row[UUID, str, str]]:
    """Return a user's workspaces with the role in each, the one entered last first."""
    statement = select(Workspace.id, Workspace.name, Membership.role).join(
        Membership, Membership.tenant_id == Workspace.id
    )
    mine = statement.where(Membership.user_id == user_id).order_by(Membership.last_entered_at.desc().nulls_last())
    return (await tx.session.execute(mine)).all()


async def touch_membership(tx: Tx, user_id: UUID) -> None:
    """Set the time the user entered the transaction's workspace to now."""
    statement = update(Membership).where(Membership.tenant_id == tx.tenant_id, Membership.user_id == user_id)
    await tx.session.execute(statement.values(last_entered_at=func.now()))


async def list_members(tx: Tx, *, after: UUID | None, limit: int) -> Sequence[Row[Membership, User]]:
    """Return the workspace's memberships with their users, ordered by user id."""
    statement = select(Membership, User).join(User, User.id == Membership.user_id)
    statement = statement.where(Membership.tenant_id == tx.tenant_id)
    if after is not None:
        statement = statement.where(Membership.user_id > after)
    return (await tx.session.execute(statement.order_by(Membership.user_id).limit(limit))).all()


async def load_member_names(tx: Tx, user_ids: Iterable[UUID]) -> dict[UUID, str]:
    """Return names by id of those of the users who are members of the workspace."""
    statement = select(User.id, User.name).join(Membership, Membership.user_id == User.id)
    mine = statement.where(Membership.tenant_id == tx.tenant_id, User.id.in_(list(user_ids)))
    return {row.id: row.name for row in await tx.session.execute(mine)}


async def count_owners(tx: Tx) -> int:
    """Count the owners of the workspace."""
    statement = select(func.count()).where(Membership.tenant_id == tx.tenant_id, Membership.role == Role.OWNER)
    return await tx.session.scalar(statement) or 0


async def set_role(tx: Tx, user_id: UUID, role: Role) -> None:
    """Update a member's role."""
    statement = update(Membership).where(Membership.tenant_id == tx.tenant_id, Membership.user_id == user_id)
    await tx.session.execute(statement.values(role=role))


async def remove_membership(tx: Tx, user_id: UUID) -> None:
    """Delete a membership; the member's sessions and keys in the workspace are deleted with it."""
    await tx.session.execute(
        delete(Membership).where(Membership.tenant_id == tx.tenant_id, Membership.user_id == user_id)
    )


# --- sessions and refresh tokens -----------------------------------------------------------------------------------


async def add_session(tx: Tx, *, id: UUID, user_id: UUID, client: str, lifetime_s: int) -> None:
    """Insert a session in the transaction's workspace."""
    row = {"tenant_id": tx.tenant_id, "id": id, "user_id": user_id, "client": client}
    await tx.session.execute(insert(Session).values(**row, expires_at=_in_seconds(lifetime_s)))


async def lock_session(tx: Tx, session_id: UUID) -> Session | None:
    """Return a live session and lock its row, so that its tokens rotate one at a time; None when it ended."""
    statement = select(Session).where(
        Session.tenant_id == tx.tenant_id,
        Session.id == session_id,
        Session.ended_at.is_(None),
        Session.expires_at > func.now(),
    )
    return await tx.session.scalar(statement.with_for_update())


async def touch_session(tx: Tx, session_id: UUID, *, lifetime_s: int) -> None:
    """Set the last use to now and extend the expiry."""
    statement = update(Session).where(Session.tenant_id == tx.tenant_id, Session.id == session_id)
    await tx.session.execute(statement.values(last_used_at=func.now(), expires_at=_in_seconds(lifetime_s)))


async def list_live_sessions(tx: Tx, user_id: UUID, *, after: UUID | None, limit: int) -> Sequence[Session]:
    """Return a user's live sessions in all workspaces, newest first."""
    statement = select(Session).where(
        Session.user_id == user_id, Session.ended_at.is_(None), Session.expires_at > func.now()
    )
    if after is not None:
        statement = statement.where(Session.id < after)
    return (await tx.session.scalars(statement.order_by(Session.id.desc()).limit(limit))).all()


async def end_session(tx: Tx, user_id: UUID, session_id: UUID) -> bool:
    """End a session. False when the user has no such live session."""
    statement = update(Session).where(Session.user_id == user_id, Session.id == session_id, Session.ended_at.is_(None))
    return await tx.session.scalar(statement.values(ended_at=func.now()).returning(Session.id)) is not None


async def end_other_sessions(tx: Tx, user_id: UUID, *, keep: UUID | None) -> None:
    """End all sessions of a user except `keep`."""
    statement = update(Session).where(Session.user_id == user_id, Session.ended_at.is_(None), Session.id != keep)
    await tx.session.execute(statement.values(ended_at=func.now()))


async def add_refresh_token(tx: Tx, *, session_id: UUID, user_id: UUID, token_hash: str) -> None:
    """Insert a refresh token of a session."""
    row = {"tenant_id": tx.tenant_id, "id": uuid7(), "session_id": session_id, "user_id": user_id}
    await tx.session.execute(insert(RefreshToken).values(**row, token_hash=token_hash))


async def find_refresh_token(tx: Tx, token_hash: str) -> RefreshToken | None:
    """Return the refresh token with this hash, used or not; None when unknown."""
    return await tx.session.scalar(select(RefreshToken).where(RefreshToken.token_hash == token_hash))


async def was_used_within(tx: Tx, token_hash: str, *, within_s: int) -> bool:
    """True when the token was first used within the last `within_s` seconds."""
    recent = RefreshToken.used_at > func.now() - func.make_interval(0, 0, 0, 0, 0, 0, within_s)
    statement = select(RefreshToken.id).where(RefreshToken.token_hash == token_hash, recent)
    return await tx.session.scalar(statement) is not None


async def use_refresh_token(tx: Tx, token_hash: str) -> bool:
    """Mark a token as used. True only the first time."""
    statement = update(RefreshToken).where(RefreshToken.token_hash == token_hash, RefreshToken.used_at.is_(None))
    return await tx.session.scalar(statement.values(used_at=func.now()).returning(RefreshToken.id)) is not None


# --- invitations ---------------------------------------------------------------------------------------------------


async def add_invitation(tx: Tx, *, role: Role, email: str | None, token_hash: str, lifetime_s: int) -> Invitation:
    """Insert an invitation to the transaction's workspace."""
    row = {"tenant_id": tx.tenant_id, "id": uuid7(), "role": role, "email": email, "invited_by": tx.user_id}
    statement = insert(Invitation).values(**row, token_hash=token_hash, expires_at=_in_seconds(lifetime_s))
    return (await tx.session.scalars(statement.returning(Invitation))).one()


async def list_open_invitations(tx: Tx, *, after: UUID | None, limit: int) -> Sequence[Invitation]:
    """Return invitations that can still be accepted, newest first."""
    statement = select(Invitation).where(
        Invitation.tenant_id == tx.tenant_id, Invitation.accepted_at.is_(None), Invitation.expires_at > func.now()
    )
    if after is not None:
        statement = statement.where(Invitation.id < after)
    return (await tx.session.scalars(statement.order_by(Invitation.id.desc()).limit(limit))).all()


async def find_open_invitation(tx: Tx, token_hash: str) -> Invitation | None:
    """Return the invitation with this token hash unless it is accepted or expired."""
    return await tx.session.scalar(
        select(Invitation).where(
            Invitation.token_hash == token_hash, Invitation.accepted_at.is_(None), Invitation.expires_at > func.now()
        )
    )


async def use_invitation(tx: Tx, invitation_id: UUID) -> bool:
    """Mark an invitation as accepted. True only for the first transaction."""
    statement = update(Invitation).where(
        Invitation.tenant_id == tx.tenant_id, Invitation.id == invitation_id, Invitation.accepted_at.is_(None)
    )
    return await tx.session.scalar(statement.values(accepted_at=func.now()).returning(Invitation.id)) is not None


async def remove_invitation(tx: Tx, invitation_id: UUID) -> bool:
    """Delete an invitation. False when there is no such open one."""
    statement = delete(Invitation).where(
        Invitation.tenant_id == tx.tenant_id, Invitation.id == invitation_id, Invitation.accepted_at.is_(None)
    )
    return await tx.session.scalar(statement.returning(Invitation.id)) is not None


# --- API keys ------------------------------------------------------------------------------------------------------


async def add_api_key(tx: Tx, key: ApiKey) -> ApiKey:
    """Insert a key and return it with its database defaults."""
    tx.session.add(key)
    await tx.session.flush()
    await tx.session.refresh(key)
    return key


async def list_api_keys(tx: Tx, user_id: UUID, *, after: UUID | None, limit: int) -> Sequence[ApiKey]:
    """Return a user's keys in the transaction's workspace, newest first."""
    statement = select(ApiKey).where(ApiKey.tenant_id == tx.tenant_id, ApiKey.user_id == user_id)
    if after is not None:
        statement = statement.where(ApiKey.id < after)
    return (await tx.session.scalars(statement.order_by(ApiKey.id.desc()).limit(limit))).all()


async def find_api_key(tx: Tx, key_hash: str) -> ApiKey | None:
    """Return the unexpired key with this hash; None when there is none."""
    fresh = ApiKey.expires_at.is_(None) | (ApiKey.expires_at > func.now())
    return await tx.session.scalar(select(ApiKey).where(ApiKey.key_hash == key_hash, fresh))


async def touch_api_key(tx: Tx, key_id: UUID) -> None:
    """Set the last use to now, at most once a minute: a busy key must not rewrite its row for every request."""
    stale = ApiKey.last_used_at.is_(None) | (ApiKey.last_used_at < func.now() - text("interval '1 minute'"))
    statement = update(ApiKey).where(ApiKey.tenant_id == tx.tenant_id, ApiKey.id == key_id, stale)
    await tx.session.execute(statement.values(last_used_at=func.now()))


async def remove_api_keys(tx: Tx, user_id: UUID) -> Sequence[UUID]:
    """Delete all keys of a user in the transaction's workspace and return their ids."""
    statement = delete(ApiKey).where(ApiKey.tenant_id == tx.tenant_id, ApiKey.user_id == user_id)
    return (await tx.session.scalars(statement.returning(ApiKey.id))).all()


async def remove_api_key(tx: Tx, user_id: UUID, key_id: UUID) -> ApiKey | None:
    """Delete one key of a user and return it; None when there is none."""
    statement = delete(ApiKey).where(ApiKey.tenant_id == tx.tenant_id, ApiKey.user_id == user_id, ApiKey.id == key_id)
    return await tx.session.scalar(statement.returning(ApiKey))


# --- throttle and sweep --------------------------------------------------------------------------------------------


async def get_remaining_block_s(tx: Tx, name_hash: str) -> int:
    """Return the remaining seconds of a block; 0 when the key is not blocked."""
    remaining = func.ceil(func.extract("epoch", Throttle.blocked_until - func.now()))
    statement = select(remaining).where(Throttle.name_hash == name_hash, Throttle.blocked_until > func.now())
    return int(await tx.session.scalar(statement) or 0)


async def count_attempt(tx: Tx, name_hash: str, *, account_hash: str | None, window_s: int) -> int:
    """Count an attempt and return the number in the current window, including this one."""
    is_over = Throttle.first_at < func.now() - func.make_interval(0, 0, 0, 0, 0, 0, window_s)
    statement = insert(Throttle).values(name_hash=name_hash, account_hash=account_hash, failures=1)
    counted = statement.on_conflict_do_update(
        index_elements=["name_hash"],
        set_={
            "failures": case((is_over, 1), else_=Throttle.failures + 1),
            "first_at": case((is_over, func.now()), else_=Throttle.first_at),
        },
    )
    return await tx.session.scalar(counted.returning(Throttle.failures)) or 1


async def block(tx: Tx, name_hash: str, seconds: int) -> None:
    """Block a throttle key for some seconds."""
    statement = update(Throttle).where(Throttle.name_hash == name_hash)
    await tx.session.execute(statement.values(blocked_until=_in_seconds(seconds)))


async def decrement_attempts(tx: Tx, name_hash: str) -> None:
    """Decrement the number of attempts by one, because an attempt succeeded."""
    statement = update(Throttle).where(Throttle.name_hash == name_hash)
    await tx.session.execute(statement.values(failures=func.greatest(Throttle.failures - 1, 0)))


async def delete_attempts(tx: Tx, name_hash: str) -> None:
    """Delete the attempts counted under a throttle key."""
    await tx.session.execute(delete(Throttle).where(Throttle.name_hash == name_hash))


async def delete_account_attempts(tx: Tx, account_hash: str) -> None:
    """Delete all attempts on an account, from any network."""
    await tx.session.execute(delete(Throttle).where(Throttle.account_hash == account_hash))


async def is_familiar_network(tx: Tx, name_hash: str) -> bool:
    """True when the account was signed in to from this network before."""
    return await tx.session.scalar(select(FamiliarNetwork).where(FamiliarNetwork.name_hash == name_hash)) is not None


async def save_familiar_network(tx: Tx, name_hash: str) -> None:
    """Store that an account was signed in to from a network."""
    statement = insert(FamiliarNetwork).values(name_hash=name_hash)
    await tx.session.execute(
        statement.on_conflict_do_update(index_elements=["name_hash"], set_={"last_at": func.now()})
    )


async def delete_expired(tx: Tx) -> None:
    """Delete ended sessions and invitations of the workspace, and old throttles and networks of the installation."""
    long_ago = func.now() - text("interval '7 days'")
    await tx.session.execute(
        delete(Session).where(
            Session.tenant_id == tx.tenant_id, (Session.expires_at < long_ago) | (Session.ended_at < long_ago)
        )
    )
    await tx.session.execute(
        delete(Invitation).where(Invitation.tenant_id == tx.tenant_id, Invitation.expires_at < long_ago)
    )
    await tx.session.execute(delete(Throttle).where(Throttle.first_at < func.now() - text("interval '1 day'")))
    half_a_year_ago = func.now() - text("interval '180 days'")
    await tx.session.execute(delete(FamiliarNetwork).where(FamiliarNetwork.last_at < half_a_year_ago))


def _in_seconds(seconds: int) -> ColumnElement[datetime]:
    """Return a time from now, by the database's clock."""
    return func.now() + func.make_interval(0, 0, 0, 0, 0, 0, seconds)
