"""The node that changes documents where the person's own words ask for it; each change needs approval first."""

from langgraph.runtime import Runtime

from intelli.conversations.wire import Message, Speaker
from intelli.language.markdown import plain
from intelli.reasoning import document_names
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.change import MOST_CHANGES, Action, ChangeInput, ProposedChange
from intelli.reasoning.verbs.understand import Changing
from intelli.runs import final_answer
from intelli.runs.answers.delta_writer import DeltaWriter, with_closing
from intelli.runs.context import RunContext
from intelli.runs.errors import ToolFailed
from intelli.runs.events import AiMessage
from intelli.runs.graph.state import State
from intelli.runs.steps import CHANGES, SAVED, change_key, open_key
from intelli.runs.tools import create_document, delete_document, open_document, read_answer, update_document
from intelli.runs.tools.change import ApprovalAwaited, ChangeResult
from intelli.runs.tools.open_document import OpenInput
from intelli.runs.tools.read_answer import ReadAnswerInput
from intelli.runs.tools.tool import ToolCall
from intelli.runs.understood_message import load_understanding

_NODE = "change"
_DONE = {
    Action.CREATE: "Created {path}.",
    Action.UPDATE: "Changed {path}, which is at version {version} now.",
    Action.DELETE: "Deleted {path}.",
}
_NOT_DONE = {
    Action.CREATE: "{path} was not created.",
    Action.UPDATE: "{path} was not changed.",
    Action.DELETE: "{path} was not deleted.",
}
_NOTHING = "Nothing was changed: name the document, and say what is to be written into it."


async def change(state: State, runtime: Runtime[RunContext]) -> State:
    """Propose the requested changes, apply the approved ones, and append their results to the answer."""
    context = runtime.context
    reasoner = context.recorded_reasoner()
    intent = (await load_understanding(context.ledger, context.facts.clarified)).intent
    if intent.changing is Changing.NOTHING:
        return State(awaits=False)
    await context.recorder.set_progress(0.95, "Preparing what is to be changed")
    said = "" if intent.is_only_change else await _load_answer_text(context)
    wanted = await reasoner.step(CHANGES, await _build_input(context, said))
    # What was told so far comes before the question whether a change may be made.
    await context.recorder.settle()
    ends = [await _apply_change(context, number, each) for number, each in enumerate(wanted.changes)]
    if None in ends:
        return State(awaits=True, problems=reasoner.problems)
    closing = " ".join(filter(None, ends)) or _NOTHING
    await _emit_closing(context, said, closing)
    return State(awaits=False, closing=closing, problems=reasoner.problems)


async def _load_answer_text(context: RunContext) -> str:
    return (await final_answer.load(context.ledger)).text


async def _build_input(context: RunContext, said: str) -> ChangeInput:
    """Build the input: the person's words, the answer that could be saved, and the documents they name."""
    facts = context.facts
    source = (
        ReadAnswerInput(message_id=facts.answer_id, text=said)
        if said
        else ReadAnswerInput(question_id=facts.message_id)
    )
    try:
        answer = (await context.tools.use(read_answer.TOOL, ToolCall(SAVED, source, node=_NODE))).text
    except ToolFailed:
        answer = ""
    passages = [await _open(context, number, name) for number, name in enumerate(await _named_documents(context))]
    return ChangeInput(
        question=facts.question,
        conversation=facts.turns,
        answer=answer,
        passages=tuple(filter(None, passages)),
    )


async def _named_documents(context: RunContext) -> list[str]:
    """List the documents that the person names, in order."""
    return (await context.compute.run(document_names.names_of, context.facts.question))[:MOST_CHANGES]


async def _open(context: RunContext, number: int, name: str) -> SourceText | None:
    try:
        opened = await context.tools.use(
            open_document.TOOL, ToolCall(open_key(number), OpenInput(path=name), node=_NODE)
        )
    except ToolFailed:
        return None
    if opened.path is None or opened.text is None:
        return None
    return SourceText(identifier=opened.path, title=opened.path, text=opened.text)


async def _apply_change(context: RunContext, number: int, wanted: ProposedChange) -> str | None:
    """Return the result of a change in a sentence; None while a person has to decide."""
    try:
        changed = await _carry_out(context, change_key(number), wanted)
    except ApprovalAwaited:
        return None
    except ToolFailed as error:
        return f"{_NOT_DONE[wanted.action].format(path=plain(wanted.path))} {plain(error.detail)}"
    return _DONE[wanted.action].format(path=plain(changed.path), version=changed.version)


async def _carry_out(context: RunContext, key: str, wanted: ProposedChange) -> ChangeResult:
    path, content = wanted.path, wanted.content
    match wanted.action:
        case Action.CREATE:
            created = create_document.CreateInput(path=path, content=content or "")
            return await context.tools.change(create_document.CHANGE, ToolCall(key, created, node=_NODE))
        case Action.UPDATE:
            updated = update_document.UpdateInput(path=path, content=content, edits=wanted.edits)
            return await context.tools.change(update_document.CHANGE, ToolCall(key, updated, node=_NODE))
        case Action.DELETE:
            return await context.tools.change(
                delete_document.CHANGE, ToolCall(key, delete_document.DeleteInput(path=path), node=_NODE)
            )


async def _emit_closing(context: RunContext, said: str, closing: str) -> None:
    """Emit the results of the changes as the end of the answer."""
    facts = context.facts
    whole = with_closing(said, closing)
    writer = DeltaWriter(context.recorder, facts.answer_id, await context.recorder.load_text(facts.answer_id))
    writer.feed(whole)
    writer.end(whole)
    message = Message(
        id=facts.answer_id,
        role=Speaker.AGENT,
        content=whole,
        run_id=facts.run_id,
        conversation_id=facts.conversation_id,
    )
    context.recorder.emit(AiMessage(message=message), "ai_message:closing")
    await context.recorder.settle()
