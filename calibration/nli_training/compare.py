"""Compare checkpoints, and their means, on the held-out training pairs.

python -m calibration.nli_training.compare --nli DIR --data DIR --base DIR --work DIR
"""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import numpy as np
import torch
from sklearn.metrics import f1_score, log_loss, roc_auc_score
from tokenizers import Tokenizer

from calibration.nli_training import data, train
from calibration.nli_training.model import CrossEncoder, average

WATCHED = ("scifact", "synthetic_scifact", "checkcovid_train")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("nli", "data", "base", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=20261201)
    options = parser.parse_args()
    corpus = data.load(options.nli, options.data, options.seed)
    tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(train.MAX_TOKENS, strategy="longest_first")
    held_out = [pair for pair in corpus.held_out if pair.source in WATCHED]
    batches = train.batches(held_out, tokenizer, options.seed)
    model = CrossEncoder(options.base).eval()
    found = {
        path.stem: torch.load(path, weights_only=True)
        for path in sorted(options.work.glob("stage[123].pt"))
    }
    print("| checkpoint | " + " | ".join(WATCHED) + " |")
    print("| --- " * (1 + len(WATCHED)) + "|")
    for count in range(1, len(found) + 1):
        for names in combinations(found, count):
            model.load_state_dict(average([found[name] for name in names]))
            print(
                f"| {' + '.join(names)} | " + " | ".join(scores(model, batches)) + " |", flush=True
            )


@torch.no_grad()
def scores(model: CrossEncoder, batches: list[train.Batch]) -> list[str]:
    chances, labels, sources = [], [], []
    for batch in batches:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(*batch.inputs()).float()
        chances.append(logits.softmax(-1).numpy())
        labels += batch.labels.tolist()
        sources += batch.sources
    table, gold, source = np.concatenate(chances), np.array(labels), np.array(sources)
    return [_cell(table[source == name], gold[source == name]) for name in WATCHED]


def _cell(table: np.ndarray, gold: np.ndarray) -> str:
    evidence = gold != 1
    return (
        f"{f1_score(gold, table.argmax(1), average='macro'):.3f} / "
        f"{roc_auc_score(gold[evidence] == 2, (table[:, 2] - table[:, 0])[evidence]):.3f} / "
        f"{roc_auc_score(evidence, 1 - table[:, 1]):.3f} / "
        f"{log_loss(gold, table, labels=[0, 1, 2]):.3f}"
    )


if __name__ == "__main__":
    main()
