"""JSON replies of a model: the schema to request, and the parser of the reply."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from intelli.reasoning.values import ReasoningModel

Form = TypeVar("Form", bound=ReasoningModel)
_THINKING, _THOUGHT = "<think>", "</think>"


class UnusableReply(Exception):
    """What the model said is not what was asked for; the text tells the model why."""


def name_of(form: type[ReasoningModel]) -> str:
    """Return the name of a form in requests: its title where it has one, else its class name."""
    return form.model_config.get("title") or form.__name__


def schema_of(form: type[ReasoningModel]) -> dict[str, Any]:
    """Return the JSON schema in the strict form that endpoints enforce: every field required, no other allowed."""
    schema: dict[str, Any] = _make_strict(_with_titles(form.model_json_schema()))
    return schema


def parse_reply(text: str, form: type[Form]) -> Form:
    """Parse the form from a model's reply, which may have other text around it; raise UnusableReply if it has none."""
    try:
        return form.model_validate(_find_object(_without_thinking(text)))
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, each['loc'])) or 'answer'}: {each['msg']}" for each in error.errors()[:5])
        raise UnusableReply(f"it does not have the form asked for ({'; '.join(problems)})") from None


def _without_thinking(text: str) -> str:
    kept, at = [], 0
    while (start := text.find(_THINKING, at)) >= 0 and (end := text.find(_THOUGHT, start)) >= 0:
        kept.append(text[at:start])
        at = end + len(_THOUGHT)
    return "".join([*kept, text[at:]])


def _find_object(text: str) -> Mapping[str, Any]:
    """Return the first JSON object in a text."""
    decoder = json.JSONDecoder()
    at = text.find("{")
    tries = 0
    while at >= 0 and tries < 20:
        try:
            found, _ = decoder.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at = text.find("{", at + 1)
            tries += 1
            continue
        if isinstance(found, dict):
            return found
    raise UnusableReply("it holds no complete JSON object")


def _with_titles(schema: dict[str, Any]) -> dict[str, Any]:
    """Key the definitions of a schema by title: classes may be renamed, requests to a model may not change."""
    titles = {f"#/$defs/{name}": f"#/$defs/{each['title']}" for name, each in schema.get("$defs", {}).items()}
    renamed: dict[str, Any] = _rename_refs(schema, titles)
    if "$defs" in renamed:
        renamed["$defs"] = dict(sorted((each["title"], each) for each in renamed["$defs"].values()))
    return renamed


def _rename_refs(node: Any, titles: Mapping[str, str]) -> Any:
    if isinstance(node, list):
        return [_rename_refs(each, titles) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: titles[value] if key == "$ref" and value in titles else _rename_refs(value, titles)
        for key, value in node.items()
    }


def _make_strict(node: Any) -> Any:
    if isinstance(node, list):
        return [_make_strict(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _make_strict(value)
        for key, value in node.items()
        if key not in {"default", "title"} or key == "properties"
    }
    if "properties" in node:
        kept["properties"] = {name: _make_strict(each) for name, each in node["properties"].items()}
        kept |= {"required": list(node["properties"]), "additionalProperties": False}
    return kept
