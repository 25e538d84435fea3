"""An entailment model judges behind the same port as a language model: sure words count, weak judges do not."""

from collections.abc import Sequence

import pytest

from intelli.citations import prove
from intelli.citations.entailment_judge import EntailmentJudge
from intelli.citations.judge import judge_open
from intelli.citations.parse import tag
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.citations.wire import Check, JudgedBy
from intelli.content.passage import Passage
from intelli.content.span import Span
from intelli.reasoning.adapters.onnx_entailment import OnnxEntailment
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Entailment

TEXT = "The harbour was closed for eleven days because of the storm. Repairs of the pier cost 212,000 euros in 2024."
SHA = "a" * 64
STATED = f"A storm shut the port for almost two weeks. {tag('p')}"


class Words:
    """An entailment model that knows copied sentences, and says of all others what it is told to."""

    def __init__(self, otherwise: Entailment, *, knows_copies: bool = True) -> None:
        self._otherwise = otherwise
        self._knows_copies = knows_copies

    async def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Entailment]:
        sure, no = Entailment(0.97, 0.01, 0.02), Entailment(0.02, 0.96, 0.02)
        return [
            (sure if statement in source else no)
            if self._knows_copies and ("212" in statement or "closed" in statement or "cost" in statement)
            else self._otherwise
            for source, statement in pairs
        ]


async def _judged(model: Words) -> tuple[prove.CheckedStatement, tuple[str, ...]]:
    passage = Passage(Span(SHA, 0, len(TEXT)), TEXT, title="log.txt", path="", mime_type="text/plain", score=1.0)
    material = ProofMaterial({"p": passage}, {SHA: StoredText(SHA, TEXT, is_whole=True)})
    citing = prove.read(STATED)
    judged = await judge_open(citing, prove.examine(citing, material), material, EntailmentJudge(model, sure=0.9))
    return judged.statements[0], judged.problems


@pytest.mark.parametrize(
    ("told", "check", "judged_by"),
    [
        (Entailment(0.95, 0.01, 0.04), Check.VERIFIED, JudgedBy.ENTAILMENT),
        (Entailment(0.02, 0.95, 0.03), Check.FAILED, JudgedBy.ENTAILMENT),
        (Entailment(0.60, 0.05, 0.35), Check.WEAK, JudgedBy.RULES),
    ],
)
async def test_what_the_model_is_sure_of_decides_and_nothing_else(told: Entailment, check: Check, judged_by: JudgedBy):
    checked, problems = await _judged(Words(told))
    assert (checked.check, checked.judged_by, problems) == (check, judged_by, ())


async def test_a_model_that_misjudges_a_copied_sentence_is_not_used():
    checked, problems = await _judged(Words(Entailment(0.95, 0.02, 0.03), knows_copies=False))
    assert checked.check is Check.WEAK
    assert problems


async def test_a_folder_without_a_model_says_what_belongs_there(tmp_path):
    with pytest.raises(EmbeddingNotInstalled, match=r"lacks .*model.onnx"):
        await OnnxEntailment(str(tmp_path)).judge([("a", "b")])
