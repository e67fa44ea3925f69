"""How fast the library takes in SciFact's 5,183 abstracts, and how well and fast it finds them.

    python tests/benchmarks/library_add.py [FOLDER_OF_SCIFACT]

Adding is timed from the shell, start-up included. Relevant to a claim are the abstracts it cites.
The weights in `retrieval.library` were chosen on the training claims; the development claims are
only reported.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Sequence
from math import log2
from pathlib import Path
from statistics import fmean, median, quantiles

from retrieval.library import Library

SCIFACT = Path(__file__).resolve().parents[3] / "shared" / "data" / "scifact"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else SCIFACT
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "library.sqlite"
        began = time.perf_counter()
        _add(folder / "corpus.jsonl.gz", path)
        print(f"adding: {time.perf_counter() - began:.1f} s (floor 30, aim 8)")
        began = time.perf_counter()
        _add(folder / "corpus.jsonl.gz", path)
        print(f"adding the same again: {time.perf_counter() - began:.1f} s")
        print(f"size: {path.stat().st_size / 1e6:.1f} MB")
        with Library.open(path) as library:
            for split in ("train", "dev"):
                print(f"{split}: {_measure(library, folder / f'claims_{split}.jsonl')}")


def _add(corpus: Path, library: Path) -> None:
    files = [str(corpus), "--library", str(library)]
    command = [sys.executable, "-m", "verify.cli", "library", "add", *files]
    subprocess.run(command, check=True, capture_output=True)


def _measure(library: Library, claims: Path) -> str:
    scores: dict[str, list[float]] = {"nDCG@10": [], "recall@20": [], "recall@40": []}
    scores["recall@100"] = []
    times = []
    for line in claims.read_text("utf-8").splitlines():
        claim = json.loads(line)
        cited = {f"local:{doc}" for doc in claim["cited_doc_ids"]}
        began = time.perf_counter()
        found = [hit.paper_id for hit in library.search(claim["claim"], limit=100)]
        times.append(time.perf_counter() - began)
        for name, values in scores.items():
            measure, _, depth = name.partition("@")
            best = found[: int(depth)]
            values.append(ndcg(best, cited) if measure == "nDCG" else recall(best, cited))
    figures = "  ".join(f"{name} {fmean(values):.4f}" for name, values in scores.items())
    slow = quantiles(times, n=20)[-1]
    return f"{figures}  search {1e3 * median(times):.1f} ms, 95% under {1e3 * slow:.1f} ms"


def ndcg(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Binary nDCG of a ranking that was cut off already."""
    gained = sum(1 / log2(rank + 2) for rank, paper in enumerate(ranked) if paper in relevant)
    return gained / sum(1 / log2(rank + 2) for rank in range(min(10, len(relevant))))


def recall(ranked: Sequence[str], relevant: Collection[str]) -> float:
    """The share of the relevant papers that are in a ranking that was cut off already."""
    return len(set(ranked) & set(relevant)) / len(relevant)


if __name__ == "__main__":
    main()
