"""Errors of the blob store."""

from intelli.kit.errors import IntelliError, Invalid, NotFound, TooLarge, Unavailable


class BlobMissing(NotFound):
    """No such content in this workspace."""

    code = "blob_missing"


class BlobDamaged(IntelliError):
    """The stored bytes no longer have the hash they are filed under."""

    code = "blob_damaged"
    title = "Stored content is damaged"


class HashMismatch(Invalid):
    """The bytes that arrived are not the ones that were announced."""

    code = "hash_mismatch"


class BlobTooLarge(TooLarge):
    """More bytes than the caller allows."""

    code = "blob_too_large"


class BlobsUnavailable(Unavailable):
    """The blob store does not answer, or refuses."""

    code = "blobs_unavailable"
