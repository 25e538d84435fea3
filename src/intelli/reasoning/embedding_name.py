"""The names of the embedders, apart from the settings: the command line reads them before anything heavy is loaded."""

from enum import StrEnum


class EmbeddingName(StrEnum):
    """The embedders one can choose by name."""

    STATIC = "static"
    MINILM = "minilm"
    OPENAI_COMPATIBLE = "openai-compatible"
