"""The bundled embedder: the mean of word vectors that ship inside the wordllama wheel. Fast, offline, English."""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from intelli.reasoning import tokens
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Numbers, Tokenised, Vectors
from intelli.reasoning.tokenizer_fit import piece_fit

SPACE = "static:wordllama-l2-supercat-256"
_DIMENSIONS = 256


class StaticEmbedder:
    """Embeds with word vectors, read at first use from files of the wordllama package, whose code is never imported."""

    name = SPACE
    dimensions = _DIMENSIONS
    prior = 0.36
    background = 0.1

    def __init__(self) -> None:
        # Threads that compute at once in one interpreter only hinder each other.
        self._turn = asyncio.Lock()

    def fit(self, text: str) -> float:
        """Return the fit by the length of the pieces that the tokenizer splits the text into."""
        return piece_fit(text, len(tokens.token_numbers(text)))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed passages."""
        async with self._turn:
            return await asyncio.to_thread(self._embed, texts)

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """Embed passages; their token numbers are used when all of them are known."""
        if any(each.numbers is None for each in texts):
            return await self.embed([each.text for each in texts])
        async with self._turn:
            return await asyncio.to_thread(self._sum_up, [each.numbers for each in texts if each.numbers is not None])

    async def embed_query(self, text: str) -> Vectors:
        """Embed a query like a passage."""
        vectors: Vectors = (await asyncio.to_thread(self._embed, [text]))[0]
        return vectors

    def _embed(self, texts: Sequence[str]) -> Vectors:
        return self._sum_up(list(tokens.numbers_of_each(texts)))

    def _sum_up(self, texts: Sequence[Sequence[int] | Numbers]) -> Vectors:
        found = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        for row, numbers in enumerate(texts):
            if len(numbers):
                # The sum as a product: several times quicker than `mean`.
                found[row] = np.ones(len(numbers), np.float32) @ self._weights.take(numbers, axis=0) / len(numbers)
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        lengths[lengths == 0] = 1
        unit: Vectors = found / lengths
        return unit

    @cached_property
    def _weights(self) -> Vectors:
        from safetensors.numpy import load_file

        (weights,) = load_file(_file("weights/l2_supercat_256.safetensors")).values()
        return np.ascontiguousarray(weights, dtype=np.float32)


def _file(name: str) -> Path:
    spec = find_spec("wordllama")
    places = spec.submodule_search_locations if spec else None
    path = Path(places[0]) / name if places else None
    if path is None or not path.is_file():
        raise EmbeddingNotInstalled("The bundled embedding model is missing. Install the package `wordllama` again.")
    return path
