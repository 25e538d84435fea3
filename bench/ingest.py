"""How long from a folder of files to the moment all of them can be found, beside named peers in the same run?

Ours takes the whole way: HTTP upload, hash, blob, job queue, sandboxed reading, span map, chunks, lexical and
vector index, documents with versions and an audit log, all of it durable before it counts. The peers read in their own
process, without a sandbox, keep no original and no place of a passage in it, and wait for no disk; LlamaIndex makes no
lexical index. All use the same files and embedder, and one search ends the measure.

On both sides the clock begins when the program runs, its model is loaded, and the files lie on the disk: the peers have
imported what they need, and the server has done everything once, to two small files.
"""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from bench import data, peers
from bench.effort import Effort
from bench.figures import Comparison, Size
from bench.peers import Ingested
from intelli.cli import add_files

QUESTION = "How fast do files become searchable? Rates: more is faster. Processor time and memory: less is better."
_OURS = "Intelli"
_AT_ONCE = 4
_LOOK_S = 0.1
_TIMEOUT_S = 1800
_ABSTRACTS_PER_FILE = 50
_SMALL_FILES = 200
_OFFICE = ("csv", "docx", "html", "md", "pptx", "xlsx")
# The one that the peers' reader gives up on.
_UNREAD = "powerpoint_unrecognized_shape.pptx"


