"""The shape of the house: arrows only downwards, `import verify` light, nothing of this machine."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

FLOORS = {"retrieval": {"calibration", "verify"}, "calibration": {"retrieval", "verify"}}
HEAVY = {"numpy", "onnxruntime", "sklearn", "lxml", "pysbd", "tokenizers", "torch", "rank_bm25"}


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_never_imports_what_stands_beside_or_above_it(floor: str) -> None:
    for file in (REPOSITORY / floor).rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
            for name in names:
                assert name.split(".")[0] not in FLOORS[floor], f"{file.name} imports {name}"


def test_import_verify_loads_no_heavy_library() -> None:
    program = "import sys, verify; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not HEAVY & set(loaded)


def test_public_names_are_sorted_and_there() -> None:
    import verify

    assert verify.__all__ == sorted(verify.__all__)
    assert all(getattr(verify, name) for name in verify.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        verify.nothing  # noqa: B018


def test_rooms_stay_small() -> None:
    for floor in ("retrieval", "verify", "calibration"):
        for file in Path(REPOSITORY / floor).rglob("*.py"):
            assert len(file.read_text("utf-8").splitlines()) <= 400, f"{file} is too long"


def test_shipped_weights_are_small_and_as_described() -> None:
    import hashlib
    import json

    folder = REPOSITORY / "retrieval" / "data"
    card = json.loads((folder / "judge.json").read_text("utf-8"))
    weights = (folder / "judge.onnx").read_bytes()
    assert len(weights) <= 25_000_000
    assert hashlib.sha256(weights).hexdigest() == card["sha256"]
    assert set(card["id2label"].values()) == {"refutes", "neutral", "supports"}
