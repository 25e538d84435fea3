"""Merge of values from several sources that records the source of each.

A value has a dotted name (`worker.concurrency`). This module does not know what the values mean.
"""

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

DEFAULT = "default"
Nested = dict[str, object]


@dataclass(frozen=True, slots=True)
class Layer:
    """Source of values. `place` names it for people; `spell` converts a dotted name to its spelling there."""

    place: str
    values: Mapping[str, object]
    spell: Callable[[str], str] = str

    def origin(self, name: str) -> str:
        """Describe where a value of this layer was set, for people."""
        spelled = self.spell(name)
        return self.place if spelled == name else f"{self.place} ({spelled})"


@dataclass(slots=True)
class MergedLayers:
    """Result of `merge`: the effective value of every name, its layer, and the problems found."""

    values: dict[str, object] = field(default_factory=dict)
    layers: dict[str, Layer] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def origin(self, name: str) -> str:
        """Describe where the value of a name was set, for people."""
        return self.layers[name].origin(name) if name in self.layers else DEFAULT


def merge(layers: Iterable[Layer], *, known: Iterable[str]) -> MergedLayers:
    """Merge the layers; the first one takes precedence. An empty text counts as not set."""
    names = sorted(known)
    merged = MergedLayers()
    for layer in layers:
        for name, value in layer.values.items():
            if name not in names:
                merged.problems.append(_describe_unknown(layer, name, names))
            elif name not in merged.values and not _is_empty(value):
                merged.values[name] = value
                merged.layers[name] = layer
    return merged


def iter_fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Yield every field of a model and of its nested models with its dotted name, without excluded fields."""
    for name, info in model.model_fields.items():
        if info.exclude:
            continue
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from iter_fields(info.annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info


def flatten(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Flatten nested values to dotted names: `{"a": {"b": 1}}` → `{"a.b": 1}`."""
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def nest(values: Mapping[str, object]) -> Nested:
    """Nest values by their dotted names; the reverse of `flatten`."""
    nested: Nested = {}
    for name, value in values.items():
        *path, last = name.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]  # only dicts are put under a path
        inner[last] = value
    return nested


def explain(error: ValidationError, merged: MergedLayers, *, secret: Iterable[str]) -> list[str]:
    """Describe each invalid value in one line: its name, where it was set, and what would be valid."""
    hidden = set(secret)
    return [
        _describe_invalid(_name(detail["loc"], merged), detail["msg"], merged, hidden=hidden)
        for detail in error.errors()
    ]


def _name(location: tuple[int | str, ...], merged: MergedLayers) -> str:
    """Return the longest prefix of the location that names a value: the rest points into a list or a union."""
    parts = [str(part) for part in location]
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in merged.values:
            return ".".join(parts[:length])
    return ".".join(parts)


def _describe_invalid(name: str, message: str, merged: MergedLayers, *, hidden: set[str]) -> str:
    sentence = message.removeprefix("Value error, ").rstrip(".")
    if name not in merged.values:
        return f"{name}: {sentence}."
    value = merged.values[name]
    shown = "" if name in hidden or isinstance(value, SecretStr) else f" = {value!r}"
    return f"{name}{shown}, set by {merged.origin(name)}: {sentence}."


def _describe_unknown(layer: Layer, name: str, names: list[str]) -> str:
    spelled = layer.spell(name)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    groups = [known for known in names if known.startswith(f"{name}.")]
    guess = next(iter([*near, *groups]), None)
    advice = (
        f"Did you mean {layer.spell(guess)}?" if guess else "Remove it, or see `intelli config` for the known names."
    )
    return f"{spelled} in {layer.place}: there is no such setting. {advice}"


def _is_empty(value: object) -> bool:
    text = value.get_secret_value() if isinstance(value, SecretStr) else value
    return text is None or (isinstance(text, str) and not text.strip())
