"""Events that tell where in the graph something happens: a task's tools, and deliverables while they are written."""

from typing import Literal
from uuid import UUID

from pydantic import JsonValue

from intelli.kit.wire import Wire
from intelli.runs.telling import Reference

Metadata = dict[str, JsonValue]
Milliseconds = int


class _OfNode(Wire):
    """Where in the graph something happens."""

    node_id: str
    plan_id: UUID
    plan_set_id: UUID


class NodeToolsExecutionStart(_OfNode):
    """A task begins to use its tools."""

    type: Literal["node_tools_execution_start"] = "node_tools_execution_start"
    tool_ids: list[str]
    total_tools: int
    timestamp: Milliseconds


class NodeToolEvent(_OfNode):
    """A tool began, ended or failed."""

    type: Literal["node_tool_event"] = "node_tool_event"
    event: str
    tool_id: str | None = None
    tool_type: str | None = None
    metadata: Metadata | None = None
    timestamp: Milliseconds


class UpdateSubagentCurrentAction(_OfNode):
    """What a task is doing, in a few words."""

    type: Literal["update_subagent_current_action"] = "update_subagent_current_action"
    current_action: str
    tool_id: str | None = None
    timestamp: Milliseconds


class NodeReportPreviewStart(_OfNode):
    """A deliverable begins to be written; with a known `preview_id` it begins anew.

    `sections_total` is how many sections it will have.
    """

    type: Literal["node_report_preview_start"] = "node_report_preview_start"
    preview_id: str
    report_title: str
    report_user_query: str
    final_report: bool
    entity: Reference
    section_id: str | None = None
    sections_total: int | None = None
    timestamp: Milliseconds
    workspace_id: UUID


class NodeReportPreviewDelta(_OfNode):
    """The next piece of a deliverable: whole blocks, of sections that are written."""

    type: Literal["node_report_preview_delta"] = "node_report_preview_delta"
    preview_id: str
    delta: str
    section_id: str | None = None


class NodeReportPreviewDone(_OfNode):
    """A deliverable is written."""

    type: Literal["node_report_preview_done"] = "node_report_preview_done"
    preview_id: str
    content: str
    report_title: str
    final_report: bool
    entity: Reference | None = None
    timestamp: Milliseconds
    workspace_id: UUID
