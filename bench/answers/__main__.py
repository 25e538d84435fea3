"""`python -m bench.answers`: ask the labelled questions without a model, and print how the answers were read.

Of the half `unseen` only totals are printed, so that nothing is made for its questions; `--show` prints its answers,
and is for those who will not change the product afterwards.
"""

import argparse
from pathlib import Path

from bench.answers.ask import Choice, ask_half
from bench.answers.documents import HALVES
from bench.answers.totals import AskedQuestion, summary, table


def main() -> None:
    """Ask, and print."""
    given = argparse.ArgumentParser(prog="python -m bench.answers", description=__doc__)
    given.add_argument("--half", choices=HALVES, action="append", help="one half only")
    given.add_argument("--kind", action="append", default=[], help="questions of this kind only; may be repeated")
    given.add_argument("--folder", action="append", default=[], help="questions and documents of this folder only")
    given.add_argument("--limit", type=int, help="so many questions of each half, from all over")
    given.add_argument("--together", type=int, default=1, help="so many questions at a time")
    given.add_argument("--peers", action="store_true", help="LlamaIndex and Haystack too; installed on first use")
    given.add_argument("--replies", type=Path, help="file of JSON lines to keep replies in; what it has is not asked")
    given.add_argument("--show", action="store_true", help="print each question with its answer, even of `unseen`")
    chosen = given.parse_args()
    choice = Choice(tuple(chosen.kind), tuple(chosen.folder), chosen.limit, chosen.peers, chosen.together)
    for half in chosen.half or HALVES:
        kept = chosen.replies.with_suffix(f".{half}.jsonl") if chosen.replies else None
        for name, asked in ask_half(half, choice, kept).items():
            if chosen.show:
                _show_answers(asked)
            elif half == "dev":
                _show_failures(asked)
            print(f"\n{half}, {name}\n{table(asked)}\n{summary(asked)}", flush=True)


def _show_failures(asked: list[AskedQuestion]) -> None:
    for each in asked:
        if each.read.why:
            print(f"{each.question.id:<22} {each.read.grade:<10} {each.question.text} — {each.read.why}")


def _show_answers(asked: list[AskedQuestion]) -> None:
    for each in asked:
        print(f"\n{each.question.id} ({each.question.form}) {each.question.text}")
        print(f"→ {each.read.grade}: {each.read.why or 'as it should be'}; confidence {each.given.confidence}")
        print("\n".join(f"   {line}" for line in each.given.text.splitlines()))
        for cited in each.given.cited:
            print(f"   [{cited.name}] {' '.join((cited.words or 'not found').split())[:300]}")


main()
