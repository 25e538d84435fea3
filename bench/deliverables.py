"""How long does each form of a report of thirty pages take, and how much memory, beside WeasyPrint for the PDF?

`python -m bench.deliverables` composes a report of 300 statements with 20 charts and 20 tables, renders every form in
a process that is new each time, as the product does, and lets WeasyPrint print the HTML form. `--alone` leaves it out.
"""

import argparse
import asyncio
import os
import subprocess
import sys
import time
from datetime import date
from decimal import Decimal
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from uuid import UUID

from bench import peers
from bench.figures import Comparison, Size, show
from intelli.deliverables import gml
from intelli.deliverables.brief import Cell, Cited, DataBrief, Finding, ListedSource, Metric, Point, Series, Table
from intelli.deliverables.forms import FORMS
from intelli.deliverables.kinds import compose, kind_of
from intelli.deliverables.rendering import RenderRequest

QUESTION = "How long does each form of a report of thirty pages take, and how much memory? Less is better."
_STATEMENTS, _EXHIBITS, _SOURCES = 300, 20, 12
_ROUNDS = 3
_SENTENCE = (
    "In region {0} the share of trips by electric truck came to {1}.{2} percent in the year, which the operators "
    "explain with the price of charging at the depots and with the distance to the next terminal."
)


def brief(statements: int = _STATEMENTS) -> DataBrief:
    """A brief as long as a report of thirty pages, or shorter."""
    exhibits = min(_EXHIBITS, statements)
    sources = [
        ListedSource(
            number=n,
            document_id=UUID(int=n),
            file_name=f"source-{n}.pdf",
            mime_type="application/pdf",
            sha256=f"{n:064x}",
        )
        for n in range(1, _SOURCES + 1)
    ]
    texts = [_SENTENCE.format(n, 10 + n % 80, n % 10) for n in range(statements)]
    marks = [f"{n:016x}.{n * 10}-{n * 10 + 9}" for n in range(statements)]
    cited = [
        Cited(
            id=str(UUID(int=n)),
            identifier=mark,
            source=1 + n % _SOURCES,
            quote=text,
            page=1 + n % 90,
            check="verified",
            char_start=n * 10,
            char_end=n * 10 + 9,
            text_sha256=f"{n:064x}",
        )
        for n, (mark, text) in enumerate(zip(marks, texts, strict=True))
    ]
    series = [
        Series(
            key=f"s{n}",
            title=f"Share of region {n}",
            unit="percent",
            points=tuple(Point(label=str(2015 + y), value=Decimal(n + y * 3), citation=marks[n]) for y in range(10)),
        )
        for n in range(exhibits)
    ]
    tables = [
        Table(
            key=f"t{n}",
            title=f"Trips in region {n}",
            columns=("Month", "Trips", "Share"),
            rows=tuple(
                (Cell(text=f"{m}/2025"), Cell(text=str(m * 7)), Cell(text=f"{m} %", citation=marks[n]))
                for m in range(1, 13)
            ),
        )
        for n in range(exhibits)
    ]
    findings = [
        Finding(text=text, citations=(mark,), task=f"Question {n // 30}")
        for n, (text, mark) in enumerate(zip(texts, marks, strict=True))
    ]
    metrics = [
        Metric(
            key=f"m{n}", name=f"Share {n}", value=Decimal(n), unit="%", period="2025", shown=f"{n}%", citation=marks[n]
        )
        for n in range(min(8, statements))
    ]
    return DataBrief(
        title="Electric trucks in regional freight",
        question="How far has freight been electrified?",
        summary=tuple(findings[:3]),
        findings=tuple(findings),
        metrics=tuple(metrics),
        series=tuple(series),
        tables=tuple(tables),
        sources=tuple(sources),
        citations=tuple(cited),
        made_on=date(2026, 11, 16),
    )


async def measure(size: Size = Size.USUAL, *, is_alone: bool = False) -> list[Comparison]:
    """Every form, and the peer's PDF; at the smallest size the two that take least."""
    report = brief(size.of(_STATEMENTS, 3))
    text = gml.write(compose(kind_of("REPORT"), report))
    rounds = size.of(_ROUNDS, 1)
    taken: dict[str, tuple[float, float, float, bytes]] = {}
    for name in size.of(tuple(FORMS), ("md", "html")):
        request = RenderRequest(form=name, brief=report, gml=text).model_dump_json().encode()
        taken[name] = _median([sys.executable, "-m", "intelli.deliverables.rendering"], request, rounds)
    if size is Size.USUAL and not is_alone:
        with TemporaryDirectory() as folder:
            page = Path(folder) / "report.html"
            page.write_bytes(taken["html"][3])
            taken["weasyprint"] = _median([*peers.program("weasyprint_pdf"), str(page)], b"", rounds)
    return [
        Comparison("wall time", "s", {name: each[0] for name, each in taken.items()}),
        Comparison("CPU time", "s", {name: each[1] for name, each in taken.items()}),
        Comparison("peak memory", "MB", {name: each[2] / 1e6 for name, each in taken.items()}),
        Comparison("file", "kB", {name: len(each[3]) / 1000 for name, each in taken.items()}),
    ]


def _median(command: list[str], request: bytes, rounds: int) -> tuple[float, float, float, bytes]:
    """Run a program some times: the medians of what it took, and what it made."""
    found = [_once(command, request) for _ in range(rounds)]
    seconds, cpu, peak = (median(each[at] for each in found) for at in range(3))
    return seconds, cpu, peak, found[-1][3]


def _once(command: list[str], request: bytes) -> tuple[float, float, float, bytes]:
    begun = time.perf_counter()
    with TemporaryDirectory() as folder:
        given, out = Path(folder) / "in", Path(folder) / "out"
        given.write_bytes(request)
        with given.open("rb") as stdin, out.open("wb") as stdout:
            process = subprocess.Popen(command, stdin=stdin, stdout=stdout)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise RuntimeError(f"{' '.join(command[:3])} ended with {process.returncode}")
        taken = time.perf_counter() - begun
        return taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024.0, out.read_bytes()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench.deliverables", description=__doc__)
    parser.add_argument("--alone", action="store_true", help="leave the peer out")
    show(QUESTION, asyncio.run(measure(is_alone=parser.parse_args().alone)))
