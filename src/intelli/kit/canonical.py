"""One JSON text for one value, so that the same content always has the same hash."""

import hashlib
import json
from collections.abc import Mapping

Json = str | int | bool | None | Mapping[str, "Json"]


def canonical_json(value: Json) -> bytes:
    """Sorted keys, no white space, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(value: Json) -> str:
    """The SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
