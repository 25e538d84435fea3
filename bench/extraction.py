"""How much of a file's text comes out, beside markitdown's figures; and what becomes of hostile files and e-mails?

Every file goes through the sandbox, as in the product. markitdown's figures are those noted with the data, or measured
in the same run where it is installed. `python -m bench.extraction`.
"""

import asyncio
import importlib.util
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from pathlib import Path
from statistics import mean
from typing import Any

from bench import data
from bench.figures import Comparison, Size
from intelli.library.extraction.limits import Limits
from intelli.library.extraction.model import Extraction, Refusal, Unreadable
from intelli.library.extraction.sandbox import Caps, Extractor

QUESTION = (
    "How much of a file's text comes out, beside markitdown's figures; what becomes of hostile files and e-mails?"
)
_HOSTILE = Caps(memory_bytes=512 << 20, cpu_s=28, wall_s=30)
_EXPECTED_REFUSALS = (
    Refusal.ENCRYPTED,
    Refusal.DAMAGED,
    Refusal.NO_TEXT,
    Refusal.EMPTY,
    Refusal.HOSTILE,
    Refusal.TOO_LARGE,
)
_ROW = re.compile(r"\| (\w+) \| ([01]?\.\d+) \| ([01]?\.\d+) \| ([01]?\.\d+) \|")


@dataclass(frozen=True)
class Score:
    """How well words came out: 1 is all of them, nothing else, and in order."""

    recall: float
    precision: float
    order: float

    def __str__(self) -> str:
        return f"{self.recall:.3f} {self.precision:.3f} {self.order:.3f}"


Texts = Mapping[str, str]  # by path; of a file that cannot be read, nothing


async def measure(size: Size = Size.USUAL) -> list[Comparison]:
    """Three tables, and shares of them as figures."""
    if not _files().is_dir():
        print(f"There is no evaluation data at {_files()}.")
        return []
    rows = [json.loads(line) for line in (_files() / "manifest.jsonl").read_text().splitlines()]
    graded = [row for row in rows if row["kind"] == "graded"]
    extractor = Extractor(Limits(), Caps())
    try:
        scores = _show_graded(graded, await _read_all(extractor, [row["path"] for row in graded]))
        mails = await _show_mails(extractor)
    finally:
        await extractor.close()
    shares = {"e-mails that are whole": mails, "hostile files that end as they should": await _show_hostile()}
    return [
        Comparison("words of graded files that come out", "", {name: each.recall for name, each in scores.items()}),
        Comparison("share of files", "", shares),
    ]


def _files() -> Path:
    return data.folder() / "files"


async def _read_all(extractor: Extractor, paths: Sequence[str]) -> dict[str, str]:
    async def read(path: str) -> str:
        try:
            return (await extractor.extract(_files() / path, name=Path(path).name)).text
        except Unreadable as refused:
            print(f"  {path}: {refused.refusal}: {refused.reason}")
            return ""

    texts = await asyncio.gather(*(read(path) for path in paths))
    return dict(zip(paths, texts, strict=True))


def _show_graded(rows: Sequence[Mapping[str, Any]], ours: Texts) -> dict[str, Score]:
    judge = _judge()
    theirs = _measured(rows, judge) or _noted()
    print("\nWords of the graded files        Intelli                    markitdown")
    print(f"{'format':<8} {'files':>5}     recall precision order     recall precision order")
    scores = _scores(rows, ours, judge)
    for name, score in scores.items():
        files = sum(_format(row) == name for row in rows)
        other = theirs.get(name)
        verdict = "not read by it" if other is None else _verdict(score, other)
        print(f"{name:<8} {files:>5}     {score}         {other or '  -     -     -  '}         {verdict}")
    return scores


def _verdict(ours: Score, theirs: Score) -> str:
    """Compared as precisely as the noted figures are."""
    difference = round(ours.recall, 3) - theirs.recall
    return "more" if difference > 0 else "equal" if difference == 0 else "LESS"


def _scores(rows: Sequence[Mapping[str, Any]], texts: Texts, judge: Callable[[str, str], Score]) -> dict[str, Score]:
    by_format: dict[str, list[Score]] = defaultdict(list)
    for row in rows:
        by_format[_format(row)].append(judge((_files() / row["expected"]).read_text(), texts.get(row["path"], "")))
    return {
        name: Score(*(mean(getattr(score, part) for score in scores) for part in ("recall", "precision", "order")))
        for name, scores in sorted(by_format.items())
    }


