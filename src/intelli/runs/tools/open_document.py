"""open_document: read the current text of a document by the name that the person gave."""

from intelli.kit.wire import Request, Wire
from intelli.library import text_documents
from intelli.library.errors import NotText
from intelli.runs.tools.tool import Tool, ToolContext


class OpenInput(Request):
    """Which document."""

    path: str


class OpenedDocument(Wire):
    """The document with its text; neither when there is no such text."""

    path: str | None = None
    version: int | None = None
    text: str | None = None


async def _open(asked: OpenInput, context: ToolContext) -> OpenedDocument:
    standing = await context.document_editor.find(context.who, text_documents.normalise_path(asked.path))
    if standing is None:
        return OpenedDocument()
    try:
        text = await context.document_editor.load(context.who, standing)
    except NotText:
        return OpenedDocument()
    return OpenedDocument(path=standing.path, version=standing.version, text=text)


TOOL = Tool("open_document", "Read a text document by its path.", OpenInput, OpenedDocument, _open)