@dataclass(frozen=True)
class Collection:
    """Files to ingest. `amount` says how much they hold, counted in `unit`."""

    name: str
    folder: Path
    amount: int
    unit: str


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Each collection once, by every peer and by us, one after the other."""
    if not data.folder().is_dir():
        print(f"There is no evaluation data at {data.folder()}; nothing to ingest.")
        return []
    with tempfile.TemporaryDirectory() as folder:
        place, beside = Path(folder), size.of(peers.PEERS, ())
        collections = _collections(place) if size is Size.USUAL else [_few(place)]
        return [line for collection in collections for line in await _compare(collection, place, beside)]


def _few(folder: Path) -> Collection:
    """Enough files to be sent together."""
    texts = [f"Health insurance of region {n} costs {n} euros." for n in range(3)]
    return Collection("three small text files", _write(folder / "few", texts), len(texts), "files")


async def _compare(collection: Collection, folder: Path, beside: Sequence[str]) -> Sequence[Comparison]:
    theirs = [peers.ingest(peer, collection.folder, folder / f"index-{time.time_ns()}") for peer in beside]
    fastest_first = sorted(theirs, key=lambda peer: peer.seconds)
    everyone = [*fastest_first, await _ours(collection.folder)]
    rates = {each.name: collection.amount / each.seconds for each in everyone}
    chunks = {each.name: each.chunks / each.seconds for each in everyone}
    spent = {each.name: each.processor_s for each in everyone}
    memory = {each.name: each.peak_bytes / (1 << 20) for each in everyone}
    return [
        Comparison(collection.name, f"{collection.unit}/s", rates),
        Comparison(f"{collection.name}: chunks", "chunks/s", chunks),
        Comparison(f"{collection.name}: processor time", "s", spent),
        Comparison(f"{collection.name}: peak memory", "MB", memory),
    ]


def _collections(folder: Path) -> list[Collection]:
    """Each kind of file by itself, then all of them as people have them: in one folder."""
    kinds = list(_kinds(folder))
    everything = folder / "everything"
    everything.mkdir()
    for kind in kinds:
        for path in kind.folder.iterdir():
            shutil.copy(path, everything / f"{kind.folder.name} {path.name}")
    count = len(list(everything.iterdir()))
    return [*kinds, Collection(f"all {count} files in one folder", everything, count, "files")]


def _kinds(folder: Path) -> Iterator[Collection]:
    documents = _copy(folder / "pdfs", (data.folder() / "files" / "pages").glob("*.pdf"))
    yield Collection("six PDFs of 263 pages", documents, 263, "pages")
    office = [path for kind in _OFFICE for path in _graded(kind)]
    name = f"{len(office)} office files and web pages"
    yield Collection(name, _copy(folder / "office", office), len(office), "files")
    texts = [_text(json.loads(line)) for line in (data.folder() / "scifact" / "corpus.jsonl").open(encoding="utf-8")]
    batches = [texts[start : start + _ABSTRACTS_PER_FILE] for start in range(0, len(texts), _ABSTRACTS_PER_FILE)]
    name = f"{len(texts):,} abstracts in {len(batches)} text files"
    yield Collection(name, _write(folder / "texts", ["\n\n\n".join(batch) for batch in batches]), len(texts), "texts")
    small = _write(folder / "small", texts[:_SMALL_FILES])
    yield Collection(f"{_SMALL_FILES} small text files", small, _SMALL_FILES, "files")


def _copy(folder: Path, paths: Iterable[Path]) -> Path:
    folder.mkdir()
    for path in paths:
        shutil.copy(path, folder)
    return folder


def _graded(kind: str) -> Iterator[Path]:
    for path in sorted((data.folder() / "files" / "graded" / kind).glob(f"*.{kind}")):
        if path.name != _UNREAD and not path.name.endswith(".expected.md"):
            yield path


def _text(abstract: Mapping[str, object]) -> str:
    sentences = abstract["sentences"]
    assert isinstance(sentences, list)
    return f"{abstract['title']}\n\n{' '.join(sentences)}"


def _write(folder: Path, texts: Sequence[str]) -> Path:
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number:05}.txt").write_text(text, encoding="utf-8")
    return folder


async def _ours(files: Path) -> Ingested:
    with tempfile.TemporaryDirectory() as data, _serving(Path(data) / "data") as (pid, url):
        async with httpx.AsyncClient(base_url=f"{url}/api/v1", timeout=60) as client:
            await _sign_up(client)
            await _warm_up(client)
            with Effort(pid) as effort:
                begun, spent = time.perf_counter(), time.thread_time()
                await _upload(client, await asyncio.to_thread(_read, files))
                found = (await client.post("/search", json={"query": "health insurance"})).raise_for_status().json()
                seconds, of_client_s = time.perf_counter() - begun, time.thread_time() - spent
            assert found["sources"], "what was uploaded can be found"
            chunks = (await client.get("/library/status")).raise_for_status().json()["chunks"]
    return Ingested(_OURS, seconds, effort.processor_s + of_client_s, chunks, effort.peak_bytes)


def _read(files: Path) -> list[tuple[str, bytes]]:
    return [(path.name, path.read_bytes()) for path in sorted(files.iterdir())]


async def _warm_up(client: httpx.AsyncClient) -> None:
    """One file by itself, two together, and a search: what a server has loaded after its first minute."""
    await _upload(client, [("warm.txt", b"The first file starts what the others find running.")])
    await _upload(client, [(f"warm {n}.txt", f"File {n} comes together with another one.".encode()) for n in (1, 2)])
    (await client.post("/search", json={"query": "another file"})).raise_for_status()


async def _sign_up(client: httpx.AsyncClient) -> None:
    body = {"email": "bench@example.org", "password": "correct horse battery", "name": "B", "workspace_name": "Bench"}
    tokens = (await client.post("/auth/register", json=body)).raise_for_status().json()
    client.headers["Authorization"] = f"Bearer {tokens['access_token']}"


async def _upload(client: httpx.AsyncClient, files: Sequence[tuple[str, bytes]]) -> None:
    """Send all as `intelli add` does, small files together, and wait until each of them can be found."""
    waiting = add_files.small_batches(files, size_of=lambda file: len(file[1]))

    async def send() -> None:
        for batch in waiting:
            if len(batch) == 1:
                (await client.post("/documents", files={"file": batch[0]})).raise_for_status()
                continue
            answer = await client.post("/documents/batch", files=[("file", file) for file in batch])
            assert all(item["document"] for item in answer.raise_for_status().json()["items"])

    async with asyncio.TaskGroup() as group:
        for _ in range(_AT_ONCE):
            group.create_task(send())
    async with asyncio.timeout(_TIMEOUT_S):
        while True:
            status = (await client.get("/library/status")).raise_for_status().json()
            if status["failed"]:
                raise RuntimeError(f"{status['failed']} files could not be read")
            if not status["pending"] + status["in_progress"]:
                return
            await asyncio.sleep(_LOOK_S)


@contextmanager
def _serving(data: Path) -> Iterator[tuple[int, str]]:
    """A server with its worker, as anybody starts it: its process and its address."""
    program = str(Path(sys.executable).with_name("intelli"))
    environment = {name: value for name, value in os.environ.items() if not name.startswith("INTELLI_")}
    with data.with_suffix(".log").open("wb") as log:
        server = subprocess.Popen(
            [program, "serve", "--port", "0", "--json", "--data", str(data)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            env=environment,
        )
    assert server.stdout is not None
    try:
        yield server.pid, json.loads(server.stdout.readline())["url"]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
        server.stdout.close()
