"""The small honest model of the model server: it reads the prompt as a model would and answers in the form asked for.

It can be made gullible: then it obeys whatever stands outside the enclosures, as a real model might.
"""

import json
import re
from typing import Any

Body = dict[str, Any]
_ENCLOSED = re.compile(r"<data ([0-9a-f]{24})(?: (s\d+))?>\n(.*?)\n</data \1>", re.DOTALL)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)


def prompt_of(body: Body) -> str:
    """All text of a request's messages."""
    return "\n".join(_text(message.get("content")) for message in body.get("messages", []))


def think(body: Body) -> str:
    """An answer in the form that the request asks for."""
    prompt = prompt_of(body)
    schema = _schema(body, prompt)
    if schema is None:
        return _prose(prompt)
    return json.dumps(_fill(schema, schema, prompt, ""), ensure_ascii=False)


def outside_data(prompt: str) -> str:
    """The prompt without its data: what a model may take as instructions."""
    return _ENCLOSED.sub("", prompt)


def sources(prompt: str) -> list[tuple[str, str]]:
    """Handle and text of each source in the prompt."""
    return [(handle, text.partition("\n")[2].strip()) for _, handle, text in _ENCLOSED.findall(prompt) if handle]


def first_sentence(text: str) -> str:
    """The first sentence of a source."""
    found = _SENTENCE.match(text.strip())
    return found.group().strip() if found else text


def _prose(prompt: str) -> str:
    said = [f"{first_sentence(text)} [{handle}]" for handle, text in sources(prompt)]
    return " ".join(said) or "The sources do not answer this."


def _schema(body: Body, prompt: str) -> Body | None:
    given = body.get("response_format", {})
    if given.get("type") == "json_schema":
        schema: Body = given["json_schema"]["schema"]
        return schema
    found = re.search(r"^JSON schema: (\{.*\})$", outside_data(prompt), re.MULTILINE)
    return json.loads(found.group(1)) if found else None


def _fill(schema: Body, root: Body, prompt: str, name: str) -> Any:
    if "$ref" in schema:
        return _fill(root["$defs"][schema["$ref"].rsplit("/", 1)[1]], root, prompt, name)
    if "anyOf" in schema:
        kinds = schema["anyOf"]
        return None if any(kind.get("type") == "null" for kind in kinds) else _fill(kinds[0], root, prompt, name)
    if "enum" in schema:
        return schema["enum"][0]
    return _value(schema, root, prompt, name)


def _value(schema: Body, root: Body, prompt: str, name: str) -> Any:
    match schema.get("type"):
        case "object":
            return {key: _fill(each, root, prompt, key) for key, each in schema["properties"].items()}
        case "array":
            return _items(schema, root, prompt, name)
        case "number" | "integer" | "boolean":
            return 1 if schema["type"] != "boolean" else True
        case _:
            return _string(prompt, name)


def _items(schema: Body, root: Body, prompt: str, name: str) -> list[Any]:
    if name == "findings" and schema["items"].get("type") == "string":
        return [handle for handle, _ in sources(prompt)]
    if name == "findings":
        said = [(handle, first_sentence(text)) for handle, text in sources(prompt)]
        return [{"text": text, "source": handle, "quote": text, "relevance": 0.9} for handle, text in said]
    if name in {"tasks", "queries"}:
        return [_fill(schema["items"], root, prompt, name)]
    return []


def _string(prompt: str, name: str) -> str:
    question = _QUESTION.search(outside_data(prompt))
    return question.group(1).strip() if question else name


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
