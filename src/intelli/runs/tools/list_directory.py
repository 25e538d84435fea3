"""list_directory: list a folder of the library."""

from uuid import UUID

from pydantic import Field

from intelli.kit.wire import Request, Wire
from intelli.runs.tools.tool import Tool, ToolContext


class ListInput(Request):
    """Which folder; `/` is the top."""

    path: str = "/"
    limit: int = Field(100, ge=1, le=500)


class ListedItem(Wire):
    """A folder or a document."""

    name: str
    path: str
    is_folder: bool
    document_id: UUID | None
    mime_type: str | None


class ListOutput(Wire):
    """What is in the folder."""

    places: list[ListedItem]


async def _list(asked: ListInput, context: ToolContext) -> ListOutput:
    places = await context.library.list(context.who, asked.path, limit=asked.limit)
    return ListOutput(places=[ListedItem.model_validate(place) for place in places])


TOOL = Tool("list_directory", "List a folder of the library.", ListInput, ListOutput, _list, label="List")
