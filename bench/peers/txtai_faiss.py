"""txtai: Faiss, SQLite and its own BM25, our embedder. pypdf reads the PDFs, markitdown what comes from offices and the
web, and texts are cut by counting words.

txtai's own readers need Java or a layout model; what stands in for them here is quicker than either.
"""

import json
import sys
import time
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

from office_files import ENDINGS, OfficeFiles
from pypdf import PdfReader
from static_embedding import StaticEmbedding
from txtai import Embeddings

# About 512 tokens, and a tenth of them twice.
_WORDS, _OVERLAP = 380, 38
_BATCH = 512


def texts(folder: Path, office: OfficeFiles) -> Iterator[tuple[str, str]]:
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        if path.suffix == ".pdf":
            for number, page in enumerate(PdfReader(path).pages, 1):
                yield f"{path.name}#{number}", page.extract_text()
        elif path.suffix in ENDINGS:
            yield path.name, office.read(path)
        else:
            yield path.name, path.read_text(encoding="utf-8")


def chunks(folder: Path, office: OfficeFiles) -> Iterator[tuple[str, str, None]]:
    for name, text in texts(folder, office):
        words = text.split()
        for start in range(0, max(len(words) - _OVERLAP, 1), _WORDS - _OVERLAP):
            yield f"{name}:{start}", " ".join(words[start : start + _WORDS]), None


def main(files: str, index: str) -> None:
    model, office = StaticEmbedding(), OfficeFiles()

    def embed(batch: list[str]) -> object:
        return model.embed(batch)

    embeddings = Embeddings(method="external", transform=embed, content=True, hybrid=True, encodebatch=_BATCH)
    begun, spent = time.perf_counter(), time.process_time()
    embeddings.index(chunks(Path(files), office))
    embeddings.save(index)
    assert embeddings.search("health insurance", 10)
    measured = {"seconds": time.perf_counter() - begun, "processor_s": time.process_time() - spent}
    print(json.dumps({"name": f"txtai {version('txtai')}", **measured, "chunks": embeddings.count()}))


main(*sys.argv[1:])
