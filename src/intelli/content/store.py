"""Every query of content."""

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
from intelli.kit.sql_in import among

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
# Every table that holds artifacts says so by its triggers, and in which columns; see `migrations.references`.
_HOLDERS = text(r"""
    select c.relname, held
      from pg_trigger t join pg_class c on c.oid = t.tgrelid,
           string_to_table(rtrim(encode(t.tgargs, 'escape'), '\000'), '\000') held
     where t.tgfoid = 'content_count'::regproc and t.tgname like '%\_hold\_insert'
""")


async def lock_content(tx: Tx, hashes: Sequence[str]) -> None:
    """Let one transaction at a time file or remove the blobs of these hashes, until it ends; in this order."""
    await tx.session.execute(_LOCK, {"tenant": str(tx.tenant_id), "hashes": list(hashes)})


async def add_artifact(tx: Tx, values: Json) -> tuple[Artifact, bool]:
    """Add an artifact, or give one that its owner has a new period of grace. Tells whether it is new."""
    added = insert(Artifact).values(tenant_id=tx.tenant_id, **values)
    renewed = case((Artifact.reference_count == 0, func.clock_timestamp()))
    kept = added.on_conflict_do_update(index_elements=_KEY, set_={"unreferenced_since": renewed})
    answer = kept.returning(Artifact, literal_column("artifacts.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    return row, is_new


async def add_artifacts(tx: Tx, rows: Sequence[Json]) -> set[str]:
    """The same for several, each hash once. Returns the hashes of those that are new."""
    added = await tx.session.execute(_ADD_ARTIFACTS, {"tenant": tx.tenant_id, "rows": json.dumps(rows, default=str)})
    return {row.sha256 for row in added if row.is_new}


async def find_artifact(tx: Tx, sha256: str) -> Artifact | None:
    """The artifact of a hash that the caller may read: the workspace's, else their own, else one that is shared."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, Artifact.sha256 == sha256)
    return await tx.session.scalar(mine.order_by(*_nearest(tx, Artifact)).limit(1))


async def hold_artifacts(tx: Tx, hashes: Iterable[str], *, owner_id: UUID) -> dict[str, Artifact]:
    """The artifacts of these hashes and an owner, none of which can be removed before the transaction ends."""
    mine = select(Artifact).where(
        Artifact.tenant_id == tx.tenant_id, among(Artifact.sha256, set(hashes)), Artifact.owner_id == owner_id
    )
    rows = await tx.session.scalars(mine.order_by(Artifact.sha256).with_for_update(read=True, key_share=True))
    return {row.sha256: row for row in rows}


async def artifacts_after(tx: Tx, sha256: str, *, limit: int) -> Sequence[Artifact]:
    """Artifacts in the order of their hashes, one of each."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, Artifact.sha256 > sha256)
    one_each = mine.ext(distinct_on(Artifact.sha256)).order_by(Artifact.sha256, Artifact.owner_id)
    return (await tx.session.scalars(one_each.limit(limit))).all()


async def artifacts_before(
    tx: Tx, place: tuple[datetime, str, UUID] | None, *, entity_type: str | None, limit: int
) -> Sequence[Artifact]:
    """Artifacts, newest first, after a place in that order."""
    conditions = [Artifact.tenant_id == tx.tenant_id]
    if entity_type is not None:
        conditions.append(Artifact.entity_type == entity_type)
    if place is not None:
        conditions.append(tuple_(Artifact.created_at, Artifact.sha256, Artifact.owner_id) < place)
    newest_first = Artifact.created_at.desc(), Artifact.sha256.desc(), Artifact.owner_id.desc()
    return (await tx.session.scalars(select(Artifact).where(*conditions).order_by(*newest_first).limit(limit))).all()


async def miscounted(tx: Tx, *, limit: int) -> Sequence[tuple[str, int, int]]:
    """Artifacts whose count of references is not what their holders say: hash, count, and how many hold it."""
    holders = (await tx.session.execute(_HOLDERS)).all()
    names = union_all(*(_held_by(tx, table_name, column_name) for table_name, column_name in holders)).subquery()
    keys = names.c.sha256, names.c.owner_id
    each = select(*keys, func.count().label("held")).group_by(*keys).subquery()
    held = func.coalesce(each.c.held, 0)
    # One statement, and so one moment: whoever holds and whoever counts commit together.
    wrong = (
        select(Artifact.sha256, Artifact.reference_count, held)
        .outerjoin(each, (each.c.sha256 == Artifact.sha256) & (each.c.owner_id == Artifact.owner_id))
        .where(Artifact.tenant_id == tx.tenant_id, Artifact.reference_count != held)
    )
    found = await tx.session.execute(wrong.order_by(Artifact.sha256).limit(limit))
    return [(sha256, count, number) for sha256, count, number in found]


async def known_hashes(tx: Tx, hashes: Iterable[str]) -> set[str]:
    """Which of these hashes are artifacts, whosever."""
    mine = select(Artifact.sha256).where(Artifact.tenant_id == tx.tenant_id, among(Artifact.sha256, hashes))
    return set((await tx.session.scalars(mine)).all())


async def owned_hashes(tx: Tx, hashes: Iterable[str], *, owner_id: UUID) -> set[str]:
    """Which of these hashes are artifacts of an owner."""
    mine = select(Artifact.sha256).where(
        Artifact.tenant_id == tx.tenant_id, among(Artifact.sha256, hashes), Artifact.owner_id == owner_id
    )
    return set((await tx.session.scalars(mine)).all())


async def unreferenced(tx: Tx, grace: timedelta) -> tuple[int, int]:
    """How many artifacts nothing has referenced for longer than the grace, and the bytes that no other owner keeps."""
    kept = Artifact.__table__.alias("kept")
    others = (kept.c.tenant_id == Artifact.tenant_id, kept.c.sha256 == Artifact.sha256)
    is_last = ~exists().where(*others, kept.c.owner_id != Artifact.owner_id)
    freed = func.sum(Artifact.size_bytes).filter(is_last)
    counts = select(func.count(), func.coalesce(freed, 0)).where(*_is_garbage(tx, grace))
    count, size_bytes = (await tx.session.execute(counts)).one()
    return count, int(size_bytes)


async def remove_unreferenced(tx: Tx, grace: timedelta, *, limit: int) -> Sequence[tuple[str, int]]:
    """Remove the rows of unreferenced artifacts; hashes and sizes of those that went, whose blobs others may have.

    A row that someone is about to reference is locked by them and left alone.
    """
    key = tuple_(Artifact.tenant_id, Artifact.sha256, Artifact.owner_id)
    doomed = select(*key.clauses).where(*_is_garbage(tx, grace)).limit(limit)
    removed = delete(Artifact).where(key.in_(doomed.with_for_update(skip_locked=True)))
    rows = await tx.session.execute(removed.returning(Artifact.sha256, Artifact.size_bytes))
    return [(sha256, size_bytes) for sha256, size_bytes in rows]


async def add_manifest(tx: Tx, values: Json, entries: Sequence[Json]) -> Manifest:
    """Store a tree; one that is known already is given a new period of grace."""
    added = insert(Manifest).values(tenant_id=tx.tenant_id, **values)
    again = {"committed_at": func.clock_timestamp()}
    kept = added.on_conflict_do_update(index_elements=_KEY, set_=again)
    answer = kept.returning(Manifest, literal_column("manifests.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    if is_new:
        await _add_entries(tx, row, entries)
    return row


async def find_manifest(tx: Tx, sha256: str) -> Manifest | None:
    """The manifest of a hash that the caller may read: the workspace's, else their own, else one that is shared."""
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256)
    return await tx.session.scalar(mine.order_by(*_nearest(tx, Manifest)).limit(1))


async def hold_manifest(tx: Tx, sha256: str, *, owner_id: UUID) -> Manifest | None:
    """The manifest of a hash and an owner, which cannot be removed before the transaction ends."""
    mine = select(Manifest).where(
        Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256, Manifest.owner_id == owner_id
    )
    return await tx.session.scalar(mine.with_for_update(read=True, key_share=True))


async def entries(tx: Tx, manifest: Manifest) -> Sequence[ManifestEntry]:
    """The paths of a manifest, in order."""
    mine = (
        ManifestEntry.tenant_id == tx.tenant_id,
        ManifestEntry.manifest_sha256 == manifest.sha256,
        ManifestEntry.owner_id == manifest.owner_id,
    )
    return (await tx.session.scalars(select(ManifestEntry).where(*mine).order_by(ManifestEntry.path))).all()


async def manifests_after(tx: Tx, place: tuple[str, UUID] | None, *, limit: int) -> Sequence[Manifest]:
    """Manifests in the order of their hashes and owners, after a place in it."""
    key = tuple_(Manifest.sha256, Manifest.owner_id)
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, *([key > place] if place else []))
    return (await tx.session.scalars(mine.order_by(*key.clauses).limit(limit))).all()


async def unreachable_manifests(tx: Tx, grace: timedelta, *, limit: int | None = None) -> Sequence[Manifest]:
    """Manifests that no pointer, no history and no child names, and that were stored longer ago than the grace."""
    return (await tx.session.scalars(select(Manifest).where(*_is_unreachable(tx, grace)).limit(limit))).all()


async def remove_manifest(tx: Tx, manifest: Manifest, grace: timedelta) -> bool:
    """Remove a manifest unless someone came to reference it; its entries go with it and let their artifacts go."""
    key = (Manifest.sha256 == manifest.sha256, Manifest.owner_id == manifest.owner_id)
    mine = (Manifest.tenant_id == tx.tenant_id, *key)
    if await tx.session.scalar(select(Manifest.sha256).where(*mine).with_for_update(skip_locked=True)) is None:
        return False
    # A second statement, so that it sees what whoever held the row before us has committed.
    removed = delete(Manifest).where(*mine, *_is_unreachable(tx, grace)).returning(Manifest.sha256)
    return await tx.session.scalar(removed) is not None


async def find_pointer(tx: Tx, namespace: str, name: str, *, owner_id: UUID | None = None) -> Pointer | None:
    """The pointer of a name, of an owner or of anyone whose the caller may read, also when it is deleted."""
    return await tx.session.scalar(_pointer_of(tx, namespace, name, owner_id))


async def lock_pointer(tx: Tx, namespace: str, name: str, *, owner_id: UUID | None = None) -> Pointer | None:
    """The same if the caller may move it, and nobody else moves it before the transaction ends."""
    mine = _pointer_of(tx, namespace, name, owner_id).with_for_update(key_share=True)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def remove_deleted_pointers(tx: Tx, grace: timedelta) -> int:
    """Remove pointers that were deleted longer ago than the grace, with their histories."""
    doomed = delete(Pointer).where(*_is_forgotten(tx, grace)).returning(Pointer.id)
    return len((await tx.session.scalars(doomed)).all())


async def count_deleted_pointers(tx: Tx, grace: timedelta) -> int:
    """How many pointers were deleted longer ago than the grace."""
    return await tx.session.scalar(select(func.count()).where(*_is_forgotten(tx, grace))) or 0


async def ensure_pointer(tx: Tx, values: Json) -> None:
    """Make a pointer that points nowhere, unless its name is taken."""
    added = insert(Pointer).values(tenant_id=tx.tenant_id, **values)
    key = ["tenant_id", "namespace", "name", "owner_id"]
    await tx.session.execute(added.on_conflict_do_nothing(index_elements=key))


async def save_move(tx: Tx, pointer: Pointer, move: PointerMove) -> Pointer:
    """Write a pointer that was changed, with the move that changed it."""
    tx.session.add(move)
    await tx.session.flush()
    await tx.session.refresh(pointer)
    return pointer


async def pointers(tx: Tx, *, namespace: str | None, after: UUID | None, limit: int) -> Sequence[Pointer]:
    """Pointers that are not deleted, newest first."""
    conditions = [Pointer.tenant_id == tx.tenant_id, Pointer.deleted_at.is_(None)]
    if namespace is not None:
        conditions.append(Pointer.namespace == namespace)
    if after is not None:
        conditions.append(Pointer.id < after)
    return (await tx.session.scalars(select(Pointer).where(*conditions).order_by(Pointer.id.desc()).limit(limit))).all()


async def get_pointer(tx: Tx, pointer_id: UUID) -> Pointer:
    """The pointer of an id, held still while its moves are read."""
    mine = select(Pointer).where(Pointer.tenant_id == tx.tenant_id, Pointer.id == pointer_id)
    return (await tx.session.scalars(mine.with_for_update(read=True))).one()


async def all_pointers(tx: Tx) -> Sequence[Pointer]:
    """Every pointer, deleted ones too."""
    return (await tx.session.scalars(select(Pointer).where(Pointer.tenant_id == tx.tenant_id))).all()


async def moves(tx: Tx, pointer_id: UUID, *, before: int | None, limit: int | None) -> Sequence[PointerMove]:
    """The moves of a pointer, newest first."""
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
    """In one statement: counting locks the artifacts of a statement in order, but not those of several."""
    of = {"tenant": tx.tenant_id, "manifest": manifest.sha256, "owner": manifest.owner_id}
    await tx.session.execute(_ADD_ENTRIES, {**of, "entries": json.dumps(entries)})


def _held_by(tx: Tx, table_name: str, column_name: str) -> Select[tuple[str, UUID]]:
    holder = table(table_name, column("tenant_id", Uuid), column("owner_id", Uuid), column(column_name, Text))
    held = holder.c[column_name]
    keys = held.label("sha256"), holder.c.owner_id
    return select(*keys).where(holder.c.tenant_id == tx.tenant_id, held.is_not(None))


def _nearest(tx: Tx, row: type[Artifact | Manifest]) -> tuple[ColumnElement[bool], ...]:
    """What comes first of the same bytes: the workspace's, then the caller's own."""
    return row.user_id.is_not(None), row.user_id != tx.user_id


def _pointer_of(tx: Tx, namespace: str, name: str, owner_id: UUID | None) -> Select[Pointer]:
    """A person's own comes before the workspace's of the same name: nobody can put one in its place."""
    named = select(Pointer).where(
        Pointer.tenant_id == tx.tenant_id, Pointer.namespace == namespace, Pointer.name == name
    )
    if owner_id is not None:
        named = named.where(Pointer.owner_id == owner_id)
    return named.order_by(Pointer.user_id.is_(None)).limit(1)


def _is_forgotten(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    return Pointer.tenant_id == tx.tenant_id, Pointer.deleted_at <= func.clock_timestamp() - grace


def _is_garbage(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    since = Artifact.unreferenced_since <= func.clock_timestamp() - grace
    return Artifact.tenant_id == tx.tenant_id, Artifact.reference_count == 0, since


def _is_unreachable(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
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
