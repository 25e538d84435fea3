"""Does the check say rightly which statements their sources support?

`python -m bench.check` checks the labelled statements of `bench/check_data` by rules alone, the half that was seen
while building beside the other, and SciFact's development claims against the sentences that experts marked. With
`--judge URL` a model behind that address judges what rules leave open, as in a run; `--judged FILE` takes what a judge
said before. Reported are the true ones called failed (false alarms), the false ones called verified (passed), what is
left to the reader, both measures of ALCE, and the speed. A statement that is bound to another source than the one it
cites counts as failed there.
"""

import argparse
import asyncio
import hashlib
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench import check_sets, data
from bench.check_sets import Item, LabelledSet
from bench.figures import Comparison, Size, show
from intelli.citations import prove
from intelli.citations.check import CheckedStatement
from intelli.citations.judge import Judge, JudgeCall, judge_open
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.citations.wire import Check, JudgedBy
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.errors import ReasoningFailed
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.verbs.judge import JudgeInput, Judgement, Judgements, StatementToJudge, Verdict

QUESTION = "Does the check say rightly which statements their sources support?"
# As many statements as a long answer has.
_A_TEXT = 22
Outcomes = dict[Item, Check]


class AskedJudge:
    """Judge behind an endpoint that speaks OpenAI's protocol; what it said is recorded in a file and not asked again.

    `weak` counts calls in which it misjudged a control, `failed` those without a usable reply.
    """

    judged_by = JudgedBy.MODEL

    def __init__(self, record: Path, url: str | None, name: str) -> None:
        self._record = record
        self._reasoner = ModelReasoner(_settings(url, name)) if url else None
        self._known = {(each.text, each.cited): each for each in _recorded(record)}
        self.weak = 0
        self.failed = 0

    async def recall(self, statement: StatementToJudge) -> Judgement | None:
        """Return what was recorded of a statement."""
        return self._known.get((statement.text, statement.sources))

    async def __call__(self, call: JudgeCall) -> Judgements | None:
        """Ask the model, and record what it says."""
        if self._reasoner is None:
            self.failed += 1
            return None
        try:
            given, _ = await self._reasoner.do(JudgeInput(statements=call.statements, passages=call.passages))
        except ReasoningFailed:
            self.failed += 1
            return None
        self.weak += not given.is_sound
        with self._record.open("a", encoding="utf-8") as file:
            file.writelines(f"{each.model_dump_json()}\n" for each in given.judgements if each.is_true is None)
        return given


def _settings(url: str, name: str) -> ModelSettings:
    size = {"context_tokens": 64_000, "output_tokens": 8_000}
    return ModelSettings.model_validate({"base_url": url, "name": name, "timeout_s": 3000, "concurrency": 1, **size})


def _recorded(path: Path) -> list[Judgement]:
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [Judgement.model_validate_json(line) for line in lines]


async def measure(size: Size) -> list[Comparison]:
    """Measure the check by rules on both halves, on SciFact, and its speed."""
    found = []
    for half in check_sets.HALVES:
        given = check_sets.load(half)[: size.of(None, 1)]
        found += _figures(half, (await _check(given, None))[0])
    return [*found, _scifact(size), _speed(check_sets.load("seen"), size)]


async def _check(sets: Sequence[LabelledSet], judge: Judge | None) -> tuple[Outcomes, list[CheckedStatement]]:
    """What the check of each item came to, and the statements of the true ones."""
    outcomes: Outcomes = {}
    true: list[CheckedStatement] = []
    texts = [(each, check_sets.join(items)) for each in sets for items in _portions(each.items)]
    judged = await asyncio.gather(*(_check_text(each.material, joined.text, judge) for each, joined in texts))
    for (_, joined), checked in zip(texts, judged, strict=True):
        outcomes |= dict(check_sets.outcomes(joined, checked))
        true += check_sets.of_true_items(joined, checked)
    return outcomes, true


def _portions(items: Sequence[Item]) -> Iterator[Sequence[Item]]:
    """Texts of mixed items, so that their order tells a judge nothing."""
    mixed = sorted(items, key=lambda item: hashlib.sha256(item.text.encode()).digest())
    for at in range(0, len(mixed), _A_TEXT):
        yield mixed[at : at + _A_TEXT]


async def _check_text(material: ProofMaterial, text: str, judge: Judge | None) -> Sequence[CheckedStatement]:
    citing = prove.read(text)
    checked = prove.examine(citing, material)
    return checked if judge is None else (await judge_open(citing, checked, material, judge)).statements


def _share(outcomes: Outcomes, *, is_true: bool, check: Check) -> float:
    mine = [found for item, found in outcomes.items() if item.is_true is is_true]
    return 100 * mine.count(check) / len(mine) if mine else 0.0


def _figures(half: str, outcomes: Outcomes) -> list[Comparison]:
    ways = {
        "true ones called failed": _share(outcomes, is_true=True, check=Check.FAILED),
        "true ones called verified": _share(outcomes, is_true=True, check=Check.VERIFIED),
        "true ones left to the reader": _share(outcomes, is_true=True, check=Check.WEAK),
        "false ones called verified": _share(outcomes, is_true=False, check=Check.VERIFIED),
        "false ones called failed": _share(outcomes, is_true=False, check=Check.FAILED),
        "false ones left to the reader": _share(outcomes, is_true=False, check=Check.WEAK),
    }
    return [Comparison(f"{half}: {len(outcomes)} labelled statements", "%", ways)]


