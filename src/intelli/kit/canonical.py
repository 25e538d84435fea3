"""One JSON text for one value (RFC 8785), so that the same content always has the same hash."""

import hashlib
import json
from collections.abc import Mapping

Json = str | int | bool | None | Mapping[str, "Json"]


def canonical_json(value: Json) -> bytes:
    """Sorted keys, no white space, UTF-8."""
    return json.dumps(_sorted(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(value: Json) -> str:
    """The SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _sorted(value: Json) -> Json:
    """Keys in the order of their UTF-16 code units: that of RFC 8785, and not of Python beyond the basic plane."""
    if not isinstance(value, Mapping):
        return value
    return {key: _sorted(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
