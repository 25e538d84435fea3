"""The tenant transaction: bound, fail-closed, all or nothing."""

import asyncio
from uuid import UUID

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from intelli.app import Engine
from intelli.kit.context import Anonymous, AuthMethod, Role, Scope, System, UserContext, WorkspaceLister
from intelli.kit.db import Database, SessionEnded
from intelli.kit.ids import uuid7

COUNT = text("select count(*) from workspaces")


async def found(database: Database) -> tuple[UUID, UUID]:
    """A workspace and its owner."""
    workspace, person = uuid7(), uuid7()
    email = f"{person}@example.org"
    async with database.begin(System(workspace, person, proof=email)) as tx:
        values = {"w": workspace, "u": person, "e": email}
        await tx.session.execute(text("insert into workspaces (id, name) values (:w, 'W')"), values)
        await tx.session.execute(
            text("insert into users (id, email, name, password_hash) values (:u, :e, 'U', 'x')"), values
        )
        await tx.session.execute(
            text("insert into memberships (tenant_id, user_id, role) values (:w, :u, 'owner')"), values
        )
    return workspace, person


def owner_of(workspace: UUID, person: UUID, role: Role = Role.OWNER) -> UserContext:
    return UserContext(person, workspace, role, frozenset(Scope), AuthMethod.API_KEY)


async def test_a_transaction_sees_its_own_workspace_and_no_other(database: Database):
    (mine, me), _ = await found(database), await found(database)
    async with database.begin(owner_of(mine, me)) as tx:
        rows = (await tx.session.scalars(text("select id from workspaces"))).all()
    assert rows == [mine]


async def test_a_stranger_sees_nothing_and_a_census_sees_that_workspaces_exist(database: Database):
    await found(database)
    async with database.begin(Anonymous(proof="")) as tx:
        assert await tx.session.scalar(COUNT) == 0
    async with database.begin(WorkspaceLister()) as tx:
        assert await tx.session.scalar(COUNT) == 1
        assert await tx.session.scalar(text("select count(*) from memberships")) == 0


async def test_a_connection_that_was_never_bound_sees_nothing(database: Database, engine: Engine):
    await found(database)
    with psycopg.connect(engine.app_url) as connection:
        assert connection.execute("select count(*) from workspaces").fetchone() == (0,)


async def test_someone_who_lost_their_role_does_not_get_in(database: Database):
    workspace, person = await found(database)
    for who in (owner_of(workspace, person, Role.ADMIN), owner_of(uuid7(), person), owner_of(workspace, uuid7())):
        with pytest.raises(SessionEnded):
            async with database.begin(who):
                pass


async def test_an_error_in_the_body_takes_everything_back(database: Database):
    workspace, person = await found(database)
    with pytest.raises(LookupError):
        async with database.begin(owner_of(workspace, person)) as tx:
            await tx.session.execute(text("update workspaces set name = 'changed'"))
            raise LookupError
    async with database.begin(owner_of(workspace, person)) as tx:
        assert await tx.session.scalar(text("select name from workspaces")) == "W"


async def test_a_row_of_another_workspace_cannot_be_written(database: Database):
    (mine, me), (theirs, _) = await found(database), await found(database)
    with pytest.raises(DBAPIError, match="row-level security"):
        async with database.begin(owner_of(mine, me)) as tx:
            statement = text("insert into effects (tenant_id, id, key) values (:t, :id, 'k')")
            await tx.session.execute(statement, {"t": theirs, "id": uuid7()})
    async with database.begin(owner_of(mine, me)) as tx:
        changed = await tx.session.execute(text("update workspaces set name = 'x' where id = :t"), {"t": theirs})
        assert changed.rowcount == 0  # type: ignore[attr-defined]


async def test_many_transactions_at_once_never_mix_their_workspaces(database: Database):
    places = [await found(database) for _ in range(5)]

    async def look(number: int) -> bool:
        workspace, person = places[number % len(places)]
        async with database.begin(owner_of(workspace, person)) as tx:
            before = (await tx.session.scalars(text("select id from workspaces"))).all()
            await asyncio.sleep(0)
            after = await tx.session.scalar(text("select tenant_id from memberships"))
        return before == [workspace] and after == workspace

    assert all(await asyncio.gather(*(look(number) for number in range(200))))


async def test_a_snapshot_sees_one_moment_and_the_next_transaction_the_next(database: Database):
    workspace, person = await found(database)
    who, name = System(workspace, person), text("select name from workspaces")
    async with database.begin(who, is_snapshot=True) as tx:
        assert await tx.session.scalar(name) == "W"
        async with database.begin(who) as other:
            await other.session.execute(text("update workspaces set name = 'V'"))
        assert await tx.session.scalar(name) == "W"
    for _ in range(3):
        async with database.begin(who) as tx:
            assert await tx.session.scalar(name) == "V"
            assert await tx.session.scalar(text("show transaction_isolation")) == "read committed"


async def test_no_parameter_of_a_query_shows_in_its_error(database: Database):
    workspace, person = await found(database)
    with pytest.raises(DBAPIError) as caught:
        async with database.begin(owner_of(workspace, person)) as tx:
            await tx.session.execute(text("select cast(:secret as int)"), {"secret": "what nobody may read"})
    assert "[SQL parameters hidden" in str(caught.value)


@pytest.mark.parametrize("count", [20_000])
def test_ids_sort_in_the_order_they_were_made(count: int):
    ids = [uuid7() for _ in range(count)]
    assert ids == sorted(ids)
    assert len(set(ids)) == count
    assert {made.version for made in ids} == {7}