def _scifact(size: Size) -> Comparison:
    """Expert-written claims beside the sentences that support or contradict them."""
    folder = data.folder() / "scifact"
    abstracts = {str(row["_id"]): row for row in _rows(folder / "corpus.jsonl")}
    counts: dict[str, Counter[Check]] = defaultdict(Counter)
    for row in _rows(folder / "claims.dev.jsonl")[: size.of(None, 5)]:
        for document, marked in row["evidence"].items():
            chosen = [sentence for each in marked for sentence in each["sentences"]]
            said = abstracts[document]["sentences"]
            text = " ".join(said[at] for at in sorted(set(chosen)) if at < len(said))
            (checked,) = prove.examine(*_claim(row["claim"], text))
            counts[marked[0].get("label", "SUPPORT")][checked.check] += 1
    ways = {
        f"{label.lower()}: {check}": 100 * counts[label][check] / max(counts[label].total(), 1)
        for label in counts
        for check in (Check.VERIFIED, Check.WEAK, Check.FAILED)
    }
    return Comparison("SciFact: claims beside their evidence, by rules", "%", ways or {"none": 0.0})


def _claim(claim: str, text: str) -> tuple[prove.CitingText, ProofMaterial]:
    passage = Passage(Span("0" * 64, 0, len(text)), text, title="", path="", mime_type="text/plain", score=1.0)
    stated = prove.CitedStatement(claim, (0,), 0, len(claim))
    return (
        prove.CitingText(claim, (stated,), ("evidence",)),
        ProofMaterial({"evidence": passage}, {"0" * 64: StoredText("", text, is_whole=True)}),
    )


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _speed(sets: Sequence[LabelledSet], size: Size) -> Comparison:
    """Statements a second on one core, with the sources read anew and with sources that are known."""
    rates: dict[str, float] = {}
    for name in ("sources read anew", "sources known")[: size.of(2, 1)]:
        began, count = time.perf_counter(), 0
        for each in sets:
            for items in _portions(each.items):
                count += len(prove.examine(prove.read(check_sets.join(items).text), each.material))
        rates[name] = count / (time.perf_counter() - began)
    return Comparison("speed of rules", "a second", rates)


def _by_kind(outcomes: Outcomes) -> None:
    kinds: dict[tuple[bool, str], Counter[Check]] = defaultdict(Counter)
    for item, check in outcomes.items():
        kinds[not item.is_true, item.kind][check] += 1
    for (is_false, kind), counts in sorted(kinds.items()):
        told = ", ".join(f"{check} {counts[check]}" for check in Check if counts[check])
        print(f"    {'false' if is_false else 'true':<6}{kind:<16}{told}")


def _balance(outcomes: Outcomes) -> float:
    """Balanced accuracy, where only what is verified counts as supported."""
    right = _share(outcomes, is_true=True, check=Check.VERIFIED)
    return (right + 100 - _share(outcomes, is_true=False, check=Check.VERIFIED)) / 2


def _alce(checked: Sequence[CheckedStatement]) -> Mapping[str, float]:
    """Recall: statements that follow from all they cite. Precision: citations that carry a part of such a statement."""
    cited = [each for each in checked if each.statement.ordinals]
    held = [each for each in cited if each.verdict is Verdict.SUPPORTED]
    marks = sum(len(each.statement.ordinals) for each in held)
    carried = sum(len(each.carried_by) for each in held)
    return {"recall": 100 * len(held) / max(len(cited), 1), "precision": 100 * carried / max(marks, 1)}


async def main() -> None:
    """Check one half or both, with a judge if one is named, and print every kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=check_sets.HALVES, action="append")
    parser.add_argument("--set", action="append", help="a set by its name")
    parser.add_argument("--judge", metavar="URL", help="address of a model, up to and with its version")
    parser.add_argument("--judged", type=Path, metavar="FILE", help="what a judge said; new judgements are added to it")
    parser.add_argument("--model", default="judge", help="name of the model there")
    parser.add_argument("--wrong", action="store_true", help="list what was called wrongly")
    given = parser.parse_args()
    record = given.judged or check_sets.FOLDER / "judged.jsonl"
    judge = AskedJudge(record, given.judge, given.model) if given.judge or given.judged else None
    for half in given.half or check_sets.HALVES:
        sets = [each for each in check_sets.load(half) if not given.set or each.name in given.set]
        outcomes, checked = await _check(sets, judge)
        show(f"{half}: {', '.join(each.name for each in sets)}", _figures(half, outcomes))
        _by_kind(outcomes)
        told = ", ".join(f"{name} {share:.1f} %" for name, share in _alce(checked).items())
        print(f"    balanced accuracy {_balance(outcomes):.1f} %; ALCE over the true statements: {told}")
        if judge is not None:
            print(f"    calls with a misjudged control: {judge.weak}; without a usable reply: {judge.failed}")
        for item, check in outcomes.items() if given.wrong else ():
            if check is (Check.FAILED if item.is_true else Check.VERIFIED):
                print(f"    {item.id} {item.kind}: {item.text}")


if __name__ == "__main__":
    asyncio.run(main())
