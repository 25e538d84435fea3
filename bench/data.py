"""Evaluation data from a folder beside the repository, or a small synthetic set of the same form."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typst

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
_current = _BESIDE
_TOPICS = ("copper", "tides", "grain", "glass", "amber", "paper")
_SENTENCES = (
    "The price of {0} rose by {1} percent in 2024.",
    "Traders of {0} met in Lisbon to agree on a new measure.",
    "Storage of {0} needs a dry room and {1} inspections a year.",
)
_EXTRACTION_SCORER = """
def words(text):
    return text.lower().split()

def lcs(one, other):
    return sum(a == b for a, b in zip(one, other))
"""
_RETRIEVAL_SCORER = 'print("recall@10 is not scored on made-up data")\n'
_MAIL = b"Subject: Copper\r\nFrom: a@example.org\r\nDate: Mon, 1 Jan 2024 00:00:00 +0000\r\n\r\nThe price rose.\r\n"


def folder() -> Path:
    """Return the folder of the data."""
    return _current


@contextmanager
def placed_at(place: Path) -> Iterator[Path]:
    """Use the data of another folder within the block."""
    global _current  # noqa: PLW0603  # the benches read it at many places, each by itself
    before, _current = _current, place
    try:
        yield place
    finally:
        _current = before


@contextmanager
def made_up() -> Iterator[Path]:
    """Use small synthetic data in place of the real within the block."""
    with TemporaryDirectory() as place, placed_at(Path(place)) as root:
        _write(root)
        yield root


def _write(root: Path) -> None:
    texts = {topic: [each.format(topic, 3 + n) for each in _SENTENCES] for n, topic in enumerate(_TOPICS)}
    _scifact(root / "scifact", texts)
    _xquad(root / "xquad", texts)
    _beam(root / "beam128k", texts)
    _files(root / "files", texts)
    _file(root / "score" / "extraction_score.py", _EXTRACTION_SCORER)
    _file(root / "score" / "retrieval_score.py", _RETRIEVAL_SCORER)


def _scifact(root: Path, texts: Mapping[str, Sequence[str]]) -> None:
    _lines(root / "corpus.jsonl", [{"_id": t, "title": t.title(), "sentences": said} for t, said in texts.items()])
    _lines(root / "queries.jsonl", [{"_id": f"q-{t}", "text": said[0]} for t, said in texts.items()])
    _table(root / "qrels.tsv", [(f"q-{topic}", topic, 1) for topic in texts])
    claims = [
        {"id": n, "claim": said[0], "evidence": {t: [{"sentences": [0]}]} if n % 2 == 0 else {}}
        for n, (t, said) in enumerate(texts.items())
    ]
    for split in ("train", "dev"):
        _lines(root / f"claims.{split}.jsonl", claims)


def _xquad(root: Path, texts: Mapping[str, Sequence[str]]) -> None:
    for language in ("en", "de", "es", "ru", "zh", "ar"):
        corpus = [{"_id": t, "title": t.title(), "text": " ".join(said)} for t, said in texts.items()]
        asked = [{"_id": f"q-{t}", "text": f"How did the price of {t} change?", "answers": ["percent"]} for t in texts]
        _lines(root / f"corpus.{language}.jsonl", corpus)
        _lines(root / f"queries.{language}.jsonl", asked)
    _table(root / "qrels.tsv", [(f"q-{topic}", topic, 1) for topic in texts])


def _beam(root: Path, texts: Mapping[str, Sequence[str]]) -> None:
    said = [
        {"id": f"b1/{n}", "role": "user", "at": f"2024-01-0{n + 1}", "text": each[0]}
        for n, each in enumerate(texts.values())
    ]
    _lines(root / "conversations" / "b1.jsonl", said)
    kinds = ("information_extraction", "knowledge_update", "contradiction_resolution", "abstention")
    roles = {"updated_info": ["b1/1"], "original_info": ["b1/0"]}
    asked = [
        {"qid": kind, "conversation": "b1", "question": f"What did the price of {topic} do?", "type": kind}
        | {"evidence": [] if kind == "abstention" else ["b1/0", "b1/1"], "evidence_roles": roles}
        for kind, topic in zip(kinds, texts, strict=False)
    ]
    _lines(root / "questions.jsonl", asked)
    _table(root / "qrels.message.tsv", [(each["qid"], name, 1) for each in asked for name in each["evidence"]])


def _files(root: Path, texts: Mapping[str, Sequence[str]]) -> None:
    whole = "\n\n".join(" ".join(said) for said in texts.values())
    _file(root / "graded" / "md" / "a.md", whole)
    _file(root / "graded" / "md" / "a.expected.md", whole)
    graded = {"kind": "graded", "path": "graded/md/a.md", "expected": "graded/md/a.expected.md"}
    _lines(root / "manifest.jsonl", [graded])
    _file(root / "README.md", "| md | 1.000 | 1.000 | 1.000 |\n")
    _file(root / "email" / "a.eml", _MAIL.decode())
    _file(root / "hostile" / "broken.pdf", "%PDF-1.7 and nothing else")
    (root / "pages").mkdir(parents=True)
    source = "\n#pagebreak()\n".join(" ".join(said) for said in texts.values())
    (root / "pages" / "a.pdf").write_bytes(typst.compile(source.encode()))
    asked = [{"qid": f"p-{topic}", "question": f"How did the price of {topic} change?"} for topic in texts]
    _lines(root / "pages" / "questions.jsonl", asked)
    _table(root / "pages" / "qrels.tsv", [(f"p-{topic}", f"a.pdf#{n + 1}", 1) for n, topic in enumerate(texts)])


def _lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    _file(path, "".join(f"{json.dumps(row)}\n" for row in rows))


def _table(path: Path, rows: Sequence[tuple[object, ...]]) -> None:
    _file(path, "".join("\t".join(map(str, row)) + "\n" for row in [("query", "item", "grade"), *rows]))


def _file(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
