"""Embedders by name, each created at first use and cached."""

from dataclasses import replace
from pathlib import Path

from intelli.reasoning.adapters import openai_compatible, static
from intelli.reasoning.adapters.encoder import EncoderEmbedder
from intelli.reasoning.adapters.encoder_models import MINILM, MULTILINGUAL, EncoderModel
from intelli.reasoning.embedding_name import EmbeddingName
from intelli.reasoning.errors import EmbeddingNotInstalled, EmbeddingRefused
from intelli.reasoning.ports import Embedder, TokenEncoder
from intelli.reasoning.settings import EmbeddingSettings

_LOCAL = {
    static.SPACE: EmbeddingName.STATIC,
    MINILM.name: EmbeddingName.MINILM,
    MULTILINGUAL.name: EmbeddingName.MULTILINGUAL,
}
# Earlier releases had another file of MiniLM; its package is not needed any more.
_OUTDONE = {static.SPACE, "encoder:all-minilm-l6-v2-int8"}
# A second or two of an encoder, and several requests of an endpoint.
_TEXTS_OF_ENCODER, _TEXTS_OF_ENDPOINT = 64, 256


class Embedders:
    """The embedders of this installation; `models` is the directory that models are installed into."""

    def __init__(self, settings: EmbeddingSettings, models: Path | None = None) -> None:
        self._settings = settings
        self._multilingual = replace(MULTILINGUAL, folder=(models or Path()) / EmbeddingName.MULTILINGUAL)
        self._made: dict[EmbeddingName, Embedder] = {}
        self._encoders: dict[EmbeddingName, EncoderEmbedder] = {}

    @property
    def chosen(self) -> Embedder:
        """The embedder that the settings name."""
        return self.named(self._settings.name)

    @property
    def quick(self) -> Embedder:
        """The embedder for what is embedded while somebody waits: the static one in place of an encoder."""
        is_encoder = self._model_of(self._settings.name) is not None
        return self.named(EmbeddingName.STATIC if is_encoder else self._settings.name)

    @property
    def reader(self) -> TokenEncoder | None:
        """The encoder of this machine, that of the settings where they name one; None when its files are missing."""
        for name in (self._settings.name, EmbeddingName.MINILM):
            model = self._model_of(name)
            if model is not None and model.is_installed:
                return self._encoder(name, model)
        return None

    def is_encoder(self, space: str) -> bool:
        """True for the space of an encoder, which is too slow to embed while somebody waits."""
        return self._model_of(_LOCAL.get(space)) is not None

    def find_missing_file(self) -> str | None:
        """Return why the encoder that the settings name cannot be loaded; None when it can, or they name none."""
        model = self._model_of(self._settings.name)
        try:
            if model is not None:
                model.find_files()
        except EmbeddingNotInstalled as error:
            return error.detail
        return None

    def describe(self) -> str:
        """Return which embedder is set, in words; of an encoder also where its file is."""
        model = self._model_of(self._settings.name)
        return self.chosen.name if model is None else f"{model.name} from {model.folder}"

    def is_upgrade(self, space: str) -> bool:
        """True for a space to leave of itself, because an encoder of this machine is set and better than it."""
        model = self._model_of(self._settings.name)
        return model is not None and model.is_installed and space in _OUTDONE

    def texts_at_once(self, space: str) -> int:
        """Return how many texts of a space to embed in a step; an endpoint answers several requests at a time."""
        return _TEXTS_OF_ENCODER if self.is_encoder(space) else _TEXTS_OF_ENDPOINT

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
        """Close connections and end threads."""
        for encoder in self._encoders.values():
            encoder.close()
        for embedder in self._made.values():
            if isinstance(embedder, openai_compatible.OpenAiCompatibleEmbedder):
                await embedder.close()

    def _make(self, name: EmbeddingName) -> Embedder:
        match name:
            case EmbeddingName.STATIC:
                return static.StaticEmbedder()
            case EmbeddingName.MINILM:
                return self._encoder(name, MINILM)
            case EmbeddingName.MULTILINGUAL:
                return self._encoder(name, self._multilingual)
            case EmbeddingName.OPENAI_COMPATIBLE:
                return openai_compatible.OpenAiCompatibleEmbedder(self._settings)

    def _model_of(self, name: EmbeddingName | None) -> EncoderModel | None:
        known = {EmbeddingName.MINILM: MINILM, EmbeddingName.MULTILINGUAL: self._multilingual}
        return known.get(name) if name is not None else None

    def _encoder(self, name: EmbeddingName, model: EncoderModel) -> EncoderEmbedder:
        if name not in self._encoders:
            self._encoders[name] = EncoderEmbedder(model)
        return self._encoders[name]


def _not_set(space: str) -> EmbeddingNotInstalled:
    return EmbeddingNotInstalled(
        f"The index was made with {space}, which the settings do not name. "
        "Set it again, or run `intelli reindex` to move to the embedder that is set."
    )
