"""Check a text: rules first, then a judge for what they leave open. Nothing is saved here."""

from dataclasses import dataclass

from intelli.citations import prove
from intelli.citations.judge import Judge, JudgedText, judge_open
from intelli.citations.prove import CitingText, ProofMaterial, ProvenText
from intelli.kit.compute import Compute


@dataclass(frozen=True, slots=True)
class CheckedText:
    """A text with its verdicts, and the problems that the judge had."""

    proven: ProvenText
    problems: tuple[str, ...] = ()


async def check_text(
    citing: CitingText, material: ProofMaterial, *, judge: Judge | None, compute: Compute
) -> CheckedText:
    """Check every statement of a text against what it cites."""
    checked = await compute.run(prove.examine, citing, material.without_maps)
    judged = await judge_open(citing, checked, material, judge) if judge is not None else JudgedText(checked)
    return CheckedText(prove.proven(citing, judged.statements, material), judged.problems)
