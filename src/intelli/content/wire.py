"""Request and response models of content."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Self
from uuid import UUID

from pydantic import AfterValidator, ConfigDict, Field, JsonValue, StringConstraints, model_validator

from intelli.content import media_types, paths
from intelli.kit.wire import Request, Wire

_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", json_schema_extra={"format": "sha256"})]
PointerWord = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=100)]
Reason = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
ManifestPath = Annotated[str, AfterValidator(paths.check_path)]
MediaType = Annotated[str, Field(pattern=media_types.PATTERN)]
MetaText = Annotated[str, StringConstraints(max_length=2000)]


class PlatformType(StrEnum):
    """What an artifact is to the platform."""

    WEB_SOURCE = "WEB_SOURCE"
    API_DATA = "API_DATA"
    GENERATED_CONTENT = "GENERATED_CONTENT"
    USER_INPUT = "USER_INPUT"
    REPORT = "REPORT"
    SLIDES = "SLIDES"
    SEARCH_RESULT = "SEARCH_RESULT"
    EXTRACTED_DATA = "EXTRACTED_DATA"
    PLAN = "PLAN"
    KNOWLEDGE = "KNOWLEDGE"
    WEBSITE = "WEBSITE"
    DOCUMENT = "DOCUMENT"


class PointerType(StrEnum):
    """What a pointer's manifests are."""

    BUNDLE = "bundle"
    CORPUS = "corpus"
    SNAPSHOT = "snapshot"


class Artifact(Wire):
    """Immutable bytes. Type and name are those of the first upload; `reference_count` says how often it is held."""

    sha256: Sha256
    media_type: str
    size_bytes: int
    filename: str | None
    entity_type: PlatformType
    entity_metadata: dict[str, JsonValue]
    storage_class: str
    reference_count: int
    created_by: UUID | None
    created_at: datetime
    updated_at: datetime


class Entry(Wire):
    """What a path of a manifest leads to."""

    sha256: Sha256
    media_type: str
    entity_type: PlatformType
    size_bytes: int


class NewEntry(Request):
    """What a path shall lead to. Type and kind are the artifact's own unless given."""

    sha256: Sha256
    media_type: MediaType | None = None
    entity_type: PlatformType | None = None


class CommitManifest(Request):
    """A tree to store. Every artifact in it must have been uploaded."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"tree": {}, "message": "The first draft"}]})

    tree: dict[ManifestPath, NewEntry]
    parent_sha256: Sha256 | None = None
    message: Annotated[str, StringConstraints(max_length=2000)] = ""

    @model_validator(mode="after")
    def _folders_are_no_files(self) -> Self:
        clash = paths.find_clash(self.tree)
        if clash is not None:
            raise ValueError("a path cannot be a file and a folder at once")
        return self


class Manifest(Wire):
    """An immutable tree. `sha256` is that of the RFC 8785 JSON of `tree`, `parent_sha256` and `message`."""

    sha256: Sha256
    parent_sha256: Sha256 | None
    message: str
    tree: dict[str, Entry]
    entry_count: int
    total_size_bytes: int
    created_by: UUID | None
    created_at: datetime


class Change(Wire):
    """A path that leads elsewhere."""

    before: Entry
    after: Entry


class ManifestDiff(Wire):
    """What differs from one manifest to another, by path."""

    added: dict[str, Entry]
    removed: dict[str, Entry]
    changed: dict[str, Change]


class MovePointer(Request):
    """Where to move a pointer, and from where. `expected` is null for one that is new. What is left out stays."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"manifest_sha256": _HASH, "expected": _HASH, "reason": "user_update"}]}
    )

    manifest_sha256: Sha256
    expected: Sha256 | None
    reason: Reason = "user_update"
    pointer_type: PointerType | None = None
    description: MetaText | None = None
    meta: Annotated[dict[MetaText, MetaText | int | bool | None], Field(max_length=50)] | None = None


class ResetPointer(Request):
    """An earlier manifest of the pointer's history to move back to."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"manifest_sha256": _HASH, "expected": _HASH}]})

    manifest_sha256: Sha256
    expected: Sha256 | None
    reason: Reason = "user_reset"


class Pointer(Wire):
    """A name, and the manifest it stands for now."""

    id: UUID
    namespace: str
    name: str
    manifest_sha256: Sha256 | None
    pointer_type: PointerType
    description: str
    meta: dict[str, str | int | bool | None]
    created_by: UUID | None = Field(description="Who made it; null for what was made by no person.")
    version: int
    created_at: datetime
    updated_at: datetime


class PointerMove(Wire):
    """One move of a pointer. The moves in the order of `version` make the pointer."""

    id: UUID
    version: int
    from_sha256: Sha256 | None
    to_sha256: Sha256 | None
    reason: str
    changed_by: UUID | None
    created_at: datetime
