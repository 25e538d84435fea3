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
from sqlalchemy.dialects.postgresql import insert

from intelli.content.tables import Artifact, Manifest, ManifestEntry, Pointer, PointerMove
from intelli.kit.among import among
from intelli.kit.db import Tx

Json = Mapping[str, object]

_LOCK = text("""
    select pg_advisory_xact_lock(hashtextextended('content:' || :tenant || ':' || sha256, 0))
      from unnest(cast(:hashes as text[])) as sha256
""")
_ADD_ENTRIES = text("""
    insert into manifest_entries
        (tenant_id, manifest_sha256, path, artifact_sha256, media_type, entity_type, size_bytes)
    select :tenant, :manifest, path, artifact_sha256, media_type, entity_type, size_bytes
      from jsonb_to_recordset(cast(:entries as jsonb))
        as e(path text, artifact_sha256 text, media_type text, entity_type text, size_bytes bigint)
""")
_ADD_ARTIFACTS = text("""
    insert into artifacts as a
           (tenant_id, sha256, size_bytes, filename, media_type, storage_uri, entity_type, entity_metadata, created_by,
            is_personal)
    select :tenant, v.* from jsonb_to_recordset(cast(:rows as jsonb)) as v(
           sha256 text, size_bytes bigint, filename text, media_type text, storage_uri text, entity_type text,
           entity_metadata jsonb, created_by uuid, is_personal boolean)
     order by v.sha256
        on conflict (tenant_id, sha256) do update
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
    """Add an artifact, or give a known one a new period of grace. Tells whether it is new."""
    added = insert(Artifact).values(tenant_id=tx.tenant_id, **values)
    renewed = case((Artifact.reference_count == 0, func.clock_timestamp()))
    kept = added.on_conflict_do_update(index_elements=["tenant_id", "sha256"], set_={"unreferenced_since": renewed})
    answer = kept.returning(Artifact, literal_column("artifacts.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    return row, is_new


async def add_artifacts(tx: Tx, rows: Sequence[Json]) -> set[str]:
    """The same for several, each hash once. Returns the hashes of those that are new."""
    added = await tx.session.execute(_ADD_ARTIFACTS, {"tenant": tx.tenant_id, "rows": json.dumps(rows, default=str)})
    return {row.sha256 for row in added if row.is_new}


async def find_artifact(tx: Tx, sha256: str) -> Artifact | None:
    """The artifact of a hash."""
    return await tx.session.get(Artifact, (tx.tenant_id, sha256))


async def hold_artifacts(tx: Tx, hashes: Iterable[str]) -> dict[str, Artifact]:
    """The artifacts of these hashes, none of which can be removed before the transaction ends."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, among(Artifact.sha256, set(hashes)))
    rows = await tx.session.scalars(mine.order_by(Artifact.sha256).with_for_update(read=True, key_share=True))
    return {row.sha256: row for row in rows}


async def artifacts_after(tx: Tx, sha256: str, *, limit: int) -> Sequence[Artifact]:
    """Artifacts in the order of their hashes."""
    mine = select(Artifact).where(Artifact.tenant_id == tx.tenant_id, Artifact.sha256 > sha256)
    return (await tx.session.scalars(mine.order_by(Artifact.sha256).limit(limit))).all()


async def artifacts_before(
    tx: Tx, place: tuple[datetime, str] | None, *, entity_type: str | None, limit: int
) -> Sequence[Artifact]:
    """Artifacts, newest first, after a place in that order."""
    conditions = [Artifact.tenant_id == tx.tenant_id]
    if entity_type is not None:
        conditions.append(Artifact.entity_type == entity_type)
    if place is not None:
        conditions.append(tuple_(Artifact.created_at, Artifact.sha256) < place)
    newest_first = Artifact.created_at.desc(), Artifact.sha256.desc()
    return (await tx.session.scalars(select(Artifact).where(*conditions).order_by(*newest_first).limit(limit))).all()


async def miscounted(tx: Tx, *, limit: int) -> Sequence[tuple[str, int, int]]:
    """Artifacts whose count of references is not what their holders say: hash, count, and how many hold it."""
    holders = (await tx.session.execute(_HOLDERS)).all()
    names = union_all(*(_held_by(tx, table_name, column_name) for table_name, column_name in holders)).subquery()
    each = select(names.c.sha256, func.count().label("held")).group_by(names.c.sha256).subquery()
    held = func.coalesce(each.c.held, 0)
    # One statement, and so one moment: whoever holds and whoever counts commit together.
    wrong = (
        select(Artifact.sha256, Artifact.reference_count, held)
        .outerjoin(each, each.c.sha256 == Artifact.sha256)
        .where(Artifact.tenant_id == tx.tenant_id, Artifact.reference_count != held)
    )
    found = await tx.session.execute(wrong.order_by(Artifact.sha256).limit(limit))
    return [(sha256, count, number) for sha256, count, number in found]


async def known_hashes(tx: Tx, hashes: Iterable[str]) -> set[str]:
    """Which of these hashes are artifacts."""
    mine = select(Artifact.sha256).where(Artifact.tenant_id == tx.tenant_id, among(Artifact.sha256, hashes))
    return set((await tx.session.scalars(mine)).all())


async def unreferenced(tx: Tx, grace: timedelta) -> tuple[int, int]:
    """How many artifacts nothing has referenced for longer than the grace, and their bytes."""
    counts = select(func.count(), func.coalesce(func.sum(Artifact.size_bytes), 0)).where(*_is_garbage(tx, grace))
    count, size_bytes = (await tx.session.execute(counts)).one()
    return count, int(size_bytes)


async def remove_unreferenced(tx: Tx, grace: timedelta, *, limit: int) -> Sequence[tuple[str, int]]:
    """Remove the rows of unreferenced artifacts; hashes and sizes of those that went.

    A row that someone is about to reference is locked by them and left alone.
    """
    doomed = select(Artifact.tenant_id, Artifact.sha256).where(*_is_garbage(tx, grace)).limit(limit)
    key = tuple_(Artifact.tenant_id, Artifact.sha256)
    removed = delete(Artifact).where(key.in_(doomed.with_for_update(skip_locked=True)))
    rows = await tx.session.execute(removed.returning(Artifact.sha256, Artifact.size_bytes))
    return [(sha256, size_bytes) for sha256, size_bytes in rows]


async def add_manifest(tx: Tx, values: Json, entries: Sequence[Json]) -> Manifest:
    """Store a tree; one that is known already is given a new period of grace."""
    added = insert(Manifest).values(tenant_id=tx.tenant_id, **values)
    again = {"committed_at": func.clock_timestamp()}
    kept = added.on_conflict_do_update(index_elements=["tenant_id", "sha256"], set_=again)
    answer = kept.returning(Manifest, literal_column("manifests.xmax = 0", Boolean))
    row, is_new = (await tx.session.execute(answer, execution_options={"populate_existing": True})).one()
    if is_new:
        await _add_entries(tx, row.sha256, entries)
    return row


async def find_manifest(tx: Tx, sha256: str) -> Manifest | None:
    """The manifest of a hash."""
    return await tx.session.get(Manifest, (tx.tenant_id, sha256))


async def hold_manifest(tx: Tx, sha256: str) -> Manifest | None:
    """The manifest of a hash, which cannot be removed before the transaction ends."""
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256)
    return await tx.session.scalar(mine.with_for_update(read=True, key_share=True))


