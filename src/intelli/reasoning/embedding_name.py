"""Names of the embedders, apart from the settings: the command line reads them before it loads anything heavy."""

from enum import StrEnum


class EmbeddingName(StrEnum):
    """The embedders one can choose by name."""

    STATIC = "static"
    MINILM = "minilm"
    MULTILINGUAL = "multilingual"
    OPENAI_COMPATIBLE = "openai-compatible"
