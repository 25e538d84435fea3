"""`intelli ask`: asks a running server and prints the answer while it streams."""

import asyncio
import sys
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import output as cli_output
from intelli.cli.options import AsJson, Data
from intelli.kit.errors import Conflict, IntelliError, Invalid

if TYPE_CHECKING:
    import httpx

_FORMATS = {".md": "markdown", ".html": "html", ".json": "json"}
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the answer to this file: .md, .html or .json."),
]
Json = dict[str, Any]
# A shorter wait than this is over before it is read.
_SHORT_S, _MINUTE_S = 3, 60


class RunNotAnswered(IntelliError):
    """The run failed or was cancelled."""

    code = "run_not_answered"


class ApprovalAsked(IntelliError):
    """The run wants to change something, and there is nobody here to decide on it."""

    code = "approval_asked"


class ClarificationAsked(IntelliError):
    """The question cannot be researched as asked."""

    code = "clarification_asked"


def ask(  # noqa: PLR0913  # one for each of its options
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    folder: Annotated[str | None, typer.Option(help="Look only in this folder of the library, and below it.")] = None,
    conversation: Annotated[UUID | None, typer.Option(metavar="ID", help="Go on with this conversation.")] = None,
    memory: Annotated[bool, typer.Option(help="Search memory, and remember what the question states.")] = True,
    budget: Annotated[
        float | None,
        typer.Option(min=0, metavar="CENTS", help="What the answer may cost."),
    ] = None,
    output: Output = None,
    server: Annotated[str | None, typer.Option(metavar="URL", help="Address of the server.")] = None,
    key: Annotated[str | None, typer.Option(help="API key for the server; INTELLI_CLIENT__KEY if not given.")] = None,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Ask a running server, and read the answer while it is written, with its sources at the end.

    The server is INTELLI_CLIENT__SERVER unless given. It ends with 1 when the run failed or asks back.
    Before the run changes a document it shows what would change, and asks.
    """
    check_question(question)
    check_format(output)
    options = AskOptions(question, folder=folder, memory=memory, budget_cents=budget)
    message = asyncio.run(_ask(get_address(data, server, key), options, conversation, output, quiet=as_json))
    if as_json:
        cli_output.write_json(message)


def check_question(question: str) -> None:
    """Raise Invalid when the question is empty."""
    if not question.strip():
        raise Invalid("The question is empty. Say what you want to know, in quotes.")


def check_format(output: Path | None) -> None:
    """Raise Invalid when the file's ending is no format of answers, or its directory does not exist."""
    if output is not None and output.suffix.lower() not in _FORMATS:
        raise Invalid(f"{output} should end in {', '.join(_FORMATS)}: its end says how it is written.")
    if output is not None and not output.parent.is_dir():
        raise Invalid(f"There is no directory {output.parent}. Make it first.")


def get_address(data: Path | None, server: str | None, key: str | None) -> tuple[str, str]:
    """Return URL and API key of the server to ask; raise Invalid when none is given or set."""
    from intelli.cli import local, remote

    found = remote.find_address(local.load(data), server, key)
    if found is None:
        raise Invalid("Say which server to ask: give --server, or set INTELLI_CLIENT__SERVER.")
    return found


async def _ask(
    address: tuple[str, str], question: "AskOptions", conversation: UUID | None, output: Path | None, *, quiet: bool
) -> Json:
    from intelli.cli import remote

    async with remote.connect(*address) as client:
        if conversation is None:
            conversation = UUID(remote.parse_response(await client.post("conversations", json={}))["id"])
        try:
            message = await put_question(client, conversation, question, quiet=quiet)
        except ClarificationAsked as asked:
            raise ClarificationAsked(f"{asked} Answer with --conversation {conversation}.") from None
        if output is not None:
            await export_conversation(client, conversation, output)
        return message


@dataclass(frozen=True, slots=True)
class AskOptions:
    """A question, where to search, what its answer may cost, and the kind of deliverable to make from it."""

    text: str
    folder: str | None = None
    deliverable_type: str = "STANDARD"
    memory: bool = True
    budget_cents: float | None = None


async def put_question(client: "httpx.AsyncClient", conversation: UUID, question: AskOptions, *, quiet: bool) -> Json:
    """Ask in a conversation, print the answer as it streams, and return the stored message.

    Raise ClarificationAsked, ApprovalAsked or RunNotAnswered when the run does not end with an answer.
    """
    from intelli.cli import answer_printer, follow_run, remote

    # What a conversation is about holds where no folder is named.
    folder = {"reference_type": "folder", "folder_path": question.folder}
    focus = {"context_references": [folder]} if question.folder else {}
    body = {
        "content": question.text,
        **focus,
        "deliverable_type": question.deliverable_type,
        "memory": question.memory,
        "budget_cents": question.budget_cents,
    }
    run_id = remote.parse_response(await client.post(f"conversations/{conversation}/messages", json=body))["run"]["id"]
    live = answer_printer.AnswerPrinter()
    is_begun = False
    waiting = _StatusLine(quiet=quiet)
    async with aclosing(follow_run.events(client, run_id)) as events:
        async for event in events:
            match event["type"]:
                case "message_delta" if not quiet:
                    waiting.end()
                    is_begun = True
                    live.add(event["delta"], event["offset"])
                case "update_subagent_current_action":
                    waiting.show(event["current_action"])
                case "progress_update" if not is_begun:
                    waiting.show(f"{event['message']}{_estimate(event['estimate_s'])}")
                case "approval_needed":
                    waiting.end()
                    live.end()
                    await _decide(client, event, quiet=quiet)
                case "clarification_needed":
                    waiting.end()
                    raise ClarificationAsked(event["message"]["content"])
                case "ERROR":
                    waiting.end()
                    raise RunNotAnswered(event["error_message"])
                case "done":
                    waiting.end()
                    live.end()
                    return _print_end(event, quiet=quiet)
    raise AssertionError("a run tells its end")


def _estimate(seconds: float | None) -> str:
    """Say how long a call to the model will take, where it is known and worth telling."""
    if seconds is None or seconds < _SHORT_S:
        return ""
    told = f"{round(seconds)} s" if seconds < _MINUTE_S else f"{round(seconds / _MINUTE_S)} min"
    return f" \u00b7 about {told}"


async def _decide(client: "httpx.AsyncClient", needed: Json, *, quiet: bool) -> None:
    """Print the proposed change and prompt for a decision; without a terminal raise ApprovalAsked, which says how."""
    from intelli.cli import diffs, remote

    if quiet or not (sys.stdin.isatty() and sys.stdout.isatty()):
        how = f"Decide with `intelli approvals approve {needed['interaction_id']}`, or `reject`; the run goes on then."
        raise ApprovalAsked(f"It needs your approval: {needed['summary']}. {how}")
    cli_output.line(f"\n\n{needed['summary']}")
    diffs.print_diff(needed["diff"], needed["conflicts"])
    agrees = await asyncio.to_thread(typer.confirm, "Do it?", default=False)
    reason = "" if agrees else await asyncio.to_thread(typer.prompt, "Why not", default="", show_default=False)
    path = f"interactions/{needed['interaction_id']}/{'approve' if agrees else 'reject'}"
    try:
        remote.parse_response(await client.post(path, json={"reason": reason} if reason else None))
    except Conflict as decided:
        cli_output.line(str(decided))


def _print_end(done: Json, *, quiet: bool) -> Json:
    from intelli.cli import answer_printer, wrap

    message: Json | None = done["message"]
    if message is None or done["status"] == "cancelled":
        raise RunNotAnswered("The run was cancelled.")
    if not quiet:
        cli_output.line("\n")
        lines = [
            *answer_printer.sources(message),
            "",
            *answer_printer.remarks(message),
            *answer_printer.next_questions(message),
            *answer_printer.without_model(message),
        ]
        for line in wrap.fold(lines, wrap.line_width()):
            cli_output.line(line)
    return message


async def export_conversation(client: "httpx.AsyncClient", conversation: UUID, output: Path) -> None:
    """Export a conversation to a file, in the format of its ending."""
    from intelli.cli import remote

    form = _FORMATS[output.suffix.lower()]
    response = await client.get(f"conversations/{conversation}/export", params={"format": form})
    if not response.is_success:
        remote.parse_response(response)
    await asyncio.to_thread(output.write_bytes, response.content)
    sys.stderr.write(f"Written to {output}\n")


class _StatusLine:
    """Status line on a terminal with the run's current action, until the answer begins."""

    def __init__(self, *, quiet: bool) -> None:
        self._is_shown = sys.stderr.isatty() and not quiet
        self._has_line = False

    def show(self, what: str) -> None:
        if self._is_shown:
            sys.stderr.write(f"\r\x1b[2K{what[:100]}")
            sys.stderr.flush()
            self._has_line = True

    def end(self) -> None:
        if self._has_line:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._has_line = False
