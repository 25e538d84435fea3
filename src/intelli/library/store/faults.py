"""Queries for inconsistencies: rows of the library that contradict each other."""

from collections.abc import Sequence

from sqlalchemy import text

from intelli.kit.db import Tx

_MISPLACED = text("""
    select 'document ' || d.id || ': its path is not that of its folder and name'
      from documents d left join folders f on f.tenant_id = d.tenant_id and f.id = d.folder_id
     where d.tenant_id = :tenant and d.path <> coalesce(f.path, '') || '/' || d.name
    union all
    select 'folder ' || f.id || ': its path is not that of its parent and name'
      from folders f left join folders p on p.tenant_id = f.tenant_id and p.id = f.parent_folder_id
     where f.tenant_id = :tenant and f.path <> coalesce(p.path, '') || '/' || f.name
     limit :most
""")
_UNVERSIONED = text("""
    select 'document ' || d.id || ': its newest version is not what it is'
      from documents d left join document_versions v
        on v.tenant_id = d.tenant_id and v.document_id = d.id and v.version = d.version
     where d.tenant_id = :tenant and v.artifact_sha256 is distinct from d.artifact_sha256
     limit :most
""")
_UNREAD = text("""
    select distinct 'document ' || v.document_id || ': nothing is known of reading its version ' || v.version
      from document_versions v
     where v.tenant_id = :tenant
       and not exists (select from readings r where r.tenant_id = v.tenant_id and r.sha256 = v.artifact_sha256)
     limit :most
""")
_TORN = text("""
    select 'reading ' || r.number || ': it has ' || c.there || ' chunks instead of ' || coalesce(r.chunk_count, 0)
      from readings r cross join lateral
           (select count(*) as there from chunks c where c.tenant_id = r.tenant_id and c.reading = r.number) c
     where r.tenant_id = :tenant and c.there <> coalesce(r.chunk_count, 0)
     limit :most
""")


async def list_faults(tx: Tx, *, most: int) -> Sequence[str]:
    """Return a sentence for each inconsistency, at most `most` of each kind."""
    found: list[str] = []
    for query in (_MISPLACED, _UNVERSIONED, _UNREAD, _TORN):
        found += (await tx.session.scalars(query, {"tenant": tx.tenant_id, "most": most})).all()
    return found
