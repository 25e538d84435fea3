"""How content that was kept once for the workspace is given to its owners, and put together again: see `0016`."""

# ruff: noqa: S608  # names of our own tables and columns, and nothing that anybody sent

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import op

# Table, columns, the table that they name, its columns, and what happens on delete.
Keys = tuple[tuple[str, tuple[str, ...], str, tuple[str, ...], str | None], ...]

_NAMES_ARTIFACTS = (
    ("document_versions", "artifact_sha256"),
    ("readings", "sha256"),
    ("readings", "text_sha256"),
    ("readings", "map_sha256"),
    ("readings", "thumbnail_sha256"),
    ("entities", "held_sha256"),
    ("deliverables", "brief_sha256"),
    ("deliverables", "content_sha256"),
    ("deliverable_exports", "sha256"),
    ("manifest_entries", "artifact_sha256"),
)
_NAMES_MANIFESTS = (
    ("manifests", "parent_sha256"),
    ("manifest_entries", "manifest_sha256"),
    ("pointers", "manifest_sha256"),
    ("pointer_history", "from_sha256"),
    ("pointer_history", "to_sha256"),
)


def _keys(*more: str) -> Keys:
    return tuple(
        (
            table,
            ("tenant_id", column, *more),
            other,
            ("tenant_id", "sha256", *more),
            "CASCADE" if column == "manifest_sha256" and table == "manifest_entries" else None,
        )
        for other, names in (("artifacts", _NAMES_ARTIFACTS), ("manifests", _NAMES_MANIFESTS))
        for table, column in names
    )


KEYS_BEFORE = _keys()
KEYS = _keys("owner_id")
PRIMARY_KEYS = {
    "artifacts": ("tenant_id", "sha256", "owner_id"),
    "manifests": ("tenant_id", "sha256", "owner_id"),
    "manifest_entries": ("tenant_id", "manifest_sha256", "owner_id", "path"),
}
_OF_PERSON = "coalesce(conversation_id, run_id, user_id)"
COMPUTED = {
    "document_versions": "tenant_id",
    "readings": "tenant_id",
    "entities": _OF_PERSON,
    "deliverables": _OF_PERSON,
    "pointers": "coalesce(conversation_id, run_id, user_id, tenant_id)",
}
_TABLES = (
    *COMPUTED,
    *("artifacts", "manifests", "manifest_entries", "pointer_history", "deliverable_exports", "conversations", "runs"),
)


def name_of(table: str, columns: tuple[str, ...]) -> str:
    """The name of a foreign key."""
    return f"{table}_{'_'.join(columns)}_fkey"


@contextmanager
def unforced() -> Iterator[None]:
    """Let the tables' owner see all rows, which need not be a superuser."""
    for table in _TABLES:
        op.execute(f"alter table {table} no force row level security")
    yield
    for table in _TABLES:
        op.execute(f"alter table {table} force row level security")


_UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ID = "substring(p.namespace from '-(.*)$')::uuid"
# What names a manifest, by its owner; the parents of a manifest have its owner.
_MANIFESTS_BY_OWNER = """
    create temporary table manifests_by_owner on commit drop as
    with recursive named (tenant_id, sha256, owner_id, user_id) as (
        select p.tenant_id, sha256, p.owner_id, p.user_id
          from pointers p, lateral (
               select p.manifest_sha256 as sha256
               union select from_sha256 from pointer_history h where h.tenant_id = p.tenant_id and h.pointer_id = p.id
               union select to_sha256 from pointer_history h where h.tenant_id = p.tenant_id and h.pointer_id = p.id) m
         where sha256 is not null
        union
        select m.tenant_id, m.parent_sha256, n.owner_id, n.user_id
          from manifests m join named n using (tenant_id, sha256) where m.parent_sha256 is not null)
    select * from named
    union
    select m.tenant_id, m.sha256, m.tenant_id, null from manifests m
     where not exists (select from named n where (n.tenant_id, n.sha256) = (m.tenant_id, m.sha256))
       and not exists (select from doomed d where (d.tenant_id, d.sha256) = (m.tenant_id, m.sha256))
"""
_HOLDERS = " union all ".join(
    f"select tenant_id, {column} as sha256, owner_id from {table} where {column} is not null"
    for table, column in _NAMES_ARTIFACTS
)
# Whose an owner is; the workspace is nobody's.
_PEOPLE = """
    select tenant_id, owner_id, user_id from entities union select tenant_id, owner_id, user_id from deliverables
    union select tenant_id, owner_id, user_id from pointers where user_id is not null
"""
SPREAD = (
    # Pointers that runs made are named after their conversation, or after their run.
    f"""update pointers p set conversation_id = c.id, user_id = c.user_id from conversations c
         where p.namespace ~ '^conversation-{_UUID}$' and c.tenant_id = p.tenant_id and c.id = {_ID}""",
    f"""update pointers p set run_id = r.id, user_id = r.user_id from runs r
         where p.namespace ~ '^run-{_UUID}$' and r.tenant_id = p.tenant_id and r.id = {_ID}""",
    f"""create temporary table doomed on commit drop as
        select h.tenant_id, p.id, m.sha256
          from pointers p join pointer_history h on h.tenant_id = p.tenant_id and h.pointer_id = p.id,
               lateral (values (h.from_sha256), (h.to_sha256)) m (sha256)
         where p.user_id is null and h.reason = 'deliverable_generated'
           and p.namespace ~ '^(conversation|run)-{_UUID}$'""",
    "delete from pointer_history h using doomed d where (d.tenant_id, d.id) = (h.tenant_id, h.pointer_id)",
    "delete from pointers p using doomed d where (d.tenant_id, d.id) = (p.tenant_id, p.id)",
    """update pointer_history h set owner_id = p.owner_id from pointers p
        where (p.tenant_id, p.id) = (h.tenant_id, h.pointer_id)""",
    """update deliverable_exports e set owner_id = d.owner_id from deliverables d
        where (d.tenant_id, d.id) = (e.tenant_id, e.deliverable_id)""",
    _MANIFESTS_BY_OWNER,
    "alter table manifests drop constraint manifests_pkey",
    "alter table manifest_entries drop constraint manifest_entries_pkey",
    """insert into manifests (tenant_id, sha256, parent_sha256, message, entry_count, total_size_bytes, created_by,
                              created_at, committed_at, owner_id, user_id)
       select m.tenant_id, m.sha256, parent_sha256, message, entry_count, total_size_bytes, created_by,
              created_at, committed_at, o.owner_id, o.user_id
         from manifests m join manifests_by_owner o using (tenant_id, sha256) where m.owner_id is null""",
    "delete from manifests where owner_id is null",
    "alter table manifest_entries disable trigger user",
    """insert into manifest_entries (tenant_id, manifest_sha256, path, artifact_sha256, media_type, entity_type,
                                     size_bytes, owner_id)
       select e.tenant_id, manifest_sha256, path, artifact_sha256, media_type, entity_type, size_bytes, o.owner_id
         from manifest_entries e
         join manifests_by_owner o on (o.tenant_id, o.sha256) = (e.tenant_id, e.manifest_sha256)
        where e.owner_id is null""",
    "delete from manifest_entries where owner_id is null",
    "alter table manifest_entries enable trigger user",
    f"""create temporary table artifacts_by_owner on commit drop as
        select h.*, p.user_id from (
               select tenant_id, sha256, owner_id, count(*) as held from ({_HOLDERS}) h group by 1, 2, 3) h
          left join ({_PEOPLE}) p using (tenant_id, owner_id)""",
    # What nothing holds is on its way out, and until then of the person who brought it.
    """insert into artifacts_by_owner (tenant_id, sha256, owner_id, held, user_id)
       select tenant_id, sha256, coalesce(created_by, tenant_id), 0, created_by from artifacts a
        where not exists (
              select from artifacts_by_owner o where (o.tenant_id, o.sha256) = (a.tenant_id, a.sha256))""",
    "alter table artifacts drop constraint artifacts_pkey",
    """insert into artifacts (tenant_id, sha256, media_type, size_bytes, filename, storage_uri, storage_class,
                              entity_type, entity_metadata, reference_count, unreferenced_since, created_by,
                              is_personal, created_at, updated_at, owner_id, user_id)
       select a.tenant_id, a.sha256, media_type, size_bytes, filename, storage_uri, storage_class,
              entity_type, entity_metadata, o.held, case when o.held = 0 then coalesce(unreferenced_since, now()) end,
              coalesce(o.user_id, created_by), (is_personal or entity_type = 'SEARCH_RESULT') and o.user_id is not null,
              created_at, updated_at, o.owner_id, o.user_id
         from artifacts a join artifacts_by_owner o using (tenant_id, sha256) where a.owner_id is null""",
    "delete from artifacts where owner_id is null",
    *(f"drop table {name}" for name in ("doomed", "manifests_by_owner", "artifacts_by_owner")),
)
# One row is left of those with the same key: the workspace's, where it has one.
_MERGED = """
    delete from {table} x using {table} y
     where ({columns}) = ({others}) and x.owner_id <> y.owner_id
       and (y.owner_id = y.tenant_id or (x.owner_id <> x.tenant_id and y.owner_id < x.owner_id))
"""


def _merged(table: str, *columns: str) -> str:
    mine, others = (", ".join(f"{row}.{column}" for column in columns) for row in "xy")
    return _MERGED.format(table=table, columns=mine, others=others)


MERGE = (
    """update artifacts a set reference_count = s.held, is_personal = s.personal,
              unreferenced_since = case when s.held = 0 then a.unreferenced_since end
         from (select tenant_id, sha256, sum(reference_count) as held, bool_and(is_personal) as personal
                 from artifacts group by 1, 2) s
        where (s.tenant_id, s.sha256) = (a.tenant_id, a.sha256)""",
    _merged("artifacts", "tenant_id", "sha256"),
    _merged("manifests", "tenant_id", "sha256"),
    _merged("manifest_entries", "tenant_id", "manifest_sha256", "path"),
    """delete from pointer_history h using pointers x, pointers y
        where (h.tenant_id, h.pointer_id) = (x.tenant_id, x.id)
          and (x.tenant_id, x.namespace, x.name) = (y.tenant_id, y.namespace, y.name)
          and x.owner_id = x.tenant_id and y.owner_id <> y.tenant_id""",
    """delete from pointers x using pointers y
        where (x.tenant_id, x.namespace, x.name) = (y.tenant_id, y.namespace, y.name)
          and x.owner_id = x.tenant_id and y.owner_id <> y.tenant_id""",
)
