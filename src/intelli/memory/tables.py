"""Tables of memory. Each row has its group; rows of a personal group are visible to its user alone.

Episodes state claims. Facts are derived from the claims of a slot, in order of time, and can be rebuilt from them at
any moment.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    ARRAY,
    DDL,
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Identity,
    Index,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    event,
    func,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base, TenantRow


class ClaimEffect(StrEnum):
    """What a claim says of its value."""

    HOLDS = "holds"
    ENDS = "ends"


class EndReason(StrEnum):
    """Why a fact no longer holds."""

    SUPERSEDED = "superseded"
    CONTRADICTED = "contradicted"
    ENDED = "ended"
    CORRECTED = "corrected"


def _workspace_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _foreign_key(column: str, table: str, ondelete: str | None = "CASCADE") -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id", column], [f"{table}.tenant_id", f"{table}.id"], ondelete=ondelete)


class Group(Base):
    """A graph. `schema` has the declared types; `languages` are those its texts were analysed in."""

    __tablename__ = "memory_groups"
    __table_args__ = (_workspace_key(),)

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    group_id: Mapped[str] = mapped_column(primary_key=True)
    schema: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    keeps_content: Mapped[bool] = mapped_column(server_default="true")
    languages: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    episode_count: Mapped[int] = mapped_column(BigInteger, server_default="0")
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class QueuedMessage(TenantRow, Base):
    """A queued message, or a dead letter with the error's code and reason. `seq` is the order of arrival."""

    __tablename__ = "memory_arrivals"
    __table_args__ = (
        _workspace_key(),
        Index(None, "tenant_id", "state", "seq"),
        Index(None, "tenant_id", "group_id", "state", "seq"),
        CheckConstraint("state in ('queued', 'failed')", name="state"),
    )

    seq: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    group_id: Mapped[str]
    user_id: Mapped[UUID | None]
    message: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[str] = mapped_column(server_default="queued")
    code: Mapped[str | None]
    reason: Mapped[str | None]
    failed_at: Mapped[datetime | None]


class Episode(TenantRow, Base):
    """A message or correction, said at `valid_at`. `content` is null where raw content is not kept."""

    __tablename__ = "memory_episodes"
    __table_args__ = (
        _workspace_key(),
        Index(None, "tenant_id", "group_id", "source", "valid_at", "seq"),
        CheckConstraint("source in ('message', 'correction')", name="source"),
    )

    seq: Mapped[int] = mapped_column(BigInteger)
    group_id: Mapped[str]
    user_id: Mapped[UUID | None]
    name: Mapped[str] = mapped_column(server_default="")
    source: Mapped[str] = mapped_column(server_default="message")
    source_description: Mapped[str] = mapped_column(server_default="")
    role_type: Mapped[str]
    role: Mapped[str] = mapped_column(server_default="")
    content: Mapped[str | None]
    content_sha256: Mapped[str]
    valid_at: Mapped[datetime]


