"""Seconds and memory to verify one claim on SciFact's 5,183 abstracts, and the judge's throughput.

    python tests/benchmarks/verifying.py --data ../shared/data

Warm: ten training claims in one process, median. Cold: the whole command from the shell, five runs,
median wall time and peak memory of the process. Throughput: 96-token pairs a second, 2 threads.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from retrieval.cross_encoder import CrossEncoder
from retrieval.library import Library
from verify.verifier import Verifier

CLAIM = "Aspirin reduces the risk of colorectal cancer."


def main() -> None:
    """Measure and print, a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/")
    options = parser.parse_args()
    lines = (options.data / "scifact" / "claims_train.jsonl").read_text("utf-8").splitlines()
    claims = [json.loads(line)["claim"] for line in lines[:11]]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scifact.sqlite"
        with Library.open(file, create=True) as library:
            started = time.perf_counter()
            library.add([options.data / "scifact" / "corpus.jsonl.gz"])
            print(f"adding 5,183 abstracts: {time.perf_counter() - started:.1f} s")
            warm(Verifier(library), claims)
        cold(file)
    throughput()


def warm(verifier: Verifier, claims: list[str]) -> None:
    """Median seconds a claim, after one claim to load everything."""
    verifier.verify(claims[0])
    seconds = [timed(lambda claim=claim: verifier.verify(claim)) for claim in claims[1:]]
    print(f"verify, warm: {statistics.median(seconds):.2f} s (max {max(seconds):.2f})")


def cold(file: Path) -> None:
    """Wall time and peak memory of the command, started anew each time."""
    command = [sys.executable, "-m", "verify.cli", "verify", CLAIM, "--library", str(file)]
    seconds, memory = [], []
    for _ in range(5):
        started = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds.append(time.perf_counter() - started)
        memory.append(usage.ru_maxrss / 1024)
        assert process.returncode == 0
    print(f"verify, cold: {statistics.median(seconds):.2f} s, peak {max(memory):.0f} MB")


def throughput(pairs: int = 400, tokens: int = 96) -> None:
    """Pairs a second at a fixed length."""
    encoder = CrossEncoder()
    claim = "Drug A reduces the risk of disease B in adults."
    room = tokens - 3 - encoder.token_counts([claim])[0]
    texts = [" ".join(["protein"] * (room - 2) + [str(n), "x"]) for n in range(10, 10 + pairs)]
    encoder.score(claim, texts[:2])
    print(
        f"judge: {pairs / timed(lambda: encoder.score(claim, texts)):.0f} pairs/s at ~{tokens} tokens"
    )


def timed(action) -> float:  # type: ignore[no-untyped-def]
    """Seconds that `action` takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