async def entries(tx: Tx, manifest_sha256: str) -> Sequence[ManifestEntry]:
    """The paths of a manifest, in order."""
    mine = (ManifestEntry.tenant_id == tx.tenant_id, ManifestEntry.manifest_sha256 == manifest_sha256)
    return (await tx.session.scalars(select(ManifestEntry).where(*mine).order_by(ManifestEntry.path))).all()


async def manifests_after(tx: Tx, sha256: str, *, limit: int) -> Sequence[Manifest]:
    """Manifests in the order of their hashes."""
    mine = select(Manifest).where(Manifest.tenant_id == tx.tenant_id, Manifest.sha256 > sha256)
    return (await tx.session.scalars(mine.order_by(Manifest.sha256).limit(limit))).all()


async def unreachable_manifests(tx: Tx, grace: timedelta, *, limit: int | None = None) -> Sequence[str]:
    """Manifests that no pointer, no history and no child names, and that were stored longer ago than the grace."""
    found = select(Manifest.sha256).where(*_is_unreachable(tx, grace)).limit(limit)
    return (await tx.session.scalars(found)).all()


async def remove_manifest(tx: Tx, sha256: str, grace: timedelta) -> bool:
    """Remove a manifest unless someone came to reference it; its entries go with it and let their artifacts go."""
    mine = (Manifest.tenant_id == tx.tenant_id, Manifest.sha256 == sha256)
    if await tx.session.scalar(select(Manifest.sha256).where(*mine).with_for_update(skip_locked=True)) is None:
        return False
    # A second statement, so that it sees what whoever held the row before us has committed.
    removed = delete(Manifest).where(*mine, *_is_unreachable(tx, grace)).returning(Manifest.sha256)
    return await tx.session.scalar(removed) is not None


