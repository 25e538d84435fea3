"""Encoder on this machine, as an embedder and as a reader of token states. The model is loaded at first use."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from intelli.reasoning.adapters.encoder_models import EncoderModel
from intelli.reasoning.adapters.onnx_encoder import EncoderThreads, LoadedOnce, OnnxEncoder, unit_rows
from intelli.reasoning.ports import Tokenised, TokenStates, Vectors
from intelli.reasoning.tokenizer_fit import piece_fit


class EncoderEmbedder:
    """Embeds with the mean of the last layer over all tokens, at unit length.

    Passages are embedded at low priority by one thread, queries and token states at once by several.
    """

    def __init__(self, model: EncoderModel) -> None:
        self._model = model
        self._once = LoadedOnce(model.find_files)
        self._threads = EncoderThreads()
        self._centre = model.load_centre()

    @property
    def name(self) -> str:
        """Name of the space."""
        return self._model.name

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return self._model.dimensions

    @property
    def prior(self) -> float:
        """Weight of the space beside lexical ranking."""
        return self._model.prior

    @property
    def background(self) -> float:
        """The cosine of unrelated texts."""
        return self._model.background

    def fit(self, text: str) -> float:
        """Return the fit by the length of the pieces that the tokenizer splits the text into."""
        return piece_fit(text, self._once.get().count_pieces(text))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed passages, whole: the vector of one that is longer than a window is the mean of its windows."""
        found = await self._threads.run_in_background([partial(self._embed, text) for text in texts])
        return np.stack(found) if found else np.empty((0, self.dimensions), np.float32)

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """Embed passages; their token numbers are ignored, since they are of another vocabulary."""
        return await self.embed([each.text for each in texts])

    async def embed_query(self, text: str) -> Vectors:
        """Embed a query."""
        (found,) = await self._threads.run_quickly([partial(self._embed, text, self._model.query_prefix)])
        return found

    async def read(self, texts: Sequence[str]) -> list[TokenStates]:
        """Read passages whole, several at a time."""
        prefix = self._model.passage_prefix
        return await self._threads.run_quickly([partial(self._read, text, prefix) for text in texts])

    async def read_query(self, text: str) -> TokenStates:
        """Read a query."""
        (found,) = await self._threads.run_quickly([partial(self._read, text, self._model.query_prefix)])
        return found

    async def load(self) -> None:
        """Load the model, so that the first query need not wait; raise EmbeddingNotInstalled when a file is missing."""
        await asyncio.to_thread(self._once.get)

    def close(self) -> None:
        """End the threads."""
        self._threads.close()

    def _embed(self, text: str, prefix: str | None = None) -> Vectors:
        encoder: OnnxEncoder = self._once.get()
        return unit_rows(encoder.encode(text, prefix=self._model.passage_prefix if prefix is None else prefix).mean)

    def _read(self, text: str, prefix: str) -> TokenStates:
        encoder = self._once.get()
        started = time.thread_time()
        read = encoder.encode(text, prefix=prefix).token_states(self._centre)
        return replace(read, cpu_s=time.thread_time() - started)
