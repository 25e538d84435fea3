"""Token states of a transformer encoder that is an ONNX file, on onnxruntime.

One window of one text is computed at a time. That is twice as fast as batches, whose intermediate results leave the
processor's cache, takes little memory, and gives a text the same vector in whatever company: the scale of quantised
activations is that of a whole batch.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from intelli.reasoning.ports import TokenStates, Vectors

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_T = TypeVar("_T")
# Attention makes longer windows dearer for each token, and the models were trained on texts of this length.
_WINDOW = 256
# Tokens that two windows share, so that those at their edges have some context on either side.
_OVERLAP = 32
_QUICK_THREADS = 4
_NICE = 15


@dataclass(frozen=True, slots=True)
class EncoderFiles:
    """The files of an encoder, and the pieces of its vocabulary that a text begins and ends with."""

    model: Path
    tokenizer: Path
    begin: str
    end: str


@dataclass(frozen=True, slots=True)
class EncodedText:
    """The states of a text's own tokens as the model gives them, their characters, and the mean over all tokens."""

    states: Vectors
    spans: Sequence[tuple[int, int]]
    mean: Vectors

    def token_states(self, centre: Vectors | None) -> TokenStates:
        """Return the states at unit length, after `centre`, the usual state of the model, was taken off."""
        states = self.states if centre is None else self.states - centre
        spans = np.array(self.spans, np.int32).reshape(-1, 2)
        return TokenStates(unit_rows(states), spans[:, 0], spans[:, 1])


@dataclass(frozen=True, slots=True)
class _Window:
    """Tokens of a text from `start` to `end`; the states of those from `kept` to `kept_end` are taken from it."""

    start: int
    end: int
    kept: int
    kept_end: int


class OnnxEncoder:
    """The model in memory. Its sessions start no threads: whoever calls it computes."""

    def __init__(self, files: EncoderFiles) -> None:
        # Loading the library takes a while, and not every process encodes.
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        # The arena keeps what the longest text ever took.
        options.enable_cpu_mem_arena = options.enable_mem_pattern = False
        options.log_severity_level = 3
        self._session = InferenceSession(str(files.model), options, providers=["CPUExecutionProvider"])
        self._inputs = {each.name for each in self._session.get_inputs()}
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._begin, self._end = (_number_of(self._tokenizer, piece) for piece in (files.begin, files.end))

    def count_pieces(self, text: str) -> int:
        """Count the pieces that the tokenizer splits a text into."""
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def encode(self, text: str, *, prefix: str = "") -> EncodedText:
        """Compute the states of a text; a prefix is read with each window of it, but has no states."""
        found = self._tokenizer.encode(text, add_special_tokens=False)
        before = [self._begin, *self._tokenizer.encode(prefix, add_special_tokens=False).ids]
        states, total, count = list[Vectors](), 0.0, 0
        for window in _windows(len(found.ids), _WINDOW - len(before) - 1):
            rows = self._run([*before, *found.ids[window.start : window.end], self._end])
            first = len(before) - window.start
            states.append(rows[first + window.kept : first + window.kept_end])
            total, count = total + rows.sum(axis=0), count + len(rows)
        return EncodedText(np.concatenate(states), found.offsets, np.asarray(total / count, np.float32))

    def _run(self, ids: Sequence[int]) -> Vectors:
        tokens = np.array([ids], np.int64)
        given = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.zeros_like(tokens),
        }
        states = self._session.run(None, {name: value for name, value in given.items() if name in self._inputs})[0]
        rows: Vectors = np.asarray(states, np.float32)[0]
        return rows


class EncoderThreads:
    """Threads that encode: some for those who wait, and one of low priority for the background."""

    def __init__(self) -> None:
        quick = min(_QUICK_THREADS, os.cpu_count() or 1)
        self._quick = ThreadPoolExecutor(quick, thread_name_prefix="encoder")
        self._slow = ThreadPoolExecutor(1, thread_name_prefix="encoder-background", initializer=_lower_priority)

    async def run_quickly(self, calls: Sequence[Callable[[], _T]]) -> list[_T]:
        """Run calls at the same time, as far as there are threads."""
        return await _gather(self._quick, calls)

    async def run_in_background(self, calls: Sequence[Callable[[], _T]]) -> list[_T]:
        """Run calls one after the other at low priority."""
        return await _gather(self._slow, calls)

    def close(self) -> None:
        """End the threads; calls that have not begun are dropped."""
        for pool in (self._quick, self._slow):
            pool.shutdown(wait=False, cancel_futures=True)


class LoadedOnce:
    """The encoder, loaded by whichever thread asks first."""

    def __init__(self, find_files: Callable[[], EncoderFiles]) -> None:
        self._find_files = find_files
        self._lock = threading.Lock()
        self._loaded: OnnxEncoder | None = None

    def get(self) -> OnnxEncoder:
        """Return the encoder; raises what `find_files` raises when a file is missing."""
        with self._lock:
            if self._loaded is None:
                self._loaded = OnnxEncoder(self._find_files())
            return self._loaded


def _number_of(tokenizer: "Tokenizer", piece: str) -> int:
    found = tokenizer.token_to_id(piece)
    assert found is not None, f"{piece} is in the vocabulary of the file that was checked"
    return found


def unit_rows(rows: Vectors) -> Vectors:
    """Return rows at unit length; a row of zeros stays one."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: Vectors = rows / lengths
    return unit


def _windows(tokens: int, room: int) -> Iterator[_Window]:
    """Yield windows of equal length that overlap; the states of an overlap are taken half from either."""
    count = max(1, -(-(tokens - _OVERLAP) // (room - _OVERLAP)))
    if count == 1 or tokens <= room:
        yield _Window(0, tokens, 0, tokens)
        return
    step = -(-(tokens - _OVERLAP) // count)
    for start in range(0, tokens - _OVERLAP, step):
        end = min(tokens, start + step + _OVERLAP)
        kept = start + _OVERLAP // 2 if start else 0
        yield _Window(start, end, kept, end if end == tokens else end - _OVERLAP // 2)


async def _gather(pool: ThreadPoolExecutor, calls: Sequence[Callable[[], _T]]) -> list[_T]:
    loop = asyncio.get_running_loop()
    return list(await asyncio.gather(*(loop.run_in_executor(pool, call) for call in calls)))


def _lower_priority() -> None:
    """Let this thread give way to all others. Only Linux has priorities of single threads."""
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
