"""Names of figures, against a list written by hand: wrong is worse than missing.

A row has a sentence, a figure of it, its right name and its period. Words in brackets may be part of the name, a name
after a question mark may be left out, `none` must be, and a star stands for any period.
"""

import csv
import re
from collections import Counter
from pathlib import Path

from intelli.reasoning.extractive import measures
from intelli.reasoning.values import QuotedFinding, QuotedMetric

_LITTLE = set(
    re.findall(r"\w+", "the a an of for in at by per to on der die das den dem des f\u00fcr im auf from and with")
)
_LABELLED = Path(__file__).with_name("measured.tsv")


def _words(text: str) -> set[str]:
    return set(re.findall(r"[\w-]+", text.lower())) - _LITTLE


def _labelled() -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {}
    with _LABELLED.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            found.setdefault(row["sentence"], {})[row["figure"]] = (row["name"], row["period"])
    return found


def _is_right(measure: QuotedMetric, name: str, period: str) -> bool:
    may = re.search(r"\((.*)\)", name)
    core = _words(re.sub(r"\(.*\)", "", name.lstrip("?")))
    said = _words(measure.name)
    is_named = core <= said <= core | (_words(may[1]) if may else set())
    return is_named and period in {"*", measure.period}


def test_a_figure_says_what_it_measures_or_has_no_card():
    count: Counter[str] = Counter()
    wrong = []
    for sentence, labels in _labelled().items():
        finding = QuotedFinding(text=sentence, identifier="f", quote=sentence, relevance=0.5)
        given = {each.value: each for each in measures.measures_of([finding])}
        for figure, (name, period) in labels.items():
            measure = given.pop(figure, None)
            if measure is None:
                count["missing" if name != "none" and not name.startswith("?") else "rightly none"] += 1
            elif name != "none" and _is_right(measure, name, period):
                count["right"] += 1
            else:
                wrong.append((measure.name, measure.period, sentence))
        wrong += [(each.name, each.period, sentence) for each in given.values()]
    assert wrong == []
    assert count["missing"] <= 2, count
    assert count["right"] >= 81, count


def test_a_year_and_a_number_behind_it_are_two():
    finding = QuotedFinding(text="In 2025 300 people were employed.", identifier="f", quote="", relevance=0.5)
    assert [(each.value, each.period) for each in measures.measures_of([finding])] == [("300 people", "2025")]
