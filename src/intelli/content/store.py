"""SQL queries of content."""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import (
    Boolean,
    ColumnElement,
    Select,
    Text,
    Uuid,
    case,
    column,
    delete,
    exists,
    func,
    literal_column,
    select,
    table,
    text,
    tuple_,
    union_all,
)
from sqlalchemy.dialects.postgresql import distinct_on, insert

from intelli.content.tables import Artifact, Manifest, ManifestEntry, Pointer, PointerMove
from intelli.kit.db import Tx
from intelli.kit.sql_in import in_values

Json = Mapping[str, object]
_KEY = ["tenant_id", "sha256", "owner_id"]

_LOCK = text("""
    select pg_advisory_xact_lock(hashtextextended('content:' || :tenant || ':' || sha256, 0))
      from unnest(cast(:hashes as text[])) as sha256
""")
_ADD_ENTRIES = text("""
    insert into manifest_entries
        (tenant_id, manifest_sha256, owner_id, path, artifact_sha256, media_type, entity_type, size_bytes)
    select :tenant, :manifest, :owner, path, artifact_sha256, media_type, entity_type, size_bytes
      from jsonb_to_recordset(cast(:entries as jsonb))
        as e(path text, artifact_sha256 text, media_type text, entity_type text, size_bytes bigint)
""")
_ADD_ARTIFACTS = text("""
    insert into artifacts as a
           (tenant_id, sha256, owner_id, user_id, size_bytes, filename, media_type, storage_uri, entity_type,
            entity_metadata, created_by, is_personal)
    select :tenant, v.* from jsonb_to_recordset(cast(:rows as jsonb)) as v(
           sha256 text, owner_id uuid, user_id uuid, size_bytes bigint, filename text, media_type text,
           storage_uri text, entity_type text, entity_metadata jsonb, created_by uuid, is_personal boolean)
     order by v.sha256
        on conflict (tenant_id, sha256, owner_id) do update
       set unreferenced_since = case when a.reference_count = 0 then clock_timestamp() end
    returning a.sha256, a.xmax = 0 as is_new
""")
# Triggers declare which columns of which tables reference artifacts; see `migrations.references`.
_REFERENCING_COLUMNS = text(r"""
    select c.relname, held
      from pg_trigger t join pg_class c on c.oid = t.tgrelid,
           string_to_table(rtrim(encode(t.tgargs, 'escape'), '\000'), '\000') held
     where t.tgfoid = 'content_count'::regproc and t.tgname like '%\_hold\_insert'
""")


async def lock_content(tx: Tx, hashes: Sequence[str]) -> None:
    """Take advisory locks on the blobs of these hashes, in this order, until the transaction ends."""
    await tx.session.execute(_LOCK, {"tenant": str(tx.tenant_id), "hashes": list(hashes)})


