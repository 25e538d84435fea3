"""The sets that search quality is measured on: documents, questions, and which documents answer them."""

import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from bench import data
from intelli.library import chunk
from intelli.library.extraction import extract
from intelli.library.extraction.limits import Limits
from intelli.reasoning import tokens

LANGUAGES = ("en", "de", "es", "ru", "zh", "ar")


_ACROSS = {"xquad-de-en": ("de", "en"), "xquad-en-de": ("en", "de")}


@dataclass(frozen=True)
class Passage:
    """A chunk and the item that it counts as; with a page, the item is the page that search points to."""

    body: str
    section: str | None
    item: str
    page: int | None = None


@dataclass(frozen=True)
class Document:
    """A document of chunks, at a path."""

    path: str
    passages: tuple[Passage, ...]


@dataclass(frozen=True)
class Set:
    """Documents, queries with the folder that each may search, and the items that answer it."""

    name: str
    documents: list[Document]
    texts: dict[str, str]
    queries: dict[str, str]
    relevant: dict[str, dict[str, int]]
    folders: dict[str, str] = field(default_factory=dict)


def load(names: tuple[str, ...] = ()) -> Iterator[Set]:
    """The sets, one at a time; all, or those named."""
    makers: dict[str, Callable[[], Set]] = {"scifact": _scifact, "pages": _pages, "beam": _beam}
    makers |= {f"xquad-{language}": partial(_xquad, language) for language in LANGUAGES}
    # Across languages only when named: for an encoder of one language they mean little.
    makers |= {name: partial(_xquad, *pair) for name, pair in _ACROSS.items() if name in names}
    for name, make in makers.items():
        if not names or name in names:
            yield make()


def _scifact() -> Set:
    corpus = rows(data.folder() / "scifact" / "corpus.jsonl")
    texts = {str(row["_id"]): f"{row['title']}\n\n{' '.join(row['sentences'])}" for row in corpus}
    queries = {str(row["_id"]): row["text"] for row in rows(data.folder() / "scifact" / "queries.jsonl")}
    return _of_texts("scifact", texts, queries, _judgements(data.folder() / "scifact" / "qrels.tsv"))


def _xquad(language: str, of: str | None = None) -> Set:
    """Questions in a language about paragraphs `of` another, or of the same."""
    name = f"xquad-{language}-{of}" if of else f"xquad-{language}"
    corpus = rows(data.folder() / "xquad" / f"corpus.{of or language}.jsonl")
    texts = {row["_id"]: f"{row.get('title') or ''}\n\n{row['text']}".strip() for row in corpus}
    queries = {row["_id"]: row["text"] for row in rows(data.folder() / "xquad" / f"queries.{language}.jsonl")}
    return _of_texts(name, texts, queries, _judgements(data.folder() / "xquad" / "qrels.tsv"))


def _beam() -> Set:
    """Messages of long chats, each in a folder of its own: a question may search its own chat only."""
    texts = {
        row["id"]: row["text"]
        for file in sorted((data.folder() / "beam128k" / "conversations").glob("*.jsonl"))
        for row in rows(file)
    }
    relevant = _judgements(data.folder() / "beam128k" / "qrels.message.tsv")
    asked = [row for row in rows(data.folder() / "beam128k" / "questions.jsonl") if row["qid"] in relevant]
    queries = {row["qid"]: row["question"] for row in asked}
    made = _of_texts("beam", texts, queries, relevant, path_of=lambda item: f"/{item.partition('/')[0]}/chat")
    return replace(made, folders={row["qid"]: f"/{row['conversation']}" for row in asked})


def _pages() -> Set:
    """Pages of real PDF files, read as the product reads them."""
    documents: list[Document] = []
    texts: dict[str, str] = {}
    for file in sorted((data.folder() / "files" / "pages").glob("*.pdf")):
        read = extract(file, name=file.name, limits=Limits())
        chunks = chunk.split(read, tokens.tokenize(read.text).count)
        passages = [Passage(read.text[c.start : c.end], c.section, file.name, c.page) for c in chunks]
        documents.append(Document(f"/{file.name}", tuple(passages)))
        texts |= {f"{file.name}#{page.number}": read.text[page.start : page.end] for page in read.pages}
    queries = {row["qid"]: row["question"] for row in rows(data.folder() / "files" / "pages" / "questions.jsonl")}
    return Set("pages", documents, texts, queries, _judgements(data.folder() / "files" / "pages" / "qrels.tsv"))


def _of_texts(
    name: str,
    texts: dict[str, str],
    queries: dict[str, str],
    relevant: dict[str, dict[str, int]],
    *,
    path_of: Callable[[str], str] = lambda item: f"/{item}",
) -> Set:
    """A set of texts, a document each; those of one path follow each other in one document."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.txt"
        documents = [
            Document(path, tuple(passage for item in items for passage in _passages(file, item, texts[item])))
            for path, items in groupby(texts, path_of)
        ]
    return Set(name, documents, texts, {name: query for name, query in queries.items() if name in relevant}, relevant)


def _passages(file: Path, item: str, text: str) -> tuple[Passage, ...]:
    file.write_text(text, encoding="utf-8")
    read = extract(file, name="text.txt", limits=Limits())
    chunks = chunk.split(read, tokens.tokenize(read.text).count)
    return tuple(Passage(read.text[c.start : c.end], c.section, item) for c in chunks)


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    judged: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        query, item, grade = line.split("\t")
        judged.setdefault(query, {})[item] = int(grade)
    return judged
