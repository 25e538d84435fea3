"""Prompt templates: Markdown files with a version and named slots. Slots in a filled-in value are not filled again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

_FORM = re.compile(r"\A---\nversion: (?P<version>\S+)\n---\n(?P<system>.*?)\n\n## User\n\n(?P<user>.*)\Z", re.DOTALL)
_FOLDER = "intelli.reasoning.verbs"
_SHORT_FOLDER = "intelli.reasoning.short"
_SLOT = re.compile(r"\{\{(\w+)\}\}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text of one call: the system part and the user part."""

    name: str
    system: str
    user: str

    def __len__(self) -> int:
        return len(self.system.encode()) + len(self.user.encode())


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt template: system part and user part, with slots."""

    name: str
    version: str
    system: str
    user: str

    @property
    def slots(self) -> frozenset[str]:
        """Names of the slots."""
        return frozenset(_SLOT.findall(self.system + self.user))

    def fill(self, values: Mapping[str, str]) -> "Prompt":
        """Fill every slot; raise KeyError for a missing or unknown name, which is a bug."""
        if self.slots != values.keys():
            raise KeyError(f"the prompt {self.name} has the slots {sorted(self.slots)}, not {sorted(values)}")
        system, user = (_SLOT.sub(lambda slot: values[slot[1]], part) for part in (self.system, self.user))
        return Prompt(self.name, system.strip(), user.strip())


@cache
def load_template(name: str) -> Template:
    """Load a template by name."""
    found = _parse(_FOLDER, name)
    return replace(found, system=f"{found.system}\n\n{_load_rules()}")


@cache
def load_short_template(name: str) -> Template:
    """Load a template for weak models, which has no rules but its own."""
    return _parse(_SHORT_FOLDER, name)


def _parse(folder: str, name: str) -> Template:
    match = _FORM.match(files(folder).joinpath(f"{name}.md").read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"the prompt {name} begins with its version and has a part under `## User`")
    return Template(name, match["version"], match["system"].strip(), match["user"].strip())


@cache
def _load_rules() -> str:
    """Load the rules that are appended to every prompt."""
    return files(_FOLDER).joinpath("rules.md").read_text(encoding="utf-8").strip()
