"""Events of single nodes of the graph: a task's tools, and deliverables while they are written."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, JsonValue

from intelli.kit.wire import Wire
from intelli.runs.event_parts import Reference

Metadata = dict[str, JsonValue]
Milliseconds = Annotated[int, Field(description="When, in milliseconds since 1970.")]


class _OfNode(Wire):
    """Where in the graph something happens."""

    node_id: str = Field(description="The node of the graph.")
    plan_id: UUID = Field(description="The plan that it belongs to.")
    plan_set_id: UUID = Field(description="The run's plans, as a whole.")


class NodeToolsExecutionStart(_OfNode):
    """A task begins to use its tools."""

    type: Literal["node_tools_execution_start"] = "node_tools_execution_start"
    tool_ids: list[str] = Field(description="The keys of the tool calls to come.")
    total_tools: int = Field(description="How many there are.")
    timestamp: Milliseconds


class NodeToolEvent(_OfNode):
    """A tool began, ended or failed."""

    type: Literal["node_tool_event"] = "node_tool_event"
    event: str = Field(description="`started`, `completed` or `failed`.")
    tool_id: str | None = Field(None, description="The key of the tool call.")
    tool_type: str | None = Field(None, description="The name of the tool.")
    metadata: Metadata | None = Field(None, description="How much it gave, such as passages, or what went wrong.")
    timestamp: Milliseconds


class UpdateSubagentCurrentAction(_OfNode):
    """What a task is doing, in a few words."""

    type: Literal["update_subagent_current_action"] = "update_subagent_current_action"
    current_action: str = Field(description="What it does.")
    tool_id: str | None = Field(None, description="The key of the tool call.")
    timestamp: Milliseconds


class NodeReportPreviewStart(_OfNode):
    """A deliverable begins to be written; with a known `preview_id` it begins anew.

    `sections_total` is how many sections it will have.
    """

    type: Literal["node_report_preview_start"] = "node_report_preview_start"
    preview_id: str = Field(description="The deliverable.")
    report_title: str = Field(description="Its title.")
    report_user_query: str = Field(description="The question.")
    final_report: bool = Field(description="Whether it is the one that is kept.")
    entity: Reference = Field(description="What it will be.")
    section_id: str | None = Field(None, description="The section, where only one is told.")
    sections_total: int | None = Field(None, description="How many sections it will have.")
    timestamp: Milliseconds
    workspace_id: UUID = Field(description="The workspace.")


class NodeReportPreviewDelta(_OfNode):
    """The next piece of a deliverable: whole blocks, of sections that are written."""

    type: Literal["node_report_preview_delta"] = "node_report_preview_delta"
    preview_id: str = Field(description="The deliverable.")
    delta: str = Field(description="The piece, as GML.")
    section_id: str | None = Field(None, description="The section that it belongs to.")


class NodeReportPreviewDone(_OfNode):
    """A deliverable is written."""

    type: Literal["node_report_preview_done"] = "node_report_preview_done"
    preview_id: str = Field(description="The deliverable.")
    content: str = Field(description="All of it, as GML.")
    report_title: str = Field(description="Its title.")
    final_report: bool = Field(description="Whether it is the one that is kept.")
    entity: Reference | None = Field(None, description="What it is.")
    timestamp: Milliseconds
    workspace_id: UUID = Field(description="The workspace.")
