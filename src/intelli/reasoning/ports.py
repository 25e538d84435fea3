"""Ports of embedding models and of entailment models."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Numbers = NDArray[np.uint16]
Offsets = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A text with its token numbers in the vocabulary of the bundled tokenizer, where they are known."""

    text: str
    numbers: Numbers | None = None


class Embedder(Protocol):
    """Turns texts into vectors of one space. Vectors have unit length, so that the cosine is the dot product."""

    @property
    def name(self) -> str:
        """Name of the space: vectors of two embedders may be compared only when their names are equal."""

    @property
    def dimensions(self) -> int:
        """Length of every vector."""

    @property
    def prior(self) -> float:
        """Weight of the space beside lexical ranking, 0 to 1, before anything is known of a query."""

    @property
    def background(self) -> float:
        """The cosine that two unrelated texts usually have in this space."""

    def fit(self, text: str) -> float:
        """Return how well the model knows the words of a text: 1 for its own language, 0 for a foreign script."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, one row each, in batches that suit the model."""

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """Embed passages, one row each; known token numbers spare an embedder of that vocabulary the tokenizing."""

    async def embed_query(self, text: str) -> Vectors:
        """Embed a query, which some models treat differently from a passage."""


@dataclass(frozen=True, slots=True)
class TokenStates:
    """What an encoder makes of each token of a text in its context, special tokens left out.

    `states` has a row of unit length for each token, `starts` and `ends` its characters in the text. `cpu_s` is the CPU
    time that reading took.
    """

    states: Vectors
    starts: Offsets
    ends: Offsets
    cpu_s: float = 0.0


class TokenEncoder(Protocol):
    """Reads texts token by token, for late interaction: a token of a query looks for its nearest in a passage."""

    @property
    def name(self) -> str:
        """Name of the model: states of two models must not be compared."""

    async def read(self, texts: Sequence[str]) -> list[TokenStates]:
        """Read passages whole; one that is longer than the model's window is read in windows."""

    async def read_query(self, text: str) -> TokenStates:
        """Read a query, which some models treat differently from a passage."""


@dataclass(frozen=True, slots=True)
class Entailment:
    """Probabilities that a text follows from another, is contradicted by it, or neither; they add up to 1."""

    entails: float
    contradicts: float
    neither: float


class EntailmentModel(Protocol):
    """Judges pairs of texts."""

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Return for each pair of source and statement whether the statement follows from the source."""
