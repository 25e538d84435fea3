"""Errors of the library."""

from intelli.kit.errors import Conflict, Forbidden, Invalid, NotFound, Unavailable


class FolderNotFound(NotFound):
    """The workspace has no folder with this id."""

    code = "folder_not_found"


class DocumentNotFound(NotFound):
    """The workspace has no document with this id."""

    code = "document_not_found"


class VersionNotFound(NotFound):
    """The document never had this version."""

    code = "version_not_found"


class NotReadYet(NotFound):
    """The document has not been read, or could not be: there is no text of it."""

    code = "not_read_yet"


class NoSuchPage(NotFound):
    """The document has no page of this number, or none that can be shown as a picture."""

    code = "no_such_page"


class NoThumbnail(NotFound):
    """There is no picture of this document yet."""

    code = "no_thumbnail"


class SourceNotFound(NotFound):
    """No source has this name."""

    code = "source_not_found"


class StaleVersion(Conflict):
    """Someone saved a newer version first; `current` says which."""

    code = "stale_version"


class NameTaken(Conflict):
    """The place already holds something of this name."""

    code = "name_taken"


class FolderNotEmpty(Conflict):
    """The folder still holds something."""

    code = "folder_not_empty"


class PlaceChanged(Conflict):
    """The folder was moved or deleted while something was put into it."""

    code = "place_changed"


class NotFailed(Conflict):
    """Only a document whose reading failed can be read again."""

    code = "not_failed"


class SourceNotConfigured(Conflict):
    """The source needs settings that are missing; `missing` names them."""

    code = "source_not_configured"


class SourceGivesNothing(Conflict):
    """Documents of this source cannot be imported or synchronised."""

    code = "source_gives_nothing"


class SourceNotAllowed(Forbidden):
    """The source is read with the installation's own access, which this workspace may not use."""

    code = "source_not_allowed"


class IntoItself(Invalid):
    """A folder cannot be moved into itself or into what it holds."""

    code = "into_itself"


class TooDeep(Invalid):
    """A path has too many steps or too many bytes."""

    code = "path_too_long"


class InvalidName(Invalid):
    """A name that a file or folder cannot have."""

    code = "invalid_name"


class NotText(Invalid):
    """The document is not plain text, or too much of it, so it cannot be written as such."""

    code = "not_text"


class InvalidSpan(Invalid):
    """A span that lies outside of the text, or more of them than are allowed."""

    code = "invalid_span"


class InvalidReference(Invalid):
    """A reference that the source could not know."""

    code = "invalid_reference"


class SourceRefused(Conflict):
    """The source answered, but not with the document; `status_code` is what it said."""

    code = "source_refused"


class SourceUnavailable(Unavailable):
    """The source does not answer."""

    code = "source_unavailable"


class TableNotFound(NotFound):
    """The document has no table of this number."""

    code = "table_not_found"


class TableColumnUnknown(Invalid):
    """A query names a column that its tables do not have."""

    code = "table_column_unknown"


class TableTooLarge(Invalid):
    """A table has more cells than one query can read."""

    code = "table_too_large"


class UnitsDiffer(Invalid):
    """Cells that should be added up have different units."""

    code = "units_differ"


class TableQueryTooLong(Invalid):
    """A query took more time or memory than it may."""

    code = "table_query_too_long"
