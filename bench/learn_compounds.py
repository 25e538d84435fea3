"""Which words are German compounds made of? Learns and judges the table that `intelli.retrieval.compounds` splits by.

The words are those that Tesseract's German model knows (Apache-2.0; package tesseract-ocr-deu), and a list written for
this project, which says also what is never a part. Step by step, every word is split by the table so far, and what a
part costs is counted anew. `python -m bench.learn_compounds [--words deu.words] [--half 1]`, where the words come from
`combine_tessdata -u deu.traineddata deu.` and `dawg2wordlist deu.lstm-unicharset deu.lstm-word-dawg deu.words`.
Without words, the table in use is judged.
"""

import argparse
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path

import Stemmer

from intelli.retrieval import compounds
from intelli.retrieval.compounds import NEVER, Costs, Splitter

_HERE = Path(__file__).parent
_TABLE = Path(compounds.__file__).parent / "compounds.de.tsv"
_HEADER = """\
# Words that German compounds are made of: word, cost before another word, cost as the last one (- where it never is).
# Learnt by bench.learn_compounds from the word list of Tesseract's German model, Copyright Google Inc., licensed under
# the Apache License, Version 2.0 (http://www.apache.org/licenses/LICENSE-2.0), and from words written for this project.
"""
_STEPS = 5
# How many compounds a word of the list written for this project counts as, and any other before it is found in one.
_TRUSTED, _UNSEEN = 8.0, 0.1
# Of the words that begin or end with a part, the least share whose rest must be a word as well, lest it is a syllable.
_LEAST_REST_BEFORE, _LEAST_REST_LAST = 0.5, 0.6
# A part that is no word of its own (Schul-, Fahr-) must begin so many compounds.
_LEAST_BEGUN = 3
# Letters of a word that is kept though no compound with it was listed.
_UNSEEN_LENGTH = 6
_stem: Callable[[str], str] = Stemmer.Stemmer("german").stemWord
Split = Callable[[str], tuple[str, ...]]


def learn(listed: Iterable[str]) -> dict[str, Costs]:
    """Learn the table from a list of words in their usual spelling."""
    own, never_before, never_last = _own_words()
    spellings = defaultdict[str, set[str]](set)
    for word in listed:
        if re.fullmatch("[A-Za-zäöüÄÖÜß]{4,}", word):
            spellings[word.lower()].add("all" if word.isupper() else "first" if word[0].isupper() else "none")
    nouns = {word for word, known in spellings.items() if "first" in known} | own
    words = {word for word, known in spellings.items() if known != {"all"}} | own
    befores = {word for word in words if word in nouns or len(word) > 5} - never_before
    befores |= _begun(words, befores, nouns - never_last) - never_before
    lasts = nouns - never_last
    for _ in range(3):
        befores, lasts = _without_syllables(words, own, befores, lasts)
    return _count(words, own, befores, lasts)


def _own_words() -> tuple[set[str], set[str], set[str]]:
    """The words written for this project: parts, those never before another, those never last."""
    lists = (_HERE / "compound_words.txt").read_text(encoding="utf-8").split("\n-\n")
    own, before, last = ({w for line in each.splitlines() if line[0] != "#" for w in line.split()} for each in lists)
    return own, before, last


def _begun(words: Set[str], befores: Set[str], lasts: Set[str]) -> set[str]:
    """Words that lose their ending in compounds: Schule in Schulleiter, liefern in Liefertermin."""
    begun = Counter(word[:at] for word in words for at in range(4, len(word) - 3) if word[at:] in lasts)
    shortened = {word.removesuffix(ending) for word in befores for ending in ("e", "en", "n") if word.endswith(ending)}
    return {form for form in shortened if begun[form] >= _LEAST_BEGUN}


def _without_syllables(words: Set[str], own: Set[str], befores: Set[str], lasts: Set[str]) -> tuple[set[str], set[str]]:
    """Leave out what begins or ends words whose rest is mostly none."""
    begins, ends = (defaultdict[str, list[bool]](list) for _ in range(2))
    table = Splitter(
        {word: Costs(0 if word in befores else NEVER, 0 if word in lasts else NEVER) for word in words | befores}
    )
    for word in words:
        for at in range(1, len(word) - 2):
            before, last = word[:at], word[at:]
            if before in befores:
                begins[before].append(table.base(last, is_last=True) is not None)
            if last in lasts:
                ends[last].append(at > 2 and table.base(before, is_last=False) is not None)
    return (
        {word for word in befores if word in own or _mean(begins[word]) >= _LEAST_REST_BEFORE},
        {word for word in lasts if word in own or _mean(ends[word]) >= _LEAST_REST_LAST},
    )


