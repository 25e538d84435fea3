"""Does the extractive reasoner cite the right sentences, and nothing where nothing bears on the question?

On public data that stands beside the repository; the weights were learnt on other claims than those reported here.
"""

import pytest

from bench import data
from bench import evidence_quality as quality

pytestmark = pytest.mark.skipif(not data.folder().is_dir(), reason="the evaluation data is not beside the repository")
_CLAIMS = 100


async def test_on_claims_it_was_not_learnt_on_it_cites_evidence_and_abstains() -> None:
    index, starts = quality.abstracts()
    claims = quality.read(data.folder() / "scifact" / "claims.dev.jsonl")[:_CLAIMS]
    rates = quality.rates(claims, await quality.predict(index, starts, claims))

    assert rates.any_hit >= 0.50
    assert rates.false_evidence <= 0.35


@pytest.mark.parametrize(("language", "any_hit"), [("en", 0.65), ("de", 0.45), ("zh", 0.45)])
async def test_in_other_languages_it_answers_and_abstains_alike(language: str, any_hit: float) -> None:
    rates = await quality.questions(language, limit=60)

    assert rates.any_hit >= any_hit
    assert rates.false_evidence <= 0.35
