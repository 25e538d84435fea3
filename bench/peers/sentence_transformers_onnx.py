"""sentence-transformers with its ONNX backend, on the encoder's own weights: chunks of a file of JSON lines."""

import json
import sys
import time
from pathlib import Path

from onnxruntime import SessionOptions
from sentence_transformers import SentenceTransformer
from transformers import PreTrainedTokenizerFast


def main(chunks: Path, folder: Path, window: int) -> None:
    """Encode the chunks as it does by default, in one thread, and print what that took."""
    texts = [json.loads(line) for line in chunks.read_text(encoding="utf-8").splitlines()]
    folder.mkdir(exist_ok=True)
    _prepare(folder, window)
    options = {"file_name": "model.onnx", "provider": "CPUExecutionProvider", "session_options": _one_thread()}
    encoder = SentenceTransformer(
        str(folder),
        backend="onnx",
        model_kwargs=options,
    )
    encoder.max_seq_length = window
    encoder.encode(texts[:2])
    started = time.process_time()
    encoder.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    print(json.dumps({"processor_s": time.process_time() - started, "chunks": len(texts)}))


def _one_thread() -> SessionOptions:
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return options


def _prepare(folder: Path, window: int) -> None:
    """Write the configuration that makes a folder with our two files a model of its kind."""
    source = Path(__file__).parents[2] / "src/intelli/_encoder"
    (folder / "onnx").mkdir(exist_ok=True)
    (folder / "onnx" / "model.onnx").write_bytes((source / "model.onnx").read_bytes())
    PreTrainedTokenizerFast(
        tokenizer_file=str(source / "tokenizer.json"),
        model_max_length=window,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "hidden_size": 384,
        "num_hidden_layers": 6,
        "num_attention_heads": 12,
        "intermediate_size": 1536,
        "vocab_size": 30522,
    }
    (folder / "config.json").write_text(json.dumps(config))
    kinds = [("", "Transformer"), ("1_Pooling", "Pooling")]
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (path, kind) in enumerate(kinds)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": window, "do_lower_case": False}))
    (folder / "1_Pooling").mkdir(exist_ok=True)
    pooling = {"word_embedding_dimension": 384, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))


main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
