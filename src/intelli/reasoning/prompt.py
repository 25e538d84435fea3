"""Prompts are Markdown files with a version and named slots; a slot is filled once, whatever its value looks like."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FORM = re.compile(r"\A---\nversion: (?P<version>\S+)\n---\n(?P<system>.*?)\n\n## User\n\n(?P<user>.*)\Z", re.DOTALL)
_FOLDER = "intelli.reasoning.verbs"
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """What one call sends: the system's part and the user's."""

    name: str
    system: str
    user: str

    def __len__(self) -> int:
        return len(self.system.encode()) + len(self.user.encode())


@dataclass(frozen=True, slots=True)
class Template:
    """One prompt: what the model is, and what it is given."""

    name: str
    version: str
    system: str
    user: str

    @property
    def slots(self) -> frozenset[str]:
        """The names to fill."""
        return frozenset(_SLOT.findall(self.system + self.user))

    def fill(self, values: Mapping[str, str]) -> "Prompt":
        """Every slot filled; a missing or unknown name is a fault of ours."""
        if self.slots != values.keys():
            raise KeyError(f"the prompt {self.name} has the slots {sorted(self.slots)}, not {sorted(values)}")
        system, user = (_SLOT.sub(lambda slot: values[slot[1]], part) for part in (self.system, self.user))
        return Prompt(self.name, system.strip(), user.strip())


@cache
def template(name: str) -> Template:
    """A prompt by its name."""
    text = files(_FOLDER).joinpath(f"{name}.md").read_text(encoding="utf-8")
    match = _FORM.match(text)
    if match is None:
        raise ValueError(f"the prompt {name} begins with its version and has a part under `## User`")
    system = match["system"].strip()
    return Template(name, match["version"], f"{system}\n\n{_rules()}", match["user"].strip())


@cache
def _rules() -> str:
    """What holds for every prompt."""
    return files(_FOLDER).joinpath("rules.md").read_text(encoding="utf-8").strip()
