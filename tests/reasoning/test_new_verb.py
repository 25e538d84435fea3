"""A verb is added in three files: its module, its prompt, and the tuple that lists the verbs."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.support.model_server import ModelServer, Reply

import intelli
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
from intelli.reasoning import verbs
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
        "module": verbs.__file__,
    }


print(json.dumps(asyncio.run(main())))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package, as far as reasoning needs it."""
    source = Path(intelli.__file__).parent
    for name in ("kit", "reasoning"):
        shutil.copytree(source / name, tmp_path / "intelli" / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(source / "__init__.py", tmp_path / "intelli")
    return tmp_path / "intelli"


def _contents(package: Path) -> Mapping[str, bytes]:
    return {str(path.relative_to(package)): path.read_bytes() for path in package.rglob("*") if path.is_file()}


def _add_verb(package: Path) -> None:
    folder = package / "reasoning" / "verbs"
    (folder / "translate.py").write_text(MODULE, encoding="utf-8")
    (folder / "translate.md").write_text(PROMPT, encoding="utf-8")
    listed = (folder / "__init__.py").read_text(encoding="utf-8")
    listed = listed.replace("    title,\n", "    title,\n    translate,\n").replace(
        "    title.VERB,\n", "    title.VERB,\n    translate.VERB,\n"
    )
    (folder / "__init__.py").write_text(listed, encoding="utf-8")


def test_a_verb_of_three_files_works_with_a_model_and_without(package: Path, server: ModelServer) -> None:
    before = _contents(package)
    _add_verb(package)
    after = _contents(package)
    server.script(Reply(data={"text": " "}), Reply(data={"text": "Hallo."}))

    done = subprocess.run(
        [sys.executable, "-c", USE, server.base_url],
        env={**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=True,
    )

    said = json.loads(done.stdout)
    assert Path(said["module"]).is_relative_to(package)
    assert (said["with_model"], said["without_model"], said["version"]) == ("Hallo.", "Hello.", "1")
    assert len(server.requests) == 2, "what fails the check is asked for once more"
    assert {path for path in after if after[path] != before.get(path)} == {
        "reasoning/verbs/translate.py",
        "reasoning/verbs/translate.md",
        "reasoning/verbs/__init__.py",
    }


@pytest.mark.parametrize("verb", [each for each in verbs.VERBS if isinstance(each, Verb)], ids=lambda verb: verb.name)
def test_every_verb_gives_something_without_a_model_in_one_place(verb: Verb) -> None:  # type: ignore[type-arg]
    assert (verb.input in RULES) is (verb.without_model is None)
