"""Calibrators: fitted, saved and applied alike; refused when they belong to another judge."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.calibrators import CLASSES, Calibrator, Chances, Thresholds, choose_thresholds, fit
from calibration.errors import DataError


def rows(count: int = 300) -> tuple[list[dict[str, float]], list[str], list[str]]:
    """Made-up scores: `lean` separates support from refute, `bears` evidence from none."""
    rng = random.Random(5)
    labels = [CLASSES[i % 3] for i in range(count)]
    centre = {"SUPPORT": (-1.5, 1.0), "REFUTE": (1.5, 1.0), "UNCERTAIN": (0.0, -1.0)}
    table = [
        {"lean": rng.gauss(centre[x][0], 1), "bears": rng.gauss(centre[x][1], 1)} for x in labels
    ]
    return table, labels, [f"g{i // 3}" for i in range(count)]


@pytest.fixture(scope="module")
def fitted() -> tuple[Calibrator, list[Chances]]:
    table, labels, groups = rows()
    return fit(table, labels, groups, judge="j", fitted_on="made-up rows")


def test_out_of_fold_probabilities_are_calibrated_and_sharp(
    fitted: tuple[Calibrator, list[Chances]],
) -> None:
    _, labels, _ = rows()
    chances = fitted[1]
    assert all(sum(c) == pytest.approx(1) for c in chances)
    sure = [c for c in chances if max(c) > 0.8]
    right = [
        max(c) == c[CLASSES.index(x)] for c, x in zip(chances, labels, strict=True) if c in sure
    ]
    assert len(sure) > 60
    assert 0.8 < sum(right) / len(right) <= 1


def test_plain_python_applies_what_scikit_learn_fitted(
    fitted: tuple[Calibrator, list[Chances]],
) -> None:
    from sklearn.linear_model import LogisticRegression

    table, labels, _ = rows()
    calibrator = fitted[0]
    scaled = [
        [
            (r[n] - m) / s
            for n, m, s in zip(
                calibrator.features, calibrator.means, calibrator.scales, strict=True
            )
        ]
        for r in table
    ]
    model = LogisticRegression(C=calibrator.figures["strength"], max_iter=2000).fit(
        scaled, [CLASSES.index(x) for x in labels]
    )
    for row, expected in zip(table, model.predict_proba(scaled), strict=True):
        assert calibrator.chances(row) == pytest.approx(tuple(expected), abs=1e-6)


def test_saved_and_loaded_is_the_same(
    fitted: tuple[Calibrator, list[Chances]], tmp_path: Path
) -> None:
    fitted[0].save(tmp_path / "c.json")
    assert Calibrator.load(tmp_path / "c.json", judge="j") == fitted[0]
    assert [f.name for f in tmp_path.iterdir()] == ["c.json"]


def test_another_judges_calibrator_is_refused(
    fitted: tuple[Calibrator, list[Chances]], tmp_path: Path
) -> None:
    fitted[0].save(tmp_path / "c.json")
    with pytest.raises(DataError, match="fitted on the judge 'j', not 'k'"):
        Calibrator.load(tmp_path / "c.json", judge="k")


@pytest.mark.parametrize("content", ["", "{}", '{"format": 1, "extra": 2}', "[]"])
def test_a_damaged_calibrator_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(DataError, match=r"c\.json is not a calibrator of this version"):
        Calibrator.load(tmp_path / "c.json", judge="j")


def test_a_missing_class_or_too_few_groups_is_refused() -> None:
    table, labels, groups = rows(30)
    with pytest.raises(DataError, match="all of SUPPORT, REFUTE, UNCERTAIN are needed"):
        fit(table, ["SUPPORT"] * 30, groups, judge="j", fitted_on="")
    with pytest.raises(DataError, match="1 groups are too few for 5 folds"):
        fit(table, labels, ["one"] * 30, judge="j", fitted_on="")


def test_thresholds_keep_the_guard() -> None:
    chances = [Chances(0.6, 0.3, 0.1), Chances(0.9, 0.05, 0.05), Chances(0.1, 0.8, 0.1)] * 10
    labels = ["REFUTE", "SUPPORT", "REFUTE"] * 10
    bars = choose_thresholds([*chances, Chances(0.1, 0.1, 0.8)], [*labels, "UNCERTAIN"])
    assert [bars.label(c) for c in chances[:3]] == ["UNCERTAIN", "SUPPORT", "REFUTE"]


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_side_is_called_only_above_its_bar(a: float, b: float, bar: float, other: float) -> None:
    chances = Chances(a, b, 0.0)
    label = Thresholds(support=bar, refute=other).label(chances)
    if label == "SUPPORT":
        assert a >= bar
        assert a > b
    if label == "REFUTE":
        assert b >= other
        assert b > a
