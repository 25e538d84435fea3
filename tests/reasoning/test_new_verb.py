"""A verb is added in three files: its module, its prompt, and the tuple that lists the verbs."""

from pathlib import Path

import pytest
from tests.support.contributor import Change, Edit, contributed
from tests.support.model_server import ModelServer, Reply

from intelli.reasoning import verbs
from intelli.reasoning.adapters.extractive import RULES
from intelli.reasoning.verbs.verb import Verb

MODULE = '''"""The verb that translates a passage."""

from collections.abc import Mapping
from typing import Literal

from intelli.reasoning.model_json import UnusableReply
from intelli.reasoning.untrusted import Fence
from intelli.reasoning.values import ReasoningModel, SourceText
from intelli.reasoning.verbs.verb import Sources, Verb, VerbInput


class Translation(ReasoningModel):
    """A passage in another language."""

    text: str


class TranslateInput(VerbInput[Translation]):
    """What does the passage say in another language?"""

    verb: Literal["translate"] = "translate"
    passage: SourceText
    language: str


def _slots(given: TranslateInput, fence: Fence) -> Mapping[str, str]:
    return {"language": given.language}


def _check(translation: Translation, given: TranslateInput, sources: Sources) -> Translation:
    if not translation.text.strip():
        raise UnusableReply("the translation is empty")
    return translation


def _untranslated(given: TranslateInput) -> Translation:
    return Translation(text=given.passage.text)


VERB = Verb(
    input=TranslateInput,
    output=Translation,
    draft=Translation,
    slots=_slots,
    sources=lambda given: (given.passage,),
    check=_check,
    without_model=_untranslated,
)
'''
PROMPT = """---
version: 1
---
You translate passages.

## User

Translate into {{language}}:

{{sources}}
"""
USE = """
import asyncio, json, sys
from intelli.reasoning.adapters.extractive import ExtractiveReasoner
from intelli.reasoning.adapters.model import ModelReasoner
from intelli.reasoning.model_settings import ModelSettings
from intelli.reasoning.values import SourceText
from intelli.reasoning.verbs.translate import TranslateInput


async def main() -> dict[str, object]:
    given = TranslateInput(passage=SourceText(identifier="a", title="A", text="Hello."), language="German")
    model = ModelReasoner(ModelSettings(name="test-model", base_url=sys.argv[1], api_key="sk-test", backoff_s=0))
    with_model, _ = await model.do(given)
    without_model, _ = await ExtractiveReasoner().do(given)
    await model.close()
    return {
        "with_model": with_model.text,
        "without_model": without_model.text,
        "version": model.prompts["translate"],
    }


print(json.dumps(asyncio.run(main())))
"""


def test_a_verb_of_three_files_works_with_a_model_and_without(tmp_path: Path, server: ModelServer) -> None:
    folder = "src/intelli/reasoning/verbs"
    changes: dict[str, Change] = {
        f"{folder}/translate.py": MODULE,
        f"{folder}/translate.md": PROMPT,
        f"{folder}/__init__.py": (
            Edit("    title,\n", "    title,\n    translate,\n"),
            Edit("    title.VERB,\n", "    title.VERB,\n    translate.VERB,\n"),
        ),
    }
    server.script(Reply(data={"text": " "}), Reply(data={"text": "Hallo."}))

    with contributed(tmp_path, changes) as tree:
        given = tree.run_code(USE, server.base_url)

    assert given == {"with_model": "Hallo.", "without_model": "Hello.", "version": "1"}
    assert len(server.requests) == 2, "what fails the check is asked for once more"


@pytest.mark.parametrize("verb", [each for each in verbs.VERBS if isinstance(each, Verb)], ids=lambda verb: verb.name)
def test_every_verb_gives_something_without_a_model_in_one_place(verb: Verb) -> None:  # type: ignore[type-arg]
    assert (verb.input in RULES) is (verb.without_model is None)
