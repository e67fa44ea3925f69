"""Fine-tune the embedded judge; deterministic by seed, resumable at every checkpoint.

    python -m calibration.nli_training.train --nli DIR --data DIR --base DIR --work DIR --stage 1

A stage starts from the mean of the earlier stages' weights. See README.md beside this file for data, licences, results.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import nn

from calibration.nli_training import data
from calibration.nli_training.model import CrossEncoder, average

MAX_TOKENS = 160
BATCH = 32
LABEL_SMOOTHING = 0.05
CHECKPOINT_EVERY = 200


@dataclass(frozen=True)
class Schedule:
    epochs: int
    encoder_rate: float
    head_rate: float
    warm_up: float


SCHEDULES = {
    1: Schedule(epochs=2, encoder_rate=1.2e-4, head_rate=6e-4, warm_up=0.03),
    2: Schedule(epochs=3, encoder_rate=5e-5, head_rate=2e-4, warm_up=0.05),
    3: Schedule(epochs=1, encoder_rate=5e-5, head_rate=2e-4, warm_up=0.05),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nli", type=Path, required=True, help="folder of training pairs")
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/")
    parser.add_argument("--base", type=Path, required=True, help="all-MiniLM-L6-v2 folder")
    parser.add_argument("--work", type=Path, required=True, help="checkpoints are kept here")
    parser.add_argument("--stage", type=int, choices=(1, 2, 3), required=True)
    parser.add_argument("--seed", type=int, default=20261201)
    options = parser.parse_args()
    torch.manual_seed(options.seed + options.stage)
    options.work.mkdir(parents=True, exist_ok=True)

    corpus = data.load(options.nli, options.data, options.seed)
    tokenizer = Tokenizer.from_file(str(options.base / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS, strategy="longest_first")
    model = CrossEncoder(options.base)
    if options.stage > 1:
        earlier = [options.work / f"stage{number}.pt" for number in range(1, options.stage)]
        model.load_state_dict(average([torch.load(path, weights_only=True) for path in earlier]))
    train(model, corpus, tokenizer, options.work, options.stage, options.seed)


def train(
    model: CrossEncoder,
    corpus: data.Corpus,
    tokenizer: Tokenizer,
    work: Path,
    stage: int,
    seed: int,
) -> None:
    schedule = SCHEDULES[stage]
    optimizer = torch.optim.AdamW(
        [
            {
                "params": [p for p in model.encoder.parameters() if p.requires_grad],
                "lr": schedule.encoder_rate,
            },
            {"params": model.head.parameters(), "lr": schedule.head_rate},
        ],
        weight_decay=0.01,
    )
    epochs = [
        batches(corpus.epoch(stage, number, seed), tokenizer, seed + number)
        for number in range(schedule.epochs)
    ]
    total = sum(len(epoch) for epoch in epochs)
    scale = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: _rate(step, total, schedule.warm_up)
    )
    loss_of = nn.CrossEntropyLoss(label_smoothing=LABEL_SMOOTHING)
    checkpoint = work / f"stage{stage}.checkpoint.pt"
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimizer.load_state_dict(state["optimizer"])
        scale.load_state_dict(state["scale"])
        done = state["step"]
    held_out = batches(watched(corpus.held_out), tokenizer, seed)
    print(f"stage {stage}: {total} batches, {done} already done", flush=True)
    started, running = time.time(), 0.0
    model.train()
    for step, batch in enumerate((b for epoch in epochs for b in epoch), start=1):
        if step <= done:
            continue
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = model(*batch.inputs())
        loss = loss_of(logits.float(), batch.labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scale.step()
        optimizer.zero_grad(set_to_none=True)
        running = 0.98 * running + 0.02 * float(loss.detach()) if running else float(loss.detach())
        if step % CHECKPOINT_EVERY == 0:
            torch.save(
                {
                    "model": model.state_dict(),
                    "optimizer": optimizer.state_dict(),
                    "scale": scale.state_dict(),
                    "step": step,
                },
                checkpoint.with_suffix(".new"),
            )
            checkpoint.with_suffix(".new").replace(checkpoint)
            rate = (step - done) / (time.time() - started)
            print(f"{step}/{total} loss {running:.3f} {rate:.2f} batches/s", flush=True)
    torch.save(model.state_dict(), work / f"stage{stage}.pt")
    scores = evaluate(model, held_out)
    (work / f"stage{stage}.json").write_text(json.dumps(scores, indent=2))
    print(json.dumps(scores, indent=2), flush=True)


def watched(held_out: list[data.Pair], most: int = 250) -> list[data.Pair]:
    """The first `most` held-out pairs of each source: enough to watch, quick to score."""
    seen: dict[str, int] = {}
    kept = []
    for pair in held_out:
        seen[pair.source] = seen.get(pair.source, 0) + 1
        if seen[pair.source] <= most:
            kept.append(pair)
    return kept


@dataclass(frozen=True)
class Batch:
    input_ids: torch.Tensor
    attention_mask: torch.Tensor
    token_type_ids: torch.Tensor
    labels: torch.Tensor
    sources: tuple[str, ...]

    def inputs(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        return self.input_ids, self.attention_mask, self.token_type_ids


def batches(pairs: list[data.Pair], tokenizer: Tokenizer, seed: int) -> list[Batch]:
    """Batches of pairs of like length, in shuffled order; (claim, premise) as the two segments."""
    encodings = tokenizer.encode_batch([(p.hypothesis, p.premise) for p in pairs])
    order = list(range(len(pairs)))
    rng = random.Random(seed)
    made = []
    for start in range(0, len(order), BATCH * 100):
        chunk = sorted(order[start : start + BATCH * 100], key=lambda i: len(encodings[i].ids))
        made += [chunk[i : i + BATCH] for i in range(0, len(chunk), BATCH)]
    rng.shuffle(made)
    return [_batch([pairs[i] for i in rows], [encodings[i] for i in rows]) for rows in made]


def _batch(pairs: list[data.Pair], encodings: list) -> Batch:
    width = max(len(e.ids) for e in encodings)

    def padded(rows: Iterator[list[int]]) -> torch.Tensor:
        return torch.tensor([row + [0] * (width - len(row)) for row in rows])

    return Batch(
        padded(e.ids for e in encodings),
        padded(e.attention_mask for e in encodings),
        padded(e.type_ids for e in encodings),
        torch.tensor([p.label for p in pairs]),
        tuple(p.source for p in pairs),
    )


def _rate(step: int, total: int, warm_up: float) -> float:
    ramp = max(1, math.ceil(total * warm_up))
    return (step + 1) / ramp if step < ramp else max(0.02, (total - step) / (total - ramp))


@torch.no_grad()
def evaluate(model: CrossEncoder, held_out: list[Batch]) -> dict[str, dict[str, float]]:
    """Accuracy and number of pairs by source."""
    model.eval()
    hits: dict[str, list[int]] = {}
    for batch in held_out:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            guesses = model(*batch.inputs()).float().argmax(-1)
        for source, guess, label in zip(
            batch.sources, guesses.tolist(), batch.labels.tolist(), strict=True
        ):
            hits.setdefault(source, []).append(int(guess == label))
    model.train()
    return {
        source: {"accuracy": round(sum(rows) / len(rows), 4), "pairs": len(rows)}
        for source, rows in sorted(hits.items())
    }


if __name__ == "__main__":
    main()
