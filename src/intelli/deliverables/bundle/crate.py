"""RO-Crate metadata of a bundle: what each file is and how it was made, in the vocabulary of schema.org."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from intelli.deliverables.bundle.container import read_pieces
from intelli.deliverables.bundle.parts import BundleParts, Content

_CONTEXT = "https://w3id.org/ro/crate/1.1/context"
_PROFILE = "https://w3id.org/ro/crate/1.1"


@dataclass(frozen=True)
class DescribedFile:
    """A file of the bundle with its description. Its hash is computed once."""

    path: str
    media_type: str
    title: str
    content: Content

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of its bytes."""
        return sha256_of(self.content)

    @property
    def size(self) -> int:
        """Number of its bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size


def sha256_of(content: Content) -> str:
    """Compute the SHA-256 of content in memory or in a file."""
    digest = hashlib.sha256()
    for piece in read_pieces(content):
        digest.update(piece)
    return digest.hexdigest()


def build_metadata(parts: BundleParts, payload: Sequence[DescribedFile]) -> bytes:
    """Build the metadata file."""
    graph = [_about(), _root(parts, payload), *_actors(parts, payload), *(_file(each) for each in payload)]
    return (json.dumps({"@context": _CONTEXT, "@graph": graph}, ensure_ascii=False, indent=1) + "\n").encode()


def _about() -> dict[str, object]:
    return {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "about": {"@id": "./"},
        "conformsTo": {"@id": _PROFILE},
    }


def _root(parts: BundleParts, payload: Sequence[DescribedFile]) -> dict[str, object]:
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": parts.brief.title,
        "description": parts.brief.question or parts.brief.title,
        "datePublished": parts.made_at.isoformat(),
        "license": "All rights stay with the authors of the sources.",
        "hasPart": [{"@id": each.path} for each in payload],
        "mentions": [{"@id": "#run"}],
    }


def _actors(parts: BundleParts, payload: Sequence[DescribedFile]) -> list[dict[str, object]]:
    """Describe the program, and the action that made the deliverable from the sources."""
    sources = [each for each in payload if each.path.startswith("sources/") and "/original." in each.path]
    results = [each for each in payload if each.path.startswith("deliverable/")]
    return [
        {"@id": "#intelli", "@type": "SoftwareApplication", "name": "Intelli", "softwareVersion": parts.version},
        {
            "@id": "#run",
            "@type": "CreateAction",
            "name": parts.brief.question or parts.brief.title,
            "endTime": parts.made_at.isoformat(),
            "instrument": {"@id": "#intelli"},
            "object": [{"@id": each.path} for each in sources],
            "result": [{"@id": each.path} for each in results],
        },
    ]


def _file(described: DescribedFile) -> dict[str, object]:
    return {
        "@id": described.path,
        "@type": "File",
        "name": described.title,
        "encodingFormat": described.media_type,
        "contentSize": str(described.size),
        "sha256": described.sha256,
    }
