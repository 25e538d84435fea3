"""Keeps a folder of the private server's library equal to a directory of this machine."""

import hashlib
import os
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from intelli.cli import gather, own_outputs
from intelli.kit.errors import IntelliError, NotFound
from intelli.library import names

if TYPE_CHECKING:
    import httpx

    from intelli.cli.gather import LocalFile

_PLACE = "research"


class NothingToRead(NotFound):
    """The folder holds no file that could be read."""

    code = "nothing_to_read"


def get_directory(data: Path | None) -> Path:
    """Return the data directory of the private server, below that of the installation."""
    from intelli.cli import local

    return local.load(data).data / _PLACE


def list_files(directory: Path, folder: Path) -> "list[LocalFile]":
    """List the files of a directory, without those that an earlier command wrote; raise NothingToRead for none."""
    files, ours = own_outputs.split(directory, gather.list_files([folder], _library_folder(folder)))
    if not files:
        raise NothingToRead(f"There are no files in {folder}.")
    if ours:
        listed = ", ".join(names.escape(file.name) for file in ours)
        typer.echo(f"Not read, because an earlier question wrote it: {listed}", err=True)
    return files


def library_folder_of(files: "list[LocalFile]") -> str:
    """Return the library folder that files of a directory are kept in."""
    return "/" + files[0].folder.split("/")[1]


def _library_folder(folder: Path) -> str:
    """Return the library folder of a directory: stable, and never that of another directory."""
    whole = folder.resolve()
    return f"/{hashlib.sha256(os.fsencode(whole)).hexdigest()[:12]}"


async def sync(client: "httpx.AsyncClient", files: "list[LocalFile]", folder: str, *, quiet: bool) -> None:
    """Update the library folder to exactly these files, as they are now, and wait until all are read.

    Print the files that could not be read; raise NothingToRead when none could be.
    """
    from intelli.cli.add_files import AddReport, add_changed, wait_until_read
    from intelli.cli.library_client import RemoteLibraryClient
    from intelli.cli.progress_bar import ProgressBar

    library = RemoteLibraryClient(client)
    report = AddReport()
    with ProgressBar(quiet=quiet) as bar:
        await _delete_missing(client, files, folder)
        await add_changed(library, files, report, bar)
        # Also those that another command has added and that are not read yet.
        await wait_until_read(library, await library.list_below(folder), report, bar)
    for failure in report.failed:
        name = failure.path.removeprefix(f"{folder}/")
        typer.echo(f"Not read: {names.escape(name)}: {failure.reason}", err=True)
    if len(report.failed) == len(files):
        raise NothingToRead("None of the files could be read.")


async def _delete_missing(client: "httpx.AsyncClient", files: "list[LocalFile]", folder: str) -> None:
    from intelli.cli import remote
    from intelli.cli.library_client import RemoteLibraryClient

    wanted = set[str]()
    for file in files:
        with suppress(IntelliError):  # an invalid name is reported when the file is added
            wanted.add(file.library_path)
    for document in await RemoteLibraryClient(client).list_documents():
        if document["path"].startswith(f"{folder}/") and document["path"] not in wanted:
            response = await client.delete(f"documents/{document['id']}")
            # Another command that reads the same folder may have been faster.
            if response.status_code != HTTPStatus.NOT_FOUND and not response.is_success:
                remote.parse_response(response)
