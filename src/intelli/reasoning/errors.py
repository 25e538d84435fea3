"""Errors of reasoning. A failed call to a model still carries its usage."""

from intelli.kit.errors import Conflict, IntelliError, Unavailable
from intelli.reasoning.usage import Usage


class EmbeddingUnavailable(Unavailable):
    """The embedding endpoint does not answer, or not as an embedding endpoint does."""

    code = "embedding_unavailable"


class EmbeddingRefused(Conflict):
    """The embedding endpoint refuses our requests: the key, the model or the dimensions are not right."""

    code = "embedding_refused"


class EmbeddingNotInstalled(Conflict):
    """The chosen embedding model is not part of this installation, or is not the file it should be."""

    code = "embedding_not_installed"


class ReasoningFailed(IntelliError):
    """A call to the model gave nothing that can be used; `usage` is what it took."""

    code = "reasoning_failed"

    def __init__(self, detail: str, *, usage: Usage) -> None:
        super().__init__(detail)
        self.usage = usage


class ModelUnavailable(ReasoningFailed, Unavailable):
    """The model's endpoint does not answer, is too busy, or breaks off; asking later may help."""

    code = "model_unavailable"


class ModelRefused(ReasoningFailed, Conflict):
    """The model's endpoint refuses our requests: the address, the key, the model or the size is not right."""

    code = "model_refused"


class AnswerUnusable(ReasoningFailed, Unavailable):
    """The model answered twice with something else than what was asked for."""

    code = "answer_unusable"
