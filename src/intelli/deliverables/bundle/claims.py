"""Check the claims of a bundle against its files: each quote is in its source, and the manifests are a chain."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from intelli.kit import canonical

Content = Callable[[str], bytes | None]

_CITATIONS = "citations.jsonl"
_BRIEF = "brief.json"
_MANIFEST = re.compile(r"data/manifests/(\d{4})-([0-9a-f]{64})\.json")
_KEPT_TEXTS = 4


@dataclass(frozen=True, slots=True)
class WrongClaim:
    """A claim that does not hold, and the file that makes it."""

    file: str
    what: str


def find_wrong_claims(content: Content, payload: Mapping[str, str]) -> Iterator[WrongClaim]:
    """Yield every claim that does not hold. `payload` has the hashes of the files by name."""
    rows = _read_rows(content)
    if rows is None:
        yield WrongClaim(_CITATIONS, "it cannot be read")
    else:
        yield from _Citations(content, payload).find_wrong(rows)
        yield from _check_brief(content, rows)
    yield from _check_chain(content, payload)


def _read_rows(content: Content) -> list[dict[str, Any]] | None:
    written = content(f"data/{_CITATIONS}")
    if written is None:
        return None
    try:
        rows = [json.loads(line) for line in written.decode().splitlines()]
    except ValueError:
        return None
    return rows if all(isinstance(row, dict) for row in rows) else None


class _Citations:
    """Checks citations against the texts in the bundle, with a small cache of texts."""

    def __init__(self, content: Content, payload: Mapping[str, str]) -> None:
        self._content = content
        self._payload = payload
        self._texts: dict[str, str | None] = {}
        self._originals = {
            name.split("/")[2]: sha256
            for name, sha256 in payload.items()
            if name.startswith("data/sources/") and "/original." in name
        }

    def find_wrong(self, rows: list[dict[str, Any]]) -> Iterator[WrongClaim]:
        """Yield the citations that do not hold."""
        for number, row in enumerate(rows, start=1):
            what = self._find_fault(row)
            if what is not None:
                yield WrongClaim(_CITATIONS, f"citation {number} ({row.get('identifier')}): {what}")

    def _find_fault(self, row: dict[str, Any]) -> str | None:
        try:
            folder = f"{int(row['source']):04d}-{str(row['source_sha256'])[:16]}"
            text, span = row["text"], slice(int(row["char_start"]), int(row["char_end"]))
            quote, text_sha256 = str(row["quote"]), str(row["text_sha256"])
        except (KeyError, TypeError, ValueError):
            return "it names no source"
        if folder in self._originals and self._originals[folder] != row["source_sha256"]:
            return "the bytes of its source do not have the hash that was cited"
        if text is None:
            return None
        # Without a hash nobody had checked it; then its quote has to stand in the text all the same.
        if text_sha256 and self._payload.get(f"data/{text}") != text_sha256:
            return "the text of its source does not have the hash that was cited"
        return self._check_quote(str(text), span, quote)

    def _check_quote(self, text: str, span: slice, quote: str) -> str | None:
        words = self._text(text)
        if words is None:
            return "the text of its source cannot be read"
        # Where excerpts are not kept there is no quote to compare.
        is_there = not quote or words[span] == quote
        return None if is_there else "the quote does not stand in the source at its place"

    def _text(self, name: str) -> str | None:
        if name not in self._texts:
            if len(self._texts) >= _KEPT_TEXTS:
                self._texts.pop(next(iter(self._texts)))
            stored = self._content(f"data/{name}")
            self._texts[name] = stored.decode("utf-8", "replace") if stored is not None else None
        return self._texts[name]


def _check_brief(content: Content, rows: list[dict[str, Any]]) -> Iterator[WrongClaim]:
    """Check that the brief has the same citations as the table."""
    try:
        cited = json.loads(content(f"data/{_BRIEF}") or b"")["citations"]
        theirs = [(each["identifier"], each["quote"], each["source"]) for each in cited]
        ours = [(row.get("identifier"), row.get("quote"), row.get("source")) for row in rows]
    except (ValueError, KeyError, TypeError):
        yield WrongClaim(_BRIEF, "it cannot be read")
        return
    if theirs != ours:
        yield WrongClaim(_BRIEF, "it does not have the citations of the table")


def _check_chain(content: Content, payload: Mapping[str, str]) -> Iterator[WrongClaim]:
    """Check that each manifest is named by the hash of its content, and names the next one as its parent."""
    found = sorted((int(match[1]), match[2], name) for name in payload if (match := _MANIFEST.fullmatch(name)))
    delivered = {sha256 for name, sha256 in payload.items() if name.startswith("data/deliverable/")}
    parent: str | None = None
    for number, sha256, name in found:
        file = name.removeprefix("data/")
        try:
            said = json.loads(content(name) or b"")
            named = {entry["sha256"] for entry in said["tree"].values()}
            is_true = canonical.sha256(said) == sha256
        except (ValueError, KeyError, TypeError, AttributeError):
            yield WrongClaim(file, "it cannot be read")
            return
        if not is_true:
            yield WrongClaim(file, "it does not say what its hash was taken of")
        if number and parent != sha256:
            yield WrongClaim(file, "the manifest before it names another parent")
        if number == 0 and delivered and not named & delivered:
            yield WrongClaim(file, "it names none of the files that were delivered")
        parent = said.get("parent_sha256")
