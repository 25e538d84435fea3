"""Reasoning's refusals."""

from intelli.kit.errors import Conflict, Unavailable


class EmbeddingUnavailable(Unavailable):
    """The embedding endpoint does not answer, or not as an embedding endpoint does."""

    code = "embedding_unavailable"


class EmbeddingRefused(Conflict):
    """The embedding endpoint refuses our requests: the key, the model or the dimensions are not right."""

    code = "embedding_refused"


class EmbeddingNotInstalled(Conflict):
    """The chosen embedding model is not part of this installation, or is not the file it should be."""

    code = "embedding_not_installed"
