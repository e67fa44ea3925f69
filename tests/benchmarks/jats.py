"""How many articles a second `read_jats` reads: `python tests/benchmarks/jats.py FOLDER`.

Prints the best of five passes over every XML file of the folder, on one core.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from retrieval.jats import read_jats


def main() -> None:
    files = [path.read_bytes() for path in sorted(Path(sys.argv[1]).glob("*xml"))]
    if not files:
        sys.exit(f"no XML files in {sys.argv[1]}")
    best = min(_seconds(files) for _ in range(5))
    size = sum(map(len, files)) / len(files) / 1000
    print(f"{len(files) / best:.0f} files/s ({len(files)} files, {size:.0f} KB on average)")


def _seconds(files: list[bytes]) -> float:
    start = time.perf_counter()
    for data in files:
        read_jats(data)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
