"""Token states of passages that were read lately, in a bounded number of bytes."""

import threading
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from intelli.reasoning.ports import Vectors

PackedStates = NDArray[np.int8]
# Unit rows as 8-bit integers take a quarter of the memory; cosines differ in the third decimal.
_SCALE = 127


@dataclass(frozen=True, slots=True)
class PassageKey:
    """What a passage's states are found by. Workspaces share none, so that no time tells what another one holds."""

    tenant_id: UUID
    model: str
    digest: bytes


def key_of(tenant_id: UUID, *, model: str, text: str) -> PassageKey:
    """Return the key of a passage."""
    return PassageKey(tenant_id, model, blake2b(text.encode(), digest_size=16).digest())


def pack(states: Vectors) -> PackedStates:
    """Return unit rows as 8-bit integers."""
    return np.round(states * _SCALE).astype(np.int8)


def unpack(states: PackedStates) -> Vectors:
    """Return packed rows as floats."""
    return states.astype(np.float32) / np.float32(_SCALE)


class TokenCache:
    """Token states by passage; those used least recently are dropped first."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._kept: OrderedDict[PassageKey, PackedStates] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def size_bytes(self) -> int:
        """The bytes of all states that are kept."""
        return self._bytes

    def __contains__(self, key: PassageKey) -> bool:
        return key in self._kept

    def find(self, key: PassageKey) -> PackedStates | None:
        """Return the states of a passage; None when they are not kept."""
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
        return found

    def add(self, key: PassageKey, states: PackedStates) -> None:
        """Keep the states of a passage, unless they are larger than all that may be kept."""
        if states.nbytes > self._most_bytes:
            return
        with self._lock:
            before = self._kept.pop(key, None)
            self._bytes += states.nbytes - (before.nbytes if before is not None else 0)
            self._kept[key] = states
            while self._bytes > self._most_bytes:
                self._bytes -= self._kept.popitem(last=False)[1].nbytes