def _mean(found: list[bool]) -> float:
    return sum(found) / len(found) if len(found) > 1 else 1.0


def _count(words: Set[str], own: Set[str], befores: Set[str], lasts: Set[str]) -> dict[str, Costs]:
    """Split all words by the table so far, and count the parts anew; forms of one word count together."""
    given = Counter({_stem(word): _TRUSTED for word in own})
    before, last = (Counter({_stem(word): 1.0 for word in each}) + given for each in (befores, lasts))
    table: dict[str, Costs] = {}
    for _ in range(_STEPS):
        totals = before.total() + 1, last.total() + 1
        table = {
            word: Costs(
                -math.log((before[_stem(word)] + _UNSEEN) / totals[0]) if word in befores else NEVER,
                -math.log((last[_stem(word)] + _UNSEEN) / totals[1]) if word in lasts else NEVER,
            )
            for word in befores | lasts
        }
        splitter, before, last = Splitter(table), Counter(given), Counter(given)
        for word in words:
            *firsts, final = splitter.split(word)
            if firsts:
                last[_stem(splitter.base(final, is_last=True) or final)] += 1
                before.update(_stem(splitter.base(each, is_last=False) or each) for each in firsts)
    used = {word for word in table if word in own or before[_stem(word)] + last[_stem(word)] > 0}
    return _with_unseen({word: table[word] for word in used}, {word: table[word] for word in table.keys() - used})


def _with_unseen(used: dict[str, Costs], unseen: Mapping[str, Costs]) -> dict[str, Costs]:
    """Add words that were in no compound, but are none themselves, nor a form of another."""
    splitter = Splitter(used)
    for word in sorted(unseen, key=lambda each: (len(each), each)):
        is_known = any(splitter.base(word, is_last=is_last) for is_last in (True, False))
        if len(word) >= _UNSEEN_LENGTH and unseen[word].last < NEVER and not is_known and not splitter.split(word)[1:]:
            used[word] = unseen[word]
    return used


def write(table: Mapping[str, Costs]) -> None:
    rows = (f"{word}\t{_written(costs.before)}\t{_written(costs.last)}\n" for word, costs in sorted(table.items()))
    _TABLE.write_text(_HEADER + "".join(rows), encoding="utf-8")


def _written(cost: float) -> str:
    return f"{cost:.1f}" if cost < NEVER else "inf"


def judge(split: Split, *, half: int) -> dict[str, float]:
    """Precision and recall of the boundaries in one half of the labelled words, and the share split wrongly."""
    labelled, whole = (_HERE / "compounds.txt").read_text(encoding="utf-8").lower().split("\n-\n")
    labelled_compounds = [word for line in labelled.splitlines() if line[0] != "#" for word in line.split()][half::2]
    right = found = wanted = 0
    for each in labelled_compounds:
        must, may = _ends(each.replace("+", "").split("|")), _ends(re.split("[|+]", each))
        got = _ends(split(re.sub("[|+]", "", each)))
        right, found, wanted = right + len(got & must), found + len(got - may | got & must), wanted + len(must)
        if not must <= got <= may:
            print(f"{each} but found {'|'.join(split(re.sub('[|+]', '', each)))}")
    names = whole.split()[half::2]
    wrong = ["|".join(split(word)) for word in names if len(split(word)) > 1]
    print(f"split wrongly: {' '.join(wrong)}")
    return {"precision": right / max(1, found), "recall": right / wanted, "split wrongly": len(wrong) / len(names)}


def _ends(parts: Iterable[str]) -> set[int]:
    ends, at = set[int](), 0
    for part in [*parts][:-1]:
        at += len(part)
        ends.add(at)
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.learn_compounds", description=__doc__)
    parser.add_argument("--words", type=Path, help="a list of German words, one a line")
    parser.add_argument("--half", type=int, choices=(0, 1), default=0, help="0: development, 1: test")
    given = parser.parse_args()
    if given.words:
        write(learn(given.words.read_text(encoding="utf-8").split()))
    splitter = compounds.splitter("de")
    assert splitter is not None
    print(judge(splitter.split, half=given.half))


if __name__ == "__main__":
    main()
