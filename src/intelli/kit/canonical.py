"""Canonical JSON (RFC 8785): equal values have equal bytes, and so equal hashes."""

import hashlib
import json
from collections.abc import Mapping

Json = str | int | bool | None | Mapping[str, "Json"]


def canonical_json(value: Json) -> bytes:
    """Encode a value as JSON with sorted keys and no white space, in UTF-8."""
    return json.dumps(_sorted(value), separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def sha256(value: Json) -> str:
    """Return the SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _sorted(value: Json) -> Json:
    """Sort keys by UTF-16 code units, as RFC 8785 does; Python's order differs beyond the basic plane."""
    if not isinstance(value, Mapping):
        return value
    return {key: _sorted(value[key]) for key in sorted(value, key=lambda key: key.encode("utf-16-be"))}
