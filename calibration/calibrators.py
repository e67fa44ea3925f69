"""Raw scores → calibrated probabilities → a label, by a multinomial logistic model saved as JSON.

Fitted with scikit-learn, applied in plain Python from the stored coefficients, so that a verdict
never pays for importing scikit-learn and no pickle is ever read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.errors import DataError

CLASSES = ("SUPPORT", "REFUTE", "UNCERTAIN")
STRENGTHS = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)


class Chances(NamedTuple):
    """Probabilities of the three labels; they sum to 1."""

    support: float
    refute: float
    uncertain: float


class Thresholds(BaseModel):
    """When a side is called: its probability reaches its bar *and* exceeds the other side's."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    support: float = Field(ge=0, le=1)
    refute: float = Field(ge=0, le=1)

    def label(self, chances: Chances) -> str:
        """SUPPORT, REFUTE or UNCERTAIN."""
        if chances.support >= self.support and chances.support > chances.refute:
            return "SUPPORT"
        if chances.refute >= self.refute and chances.refute > chances.support:
            return "REFUTE"
        return "UNCERTAIN"


class Calibrator(BaseModel):
    """A fitted multinomial logistic regression over named features, with its provenance.

    `judge` names the judge whose scores it was fitted on; it must not be used with another's.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int = 1
    judge: str
    features: tuple[str, ...]
    means: tuple[float, ...]
    scales: tuple[float, ...]
    coefficients: dict[str, tuple[float, ...]]
    intercepts: dict[str, float]
    thresholds: Thresholds
    fitted_on: str = Field(description="data sets and splits, and how many rows of each")
    data_sha256: str = Field(description="of the fitted feature rows and labels")
    figures: dict[str, float] = Field(description="cross-validated figures at fitting time")

    def chances(self, values: Mapping[str, float]) -> Chances:
        """Calibrated probabilities for one row; raises KeyError for a missing feature."""
        scaled = [
            (values[name] - mean) / scale
            for name, mean, scale in zip(self.features, self.means, self.scales, strict=True)
        ]
        logits = [
            self.intercepts[c]
            + sum(w * x for w, x in zip(self.coefficients[c], scaled, strict=True))
            for c in CLASSES
        ]
        highest = max(logits)
        odds = [exp(logit - highest) for logit in logits]
        total = sum(odds)
        return Chances(*(odd / total for odd in odds))

    @classmethod
    def load(cls, path: Path, *, judge: str) -> Calibrator:
        """Read a calibrator; raises DataError if it is damaged or was fitted on another judge."""
        try:
            loaded = cls.model_validate_json(path.read_text("utf-8"))
        except (OSError, ValidationError) as error:
            raise DataError(
                f"{path.name} is not a calibrator of this version ({type(error).__name__}); "
                "fit it again"
            ) from error
        if loaded.judge != judge:
            raise DataError(
                f"{path.name} was fitted on the judge {loaded.judge!r}, not {judge!r}; fit it again"
            )
        return loaded

    def save(self, path: Path) -> None:
        """Write as readable JSON, all or nothing."""
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps(self.model_dump(), indent=1) + "\n", "utf-8")
        draft.replace(path)


def fit(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[str],
    groups: Sequence[str],
    *,
    judge: str,
    fitted_on: str,
    folds: int = 5,
    decide: Thresholds | None = None,
    weights: Sequence[float] | None = None,
) -> tuple[Calibrator, list[Chances]]:
    """Fit on feature rows; returns the calibrator and every row's out-of-fold probabilities.

    The strength of the ridge penalty is chosen by grouped cross-validation on log-loss; the
    thresholds (unless given) by out-of-fold macro-F1 with a guard, see `choose_thresholds`. Rows
    with smaller `weights` count less in fitting and in the log-loss.
    Raises DataError when a class is missing or there are fewer groups than folds.
    """
    import hashlib

    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import log_loss
    from sklearn.model_selection import GroupKFold, cross_val_predict

    if set(labels) != set(CLASSES):
        raise DataError(f"all of {', '.join(CLASSES)} are needed to fit, got {sorted(set(labels))}")
    if len(set(groups)) < folds:
        raise DataError(f"{len(set(groups))} groups are too few for {folds} folds")
    names = sorted(rows[0])
    table = np.array([[row[name] for name in names] for row in rows], dtype=float)
    means = table.mean(axis=0)
    scales = np.where(table.std(axis=0) > 1e-9, table.std(axis=0), 1.0)
    scaled = (table - means) / scales
    targets = np.array([CLASSES.index(label) for label in labels])
    splits = list(GroupKFold(folds).split(scaled, targets, groups))

    counts = np.ones(len(rows)) if weights is None else np.asarray(weights, dtype=float)

    def out_of_fold(strength: float) -> np.ndarray:
        model = LogisticRegression(C=strength, max_iter=2000)
        guesses: np.ndarray = cross_val_predict(
            model,
            scaled,
            targets,
            cv=splits,
            method="predict_proba",
            params={"sample_weight": counts},
        )
        return guesses

    tried = {strength: out_of_fold(strength) for strength in STRENGTHS}
    losses = {
        c: log_loss(targets, guess, labels=[0, 1, 2], sample_weight=counts)
        for c, guess in tried.items()
    }
    strength = min(losses, key=lambda c: (losses[c], c))
    model = LogisticRegression(C=strength, max_iter=2000).fit(scaled, targets, sample_weight=counts)
    held_out = [Chances(*map(float, row)) for row in tried[strength]]
    thresholds = decide or choose_thresholds(held_out, labels)
    digest = hashlib.sha256(json.dumps([table.round(9).tolist(), list(labels)]).encode())
    calibrator = Calibrator(
        judge=judge,
        features=tuple(names),
        means=tuple(map(float, means)),
        scales=tuple(map(float, scales)),
        coefficients={c: tuple(map(float, model.coef_[i])) for i, c in enumerate(CLASSES)},
        intercepts={c: float(model.intercept_[i]) for i, c in enumerate(CLASSES)},
        thresholds=thresholds,
        fitted_on=fitted_on,
        data_sha256=digest.hexdigest(),
        figures=_figures(held_out, labels, thresholds, losses[strength], strength),
    )
    return calibrator, held_out


def choose_thresholds(
    chances: Sequence[Chances], labels: Sequence[str], *, guard: float = 0.10
) -> Thresholds:
    """The pair of bars with the best macro-F1 among those that call at most `guard` of the
    refuted claims supported (or the fewest such calls, where no pair keeps the guard).
    """
    from sklearn.metrics import f1_score

    refuted = max(1, sum(label == "REFUTE" for label in labels))
    ranked = []
    for support in range(30, 80, 2):
        for refute in range(20, 70, 2):
            bars = Thresholds(support=support / 100, refute=refute / 100)
            called = [bars.label(c) for c in chances]
            wrong = sum(
                c == "SUPPORT" and g == "REFUTE" for c, g in zip(called, labels, strict=True)
            )
            score = f1_score(labels, called, average="macro", zero_division=0)
            ranked.append((max(0.0, wrong / refuted - guard), -score, support, refute, bars))
    return min(ranked, key=lambda row: row[:4])[-1]


def _figures(
    chances: Sequence[Chances],
    labels: Sequence[str],
    thresholds: Thresholds,
    loss: float,
    strength: float,
) -> dict[str, float]:
    from sklearn.metrics import f1_score

    called = [thresholds.label(c) for c in chances]
    return {
        "rows": float(len(labels)),
        "log_loss": round(loss, 4),
        "macro_f1": round(float(f1_score(labels, called, average="macro")), 4),
        "agreement": round(
            sum(c == g for c, g in zip(called, labels, strict=True)) / len(labels), 4
        ),
        "strength": strength,
    }
