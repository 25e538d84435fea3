"""Default model of the model server: answers a prompt by rules, from its sources and in the form asked for.

Tests of injection replace it with one that obeys whatever is outside the enclosed data, as a real model might.
"""

import json
import re
from functools import partial
from typing import Any

Body = dict[str, Any]
_ENCLOSED = re.compile(r"<data ([0-9a-f]{24})(?: (s\d+))?>\n(.*?)\n</data \1>", re.DOTALL)
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_IN_A_PARAGRAPH = 3
_CONNECTED = ("Beyond that", "At the same time", "Beside this")
# Words that are written small inside of a sentence; all others may be names.
_SMALL = re.compile(r"(?:The|A|An|It|In|This|These|That|There|If|For|You|Your|We|Our|They|Each|All|Some)\b")
_TABLE = re.compile(r"(?P<title>[^\n|]*)\n\s*(?P<rows>\|.*\|\n\|[-|: ]+\|\n(?:\|.*\|(?:\n|$))+)")
_SECTION = re.compile(r"^This section: ([^:\n]+)", re.MULTILINE)
_ORDERED = re.compile(r"^- (.+)$", re.MULTILINE)
_TASK = re.compile(r"^Task: (.*)$", re.MULTILINE)
_WORD = re.compile(r"\b(?!what|does|which|have|been|from)\w{4,}")
_MEASURE = re.compile(
    r"(?:The |Our |A )?(?P<name>[A-Za-z][\w-]+(?: [\w-]+){0,7}?) (?:is|are|was|were|came to|has|have) "
    r"(?P<value>\$?\d[\d.,]*\d(?: (?:million|billion))?(?: (?:euros|dollars|people)|%)?)"
)
_QUESTION = re.compile(r"^Question: (.*)$", re.MULTILINE)


_STATEMENT = re.compile(r"^(\d+)\. (.*)\n   Cites: (.*)$", re.MULTILINE)
_DENIAL = re.compile(r"\b(?:not|nicht)\b")
_FIGURES = re.compile(r"\d[\d.,]*(?<![.,])")


def prompt_of(body: Body) -> str:
    """All text of a request's messages."""
    return "\n".join(_text(message.get("content")) for message in body.get("messages", []))


def answer(body: Body) -> str:
    """Answer a request in the form that it asks for: text, or JSON of its schema."""
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
        return _findings(prompt)
    # Figures are named twice: in a brief by their findings alone, and here with the words they stand in.
    makers = {"tables": _tables, "series": _series, "paragraphs": _paragraphs}
    makers |= {"metrics": _metrics} if "MeasureDraft" in root.get("$defs", {}) else {}
    makers |= {each: partial(_paper, prompt, each) for each in ("chapters", "blocks", "answer")}
    if name in makers:
        return makers[name](sources(prompt))
    if name == "judgements":
        return _judgements(prompt)
    if name == "tasks":
        parts = [part.strip(" ?") for part in _string(prompt, "question").split("; ")]
        return [{"title": part, "message": part, "queries": [part]} for part in parts]
    return []


def _judgements(prompt: str) -> list[Body]:
    """What has only figures of the sources, and denies nothing that they do not, is supported."""
    said = " ".join(" ".join(text for _, text in sources(prompt)).split())
    none = {"elsewhere": [], "calculation": ""}
    found = []
    for number, statement, cited in _STATEMENT.findall(prompt):
        is_denied = _DENIAL.search(statement) is not None and statement not in said
        has_all = all(figure in said for figure in _FIGURES.findall(statement))
        verdict = "supported" if has_all and not is_denied else "contradicted"
        judged = {"statement": int(number), "verdict": verdict, "reason": "", "sources": re.findall(r"s\d+", cited)}
        found.append({**judged, **none})
    return found


def _paragraphs(found: list[tuple[str, str]]) -> list[Body]:
    """Connected sentences, a few to a paragraph: each says one finding in its words, and names it."""
    told = [(handle, text.partition("\nQuote:")[0].strip()) for handle, text in found]
    said = [{"text": _joined(number, text), "sources": [handle]} for number, (handle, text) in enumerate(told)]
    return [{"sentences": said[at : at + _IN_A_PARAGRAPH]} for at in range(0, len(said), _IN_A_PARAGRAPH)]


