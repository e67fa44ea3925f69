"""How well the Librarian finds SciFact's cited abstracts among all 5,183, and its fusion weights.

    python tests/benchmarks/finding.py --data ../shared/data [--split dev] [--fit]

`--fit` tries fusion weights on the *training* claims and prints the table; without it the shipped
weights are measured on the split named. nDCG@10 and recall@20 with 95% bootstrap intervals.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from math import log2
from pathlib import Path

from retrieval import librarian
from retrieval.cross_encoder import CrossEncoder
from retrieval.librarian import CANDIDATE_PAPERS, Fusion, Librarian
from retrieval.library import Library


def main() -> None:
    """Measure, or fit on the training split."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/")
    parser.add_argument("--split", choices=("train", "dev"), default="dev")
    parser.add_argument("--fit", action="store_true", help="try weights on the training claims")
    parser.add_argument("--limit", type=int, help="only this many claims")
    options = parser.parse_args()
    scifact = options.data / "scifact"
    split = "train" if options.fit else options.split
    lines = (scifact / f"claims_{split}.jsonl").read_text("utf-8").splitlines()
    claims = [json.loads(line) for line in lines][: options.limit]
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "scifact.sqlite", create=True) as library:
            started = time.perf_counter()
            library.add([scifact / "corpus.jsonl.gz"])
            print(f"added in {time.perf_counter() - started:.1f} s")
            finder = Librarian(library, CrossEncoder())
            if options.fit:
                for bears in (0.0, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1):
                    librarian.FUSION = Fusion(bm25=1.0, bears=bears)
                    report(f"bears={bears}", finder, claims)
            else:
                report(split, finder, claims)


def report(name: str, finder: Librarian, claims: Sequence[dict]) -> None:
    """Print nDCG@10, recall@20 and seconds a claim."""
    gains, recalls, started = [], [], time.perf_counter()
    for row in claims:
        relevant = {f"local:{doc}" for doc in row["cited_doc_ids"]}
        found = finder.find(row["claim"], limit=CANDIDATE_PAPERS).evidence
        ranking = [evidence.paper.id for evidence in found]
        gains.append(ndcg(ranking, relevant))
        recalls.append(len(relevant & set(ranking[:20])) / len(relevant))
    seconds = (time.perf_counter() - started) / len(claims)
    print(f"{name}: nDCG@10 {interval(gains)}  recall@20 {interval(recalls)}  {seconds:.2f} s/claim")


def ndcg(ranking: Sequence[str], relevant: set[str], k: int = 10) -> float:
    """Normalised discounted cumulative gain with binary relevance."""
    gain = sum(1 / log2(place + 2) for place, doc in enumerate(ranking[:k]) if doc in relevant)
    return gain / sum(1 / log2(place + 2) for place in range(min(k, len(relevant))))


def interval(values: Sequence[float]) -> str:
    """Mean with a 95% bootstrap interval over claims."""
    rng = random.Random(0)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(1000))
    return f"{sum(values) / len(values):.3f} [{means[25]:.3f}, {means[974]:.3f}]"


if __name__ == "__main__":
    main()
