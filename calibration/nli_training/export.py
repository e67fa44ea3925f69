"""Export the trained cross-encoder to int8 ONNX with its tokenizer and card, and check it.

python -m calibration.nli_training.export --work DIR --base DIR --output DIR
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.fusion_options import FusionOptions
from onnxruntime.transformers.optimizer import optimize_model

from calibration.nli_training.data import LABELS
from calibration.nli_training.model import CrossEncoder, average
from calibration.nli_training.train import MAX_TOKENS


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="folder with the trained weights")
    parser.add_argument("--base", type=Path, required=True, help="all-MiniLM-L6-v2 folder")
    parser.add_argument(
        "--weights", nargs="+", default=["stage3.pt"], help="files in --work, averaged"
    )
    parser.add_argument("--output", type=Path, required=True, help="folder of the package data")
    options = parser.parse_args()
    model = CrossEncoder(options.base, attention="eager")
    model.load_state_dict(
        average([torch.load(options.work / name, weights_only=True) for name in options.weights])
    )
    options.output.mkdir(parents=True, exist_ok=True)
    export(model.eval(), options.output / "judge.onnx")
    shutil.copy(options.base / "tokenizer.json", options.output / "tokenizer.json")
    digest = hashlib.sha256((options.output / "judge.onnx").read_bytes()).hexdigest()
    card = {
        "id2label": dict(enumerate(LABELS)),
        "max_tokens": MAX_TOKENS,
        "sha256": digest,
        "name": f"embedded-{digest[:8]}",
    }
    (options.output / "judge.json").write_text(json.dumps(card, indent=2) + "\n")
    print(json.dumps(card))


def export(model: CrossEncoder, output: Path) -> None:
    """Write `model` as a fused graph with 8-bit weights (7 bits used: safe without VNNI)."""
    ids = torch.ones(2, 12, dtype=torch.int64)
    with tempfile.TemporaryDirectory() as folder:
        plain, fused = Path(folder) / "plain.onnx", Path(folder) / "fused.onnx"
        names = ["input_ids", "attention_mask", "token_type_ids"]
        torch.onnx.export(
            model,
            (ids, ids, ids),
            str(plain),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {0: "pairs", 1: "tokens"} for name in names},
            opset_version=17,
            dynamo=False,
        )
        options = FusionOptions("bert")
        optimised = optimize_model(
            str(plain),
            model_type="bert",
            num_heads=model.encoder.config.num_attention_heads,
            hidden_size=model.encoder.config.hidden_size,
            optimization_options=options,
        )
        print(optimised.get_fused_operator_statistics())
        optimised.save_model_to_file(str(fused))
        quantize_dynamic(
            str(fused),
            str(output),
            per_channel=True,
            reduce_range=True,
            weight_type=QuantType.QInt8,
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )


if __name__ == "__main__":
    main()
