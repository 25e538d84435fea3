"""Embedders by name, each created at first use and cached."""

from intelli.reasoning.adapters import encoder, openai_compatible, static
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused
from intelli.reasoning.ports import Embedder
from intelli.reasoning.settings import EmbeddingSettings

_LOCAL = {static.SPACE: EmbeddingName.STATIC, encoder.SPACE: EmbeddingName.MINILM}


class Embedders:
    """The embedders of this installation."""

    def __init__(self, settings: EmbeddingSettings) -> None:
        self._settings = settings
        self._made: dict[EmbeddingName, Embedder] = {}

    @property
    def chosen(self) -> Embedder:
        """The embedder that the settings name."""
        return self.named(self._settings.name)

    def named(self, name: EmbeddingName) -> Embedder:
        """Return an embedder by the name that settings and commands use."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def of_space(self, space: str) -> Embedder:
        """Return the embedder of a vector space; raise EmbeddingNotInstalled when the settings do not name it."""
        try:
            found = self.named(_LOCAL.get(space, EmbeddingName.OPENAI_COMPATIBLE))
        except EmbeddingRefused as error:
            raise _not_set(space) from error
        if found.name != space:
            raise _not_set(space)
        return found

    async def close(self) -> None:
        """Close connections."""
        for embedder in self._made.values():
            if isinstance(embedder, openai_compatible.OpenAiCompatibleEmbedder):
                await embedder.close()

    def _make(self, name: EmbeddingName) -> Embedder:
        match name:
            case EmbeddingName.STATIC:
                return static.StaticEmbedder()
            case EmbeddingName.MINILM:
                return encoder.EncoderEmbedder()
            case EmbeddingName.OPENAI_COMPATIBLE:
                return openai_compatible.OpenAiCompatibleEmbedder(self._settings)


def _not_set(space: str) -> EmbeddingNotInstalled:
    return EmbeddingNotInstalled(
        f"The index was made with {space}, which the settings do not name. "
        "Set it again, or run `intelli reindex` to move to the embedder that is set."
    )
