"""`intelli recheck`: checks the citations of a Word report that a person has edited."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from intelli.cli import output
from intelli.cli.error_exit import ExitCode
from intelli.cli.options import AsJson, Data

if TYPE_CHECKING:
    from intelli.deliverables.recheck.report import RecheckedSentence, RecheckReport

# The verdicts have the words and signs that every check has.
_OUTCOMES = {"supported": "supported", "unconfirmed": "weak", "unsupported": "not_supported"}
_UNRECORDED = (
    "This file does not know any more what it said at first: the program that saved it has not kept that, as when a "
    "report goes through another format. Its sentences were held against their quotes alone. What cannot be confirmed "
    "may have stood there from the beginning, and what was taken out is not seen."
)
Report = Annotated[
    Path,
    typer.Argument(help="A report in Word's form that Intelli wrote.", exists=True, dir_okay=False, show_default=False),
]
Bundle = Annotated[
    Path | None,
    typer.Option(
        "--bundle",
        help="The evidence bundle of the report: quotes are then taken from there, not from the file.",
        show_default=False,
    ),
]


def recheck(report: Report, bundle: Bundle = None, data: Data = None, as_json: AsJson = False) -> None:
    """Check the sentences of an edited Word report against what they cite; end with 1 when one is to be looked at.

    To be looked at is what is not as it was and is not borne out by its quote, and what was taken out. Headings and
    captions count.

    It needs the file alone: no server, no database and no network.
    """
    from intelli.deliverables.bundle import quotes
    from intelli.deliverables.recheck.report import recheck as check

    found = check(report, quotes.read_quotes(bundle) if bundle is not None else None)
    if as_json:
        output.write_json(found)
    else:
        _print_report(found)
    if not found.is_settled:
        raise typer.Exit(ExitCode.FAILED)


def _print_report(found: "RecheckReport") -> None:
    if not found.is_recorded:
        _print_unrecorded(found)
        return
    for sentence in found.sentences:
        if sentence.standing != "unchanged":
            _print_sentence(sentence, _words())
    for text in found.removed:
        output.line(f"removed: {text}")
    output.line(f"{_counts(found, _words())}; {len(found.removed)} removed.")
    if found.lost:
        are = "citation is" if len(found.lost) == 1 else "citations are"
        output.line(f"{len(found.lost)} {are} not in the report any more.")


def _print_unrecorded(found: "RecheckReport") -> None:
    for sentence in found.flagged:
        _print_sentence(sentence, _words_unrecorded())
    output.line(f"{_counts(found, _words_unrecorded())}.")
    output.line(_UNRECORDED)


def _words() -> dict[str, str]:
    from intelli.citations import marks

    changed = {standing: f"changed, {marks.mark(outcome)}" for standing, outcome in _OUTCOMES.items()}
    return {"unchanged": "unchanged", **changed, "new": "without a source"}


def _words_unrecorded() -> dict[str, str]:
    from intelli.citations import marks

    return {standing: marks.mark(_OUTCOMES[standing]) for standing in ("supported", "unconfirmed")}


def _counts(found: "RecheckReport", words: dict[str, str]) -> str:
    counts = (
        f"{sum(each.standing == standing for each in found.sentences)} {label}" for standing, label in words.items()
    )
    return f"{len(found.sentences)} sentences: {'; '.join(counts)}"


def _print_sentence(sentence: "RecheckedSentence", words: dict[str, str]) -> None:
    output.line(f"{words[sentence.standing]}: {sentence.text}")
    if sentence.before and sentence.before != sentence.text:
        output.line(f"    before: {sentence.before}")
    if sentence.reason:
        output.line(f"    {sentence.reason}")
