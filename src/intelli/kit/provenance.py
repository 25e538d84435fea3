"""Values laid over each other from several sources, remembering where each came from.

A value has a dotted name (`worker.concurrency`). Nothing here knows what the values mean.
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
    """One source of values. `spell` writes a name the way a person writes it there; `place` says where that is."""

    place: str
    values: Mapping[str, object]
    spell: Callable[[str], str] = str

    def origin(self, name: str) -> str:
        """Where a value of this layer was set, in words."""
        spelled = self.spell(name)
        return self.place if spelled == name else f"{self.place} ({spelled})"


@dataclass(slots=True)
class MergedLayers:
    """The uppermost value of every name, with its layer, and what was found to be wrong."""

    values: dict[str, object] = field(default_factory=dict)
    layers: dict[str, Layer] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def origin(self, name: str) -> str:
        """Where the value of a name was set, in words."""
        return self.layers[name].origin(name) if name in self.layers else DEFAULT


def merge(layers: Iterable[Layer], *, known: Iterable[str]) -> MergedLayers:
    """Lay the layers over each other, the first one uppermost. An empty text counts as not set."""
    names = sorted(known)
    merged = MergedLayers()
    for layer in layers:
        for name, value in layer.values.items():
            if name not in names:
                merged.problems.append(_unknown(layer, name, names))
            elif name not in merged.values and not _is_empty(value):
                merged.values[name] = value
                merged.layers[name] = layer
    return merged


def leaves(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every single value of a model and of the models inside it, with its dotted name; excluded fields are left out."""
    for name, info in model.model_fields.items():
        if info.exclude:
            continue
        if isinstance(info.annotation, type) and issubclass(info.annotation, BaseModel):
            yield from leaves(info.annotation, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", info


def flatten(values: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Nested values under dotted names."""
    flat: dict[str, object] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= flatten(value, f"{prefix}{key}.")
        else:
            flat[f"{prefix}{key}"] = value
    return flat


def nest(values: Mapping[str, object]) -> Nested:
    """The reverse of `flatten`."""
    nested: Nested = {}
    for name, value in values.items():
        *path, last = name.split(".")
        inner = nested
        for part in path:
            inner = inner.setdefault(part, {})  # type: ignore[assignment]  # only dicts are put under a path
        inner[last] = value
    return nested


def explain(error: ValidationError, merged: MergedLayers, *, secret: Iterable[str]) -> list[str]:
    """One readable line for each wrong value: its name, where it was set, and what would be right."""
    hidden = set(secret)
    return [_wrong(_name(detail["loc"], merged), detail["msg"], merged, hidden=hidden) for detail in error.errors()]


def _name(location: tuple[int | str, ...], merged: MergedLayers) -> str:
    """The longest part of the location that names a value: the rest points into a list or a union."""
    parts = [str(part) for part in location]
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in merged.values:
            return ".".join(parts[:length])
    return ".".join(parts)


def _wrong(name: str, message: str, merged: MergedLayers, *, hidden: set[str]) -> str:
    sentence = message.removeprefix("Value error, ").rstrip(".")
    if name not in merged.values:
        return f"{name}: {sentence}."
    value = merged.values[name]
    shown = "" if name in hidden or isinstance(value, SecretStr) else f" = {value!r}"
    return f"{name}{shown}, set by {merged.origin(name)}: {sentence}."


def _unknown(layer: Layer, name: str, names: list[str]) -> str:
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
