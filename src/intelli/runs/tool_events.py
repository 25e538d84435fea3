"""Events of tool calls: each call of each tool tells that it began, and that it ended or failed."""

from typing import Any
from uuid import UUID

from intelli.runs import plans
from intelli.runs.node_events import NodeToolEvent
from intelli.runs.recorder import RunRecorder, now_ms
from intelli.runs.tools.tool import Announce, ToolCall, ToolMetadata


def build_announcer(recorder: RunRecorder, run_id: UUID) -> Announce:
    """Build what tells the calls of a run's tools."""
    plan = {"plan_id": plans.plan_id(run_id), "plan_set_id": plans.plan_set_id(run_id)}

    def announce(call: ToolCall[Any], tool: str, event: str, metadata: ToolMetadata) -> None:
        told = NodeToolEvent(
            **plan,
            node_id=call.node,
            event=event,
            tool_id=call.key,
            tool_type=tool,
            metadata={**metadata},
            timestamp=now_ms(),
        )
        recorder.emit(told, f"tool:{call.key}:{event}")

    return announce
