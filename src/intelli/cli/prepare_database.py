"""Making a database ready to serve: migrated, and fit to keep workspaces apart."""

from collections.abc import Iterator
from contextlib import contextmanager

from alembic.util import CommandError

from intelli.engine import Engine
from intelli.kit import postgres_check
from intelli.kit.errors import IntelliError, Invalid
from intelli.kit.log import get_logger
from intelli.migrations import schema

_log = get_logger(__name__)


class MigrationsPending(IntelliError):
    """The database is not at the version of the schema that this release needs."""

    code = "migrations_pending"


class DatabaseUnfit(IntelliError):
    """The database or its role does not meet what we need."""

    code = "database_unfit"


class UnknownRevision(Invalid):
    """No migration of this release has this name."""

    code = "unknown_revision"


def make_ready(engine: Engine) -> None:
    """Bring an embedded database up to date, or insist that an external one is; then check that it can be trusted."""
    if engine.embedded is not None:
        upgrade(engine)
    insist(engine)
    found = postgres_check.look(engine.app_url)
    if faults := postgres_check.faults(found):
        raise DatabaseUnfit("The database cannot be used as it is.\n" + "\n".join(faults))
    if not found.has_vector:
        _log.warning("pgvector_missing", fix="install pgvector on the database server")


def insist(engine: Engine) -> None:
    """Refuse a database that does not answer or is at another version of the schema."""
    found, wanted = revision(engine), schema.head_revision()
    if found != wanted:
        raise MigrationsPending(
            f"The database is at {found or 'nothing'}, this version needs {wanted}. "
            "Take a backup, then run `intelli db upgrade`."
        )


def revision(engine: Engine) -> str | None:
    """The revision of a database that answers; None when it was never migrated."""
    postgres_check.look(engine.admin_url, as_application=False)
    return schema.current_revision(engine.admin_url)


def upgrade(engine: Engine, to: str = "head") -> None:
    """Bring the database forward, if there is anything to do."""
    before, wanted = revision(engine), schema.head_revision() if to == "head" else to
    if before == wanted:
        return
    with _known_revisions(engine):
        schema.upgrade(engine.admin_url, to)
    _log.info("database_upgraded", before=before, after=revision(engine))


def downgrade(engine: Engine, to: str) -> None:
    """Take the database back."""
    with _known_revisions(engine):
        schema.downgrade(engine.admin_url, to)


@contextmanager
def _known_revisions(engine: Engine) -> Iterator[None]:
    try:
        yield
    except CommandError as error:
        at = schema.current_revision(engine.admin_url)
        raise UnknownRevision(
            f"{error}. The database is at {at or 'nothing'}; this version knows revisions up to "
            f"{schema.head_revision()}. A database that a newer Intelli has used needs that version."
        ) from None
