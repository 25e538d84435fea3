"""Models of tests: one that does all that ours ask of it, and what is done with models over HTTP."""

import json
from typing import Any

from tests.support import rule_based_model
from tests.support.jobs import until
from tests.support.model_server import ModelServer
from tests.support.server import Person

Body = dict[str, Any]
Json = dict[str, Any]
KEY = "sk-right-0123456789abcdef"
_COUNTED = "One, two, three, four, five, six, seven, eight, nine, ten."
_GERMAN = "Die Hauptstadt von Frankreich ist Paris, und die Stadt liegt an der Seine."
_FORM = {"city": "Bergen", "mood": "good", "year": None, "colours": ["red", "yellow"]}
_FACTS = {"revenue of Nordwind": "412.7 million euros", "chairs the supervisory": "Ortega"}


def capable(body: Body) -> str:
    """Answer as a model that can do all that a test tries; research by rules."""
    prompt = rule_based_model.prompt_of(body)
    form = body.get("response_format", {}).get("json_schema", {}).get("name")
    if form == "AbilityForm" or "The harbour of Bergen" in prompt:
        return json.dumps(_FORM)
    if "Count from one to ten" in prompt:
        return _COUNTED
    if "Hauptstadt von Frankreich" in prompt:
        return _GERMAN
    if "How many patents does Nordwind hold?" in prompt:
        return "The sources do not say how many patents Nordwind holds."
    for asked, fact in _FACTS.items():
        if asked in rule_based_model.outside_data(prompt):
            return " ".join(
                f"It is {fact} [{handle}]." for handle, text in rule_based_model.sources(prompt) if fact in text
            )
    return rule_based_model.answer(body)


def capable_server(**options: Any) -> ModelServer:
    """A server of a model that can do everything."""
    return ModelServer(
        answer=capable, calls_tools=True, models=({"id": "test-model", "context_length": 32768},), **options
    )


async def connect(person: Person, server: ModelServer, **more: Any) -> Json:
    """Connect a model server."""
    answer = await person.client.post("/models/endpoints", json={"base_url": server.base_url, **more})
    return answer.raise_for_status().json()


async def add(person: Person, endpoint: Json, name: str = "test-model", **more: Any) -> Json:
    """Add a model of an endpoint."""
    answer = await person.client.post("/models", json={"endpoint_id": endpoint["id"], "name": name, **more})
    return answer.raise_for_status().json()


async def choose(person: Person, server: ModelServer, *, role: str = "thinking", **more: Any) -> Json:
    """Connect a server and give its model a role."""
    return await add(person, await connect(person, server, **more), role=role)


async def show(person: Person) -> Json:
    """All that is known of a workspace's models."""
    return (await person.client.get("/models")).raise_for_status().json()


async def model_of(person: Person, model: Json) -> Json:
    """A model as it is shown now."""
    endpoints = (await show(person))["endpoints"]
    return next(each for endpoint in endpoints for each in endpoint["models"] if each["id"] == model["id"])


async def until_tested(person: Person, model: Json) -> Json:
    """Wait until the test of a model has ended; return it."""

    async def is_tested() -> bool:
        return (await model_of(person, model))["test"]["finished_at"] is not None

    await until(is_tested)
    return (await model_of(person, model))["test"]


def states(test: Json) -> dict[str, str]:
    """How each trial ended."""
    return {each["name"]: each["state"] for each in test["abilities"]}
