"""Errors of content."""

from intelli.kit.errors import Conflict, Invalid, NotFound


class ArtifactNotFound(NotFound):
    """The workspace has no artifact with this hash."""

    code = "artifact_not_found"


class ManifestNotFound(NotFound):
    """The workspace has no manifest with this hash."""

    code = "manifest_not_found"


class PointerNotFound(NotFound):
    """The workspace has no pointer of this name, or it was deleted."""

    code = "pointer_not_found"


class UnknownArtifacts(Invalid):
    """A manifest names artifacts that the workspace does not have."""

    code = "unknown_artifacts"


class PointerMoved(Conflict):
    """The pointer is no longer where the caller expected it; `current` says where it is."""

    code = "pointer_moved"


class NotInHistory(Invalid):
    """The pointer was never at this manifest."""

    code = "not_in_history"


class InvalidUpload(Invalid):
    """A field of the upload's form breaks a rule."""

    code = "invalid_upload"


class UploadInterrupted(Invalid):
    """The connection ended before the whole file had arrived."""

    code = "upload_interrupted"