def _format(row: Mapping[str, Any]) -> str:
    name = str(row["path"]).split("/")[1]
    return "vtt" if name == "webvtt" else name


def _judge() -> Callable[[str, str], Score]:
    """The scorer that comes with the data, for one file."""
    spec = importlib.util.spec_from_file_location("scorer", data.folder() / "score" / "extraction_score.py")
    assert spec is not None, "a path to a Python file always has a spec"
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)

    def judge(expected: str, extracted: str) -> Score:
        wanted, found = scorer.words(expected), scorer.words(extracted)
        common = sum((Counter(wanted) & Counter(found)).values())
        order = scorer.lcs(wanted[:2000], found[:2000]) / len(wanted[:2000])
        return Score(common / len(wanted), common / len(found) if found else 0.0, order)

    return judge


def _noted() -> dict[str, Score]:
    """markitdown's figures as they are noted with the data."""
    return {
        found[1]: Score(*(float(figure) for figure in found.groups()[1:]))
        for found in _ROW.finditer((_files() / "README.md").read_text())
    }


def _measured(rows: Sequence[Mapping[str, Any]], judge: Callable[[str, str], Score]) -> dict[str, Score] | None:
    """markitdown's figures in this run, where it is installed."""
    if importlib.util.find_spec("markitdown") is None:
        return None
    from markitdown import MarkItDown  # type: ignore[import-not-found]

    converter = MarkItDown()

    def convert(path: str) -> str:
        try:
            return str(converter.convert(str(_files() / path)).text_content)
        except Exception:  # noqa: BLE001  # whatever a peer raises, it has read nothing
            return ""

    texts = {row["path"]: convert(row["path"]) for row in rows}
    read = {_format(row) for row in rows if texts[row["path"]]}
    return {name: score for name, score in _scores(rows, texts, judge).items() if name in read}


async def _show_mails(extractor: Extractor) -> float:
    print("\nE-mails: what their headers and parts say, and what came out")
    good = 0
    paths = sorted((_files() / "email").glob("*.eml"))
    for path in paths:
        missing = list(_missing(path.read_bytes(), await extractor.extract(path, name=path.name)))
        good += not missing
        if missing:
            print(f"  {path.name}: missing {', '.join(missing)}")
    print(f"  {good} of {len(paths)} give subject, sender, date, body and attachments as far as they have them")
    return good / len(paths)


def _missing(raw: bytes, extraction: Extraction) -> Iterator[str]:
    message = message_from_bytes(raw if b"\0" not in raw else raw.decode("utf-16", "replace").encode())
    for name in ("subject", "from", "date"):
        if message[name] and not extraction.properties.get(name):
            yield name
    attached = {attachment.name for attachment in extraction.attachments}
    for part in message.walk():
        if (filename := part.get_filename()) and filename not in attached:
            yield f"attachment {filename}"
    has_body = any(part.get_content_maintype() == "text" and not part.get_filename() for part in message.walk())
    is_blank = not raw.strip()
    if has_body and not is_blank and not any((block.place.part or "").endswith("body") for block in extraction.blocks):
        yield "body"


async def _show_hostile() -> float:
    print(f"\nHostile files, each within {_HOSTILE.wall_s:.0f} s and {_HOSTILE.memory_bytes >> 20} MB")
    extractor = Extractor(Limits(ocr_s=0), _HOSTILE)
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    paths = sorted((_files() / "hostile").glob("*"))
    try:
        for path in paths:
            begun = time.perf_counter()
            outcome = await _outcome(extractor, path)
            slowest = max(slowest, time.perf_counter() - begun)
            outcomes[outcome] += 1
    finally:
        await extractor.close()
    typed = sum(count for outcome, count in outcomes.items() if outcome == "text" or outcome in _EXPECTED_REFUSALS)
    listed = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
    print(f"  {typed} of {len(paths)} end in text or a typed refusal ({listed}); the slowest after {slowest:.1f} s")
    return typed / len(paths)


async def _outcome(extractor: Extractor, path: Path) -> str:
    try:
        await extractor.extract(path, name=path.name)
    except Unreadable as refused:
        return str(refused.refusal)
    return "text"


if __name__ == "__main__":
    asyncio.run(measure())
