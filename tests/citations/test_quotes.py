"""Finding a quote again: true ones after the documented normalisation, and never one that was changed."""

import random
import re
from pathlib import Path

import pytest
from tests.citations.texts import abstracts
from tests.support.quality import BESIDE, SAMPLE, where_there

from intelli.language.quotes import MatchMethod, QuoteIndex, says_the_same

TEXT = (
    "Revenue came to 412.7 million euros in 2025, after 389.2\nmil-\nlion in 2024. "
    "Loss was -5.3 % (p < 0.05). The \ufb01rst caf\u00e9 said \u201cno\u201d."
)


@pytest.mark.parametrize(
    "quote",
    [
        "Revenue came to 412.7 million euros in 2025",
        "revenue  came to \u201c412.7 million euros\u201d",
        "after 389.2 million in 2024",
        "Loss was \u22125.3 % (p<0.05)",
        "The first cafe said 'no'",
    ],
)
def test_space_hyphens_quotation_marks_case_and_ligatures_do_not_count(quote: str):
    hit = QuoteIndex(TEXT).find(quote)
    assert hit is not None
    assert says_the_same(TEXT[hit.start : hit.end], quote)


@pytest.mark.parametrize(
    "quote",
    [
        "Revenue came to 412,7 million euros",
        "Revenue came to 41.27 million euros",
        "Revenue came to 413.7 million euros",
        "Revenue came to 412.7 billion euros",
        "Loss was 5.3 %",
        "Loss was -5.3",
        "0.05). The first",
        "p > 0.05",
        "The first & caf\u00e9",
        "The first&caf\u00e9 said",
        "2.7 million euros",
        "Revenue came to 412",
        "venue came to 412.7 million",
        "euros million came to 412.7",
        "",
        "!!",
    ],
)
def test_another_digit_separator_sign_word_or_order_is_another_quote(quote: str):
    assert QuoteIndex(TEXT).find(quote) is None


def test_what_was_left_out_may_be_left_out():
    hit = QuoteIndex(TEXT).find("Revenue came to [\u2026] 389.2 million in 2024")
    assert hit is not None
    assert hit.method is MatchMethod.ELIDED
    assert QuoteIndex(TEXT).find("389.2 million in 2024 \u2026 Revenue came to 412.7") is None


def test_a_quote_is_looked_for_within_a_part_of_the_text():
    text = "It rose by 5 percent. It rose by 5 percent."
    hit = QuoteIndex(text).find("It rose by 5 percent", within=(10, len(text)))
    assert hit is not None
    assert hit.start == 22


@pytest.mark.parametrize(("folder", "least"), where_there((SAMPLE, 100), (BESIDE, 300)))
def test_true_quotes_are_found_and_changed_ones_never(folder: Path, least: int):
    """Sentences of abstracts as a model would copy them, and as one would get them wrong."""
    chance = random.Random(7)
    true = found = 0
    for sentences in abstracts(folder, 60):
        index = QuoteIndex(" ".join(sentences))
        for sentence in sentences:
            if len(sentence) < 20:
                continue
            true += 1
            found += index.find(_retyped(sentence, chance)) is not None
            for changed in _changes(sentence, chance):
                assert index.find(changed) is None, (sentence, changed)
    assert true > least
    assert found / true >= 0.99


def _retyped(text: str, chance: random.Random) -> str:
    text = text.replace('"', "\u201c").replace("'", "\u2019").replace("-", chance.choice("-\u2010\u2013"))
    text = re.sub(" ", lambda _: chance.choice([" ", "  ", "\n", "\u00a0"]), text)
    words = text.split(" ")
    number = chance.randrange(len(words))
    if len(words[number]) > 6 and words[number].isalpha():
        words[number] = f"{words[number][:3]}-\n{words[number][3:]}"
    text = " ".join(words)
    return text.upper() if chance.random() < 0.2 else text.rstrip(".")


_SIGNS = {" and ": " & ", " & ": " and ", "&": "", "%": "", "<": ">", ">": "<", "=": "<", "+": "", "\u00b1": "+"}


def _changes(text: str, chance: random.Random) -> list[str]:
    words = text.split(" ")
    letters = [number for number, word in enumerate(words[:-1]) if word.isalpha()]
    changed = []
    if digits := [at for at, character in enumerate(text) if character.isdecimal()]:
        at = chance.choice(digits)
        changed.append(f"{text[:at]}{(int(text[at]) + chance.randrange(1, 10)) % 10}{text[at + 1 :]}")
    if len(letters) > 3:
        at = chance.choice(letters[1:])
        changed += [
            " ".join([*words[:at], *words[at + 1 :]]),
            " ".join([*words[:at], f"{words[at]}x", *words[at + 1 :]]),
            " ".join([*words[:at], "not", *words[at:]]),
        ]
        changed += [
            " ".join([*words[:at], "&", *words[at:]]),
            " ".join([*words[:at], f"{words[at]}&{words[at + 1]}", *words[at + 2 :]]),
        ]
        if words[at] != words[at + 1] and words[at + 1].isalpha():
            changed.append(" ".join([*words[:at], words[at + 1], words[at], *words[at + 2 :]]))
    for sign, other in _SIGNS.items():
        if sign in text:
            changed.append(text.replace(sign, other, 1))
    return changed
