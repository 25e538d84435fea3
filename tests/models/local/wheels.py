"""A model in small wheels, in a folder that pip takes for its index."""

import hashlib
import os
import zipfile
from dataclasses import replace
from pathlib import Path

from tests.models.local.servers import accept

from intelli.models.local.catalogue import RegistryModel, WheelPart
from intelli.models.local.folder import ModelsFolder
from intelli.models.local.hub import ModelHub
from intelli.models.local.install import install, plan_registry

HEAD = b"GGUF" + (3).to_bytes(4, "little")
HUB = ModelHub("https://hub.invalid")


def make_wheels(folder: Path, *, parts: int, size_bytes: int = 50_000) -> RegistryModel:
    """Write the wheels of a model and return its entry of a catalogue."""
    folder.mkdir()
    contents = [HEAD + os.urandom(size_bytes), *(os.urandom(size_bytes) for _ in range(parts - 1))]
    made = tuple(_make_wheel(folder, number, content) for number, content in enumerate(contents, 1))
    whole = b"".join(contents)
    return RegistryModel(
        name="small",
        title="Small",
        licence="Apache-2.0",
        note="",
        size_bytes=len(whole),
        context_tokens=8192,
        memory_bytes=1,
        sha256=hashlib.sha256(whole).hexdigest(),
        sha256_basis="our own",
        packed_by="this test",
        parts=made,
    )


def use_wheels(folder: Path, environment: "os._Environ[str]" = os.environ) -> None:
    """Let pip find nothing but these wheels."""
    environment.update(PIP_CONFIG_FILE=os.devnull, PIP_NO_INDEX="1", PIP_FIND_LINKS=str(folder))


def install_from(wheels: Path, model: RegistryModel, data: Path) -> None:
    """Install the model, in a process of its own."""
    use_wheels(wheels)
    install(plan_registry(model), ModelsFolder(data), hub=HUB, on_progress=lambda *_: None, try_model=accept)


def with_wheel_hash(model: RegistryModel, number: int, sha256: str) -> RegistryModel:
    """The model with another hash pinned for one of its wheels."""
    parts = list(model.parts)
    parts[number] = replace(parts[number], wheel_sha256=sha256)
    return replace(model, parts=tuple(parts))


def _make_wheel(folder: Path, number: int, content: bytes) -> WheelPart:
    name, member = f"small_part{number}", f"small_part{number}/data.bin"
    path, about = folder / f"{name}-1.0-py3-none-any.whl", f"{name}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr(f"{name}/__init__.py", "raise SystemExit('it must never be imported')")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    return WheelPart(f"small-part{number}", "1.0", sha256, member, len(content))
