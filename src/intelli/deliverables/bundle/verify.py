"""Verify a bundle from its files alone: no server, no network, nothing unpacked to disk.

Every file has its hash, every quote is in its source at its place, and every manifest is named by the hash of its
content; of the zip as it was written every other byte is accounted for as well. Each fault names the file it is about.
"""

import hashlib
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from intelli.deliverables.bundle import claims, files
from intelli.deliverables.bundle.files import BundleFiles

_LINE = re.compile(r"([0-9a-f]{64})  (\S+)")
_BAGIT = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
_OXUM = re.compile(rb"^Payload-Oxum: (\d+)\.(\d+)$", re.MULTILINE)
_TAGS = "tagmanifest-sha256.txt"
_MANIFEST = "manifest-sha256.txt"
_INFO = "bag-info.txt"
_CRATE = "data/ro-crate-metadata.json"
# Lists are small; what is larger than this is none of ours.
_LARGEST_LIST = 64 << 20


@dataclass(frozen=True, slots=True)
class BundleFault:
    """A deviation from the bundle as it was written. `file` is empty for faults of the bundle as a whole."""

    file: str
    what: str


@dataclass(frozen=True, slots=True)
class _Read:
    sha256: str
    crc: int
    size: int


def verify(path: Path) -> list[BundleFault]:
    """Return all faults of a bundle; an empty list when it is undamaged."""
    with files.open_files(path) as opened:
        found = list(_Bag(opened).find_faults()) if opened.names else []
        damages = [BundleFault(damage.file, damage.what) for damage in opened.damages]
    return list(dict.fromkeys([*damages, *found]))


class _Bag:
    """The files of a bundle, each read once."""

    def __init__(self, opened: BundleFiles) -> None:
        self._opened = opened
        self._read = {name: self._digest(name) for name in opened.names}

    def find_faults(self) -> Iterator[BundleFault]:
        """Yield all faults of the files."""
        for name, crc in self._opened.checksums.items():
            if self._read[name].crc != crc:
                yield BundleFault(name, "its bytes do not have the checksum of the zip: they were changed or cut off")
        tags, payload = dict[str, str](), dict[str, str]()
        yield from self._read_list(_TAGS, tags)
        yield from self._read_list(_MANIFEST, payload)
        yield from self._check_hashes({**tags, **payload})
        yield from self._check_unlisted(tags.keys() | payload.keys() | {_TAGS})
        yield from self._check_bag_info(payload)
        yield from self._check_crate(payload)
        yield from (
            BundleFault(f"data/{wrong.file}", wrong.what) for wrong in claims.find_wrong_claims(self.content, payload)
        )

    def content(self, name: str, most: int = _LARGEST_LIST) -> bytes | None:
        """Read a file of the bundle; None when it is missing or too large."""
        return self._opened.read(name, most)

    def _digest(self, name: str) -> _Read:
        digest, crc, size = hashlib.sha256(), 0, 0
        for piece in self._opened.pieces(name):
            digest.update(piece)
            crc = zlib.crc32(piece, crc)
            size += len(piece)
        return _Read(digest.hexdigest(), crc, size)

    def _read_list(self, name: str, found: dict[str, str]) -> Iterator[BundleFault]:
        """Parse a list of hashes into `found`, and yield its faults."""
        content = self.content(name)
        if content is None:
            yield BundleFault(name, "it is missing")
            return
        for line in content.decode("latin-1").removesuffix("\n").split("\n"):
            match = _LINE.fullmatch(line)
            if match is None or match[2] in found:
                yield BundleFault(name, "one of its lines was changed")
            else:
                found[match[2]] = match[1]
        if not content.endswith(b"\n"):
            yield BundleFault(name, "its last line was changed")

    def _check_hashes(self, listed: Mapping[str, str]) -> Iterator[BundleFault]:
        for name, sha256 in listed.items():
            read = self._read.get(name)
            if read is None:
                yield BundleFault(name, "it is missing")
            elif read.sha256 != sha256:
                yield BundleFault(name, "it does not have the hash that it was written with")

    def _check_unlisted(self, known: set[str]) -> Iterator[BundleFault]:
        for name in self._read.keys() - known:
            yield BundleFault(name, "it does not belong to the bundle: no list names it")

    def _check_bag_info(self, payload: Mapping[str, str]) -> Iterator[BundleFault]:
        """Check the bag's statements about itself: version, size and number of files."""
        if self.content("bagit.txt") != _BAGIT:
            yield BundleFault("bagit.txt", "it was changed, or is missing")
        said = _OXUM.search(self.content(_INFO) or b"")
        sizes = [self._read[name].size for name in payload if name in self._read]
        if said is None or (int(said[1]), int(said[2])) != (sum(sizes), len(payload)):
            yield BundleFault(_INFO, "it tells another size or number of files than there are")

    def _check_crate(self, payload: Mapping[str, str]) -> Iterator[BundleFault]:
        """Check that the crate names the same files with the same hashes."""
        try:
            graph = json.loads(self.content(_CRATE) or b"")["@graph"]
            said = {f"data/{each['@id']}": str(each["sha256"]) for each in graph if each["@type"] == "File"}
        except (ValueError, KeyError, TypeError):
            yield BundleFault(_CRATE, "it cannot be read")
            return
        theirs = {name: sha256 for name, sha256 in payload.items() if name != _CRATE}
        for name in sorted(said.keys() ^ theirs.keys()):
            yield BundleFault(name, "the crate and the bag do not name the same files")
        for name in said.keys() & theirs.keys():
            if said[name] != theirs[name]:
                yield BundleFault(name, "the crate and the bag give it different hashes")
