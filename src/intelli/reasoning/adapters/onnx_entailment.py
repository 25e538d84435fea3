"""Entailment model as an ONNX file, from a folder or a hub, on onnxruntime."""

import asyncio
import json
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Entailment

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_LISTED = "model.onnx, tokenizer.json and config.json"
_MAX_TOKENS = 512
_THREADS = 2


class OnnxEntailment:
    """Cross-encoder whose classes are named in its configuration: entailment, contradiction, and mostly neutral."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        """Judge each pair by itself: sources differ so much in length that a batch would mostly be padding."""
        return await asyncio.to_thread(lambda: [self._judge(*pair) for pair in pairs])

    def _judge(self, source: str, statement: str) -> Entailment:
        encoded = self._tokenizer.encode(source, statement)
        given = {
            "input_ids": np.array([encoded.ids], dtype=np.int64),
            "attention_mask": np.array([encoded.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([encoded.type_ids], dtype=np.int64),
        }
        wanted = {each.name for each in self._session.get_inputs()}
        (scores,) = self._session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
        shares = np.exp(scores - np.max(scores))
        shares /= shares.sum()
        entails, contradicts = (self._share(shares, name) for name in ("entail", "contradict"))
        return Entailment(entails, contradicts, max(0.0, 1 - entails - contradicts))

    def _share(self, shares: "np.ndarray[tuple[int], np.dtype[np.float32]]", name: str) -> float:
        return float(sum(shares[at] for at, label in self._labels.items() if label.startswith(name)))

    @cached_property
    def _labels(self) -> dict[int, str]:
        told = json.loads(self._file("config.json").read_text(encoding="utf-8"))["id2label"]
        return {int(at): str(label).lower() for at, label in told.items()}

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(self._file("tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.enable_truncation(_MAX_TOKENS, strategy="only_first")
        return tokenizer

    @cached_property
    def _session(self) -> "InferenceSession":
        from onnxruntime import InferenceSession, SessionOptions

        options = SessionOptions()
        options.intra_op_num_threads = _THREADS
        options.log_severity_level = 3
        return InferenceSession(str(self._file("model.onnx")), options, providers=["CPUExecutionProvider"])

    def _file(self, name: str) -> Path:
        folder = Path(self._name).expanduser()
        if folder.is_dir():
            path = folder / name
            if not path.is_file():
                raise EmbeddingNotInstalled(f"The entailment model in {folder} lacks {name}. Put {_LISTED} there.")
            return path
        from huggingface_hub import hf_hub_download

        try:
            return Path(hf_hub_download(self._name, name))
        except Exception as error:  # the hub's client raises errors of many kinds
            raise EmbeddingNotInstalled(
                f"The entailment model {self._name} could not be fetched. Name a folder that contains {_LISTED}."
            ) from error