async def add_artifact(tx: Tx, values: Json) -> tuple[Artifact, bool]:
    """Insert an artifact, or restart the grace period of a known one. Returns it and whether it is new."""
    added = insert(Artifact).values(tenant_id=tx.tenant_id, **values)
    renewed = case((Artifact.reference_count == 0, func.clock_timestamp()))
    kept = added.on_conflict_do_update(index_elements=_KEY, set_={"unreferenced_since": renewed})
    answer = kept.returning(Artifact, literal_column("artifacts.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    return row, is_new


async def add_artifacts(tx: Tx, rows: Sequence[Json]) -> set[str]:
    """Insert several artifacts (each hash once) like `add_artifact`; return the hashes of the new ones."""
    added = await tx.session.execute(_ADD_ARTIFACTS, {"tenant": tx.tenant_id, "rows": json.dumps(rows, default=str)})
    return {row.sha256 for row in added if row.is_new}


async def find_artifact(tx: Tx, sha256: str) -> Artifact | None:
    """Return the artifact that the caller may read: the workspace's, else their own, else a shared one."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, Artifact.sha256 == sha256)
    return await tx.session.scalar(mine.order_by(*_own_order(tx, Artifact)).limit(1))


async def lock_artifacts(tx: Tx, hashes: Iterable[str], *, owner_id: UUID) -> dict[str, Artifact]:
    """Return an owner's artifacts by hash and lock them against deletion until the transaction ends."""
    mine = select(Artifact).where(
        Artifact.tenant_id == tx.tenant_id, in_values(Artifact.sha256, set(hashes)), Artifact.owner_id == owner_id
    )
    rows = await tx.session.scalars(mine.order_by(Artifact.sha256).with_for_update(read=True, key_share=True))
    return {row.sha256: row for row in rows}


async def artifacts_after(tx: Tx, sha256: str, *, limit: int) -> Sequence[Artifact]:
    """Return artifacts ordered by hash, one for each hash."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, Artifact.sha256 > sha256)
    one_each = mine.ext(distinct_on(Artifact.sha256)).order_by(Artifact.sha256, Artifact.owner_id)
    return (await tx.session.scalars(one_each.limit(limit))).all()


async def artifacts_before(
    tx: Tx, place: tuple[datetime, str, UUID] | None, *, entity_type: str | None, limit: int
) -> Sequence[Artifact]:
    """Return artifacts, newest first, after a position in that order."""
    conditions = [Artifact.tenant_id == tx.tenant_id]
    if entity_type is not None:
        conditions.append(Artifact.entity_type == entity_type)
    if place is not None:
        conditions.append(tuple_(Artifact.created_at, Artifact.sha256, Artifact.owner_id) < place)
    newest_first = Artifact.created_at.desc(), Artifact.sha256.desc(), Artifact.owner_id.desc()
    return (await tx.session.scalars(select(Artifact).where(*conditions).order_by(*newest_first).limit(limit))).all()


async def list_miscounted(tx: Tx, *, limit: int) -> Sequence[tuple[str, int, int]]:
    """Return artifacts whose reference count is wrong, as (hash, stored count, actual references)."""
    columns = (await tx.session.execute(_REFERENCING_COLUMNS)).all()
    names = union_all(
        *(_select_references(tx, table_name, column_name) for table_name, column_name in columns)
    ).subquery()
    keys = names.c.sha256, names.c.owner_id
    each = select(*keys, func.count().label("held")).group_by(*keys).subquery()
    held = func.coalesce(each.c.held, 0)
    # One statement sees one snapshot: a reference and its count are committed together.
    wrong = (
        select(Artifact.sha256, Artifact.reference_count, held)
        .outerjoin(each, (each.c.sha256 == Artifact.sha256) & (each.c.owner_id == Artifact.owner_id))
        .where(Artifact.tenant_id == tx.tenant_id, Artifact.reference_count != held)
    )
    found = await tx.session.execute(wrong.order_by(Artifact.sha256).limit(limit))
    return [(sha256, count, number) for sha256, count, number in found]


async def known_hashes(tx: Tx, hashes: Iterable[str]) -> set[str]:
    """Return those of the hashes that are artifacts of any owner."""
    mine = select(Artifact.sha256).where(Artifact.tenant_id == tx.tenant_id, in_values(Artifact.sha256, hashes))
    return set((await tx.session.scalars(mine)).all())


async def owned_hashes(tx: Tx, hashes: Iterable[str], *, owner_id: UUID) -> set[str]:
    """Return those of the hashes that are artifacts of this owner."""
    mine = select(Artifact.sha256).where(
        Artifact.tenant_id == tx.tenant_id, in_values(Artifact.sha256, hashes), Artifact.owner_id == owner_id
    )
    return set((await tx.session.scalars(mine)).all())


async def count_unreferenced(tx: Tx, grace: timedelta) -> tuple[int, int]:
    """Return the number of artifacts unreferenced for longer than the grace period, and the bytes to be freed.

    Bytes that another owner also has are not counted.
    """
    kept = Artifact.__table__.alias("kept")
    others = (kept.c.tenant_id == Artifact.tenant_id, kept.c.sha256 == Artifact.sha256)
    is_last = ~exists().where(*others, kept.c.owner_id != Artifact.owner_id)
    freed = func.sum(Artifact.size_bytes).filter(is_last)
    counts = select(func.count(), func.coalesce(freed, 0)).where(*_is_garbage(tx, grace))
    count, size_bytes = (await tx.session.execute(counts)).one()
    return count, int(size_bytes)


async def remove_unreferenced(tx: Tx, grace: timedelta, *, limit: int) -> Sequence[tuple[str, int]]:
    """Delete a batch of unreferenced artifact rows; return their hashes and sizes.

    Other owners may still need the blobs. A row that someone is about to reference is locked by them and is skipped.
    """
    key = tuple_(Artifact.tenant_id, Artifact.sha256, Artifact.owner_id)
    doomed = select(*key.clauses).where(*_is_garbage(tx, grace)).limit(limit)
    removed = delete(Artifact).where(key.in_(doomed.with_for_update(skip_locked=True)))
    rows = await tx.session.execute(removed.returning(Artifact.sha256, Artifact.size_bytes))
    return [(sha256, size_bytes) for sha256, size_bytes in rows]


async def add_manifest(tx: Tx, values: Json, entries: Sequence[Json]) -> Manifest:
    """Insert a manifest with its entries; restart the grace period of a known one."""
    added = insert(Manifest).values(tenant_id=tx.tenant_id, **values)
    again = {"committed_at": func.clock_timestamp()}
    kept = added.on_conflict_do_update(index_elements=_KEY, set_=again)
    answer = kept.returning(Manifest, literal_column("manifests.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    if is_new:
        await _add_entries(tx, row, entries)
    return row


async def find_manifest(tx: Tx, sha256: str) -> Manifest | None:
    """Return the manifest that the caller may read: the workspace's, else their own, else a shared one."""
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256)
    return await tx.session.scalar(mine.order_by(*_own_order(tx, Manifest)).limit(1))


async def lock_manifest(tx: Tx, sha256: str, *, owner_id: UUID) -> Manifest | None:
    """Return an owner's manifest and lock it against deletion until the transaction ends; None when missing."""
    mine = select(Manifest).where(
        Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256, Manifest.owner_id == owner_id
    )
    return await tx.session.scalar(mine.with_for_update(read=True, key_share=True))


async def list_entries(tx: Tx, manifest: Manifest) -> Sequence[ManifestEntry]:
    """Return the entries of a manifest, ordered by path."""
    mine = (
        ManifestEntry.tenant_id == tx.tenant_id,
        ManifestEntry.manifest_sha256 == manifest.sha256,
        ManifestEntry.owner_id == manifest.owner_id,
    )
    return (await tx.session.scalars(select(ManifestEntry).where(*mine).order_by(ManifestEntry.path))).all()


async def manifests_after(tx: Tx, place: tuple[str, UUID] | None, *, limit: int) -> Sequence[Manifest]:
    """Return manifests ordered by hash and owner, after a position in that order."""
    key = tuple_(Manifest.sha256, Manifest.owner_id)
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, *([key > place] if place else []))
    return (await tx.session.scalars(mine.order_by(*key.clauses).limit(limit))).all()


