"""How well the Librarian finds SciFact's cited abstracts among all 5,183.

    python tests/benchmarks/finding.py --data ../shared/data [--split dev]

nDCG@10 and recall@20 with 95% bootstrap intervals over claims.
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

from retrieval.librarian import PAPERS_FOUND, Librarian
from retrieval.library import Library


def main() -> None:
    """Measure, or fit on the training split."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/")
    parser.add_argument("--split", choices=("train", "dev"), default="dev")
    parser.add_argument("--limit", type=int, help="only this many claims")
    options = parser.parse_args()
    scifact = options.data / "scifact"
    lines = (scifact / f"claims_{options.split}.jsonl").read_text("utf-8").splitlines()
    claims = [json.loads(line) for line in lines][: options.limit]
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "scifact.sqlite", create=True) as library:
            started = time.perf_counter()
            library.add([scifact / "corpus.jsonl.gz"])
            print(f"added in {time.perf_counter() - started:.1f} s")
            finder = Librarian(library)
            report(options.split, finder, claims)


def report(name: str, finder: Librarian, claims: Sequence[dict]) -> None:
    """Print nDCG@10, recall@20 and seconds a claim."""
    gains, recalls, started = [], [], time.perf_counter()
    for row in claims:
        relevant = {f"local:{doc}" for doc in row["cited_doc_ids"]}
        found = finder.find(row["claim"], limit=PAPERS_FOUND).evidence
        ranking = [evidence.paper.id for evidence in found]
        gains.append(ndcg(ranking, relevant))
        recalls.append(len(relevant & set(ranking[:20])) / len(relevant))
    seconds = (time.perf_counter() - started) / len(claims)
    print(
        f"{name}: nDCG@10 {interval(gains)}  recall@20 {interval(recalls)}  {seconds:.2f} s/claim"
    )


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
