"""Write a bundle: the same parts always give the same bytes."""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from intelli.deliverables.brief import Cited, ListedSource
from intelli.deliverables.bundle import container, crate
from intelli.deliverables.bundle.crate import DescribedFile, sha256_of
from intelli.deliverables.bundle.parts import BundleManifest, BundleParts, Content, SourceFile

_BAGIT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_EXTENSION = re.compile(r"\.[A-Za-z0-9]{1,8}")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_JSON, _LINES = "application/json", "application/jsonl"


def write(parts: BundleParts, path: Path) -> None:
    """Write a bundle to a file."""
    payload = list(_payload(parts))
    payload.append(
        DescribedFile(
            "ro-crate-metadata.json", "application/ld+json", "What is in here", crate.build_metadata(parts, payload)
        )
    )
    with path.open("wb") as out:
        writer = container.ZipWriter(out)
        for each in payload:
            writer.add(f"data/{each.path}", each.content)
        for name, content in _tags(parts, payload).items():
            writer.add(name, content)
        writer.finish()


def _payload(parts: BundleParts) -> Iterator[DescribedFile]:
    names: set[str] = set()
    for file in parts.files:
        yield DescribedFile(f"deliverable/{_unique(file.name, names)}", file.media_type, file.name, file.content)
    yield DescribedFile("brief.json", _JSON, "The data brief", parts.brief.model_dump_json(indent=1).encode())
    sources = {source.number: source for source in parts.brief.sources}
    held = [each for each in parts.sources if each.number in sources]
    for each in held:
        yield from _source(sources[each.number], each)
    yield DescribedFile("citations.jsonl", _LINES, "Every citation with its quote and its check", _citations(parts))
    for number, manifest in enumerate(parts.manifests):
        path = f"manifests/{number:04d}-{manifest.sha256}.json"
        yield DescribedFile(path, _JSON, f"Manifest {manifest.sha256}", _manifest(manifest))
    yield DescribedFile("events.jsonl", _LINES, "The events of the run", _lines(parts.events))
    made_with = {"version": parts.version, "models": list(parts.models), "prompts": dict(parts.prompts)}
    yield DescribedFile("made-with.json", _JSON, "Models and prompts, with their versions", _dump(made_with))


def _source(source: ListedSource, held: SourceFile) -> Iterator[DescribedFile]:
    folder = f"sources/{source.number:04d}-{source.sha256[:16]}"
    suffix = Path(source.file_name).suffix
    extension = suffix.lower() if _EXTENSION.fullmatch(suffix) else ".bin"
    kept = (
        (f"original{extension}", source.mime_type, source.file_name, held.original),
        ("text.txt", "text/plain", f"Text of {source.file_name}", held.text),
        ("spans.map", "application/octet-stream", f"Places of the text of {source.file_name}", held.span_map),
    )
    yield from (
        DescribedFile(f"{folder}/{name}", kind, title, part) for name, kind, title, part in kept if part is not None
    )


def _citations(parts: BundleParts) -> bytes:
    """Write a line for each citation, with the path of its source in the bundle."""
    texts = {each.number: _Text(each.text) for each in parts.sources if each.text is not None}
    sources = {source.number: source for source in parts.brief.sources}
    return _lines(
        [_citation(cited, sources.get(cited.source), texts.get(cited.source)) for cited in parts.brief.citations]
    )


class _Text:
    """The text of a source in the bundle; it is read only when its hash does not decide."""

    def __init__(self, content: Content) -> None:
        self._content = content
        self.sha256 = sha256_of(content)

    @cached_property
    def words(self) -> str:
        """The text."""
        stored = self._content if isinstance(self._content, bytes) else self._content.read_bytes()
        return stored.decode("utf-8", "replace")

    def has(self, cited: Cited) -> bool:
        """Return whether this is the cited text; when the citation has no hash, whether the quote is at its place."""
        if cited.text_sha256:
            return cited.text_sha256 == self.sha256
        return bool(cited.quote) and self.words[cited.char_start : cited.char_end] == cited.quote


def _citation(cited: Cited, source: ListedSource | None, text: _Text | None) -> Mapping[str, object]:
    """Describe a citation. It names a text only if it was taken from it: a later reading proves nothing."""
    folder = f"sources/{source.number:04d}-{source.sha256[:16]}" if source is not None else None
    is_at_hand = folder is not None and text is not None and text.has(cited)
    about = {"source_sha256": source.sha256, "file_name": source.file_name} if source is not None else {}
    return {**cited.model_dump(mode="json"), **about, "text": f"{folder}/text.txt" if is_at_hand else None}


def _manifest(manifest: BundleManifest) -> bytes:
    return _dump({"tree": manifest.tree, "parent_sha256": manifest.parent_sha256, "message": manifest.message})


def _tags(parts: BundleParts, payload: list[DescribedFile]) -> dict[str, bytes]:
    """Write the tag files of the bag: declaration, description, and the hash of every file."""
    size = sum(each.size for each in payload)
    made_on = parts.made_at.date().isoformat()
    described = {
        "bagit.txt": _BAGIT,
        "bag-info.txt": (
            f"Bag-Software-Agent: Intelli {_plain(parts.version)}\nBagging-Date: {made_on}\n"
            f"External-Description: {_plain(parts.brief.title)}\nPayload-Oxum: {size}.{len(payload)}\n"
        ).encode(),
        "manifest-sha256.txt": "".join(f"{each.sha256}  data/{each.path}\n" for each in payload).encode(),
    }
    tags = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in described.items())
    return {**described, "tagmanifest-sha256.txt": tags.encode()}


def _unique(name: str, taken: set[str]) -> str:
    """Return a file name that is valid on any system and not in `taken`, and add it there."""
    plain = _UNSAFE.sub("-", name).strip("-.")[-100:].lstrip("-.") or "file"
    stem, dot, extension = plain.rpartition(".")
    number = 1
    while plain.lower() in taken:
        number += 1
        plain = f"{stem}-{number}{dot}{extension}" if stem else f"{extension}-{number}"
    taken.add(plain.lower())
    return plain


def _plain(text: str) -> str:
    return " ".join(text.split())[:200]


def _lines(values: object) -> bytes:
    assert isinstance(values, list | tuple), "lines are written from a list"
    return "".join(json.dumps(each, ensure_ascii=False, sort_keys=True, default=str) + "\n" for each in values).encode()


def _dump(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, default=str) + "\n").encode()
