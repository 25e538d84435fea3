"""Input of a bundle: files, sources, manifests and events."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from intelli.deliverables.brief import DataBrief
from intelli.kit.canonical import Json

Content = bytes | Path


@dataclass(frozen=True, slots=True)
class BundleFile:
    """A file of the deliverable."""

    name: str
    media_type: str
    content: Content


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A cited source: its bytes, the text read from it, and the map from text to pages; None for deleted ones."""

    number: int
    original: Content | None
    text: Content | None = None
    span_map: Content | None = None


@dataclass(frozen=True, slots=True)
class BundleManifest:
    """A manifest of the chain, newest first; `sha256`, its name, is the hash of its content."""

    sha256: str
    parent_sha256: str | None
    message: str
    tree: Mapping[str, Mapping[str, Json]]


@dataclass(frozen=True, slots=True)
class BundleParts:
    """All input of a bundle. `models` and `prompts` name the versions that wrote the text."""

    brief: DataBrief
    files: Sequence[BundleFile]
    sources: Sequence[SourceFile]
    made_at: datetime
    manifests: Sequence[BundleManifest] = ()
    events: Sequence[Mapping[str, object]] = ()
    models: Sequence[Mapping[str, object]] = ()
    prompts: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
