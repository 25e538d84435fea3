"""Tables of the index. Postings and vectors belong to readings and are removed with them."""

from datetime import datetime
from uuid import UUID

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import (
    DDL,
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Identity,
    Index,
    PrimaryKeyConstraint,
    Table,
    event,
    false,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from intelli.kit.tables import Base


def _workspace_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id"], ["workspaces.id"], ondelete="CASCADE")


def _reading_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id", "reading"], ["readings.tenant_id", "readings.number"], ondelete="CASCADE")


def _space_key() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["tenant_id", "space"], ["spaces.tenant_id", "spaces.number"], ondelete="CASCADE")


class Lexicon(Base):
    """Size of the index in one language, updated by triggers on `indexed`. `counted` is `chunks` at the last count."""

    __tablename__ = "lexicons"
    __table_args__ = (_workspace_key(),)

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(primary_key=True)
    chunks: Mapped[int] = mapped_column(BigInteger)
    length: Mapped[int] = mapped_column(BigInteger)
    counted: Mapped[int] = mapped_column(BigInteger, server_default="0")


class IndexedReading(Base):
    """A reading that is in the lexical index, and the version of the analysis that it was indexed with."""

    __tablename__ = "indexed"
    __table_args__ = (_workspace_key(), _reading_key())

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    version: Mapped[int]
    language: Mapped[str]
    chunks: Mapped[int]
    length: Mapped[int] = mapped_column(BigInteger)


class Posting(Base):
    """Hits of a term in the readings that were indexed as one batch; see `retrieval.postings` for the bytes.

    The hits are of readings from `first` to `last`. Some may be void: see `VoidReading`.
    """

    __tablename__ = "postings"
    __table_args__ = (
        PrimaryKeyConstraint("tenant_id", "term", "batch", "part", postgresql_include=["first", "last", "hits"]),
        _workspace_key(),
    )

    tenant_id: Mapped[UUID]
    term: Mapped[int] = mapped_column(BigInteger)
    batch: Mapped[int] = mapped_column(BigInteger)
    part: Mapped[int]
    first: Mapped[int] = mapped_column(BigInteger)
    last: Mapped[int] = mapped_column(BigInteger)
    hits: Mapped[bytes]


class VoidReading(Base):
    """A reading whose postings in batches numbered below `before` are void: it was deleted, or indexed again.

    Triggers on `readings` insert those that are deleted.
    """

    __tablename__ = "strays"
    __table_args__ = (_workspace_key(),)

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    before: Mapped[int] = mapped_column(BigInteger)


class ChunkTermsRow(Base):
    """The terms of one chunk: see `retrieval.chunk_terms` for the bytes."""

    __tablename__ = "chunk_terms"
    __table_args__ = (_workspace_key(), _reading_key())

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    chunk_index: Mapped[int] = mapped_column(primary_key=True)
    length: Mapped[int]
    digest: Mapped[int] = mapped_column(BigInteger)
    terms: Mapped[bytes]
    counts: Mapped[bytes]


class FrequentTerm(Base):
    """A term in so many chunks that a search reads only its best hits, those with the highest impact first.

    They were chosen from `chunks` hits, all in batches up to `until`; a search reads those of later batches too.
    """

    __tablename__ = "frequent_terms"
    __table_args__ = (_workspace_key(),)

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    term: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    chunks: Mapped[int] = mapped_column(BigInteger)
    until: Mapped[int] = mapped_column(BigInteger)
    hits: Mapped[bytes]


class Space(Base):
    """Vector space of one embedder in a workspace.

    All vectors finally go to the active one. Those that are `earlier` are searched too: some readings have their
    vectors only there. One that is `leaving` is not searched any more.

    Its vectors are in the table `vectors`, or in a table of its own: `stored_in` is the generation of that table,
    `building` that of the one which is to take its place. `is_built` tells that there is an HNSW index, which had
    `built_chunks` at first. A space of an earlier release may have one on its rows in `vectors`.
    """

    __tablename__ = "spaces"
    __table_args__ = (
        _workspace_key(),
        CheckConstraint("state in ('active', 'earlier', 'leaving')", name="state"),
        Index("spaces_active_idx", "tenant_id", unique=True, postgresql_where=text("state = 'active'")),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str]
    dimensions: Mapped[int]
    state: Mapped[str]
    is_built: Mapped[bool] = mapped_column(server_default=false())
    created_at: Mapped[datetime] = mapped_column(server_default=func.now())
    stored_in: Mapped[int | None]
    building: Mapped[int | None]
    built_chunks: Mapped[int | None] = mapped_column(BigInteger)


class VectorBuild(Base):
    """Progress of the table that is being built for a space: readings up to `position` were copied into it.

    `done` of `total` vectors were copied, in the step `copy`, or written after the index was built, in `finish`.
    """

    __tablename__ = "vector_builds"
    __table_args__ = (
        _workspace_key(),
        _space_key(),
        CheckConstraint("step in ('copy', 'index', 'finish')", name="step"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    space: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    step: Mapped[str]
    position: Mapped[int] = mapped_column(BigInteger, server_default="-1")
    done: Mapped[int] = mapped_column(BigInteger, server_default="0")
    total: Mapped[int] = mapped_column(BigInteger)
    started_at: Mapped[datetime] = mapped_column(server_default=func.now())


class VectorChange(Base):
    """A reading whose vectors changed while a table was built for their space: they are copied once more.

    Triggers on `readings` insert those that are deleted.
    """

    __tablename__ = "vector_changes"
    __table_args__ = (_workspace_key(), _space_key())

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    space: Mapped[int] = mapped_column(BigInteger)
    reading: Mapped[int] = mapped_column(BigInteger)


class ReadingSpace(Base):
    """The space that has the vectors of all chunks of a reading; `moved` is how many the active one has already."""

    __tablename__ = "reading_spaces"
    __table_args__ = (
        _workspace_key(),
        _reading_key(),
        ForeignKeyConstraint(["tenant_id", "space"], ["spaces.tenant_id", "spaces.number"], ondelete="CASCADE"),
        Index(None, "tenant_id", "space"),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    space: Mapped[int] = mapped_column(BigInteger)
    chunks: Mapped[int]
    moved: Mapped[int] = mapped_column(server_default="0")


class Vector(Base):
    """The embedding of one chunk in one space that has no table of its own."""

    __tablename__ = "vectors"
    __table_args__ = (
        _workspace_key(),
        _reading_key(),
        _space_key(),
    )

    tenant_id: Mapped[UUID] = mapped_column(primary_key=True)
    reading: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    space: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    chunk_index: Mapped[int] = mapped_column(primary_key=True)
    embedding: Mapped[object] = mapped_column(HALFVEC)


_VECTORS = Vector.__table__
assert isinstance(_VECTORS, Table), "it is declared with a table name"
event.listen(_VECTORS, "before_create", DDL("create extension if not exists vector"))  # type: ignore[no-untyped-call]  # as the library has it
