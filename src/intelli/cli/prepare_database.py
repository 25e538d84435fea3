"""Prepares a database for serving: migrates it, and checks that its role cannot bypass row-level security."""

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
    """Migrate an embedded database, or check that a configured one is migrated; then check server and role."""
    if engine.embedded is not None:
        upgrade(engine)
    check_migrated(engine)
    found = postgres_check.inspect_database(engine.app_url)
    if faults := postgres_check.find_faults(found):
        raise DatabaseUnfit("The database cannot be used as it is.\n" + "\n".join(faults))
    if not found.has_vector:
        _log.warning("pgvector_missing", fix="install pgvector on the database server")


def check_migrated(engine: Engine) -> None:
    """Raise MigrationsPending when the database is at another revision; raise too when it does not answer."""
    found, wanted = current_revision(engine), schema.head_revision()
    if found != wanted:
        raise MigrationsPending(
            f"The database is at {found or 'nothing'}, this version needs {wanted}. "
            "Take a backup, then run `intelli db upgrade`."
        )


def current_revision(engine: Engine) -> str | None:
    """Return the revision of the database; None when it was never migrated. Raise when it does not answer."""
    postgres_check.inspect_database(engine.admin_url, as_application=False)
    return schema.current_revision(engine.admin_url)


def upgrade(engine: Engine, to: str = "head") -> None:
    """Migrate the database forward, unless it is at the revision already."""
    before, wanted = current_revision(engine), schema.head_revision() if to == "head" else to
    if before == wanted:
        return
    with _explain_unknown_revision(engine):
        schema.upgrade(engine.admin_url, to)
    _log.info("database_upgraded", before=before, after=current_revision(engine))


def downgrade(engine: Engine, to: str) -> None:
    """Migrate the database back to a revision."""
    with _explain_unknown_revision(engine):
        schema.downgrade(engine.admin_url, to)


@contextmanager
def _explain_unknown_revision(engine: Engine) -> Iterator[None]:
    try:
        yield
    except CommandError as error:
        at = schema.current_revision(engine.admin_url)
        raise UnknownRevision(
            f"{error}. The database is at {at or 'nothing'}; this version knows revisions up to "
            f"{schema.head_revision()}. A database that a newer Intelli has used needs that version."
        ) from None