class Node(TenantRow, Base):
    """A thing that episodes name. A node that is `merged_into` another is an alias of it, until they are split."""

    __tablename__ = "memory_nodes"
    __table_args__ = (
        UniqueConstraint("tenant_id", "group_id", "name_key"),
        _workspace_key(),
        _foreign_key("merged_into", "memory_nodes", None),
        Index(None, "tenant_id", "merged_into"),
    )

    group_id: Mapped[str]
    name: Mapped[str]
    name_key: Mapped[str]
    labels: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{}")
    summary: Mapped[str] = mapped_column(server_default="")
    # Each name with its value, how often it was stated, when last: {"role": {"value": "CTO", "times": 2, "at": "…"}}.
    attributes: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")
    merged_into: Mapped[UUID | None]
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class Mention(Base):
    """An episode names a node. `said` has what it states about it: name, labels and attributes.

    {"name": "Ada", "labels": ["person"], "attributes": {"role": "CTO"}}; a node is rebuilt from its mentions.
    """

    __tablename__ = "memory_mentions"
    __table_args__ = (
        _foreign_key("episode_id", "memory_episodes"),
        _foreign_key("node_id", "memory_nodes"),
        Index(None, "tenant_id", "node_id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    episode_id: Mapped[UUID] = mapped_column(primary_key=True)
    node_id: Mapped[UUID] = mapped_column(primary_key=True)
    group_id: Mapped[str]
    said: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default="{}")


class Duplicate(TenantRow, Base):
    """DUPLICATE_OF: `node_id` is an alias of `duplicate_of`. Deleted when they are split."""

    __tablename__ = "memory_duplicates"
    __table_args__ = (
        UniqueConstraint("tenant_id", "node_id"),
        _foreign_key("node_id", "memory_nodes"),
        _foreign_key("duplicate_of", "memory_nodes"),
        _foreign_key("episode_id", "memory_episodes"),
        Index(None, "tenant_id", "duplicate_of"),
        Index(None, "tenant_id", "episode_id"),
    )

    group_id: Mapped[str]
    node_id: Mapped[UUID]
    duplicate_of: Mapped[UUID]
    episode_id: Mapped[UUID | None]
    reason: Mapped[str] = mapped_column(server_default="")


class Fact(TenantRow, Base):
    """A value of a node, valid from `valid_at` (null: start unknown) until `invalid_at` (null: still valid).

    `known_at` is when it was learned, `expired_at` when its end was. Facts of one slot do not overlap.
    """

    __tablename__ = "memory_facts"
    __table_args__ = (
        _foreign_key("subject_id", "memory_nodes"),
        _foreign_key("object_id", "memory_nodes"),
        Index(None, "tenant_id", "slot", "valid_at"),
        Index(None, "tenant_id", "subject_id"),
        Index(None, "tenant_id", "subject_id", "relation", "valid_at", postgresql_where=text("invalid_at is null")),
        Index(None, "tenant_id", "object_id"),
        Index(None, "tenant_id", "group_id", "valid_at", "id"),
        CheckConstraint(
            "end_reason is null or end_reason in ('superseded', 'contradicted', 'ended', 'corrected')",
            name="end_reason",
        ),
    )

    group_id: Mapped[str]
    slot: Mapped[UUID]
    subject_id: Mapped[UUID]
    relation: Mapped[str]
    object_id: Mapped[UUID | None]
    object_text: Mapped[str | None]
    value_key: Mapped[str]
    statement: Mapped[str]
    confidence: Mapped[float]
    valid_at: Mapped[datetime | None]
    invalid_at: Mapped[datetime | None]
    known_at: Mapped[datetime]
    expired_at: Mapped[datetime | None]
    end_reason: Mapped[str | None]
    ended_by_fact: Mapped[UUID | None]
    ended_by_episode: Mapped[UUID | None]


class Claim(TenantRow, Base):
    """Statement of an episode that a value holds from `at`, or ends then. It supports the fact `fact_id`, if any.

    Claims of a slot are ordered by (`at`, `seq`, `position`). `at` is year 1 where the beginning is not known.
    `quote_start` and `quote_end` are character offsets in the episode's content. A claim corrected by hand is
    `retracted_at` a moment, `retracted_by` the correction's episode; it is restored when that episode is forgotten.
    """

    __tablename__ = "memory_claims"
    __table_args__ = (
        _foreign_key("episode_id", "memory_episodes"),
        _foreign_key("subject_id", "memory_nodes"),
        _foreign_key("object_id", "memory_nodes"),
        _foreign_key("fact_id", "memory_facts", None),
        Index(None, "tenant_id", "episode_id"),
        Index(None, "tenant_id", "slot", "at", "seq", "position"),
        Index(None, "tenant_id", "fact_id"),
        Index(None, "tenant_id", "subject_id"),
        Index(None, "tenant_id", "object_id"),
        CheckConstraint("says in ('holds', 'ends')", name="says"),
    )

    group_id: Mapped[str]
    episode_id: Mapped[UUID]
    fact_id: Mapped[UUID | None]
    slot: Mapped[UUID]
    is_functional: Mapped[bool]
    says: Mapped[str]
    # The nodes as the episode named them: merging and splitting nodes changes the slot and the value, not these.
    subject_id: Mapped[UUID]
    relation: Mapped[str]
    object_id: Mapped[UUID | None]
    object_text: Mapped[str | None]
    value_key: Mapped[str]
    statement: Mapped[str]
    confidence: Mapped[float]
    at: Mapped[datetime]
    seq: Mapped[int] = mapped_column(BigInteger)
    position: Mapped[int]
    reason: Mapped[str | None]
    known_at: Mapped[datetime]
    retracted_at: Mapped[datetime | None]
    retracted_by: Mapped[UUID | None]
    quote_start: Mapped[int | None]
    quote_end: Mapped[int | None]


class Term(Base):
    """Full-text index: a term of a node's name, a fact's statement or an episode's content, with its weight there."""

    __tablename__ = "memory_terms"
    __table_args__ = (
        PrimaryKeyConstraint("tenant_id", "group_id", "term", "kind", "item_id", postgresql_include=["weight"]),
        _workspace_key(),
        Index(None, "tenant_id", "item_id"),
        CheckConstraint("kind in ('node', 'fact', 'episode')", name="kind"),
    )

    tenant_id: Mapped[UUID]
    group_id: Mapped[str]
    term: Mapped[int] = mapped_column(BigInteger)
    kind: Mapped[str]
    item_id: Mapped[UUID]
    weight: Mapped[float]


class MemoryVector(Base):
    """The embedding of a node's name, a fact's statement or an episode's content; `space` names the embedder."""

    __tablename__ = "memory_vectors"
    __table_args__ = (
        _workspace_key(),
        Index(None, "tenant_id", "group_id", "kind"),
        CheckConstraint("kind in ('node', 'fact', 'episode')", name="kind"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    item_id: Mapped[UUID] = mapped_column(primary_key=True)
    group_id: Mapped[str]
    kind: Mapped[str]
    space: Mapped[str]
    embedding: Mapped[object] = mapped_column(HALFVEC)


class Community(TenantRow, Base):
    """A group of nodes with more facts between them than to others."""

    __tablename__ = "memory_communities"
    __table_args__ = (_workspace_key(), Index(None, "tenant_id", "group_id"))

    group_id: Mapped[str]
    name: Mapped[str]
    summary: Mapped[str] = mapped_column(server_default="")
    updated_at: Mapped[datetime] = mapped_column(server_default=func.now())


class CommunityMember(Base):
    """Membership of a node in a community, one at most."""

    __tablename__ = "memory_community_members"
    __table_args__ = (
        _foreign_key("community_id", "memory_communities"),
        _foreign_key("node_id", "memory_nodes"),
        Index(None, "tenant_id", "community_id"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    node_id: Mapped[UUID] = mapped_column(primary_key=True)
    community_id: Mapped[UUID]
    group_id: Mapped[str]


_VECTORS = MemoryVector.__table__
assert isinstance(_VECTORS, Table), "it is declared with a table name"
event.listen(_VECTORS, "before_create", DDL("create extension if not exists vector"))  # type: ignore[no-untyped-call]  # as the library has it