async def find_pointer(tx: Tx, namespace: str, name: str) -> Pointer | None:
    """The pointer of a name, also when it is deleted."""
    return await tx.session.scalar(select(Pointer).where(*_named(tx, namespace, name)))


async def lock_pointer(tx: Tx, namespace: str, name: str) -> Pointer | None:
    """The same, and nobody else moves it before the transaction ends."""
    mine = select(Pointer).where(*_named(tx, namespace, name)).with_for_update(key_share=True)
    return await tx.session.scalar(mine.execution_options(populate_existing=True))


async def ensure_pointer(tx: Tx, values: Json) -> None:
    """Make a pointer that points nowhere, unless its name is taken."""
    added = insert(Pointer).values(tenant_id=tx.tenant_id, **values)
    await tx.session.execute(added.on_conflict_do_nothing(index_elements=["tenant_id", "namespace", "name"]))


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


async def _add_entries(tx: Tx, manifest_sha256: str, entries: Sequence[Json]) -> None:
    """In one statement: counting locks the artifacts of a statement in order, but not those of several."""
    given = {"tenant": tx.tenant_id, "manifest": manifest_sha256, "entries": json.dumps(entries)}
    await tx.session.execute(_ADD_ENTRIES, given)


def _held_by(tx: Tx, table_name: str, column_name: str) -> Select[tuple[str]]:
    holder = table(table_name, column("tenant_id", Uuid), column(column_name, Text))
    held = holder.c[column_name]
    return select(held.label("sha256")).where(holder.c.tenant_id == tx.tenant_id, held.is_not(None))


def _named(tx: Tx, namespace: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return Pointer.tenant_id == tx.tenant_id, Pointer.namespace == namespace, Pointer.name == name


def _is_garbage(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    since = Artifact.unreferenced_since <= func.clock_timestamp() - grace
    return Artifact.tenant_id == tx.tenant_id, Artifact.reference_count == 0, since


def _is_unreachable(tx: Tx, grace: timedelta) -> tuple[ColumnElement[bool], ...]:
    child = Manifest.__table__.alias("child")
    return (
        Manifest.tenant_id == tx.tenant_id,
        Manifest.committed_at <= func.clock_timestamp() - grace,
        ~exists().where(Pointer.tenant_id == Manifest.tenant_id, Pointer.manifest_sha256 == Manifest.sha256),
        ~exists().where(PointerMove.tenant_id == Manifest.tenant_id, PointerMove.to_sha256 == Manifest.sha256),
        ~exists().where(PointerMove.tenant_id == Manifest.tenant_id, PointerMove.from_sha256 == Manifest.sha256),
        ~exists().where(child.c.tenant_id == Manifest.tenant_id, child.c.parent_sha256 == Manifest.sha256),
    )