async def list_unreachable_manifests(tx: Tx, grace: timedelta, *, limit: int | None = None) -> Sequence[Manifest]:
    """Return manifests older than the grace period that nothing references.

    References are pointers, moves in a pointer's history, and child manifests.
    """
    return (await tx.session.scalars(select(Manifest).where(*_is_unreachable(tx, grace)).limit(limit))).all()


async def remove_manifest(tx: Tx, manifest: Manifest, grace: timedelta) -> bool:
    """Delete a manifest with its entries unless it is referenced by now; return whether it was deleted.

    Deleting the entries decrements the reference counts of their artifacts.
    """
    key = (Manifest.sha256 == manifest.sha256, Manifest.owner_id == manifest.owner_id)
    mine = (Manifest.tenant_id == tx.tenant_id, *key)
    if await tx.session.scalar(select(Manifest.sha256).where(*mine).with_for_update(skip_locked=True)) is None:
        return False
    # A second statement, so that it sees what the previous holder of the lock has committed.
    removed = delete(Manifest).where(*mine, *_is_unreachable(tx, grace)).returning(Manifest.sha256)
    return await tx.session.scalar(removed) is not None


async def find_pointer(tx: Tx, namespace: str, name: str, *, owner_id: UUID | None = None) -> Pointer | None:
    """Return the pointer with this name, also a deleted one; without an owner, any that the caller may read."""
    return await tx.session.scalar(_select_pointer(tx, namespace, name, owner_id))


async def lock_pointer(tx: Tx, namespace: str, name: str, *, owner_id: UUID | None = None) -> Pointer | None:
    """Return the pointer with this name that the caller may move, with its row locked until the end."""
    mine = _select_pointer(tx, namespace, name, owner_id).with_for_update(key_share=True)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def remove_deleted_pointers(tx: Tx, grace: timedelta) -> int:
    """Delete pointers that were deleted longer ago than the grace period, with their histories."""
    doomed = delete(Pointer).where(*_is_deleted_for(tx, grace)).returning(Pointer.id)
    return len((await tx.session.scalars(doomed)).all())


async def count_deleted_pointers(tx: Tx, grace: timedelta) -> int:
    """Count pointers that were deleted longer ago than the grace period."""
    return await tx.session.scalar(select(func.count()).where(*_is_deleted_for(tx, grace))) or 0


async def ensure_pointer(tx: Tx, values: Json) -> None:
    """Insert a pointer without a target unless its name is taken."""
    added = insert(Pointer).values(tenant_id=tx.tenant_id, **values)
    key = ["tenant_id", "namespace", "name", "owner_id"]
    await tx.session.execute(added.on_conflict_do_nothing(index_elements=key))


async def save_move(tx: Tx, pointer: Pointer, move: PointerMove) -> Pointer:
    """Flush a changed pointer together with the move that changed it."""
    tx.session.add(move)
    await tx.session.flush()
    await tx.session.refresh(pointer)
    return pointer