def _paper(prompt: str, name: str, found: list[tuple[str, str]]) -> list[Body]:
    """A chapter for each thing that was ordered or researched, a paragraph of first sentences, or an answer of two."""
    if name == "chapters":
        wanted = [
            each for _, handle, text in _ENCLOSED.findall(prompt) if not handle for each in _ORDERED.findall(text)
        ]
        plain = {"message": "", "role": "chapter", "form": "prose", "queries": []}
        named = [handle for handle, _ in found]
        return [{"heading": each, "sources": named, **plain} for each in dict.fromkeys(wanted)]
    said = [{"text": _sentences(text)[0], "sources": [handle]} for handle, text in found if _sentences(text)]
    if name == "answer":
        return [{**each, "is_judgement": False} for each in said[:2]]
    empty: Body = {"title": "", "columns": [], "rows": [], "unit": ""}
    return [{"kind": "paragraph", "sentences": said, **empty}] if said else []


def _joined(number: int, text: str) -> str:
    if number % _IN_A_PARAGRAPH == 0:
        return text
    lead = _CONNECTED[number % len(_CONNECTED)]
    return f"{lead}, {text[0].lower()}{text[1:]}" if _SMALL.match(text) else f"{lead}: {text}"


def _metrics(found: list[tuple[str, str]]) -> list[Body]:
    """The first plain figure of each source, with the sentence it stands in."""
    said = [(handle, each, _MEASURE.match(each)) for handle, text in found for each in _sentences(text)]
    of_source = {match["value"]: (handle, quote, match) for handle, quote, match in reversed(said) if match}
    none = {"unit": "", "period": "", "entity": ""}
    return [
        {"name": _named(match["name"]), "value": value, "source": handle, "quote": quote, **none}
        for value, (handle, quote, match) in reversed(of_source.items())
    ]


def _findings(prompt: str) -> list[Body]:
    """Of each source the sentence that has most of the words that are asked for; of one that has none, nothing."""
    asked = _TASK.findall(outside_data(prompt)) or _QUESTION.findall(outside_data(prompt))
    wanted = _words(" ".join(asked))
    said = [(handle, _nearest(text, wanted)) for handle, text in sources(prompt)]
    near = [(handle, text) for handle, text in said if wanted & _words(text)]
    return [
        {"text": text, "quotes": [{"source": handle, "quote": text}], "relevance": 0.9} for handle, text in near or said
    ]


def _nearest(text: str, wanted: set[str]) -> str:
    said = _sentences(text)
    stated = [each for each in said if not each.endswith("?")] or said
    return max(stated, key=lambda each: len(wanted & _words(each)), default=text)


def _sentences(text: str) -> list[str]:
    """The sentences of a text; what stands alone on a line, as headings and rows do, is none where there are others."""
    blocks = re.split(r"\n\s*\n|\n(?=[#|])|(?<=\|)\n|(?m:^#.*\n)", text.strip())
    said = [match[0].strip() for block in blocks for match in _SENTENCE.finditer(block) if match[0].strip()]
    return [each for each in said if each.endswith((".", "!", "?")) and not each.startswith(("#", "|"))] or said


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in _WORD.findall(text.lower())}


def _named(name: str) -> str:
    return f"{name[0].upper()}{name[1:]}"


def _tables(found: list[tuple[str, str]]) -> list[Body]:
    """The tables of sources that are written in Markdown, each once."""
    tables: dict[str, Body] = {}
    for handle, text in found:
        for match in _TABLE.finditer(text):
            first, _, *lines = match["rows"].strip().splitlines()
            rows = [{"cells": _cells(line), "quote": line.strip()} for line in lines]
            title = match["title"].strip("# \n") or "Table"
            tables.setdefault(
                first + str(rows), {"title": title, "columns": _cells(first), "rows": rows, "source": handle}
            )
    return list(tables.values())


def _series(found: list[tuple[str, str]]) -> list[Body]:
    """The first row of each table, column by column."""
    return [
        {
            "title": row["cells"][0],
            "unit": "",
            "points": [
                {"label": label, "value": value, "source": table["source"], "quote": row["quote"]}
                for label, value in zip(table["columns"][1:], row["cells"][1:], strict=True)
            ],
        }
        for table in _tables(found)
        for row in table["rows"][:1]
    ]


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _string(prompt: str, name: str) -> str:
    if name == "heading" and (section := _SECTION.search(outside_data(prompt))):
        return section.group(1).strip()
    question = _QUESTION.search(outside_data(prompt))
    return question.group(1).strip() if question else name


def _text(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")
