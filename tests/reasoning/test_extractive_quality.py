"""Does the extractive reasoner cite the right sentences, and nothing where nothing bears on the question?

On a small and easy sample of our own, and on public data where that stands beside the repository; the weights were
learnt on other claims than those reported here.
"""

from pathlib import Path

import pytest
from tests.support.quality import BESIDE, SAMPLE, where_there

from bench import data
from bench import evidence_quality as quality

_CLAIMS = 100


@pytest.mark.parametrize(
    ("folder", "any_hit", "false_evidence"), where_there((SAMPLE, 0.86, 0.08), (BESIDE, 0.48, 0.22))
)
async def test_on_claims_it_was_not_learnt_on_it_cites_evidence_and_abstains(
    folder: Path, any_hit: float, false_evidence: float
) -> None:
    with data.placed_at(folder):
        index, starts = quality.abstracts()
        claims = quality.read(folder / "scifact" / "claims.dev.jsonl")[:_CLAIMS]
        rates = quality.rates(claims, await quality.predict(index, starts, claims))

    assert rates.any_hit >= any_hit
    assert rates.false_evidence <= false_evidence


@pytest.mark.parametrize(
    ("folder", "language", "any_hit", "false_evidence"),
    where_there(
        (SAMPLE, "en", 0.96, 0.04),
        (SAMPLE, "de", 0.66, 0.04),
        (SAMPLE, "zh", 0.80, 0.04),
        (BESIDE, "en", 0.68, 0.16),
        (BESIDE, "de", 0.50, 0.13),
        (BESIDE, "zh", 0.40, 0.07),
    ),
)
async def test_in_other_languages_it_answers_and_abstains_alike(
    folder: Path, language: str, any_hit: float, false_evidence: float
) -> None:
    with data.placed_at(folder):
        rates = await quality.questions(language, limit=60)

    assert rates.any_hit >= any_hit
    assert rates.false_evidence <= false_evidence
