"""Download of one file from a model hub: its size and hash as the hub tells them, and the bytes, resumed by range."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from typing import NoReturn

import httpx

from intelli.models.local.errors import ModelFileRefused, ModelNotFetched
from intelli.models.local.partial_file import BLOCK_BYTES, PartialFile

_TIMEOUT = httpx.Timeout(60, connect=20)
_SAVE_EVERY_BYTES = 64 << 20
_MOST_REDIRECTS = 5
_SHA256 = re.compile(r"[0-9a-f]{64}")
_ADDRESS = re.compile(r"([\w.-]{1,96}/[\w.-]{1,96})/([\w./ -]{1,200}\.gguf)", re.IGNORECASE)
_SPLIT = re.compile(r"-\d{5}-of-\d{5}\.gguf$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file on a hub at one commit, with the size and hash that the hub states."""

    repository: str
    file: str
    commit: str
    size_bytes: int
    sha256: str


def parse_address(address: str) -> tuple[str, str]:
    """Split `owner/repository/file.gguf`; raise ModelFileRefused for anything else and for files in several parts."""
    found = _ADDRESS.fullmatch(address)
    if found is None or ".." in address:
        raise ModelFileRefused(f"{address} names no file of a hub. Give OWNER/REPOSITORY/FILE.gguf.")
    if _SPLIT.search(address):
        raise ModelFileRefused(f"{address} is one part of several. Choose a model that is one file.")
    return found[1], found[2]


class ModelHub:
    """Client of a hub that answers as Hugging Face does."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url.rstrip("/")

    def look_up(self, repository: str, file: str) -> HubFile:
        """Ask the hub for commit, size and hash of a file; raise ModelNotFetched when it does not tell."""
        address = f"{self._base_url}/{repository}/resolve/main/{file}"
        with self._client() as client:
            for _ in range(_MOST_REDIRECTS):
                answer = client.head(address)
                sha256 = answer.headers.get("X-Linked-Etag", "").strip('W/"')
                if _SHA256.fullmatch(sha256):
                    size_bytes = int(answer.headers.get("X-Linked-Size", 0))
                    return HubFile(repository, file, answer.headers.get("X-Repo-Commit", "main"), size_bytes, sha256)
                if answer.next_request is None:
                    self._check(answer, address)
                    return self._look_up_in_tree(client, repository, file)
                address = str(answer.next_request.url)
        raise ModelNotFetched(f"The hub redirects {address} in a circle. Check model.hub_url, or use --file.")

    def download(self, wanted: HubFile, draft: PartialFile) -> None:
        """Append what the draft still lacks of a file."""
        address = f"{self._base_url}/{wanted.repository}/resolve/{wanted.commit}/{wanted.file}"
        headers = {"Range": f"bytes={draft.done_bytes}-", "Accept-Encoding": "identity"}
        with self._client() as client, client.stream("GET", address, headers=headers, follow_redirects=True) as answer:
            self._check(answer, address)
            if draft.done_bytes and answer.status_code != HTTPStatus.PARTIAL_CONTENT:
                draft.restart()
            try:
                for block in answer.iter_bytes(BLOCK_BYTES):
                    draft.append([block])
                    if draft.unsaved_bytes >= _SAVE_EVERY_BYTES:
                        draft.save()
            finally:
                draft.save()

    def _look_up_in_tree(self, client: httpx.Client, repository: str, file: str) -> HubFile:
        address = f"{self._base_url}/api/models/{repository}/tree/main"
        answer = client.get(address, params={"recursive": "true"}, follow_redirects=True)
        self._check(answer, address)
        for entry in answer.json():
            if entry.get("path") == file and "lfs" in entry:
                return HubFile(repository, file, "main", int(entry["size"]), str(entry["lfs"]["oid"]))
        raise ModelNotFetched(f"The hub states no hash of {file} in {repository}. Check the name, or use --file.")

    @contextmanager
    def _client(self) -> Iterator[httpx.Client]:
        try:
            with httpx.Client(timeout=_TIMEOUT) as client:
                yield client
        except httpx.HTTPError as error:
            raise ModelNotFetched(
                f"The hub {self._base_url} cannot be reached ({type(error).__name__}). What has arrived is kept; try "
                "again, set model.hub_url to a copy of it, or use --file."
            ) from None

    def _check(self, answer: httpx.Response, address: str) -> None:
        if answer.is_success:
            return
        if answer.status_code in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND}:
            _refuse(f"{address} is not there, or wants an account (status {answer.status_code}).")
        _refuse(f"{address} answers with status {answer.status_code}.")


def _refuse(reason: str) -> NoReturn:
    raise ModelNotFetched(f"{reason} Check the name, or download it with a browser and use --file.")
