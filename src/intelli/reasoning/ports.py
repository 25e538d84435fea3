"""What the product asks of embedding models."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
Numbers = NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Tokenised:
    """A text with its tokens, by their numbers in the vocabulary that comes with the product, where these are known."""

    text: str
    numbers: Numbers | None = None


class Embedder(Protocol):
    """Turns texts into vectors of one space. Vectors are of unit length, so that the cosine is the dot product."""

    @property
    def name(self) -> str:
        """Names the space: vectors of two embedders may be compared only when their names are equal."""

    @property
    def dimensions(self) -> int:
        """Length of every vector."""

    @property
    def prior(self) -> float:
        """How far the space is trusted beside lexical ranking, 0 to 1, before anything is known of a query."""

    @property
    def background(self) -> float:
        """The cosine that two unrelated texts usually have in this space."""

    def fit(self, text: str) -> float:
        """How well the model knows the words of a text, 0 to 1: one for its own language, none for a foreign script."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of passages, one row each, in batches that suit the model."""

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """The same, sparing an embedder the work that was done already."""

    async def embed_query(self, text: str) -> Vectors:
        """The vector of a query; some models treat it differently from a passage."""
