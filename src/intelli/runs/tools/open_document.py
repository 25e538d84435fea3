"""open_document: a text of the library as it stands, by the name that the person gave."""

from intelli.kit.wire import Request, Wire
from intelli.library import texts
from intelli.library.errors import NotText
from intelli.runs.tools.tool import Bench, Tool


class OpenAsked(Request):
    """Which document."""

    path: str


class Opened(Wire):
    """The document with its text; neither when there is no such text."""

    path: str | None = None
    version: int | None = None
    text: str | None = None


async def _open(asked: OpenAsked, bench: Bench) -> Opened:
    standing = await bench.edits.find(bench.who, texts.whole_path(asked.path))
    if standing is None:
        return Opened()
    try:
        text = await bench.edits.load(bench.who, standing)
    except NotText:
        return Opened()
    return Opened(path=standing.path, version=standing.version, text=text)


TOOL = Tool("open_document", "Read a text document by its path.", OpenAsked, Opened, _open)
