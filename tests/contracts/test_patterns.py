"""No text stalls the process: every regular expression of the package takes a time that grows with the text alone."""

import re
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest
from tests.contracts import attacks, patterns
from tests.contracts.patterns import Found

from intelli.citations import parse
from intelli.language import negation
from intelli.language.notation import Decimals
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.extract import ExtractInput

# Arguments for the functions that build a pattern from their parameters.
_SAMPLES: dict[str, list[dict[str, Any]]] = {
    "intelli.citations.figures._month_name": [{"month": 5}],
    "intelli.citations.own_words._pattern": [{"name": name} for name in ("absence", "own")],
    "intelli.citations.parse.closing_pattern": [{"fence": parse.FENCE.match(marks)} for marks in ("```", "~~~~~")],
    "intelli.deliverables.forms.docx.open_report._quotes": [{"footnotes": {}}],
    "intelli.deliverables.quantities._standing": [{"written": "1 a", "known": [], "quote": "", "unit": ""}],
    "intelli.reasoning.evidence_rules._pattern": [
        {"name": name} for name in ("supposed", "wished", "ordered", "corrected", "own")
    ],
    "intelli.reasoning.quotes.find_quote": [{"quote": quote, "text": ""} for quote in ("a", "a b a")],
    "intelli.reasoning.extractive.question._patterns": [
        {"part": part} for part in ("kinds", "extremes", "signs", "leaning")
    ],
    "intelli.reasoning.table_answers.question._patterns": [
        {"part": part}
        for part in ("operations", "hints", "conditions", "columns", "outdated", "refused", "refused_in_english")
    ],
    "intelli.language.negation._pattern": [{"words": negation.negations()}],
    "intelli.language.notation._plainly": [
        {"mark": Decimals.POINT, "other": Decimals.COMMA},
        {"mark": Decimals.COMMA, "other": Decimals.POINT},
    ],
    "intelli.reasoning.without_model.fact_patterns.declared": [
        {
            "asked": ExtractInput(
                passage=SourceText(identifier="a", title="", text="Ann works for Acme."), relations=("works for",)
            )
        }
    ],
    "intelli.web.body_filter.BodyFilter.__init__": [
        {"self": SimpleNamespace(), "app": None, "limit_bytes": 1, "uploads": ["/a/*/b"]}
    ],
}
# Patterns that meet a text of at most so many characters, as their callers see to, and what they may take for one.
_CUT = {
    "intelli.reasoning.without_model.commands._shapes": 2_000,
    "intelli.reasoning.without_model.commands._unclear": 2_000,
    "intelli.reasoning.without_model.facets._OF_EACH": 300,
    "intelli.reasoning.without_model.facets._OF_TWO": 300,
    "intelli.reasoning.without_model.facets._ABOUT_TWO": 300,
    "intelli.reasoning.without_model.facets._WENT": 300,
}
_BRIEF_S = 0.1


def test_the_walk_reaches_every_pattern_of_the_package():
    _, unreached = _found()
    assert unreached == []


def test_no_pattern_grows_faster_than_the_text():
    slow = {
        (found.place, found.pattern.pattern): attack
        for found in _distinct()
        if _name(found) not in _CUT and (attack := attacks.slowest(found.pattern, sorted(found.modes)))
    }
    assert slow == {}


def test_a_pattern_for_short_texts_is_brief_on_the_longest():
    cut = [found for found in _distinct() if _name(found) in _CUT]
    assert {_name(found) for found in cut} == set(_CUT)
    slow = {
        (found.place, attack): taken
        for found in cut
        for mode in sorted(found.modes)
        for attack in attacks.attacks(found.pattern, mode)
        if (taken := attacks.seconds(found.pattern, attack, _CUT[_name(found)])) > _BRIEF_S
    }
    assert slow == {}


@pytest.mark.parametrize(
    ("pattern", "mode"),
    [
        (r"\s+$", "sweep"),
        (r"\s+$", "search"),
        (r"<b>.*?</b>", "sweep"),
        (r"^\W*(?:please)?\W*(?:write|draw)\b", "match"),
        (r"(?P<one>.+?)\s+versus\s+(?P<other>.+)", "fullmatch"),
        (r"[^\W_]+(?:_+[^\W_]+)+", "search"),
        (r"(?m)^\s*[-*]\s+", "search"),
        (r"^\|?[\s:|-]*-{2,}[\s:|-]*$", "match"),
        (r"\s*\s*\s*x", "match"),
        (r"^[^,]+, [^,]+ and [^,]+? of", "search"),
        (r"(a+)+$", "match"),
        (r"(?:a|aa)+$", "match"),
        (r"(?:\w+\s?)*:", "fullmatch"),
        (r'"(?:[^"]|"")*";', "search"),
    ],
)
def test_a_pattern_that_backtracks_is_found(pattern: str, mode: str):
    assert attacks.slowest(re.compile(pattern), [mode]) is not None


@pytest.mark.parametrize(
    ("pattern", "mode"),
    [
        (r"(?<!\s)\s++$", "sweep"),
        (r"a+b", "match"),
        (r"\w+", "sweep"),
        (r"^\s*[-*]\s+", "match"),
        (r"^\W*+(?:please)?+\W*+(?:write|draw)\b", "match"),
        (r"(?<![^\W_])[^\W_]++(?:_++[^\W_]++)++", "search"),
        (r"\[[^\]\n]{0,50}\]\(", "sweep"),
        (r"\b(?:what|how|which|who|when|where|why|was|wie|wer|wann|wo|warum)\b", "sweep"),
        (rb"[\x80-\xff]+", "sweep"),
    ],
)
def test_a_pattern_that_reads_a_text_once_passes(pattern: str, mode: str):
    assert attacks.slowest(re.compile(pattern), [mode]) is None


@cache
def _found() -> tuple[list[Found], list[str]]:
    return patterns.all_patterns(_SAMPLES)


def _distinct() -> list[Found]:
    """The patterns of the package, each way of using one once."""
    return list({(found.pattern, found.modes): found for found in _found()[0]}.values())


def _name(found: Found) -> str:
    return found.place.rpartition(":")[0]