async def list_pointers(tx: Tx, *, namespace: str | None, after: UUID | None, limit: int) -> Sequence[Pointer]:
    """Return pointers that are not deleted, newest first."""
    conditions = [Pointer.tenant_id == tx.tenant_id, Pointer.deleted_at.is_(None)]
    if namespace is not None:
        conditions.append(Pointer.namespace == namespace)
    if after is not None:
        conditions.append(Pointer.id < after)
    return (await tx.session.scalars(select(Pointer).where(*conditions).order_by(Pointer.id.desc()).limit(limit))).all()


async def get_pointer(tx: Tx, pointer_id: UUID) -> Pointer:
    """Return the pointer with this id and lock it against changes while its moves are read."""
    mine = select(Pointer).where(Pointer.tenant_id == tx.tenant_id, Pointer.id == pointer_id)
    return (await tx.session.scalars(mine.with_for_update(read=True))).one()


async def list_all_pointers(tx: Tx) -> Sequence[Pointer]:
    """Return every pointer, including deleted ones."""
    return (await tx.session.scalars(select(Pointer).where(Pointer.tenant_id == tx.tenant_id))).all()


async def list_moves(tx: Tx, pointer_id: UUID, *, before: int | None, limit: int | None) -> Sequence[PointerMove]:
    """Return the moves of a pointer, newest first."""
    conditions = [PointerMove.tenant_id == tx.tenant_id, PointerMove.pointer_id == pointer_id]
    if before is not None:
        conditions.append(PointerMove.version < before)
    found = select(PointerMove).where(*conditions).order_by(PointerMove.version.desc()).limit(limit)
    return (await tx.session.scalars(found)).all()


async def was_at(tx: Tx, pointer_id: UUID, manifest_sha256: str) -> bool:
    """True when the pointer was ever moved to the manifest."""
    mine = (PointerMove.tenant_id == tx.tenant_id, PointerMove.pointer_id == pointer_id)
    return bool(await tx.session.scalar(select(exists().where(*mine, PointerMove.to_sha256 == manifest_sha256))))


async def _add_entries(tx: Tx, manifest: Manifest, entries: Sequence[Json]) -> None:
    """Insert the entries of a manifest in one statement.

    The counting trigger locks the artifacts of one statement in order, but not those of several statements.
    """
    of = {"tenant": tx.tenant_id, "manifest": manifest.sha256, "owner": manifest.owner_id}
    await tx.session.execute(_ADD_ENTRIES, {**of, "entries": json.dumps(entries)})


def _select_references(tx: Tx, table_name: str, column_name: str) -> Select[tuple[str, UUID]]:
    """Select hash and owner of all artifacts that one column of a table references."""
    holder = table(table_name, column("tenant_id", Uuid), column("owner_id", Uuid), column(column_name, Text))
    held = holder.c[column_name]
    keys = held.label("sha256"), holder.c.owner_id
    return select(*keys).where(holder.c.tenant_id == tx.tenant_id, held.is_not(None))


def _own_order(tx: Tx, row: type[Artifact | Manifest]) -> tuple[ColumnElement[bool], ...]:
    """Return the order of artifacts with the same hash: the workspace's first, then the caller's own."""
    return row.user_id.is_not(None), row.user_id != tx.user_id


def _select_pointer(tx: Tx, namespace: str, name: str, owner_id: UUID | None) -> Select[Pointer]:
    """Select a pointer. A person's own comes before the workspace's of the same name, so nobody can replace it."""
    named = select(Pointer).where(
        Pointer.tenant_id == tx.tenant_id, Pointer.namespace == namespace, Pointer.name == name
    )
    if owner_id is not None:
        named = named.where(Pointer.owner_id == owner_id)
    return named.order_by(Pointer.user_id.is_(None)).limit(1)


def _is_deleted_for(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    """Conditions: a pointer that was deleted longer ago than the grace period."""
    return Pointer.tenant_id == tx.tenant_id, Pointer.deleted_at <= func.clock_timestamp() - grace


def _is_garbage(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    """Conditions: an artifact that was unreferenced for longer than the grace period."""
    since = Artifact.unreferenced_since <= func.clock_timestamp() - grace
    return Artifact.tenant_id == tx.tenant_id, Artifact.reference_count == 0, since


def _is_unreachable(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    """Conditions: a manifest older than the grace period that nothing references."""
    child = Manifest.__table__.alias("child")
    pointer, step = Pointer.__table__, PointerMove.__table__
    names = (pointer.c.manifest_sha256, step.c.to_sha256, step.c.from_sha256, child.c.parent_sha256)
    return (
        Manifest.tenant_id == tx.tenant_id,
        Manifest.committed_at <= func.clock_timestamp() - grace,
        *(
            ~exists().where(
                name.table.c.tenant_id == Manifest.tenant_id,
                name == Manifest.sha256,
                name.table.c.owner_id == Manifest.owner_id,
            )
            for name in names
        ),
    )
