"""`intelli research`: answers a question from a folder of files, with a private server and no configuration."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from uuid import UUID

import typer

from intelli.cli import output as cli_output
from intelli.cli import own_outputs, sync_folder
from intelli.cli.ask import (
    ApprovalAsked,
    AskOptions,
    ClarificationAsked,
    check_question,
    export_conversation,
    put_question,
)
from intelli.cli.deliverables import DeliveryOptions, KindOption, deliver, parse_options
from intelli.cli.options import AsJson, Data
from intelli.deliverables.forms import FORMS, Edition

if TYPE_CHECKING:
    from intelli.cli.gather import LocalFile

DeliveredTo = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write to this file: the answer as .md, .html or .json; a document as .pdf or .docx, slides as .pptx, GML "
        "as .gml, the sources as .bib or .csl.json; all the evidence as .zip. With --kind a report is written as .md "
        "or .html, and its brief as .json.",
    ),
]
Json = dict[str, Any]


def research(  # noqa: PLR0913  # one for each of its options
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A directory of documents, or one document.")],
    question: Annotated[str, typer.Argument(help="What you want to know.")],
    *,
    output: DeliveredTo = None,
    kind: Annotated[KindOption | None, typer.Option(help="Make this kind of deliverable from the answer.")] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="NAME",
            help=f"Write the deliverable in this form, whatever the file is called: {', '.join(FORMS)}.",
        ),
    ] = None,
    edition: Annotated[
        Edition, typer.Option(help="For readers, or as proof: with the verdict, identifier and hash of each source.")
    ] = Edition.CLEAN,
    data: Data = None,
    as_json: AsJson = False,
) -> None:
    """Read the documents in a folder and answer a question from them, with numbered sources, page and quote.

    Needs nothing: it works in a place of its own, below the data directory, and keeps there what it has read, so that
    the next question is answered at once. With INTELLI_MODEL__… set, that model does the thinking.
    """
    check_question(question)
    asked = parse_options(output, kind, form, edition)
    directory = sync_folder.get_directory(data)
    files = sync_folder.list_files(directory, folder)
    message = asyncio.run(_research(directory, files, question, asked, quiet=as_json))
    if asked.output is not None and asked.output.is_file():
        own_outputs.record(directory, asked.output)
    if as_json:
        cli_output.write_json(message)


async def _research(
    directory: Path, files: "list[LocalFile]", question: str, asked: DeliveryOptions, *, quiet: bool
) -> Json:
    from intelli.cli import own_server, remote

    async with own_server.ensure_running(directory) as address, remote.connect(*address) as client:
        folder = sync_folder.library_folder_of(files)
        await sync_folder.sync(client, files, folder, quiet=quiet)
        conversation = UUID(remote.parse_response(await client.post("conversations", json={}))["id"])
        try:
            options = AskOptions(question, folder=folder, deliverable_type=asked.deliverable_type)
            message = await put_question(client, conversation, options, quiet=quiet)
        except ClarificationAsked as back:
            raise ClarificationAsked(f"{back} Ask again, with that in the question.") from None
        except ApprovalAsked as change:
            raise ApprovalAsked(f"{change.detail.partition(' Decide with')[0]} Ask in a terminal to decide.") from None
        if asked.is_answer and asked.output is not None:
            await export_conversation(client, conversation, asked.output)
        else:
            await deliver(client, message, asked, quiet=quiet)
        return message
