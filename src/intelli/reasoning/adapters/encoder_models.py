"""The encoders that are known by name: what each is, and where its files are."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from intelli.reasoning.adapters.onnx_encoder import EncoderFiles
from intelli.reasoning.errors import EmbeddingNotInstalled
from intelli.reasoning.ports import Vectors

MODEL_FILE, TOKENIZER_FILE = "model.onnx", "tokenizer.json"
# Part of the package: a script puts the files there before the package is built, or when a checkout is set up.
_PACKAGE_FOLDER = Path(__file__).parents[2] / "_encoder"


@dataclass(frozen=True, slots=True)
class EncoderModel:
    """A model with the hashes of its files, what it wants around a text, and how its cosines are to be taken.

    `centre` is the file of its usual token state, which is taken off before states are compared.
    """

    name: str
    dimensions: int
    prior: float
    background: float
    sha256: str
    tokenizer_sha256: str
    begin: str
    end: str
    remedy: str
    folder: Path = _PACKAGE_FOLDER
    query_prefix: str = ""
    passage_prefix: str = ""
    centre: Path | None = None

    def load_centre(self) -> Vectors | None:
        """Load its usual token state; None when it has none."""
        return None if self.centre is None else np.load(self.centre).astype(np.float32)

    @property
    def is_installed(self) -> bool:
        """True when its files are there; whether they are the right ones shows when it is loaded."""
        return all((self.folder / name).is_file() for name in (MODEL_FILE, TOKENIZER_FILE))

    def find_files(self) -> EncoderFiles:
        """Return its files, checked by their hashes; raise EmbeddingNotInstalled when one is missing or another."""
        model, tokenizer = self.folder / MODEL_FILE, self.folder / TOKENIZER_FILE
        for path, sha256 in ((model, self.sha256), (tokenizer, self.tokenizer_sha256)):
            if not path.is_file():
                raise EmbeddingNotInstalled(f"The file {path} of the encoder is missing. {self.remedy}")
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
                    raise EmbeddingNotInstalled(f"{path} is not the file of the encoder we know. {self.remedy}")
        return EncoderFiles(model, tokenizer, self.begin, self.end)


MULTILINGUAL = EncoderModel(
    name="encoder:multilingual-e5-small",
    dimensions=384,
    prior=1.0,
    background=0.74,
    sha256="36c15d73ad5433979a1abb46852555a9adc3fab722572d79bba5d6f494cb0691",
    tokenizer_sha256="bdd95cc727893f5528af448493ad67411676516031da543800c03b711b693d5f",
    begin="<s>",
    end="</s>",
    remedy="Run `intelli models install multilingual`.",
    query_prefix="query: ",
    passage_prefix="passage: ",
    centre=Path(__file__).with_name("multilingual_centre.npy"),
)
MINILM = EncoderModel(
    name="encoder:all-minilm-l6-v2-dynamic",
    dimensions=384,
    prior=0.5,
    background=0.1,
    sha256="afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    tokenizer_sha256="754fbace50a65eb13073189fde35f561d96d630920b6a65bbf8dbadf9a4896c3",
    begin="[CLS]",
    end="[SEP]",
    remedy="Install the package again, or run `make setup` in a checkout.",
)
