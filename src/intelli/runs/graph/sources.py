"""The passages a run has found, read back from the ledger."""

from intelli.reasoning import thoughts
from intelli.runs.desk import Desk
from intelli.runs.graph.state import State
from intelli.runs.steps import plan_key, search_key
from intelli.runs.tools.search_documents import Found, FoundPassage


async def passages_of(desk: Desk, state: State, *, only: set[str]) -> tuple[thoughts.Passage, ...]:
    """Those of the passages found that are named, in the order they were found."""
    plan = await desk.think().recall(plan_key(desk.facts.clarified), thoughts.Plan)
    done = sorted(outcome["index"] for outcome in state["outcomes"] if outcome["succeeded"])
    found: dict[str, thoughts.Passage] = {}
    for index in done:
        for number in range(len(plan.tasks[index].queries)):
            used = await desk.ledger.find_use(search_key(index, number))
            if used is None or used.output is None:
                continue
            for passage in Found.model_validate(used.output).passages:
                if passage.identifier in only:
                    found.setdefault(passage.identifier, as_thought(passage))
    return tuple(found.values())


def as_thought(passage: FoundPassage) -> thoughts.Passage:
    """A found passage as a reasoner reads it."""
    return thoughts.Passage(
        identifier=passage.identifier,
        title=passage.title,
        text=passage.text,
        page=passage.page,
        section=passage.section,
    )
