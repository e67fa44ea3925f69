"""How good are labels, probabilities and Likert levels, measured on labelled claims?"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log2
from typing import Self

import numpy as np

from calibration import weighted
from calibration.bootstrap import N_RESAMPLES, SEED, Estimate, estimates
from calibration.errors import DataError
from calibration.models import Label
from calibration.weighted import Bools, Floats, Ints

LABELS = (Label.SUPPORT, Label.REFUTE, Label.UNCERTAIN)
SUPPORT, REFUTE, UNCERTAIN = range(3)
BINS = 10  # of the calibration error: 30 rows a bin at the 300 rows of a small set
SHARES = tuple(share / 20 for share in range(1, 21))  # coverages of the abstention curve
LEVELS = tuple(range(1, 11))  # Likert thresholds; 0 would call everything contradicted
_SUM_TOLERANCE = 1e-6


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Gold labels and what a judge said, row by row; make them with `Outcomes.of`.

    Attributes
    ----------
    gold, called : ndarray of shape (rows,)
        Places in `LABELS`.
    probabilities : ndarray of shape (rows, 3)
        In the order of `LABELS`.
    groups : tuple of str
        Rows of one group are resampled together.
    likert : ndarray of shape (rows,) or None
        Levels 0 to 10, high for contradicted.
    """

    gold: Ints
    called: Ints
    probabilities: Floats
    groups: tuple[str, ...]
    likert: Ints | None

    @classmethod
    def of(
        cls,
        gold: Sequence[str],
        called: Sequence[str],
        probabilities: Sequence[Sequence[float]] | Floats,
        *,
        groups: Sequence[str] | None = None,
        likert: Sequence[int] | None = None,
    ) -> Self:
        """Check and store; without `groups` every row stands alone.

        Raises
        ------
        DataError
            For no rows, different lengths, unknown labels, probabilities that are NaN, outside
            [0, 1] or don't sum to 1, and Likert levels outside 0 to 10.
        """
        rows = len(gold)
        table = np.asarray(probabilities, dtype=float)
        if not rows:
            raise DataError("there are no rows to measure")
        if table.shape != (rows, len(LABELS)):
            raise DataError(f"expected probabilities of shape ({rows}, 3), got {table.shape}")
        for name, column in (("called", called), ("groups", groups), ("likert", likert)):
            if column is not None and len(column) != rows:
                raise DataError(f"{name} has {len(column)} rows, the gold labels have {rows}")
        if not np.all((table >= 0) & (table <= 1)):
            raise DataError("probabilities must be numbers between 0 and 1, without NaN")
        if not np.allclose(table.sum(axis=1), 1, rtol=0, atol=_SUM_TOLERANCE):
            raise DataError("the three probabilities of a row must sum to 1")
        levels = None if likert is None else np.asarray(likert, dtype=int)
        if levels is not None and not np.all((levels >= 0) & (levels <= 10)):
            raise DataError("Likert levels must lie between 0 and 10")
        own = tuple(map(str, groups if groups is not None else range(rows)))
        return cls(_places(gold), _places(called), table, own, levels)

    def __len__(self) -> int:
        return len(self.gold)


def measure(
    outcomes: Outcomes, *, bins: int = BINS, n_resamples: int = N_RESAMPLES, seed: int = SEED
) -> dict[str, Estimate]:
    """All figures, each with a grouped bootstrap 95% interval.

    Parameters
    ----------
    outcomes : Outcomes
    bins : int, default=10
        Bins of equal mass for the calibration errors.
    n_resamples, seed : int
        As in `calibration.bootstrap.estimates`.

    Returns
    -------
    dict of str to Estimate
        `agreement` (3-class accuracy, as ProClaim defines it), `macro_f1` (over the classes that
        have gold rows), precision, recall and F1 of each class, `cohen_kappa`, `mcc`;
        `auroc_support_vs_contradict` (p(SUPPORT) - p(REFUTE) over rows with gold SUPPORT or
        REFUTE), `auroc_evidence_vs_none` (1 - p(UNCERTAIN), these rows against gold UNCERTAIN),
        `auroc_contradicted` and `pr_auc_contradicted` (p(REFUTE), gold REFUTE against the rest);
        `contradicted_as_supported` (rows with gold REFUTE called SUPPORT), the opposite
        `supported_as_contradicted`, each also as a share of its gold class; `ece` of the most
        probable label [1]_ and of two single probabilities, over bins of equal mass [2]_;
        `brier` (summed over classes, 0 to 2) [3]_ and `log_loss` (natural, clipped at machine
        epsilon). What the rows leave undefined is None.

    Notes
    -----
    The calibration error of even a perfectly calibrated judge is above 0 on a finite sample, the
    more so the fewer rows a bin has; compare figures of equal size only.

    References
    ----------
    .. [1] C. Guo et al., "On calibration of modern neural networks", ICML 2017.
    .. [2] K. Nguyen and B. O'Connor, "Posterior calibration and exploratory analysis for natural
       language processing models", EMNLP 2015.
    .. [3] G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly
       Weather Review 78 (1950), 1-3.
    """

    def statistic(weights: Floats) -> dict[str, Floats]:
        return {
            **_of_labels(outcomes, weights),
            **_of_rankings(outcomes, weights),
            **_of_probabilities(outcomes, weights, bins),
        }

    return estimates(statistic, outcomes.groups, n_resamples=n_resamples, seed=seed)


def confusion_counts(outcomes: Outcomes) -> dict[str, dict[str, int]]:
    """Rows by gold label, then by the label called."""
    counts = weighted.confusion(outcomes.gold, outcomes.called, np.ones((1, len(outcomes))))[0]
    return {
        gold.value: {called.value: int(counts[i, j]) for j, called in enumerate(LABELS)}
        for i, gold in enumerate(LABELS)
    }


def likert_curve(
    outcomes: Outcomes, *, n_resamples: int = N_RESAMPLES, seed: int = SEED
) -> dict[int, dict[str, Estimate]]:
    """Precision, recall and false-positive rate of "contradicted" at each Likert threshold.

    At threshold t (1 to 10) a claim counts as contradicted if its level is at least t. Raises
    DataError for outcomes without Likert levels.
    """
    if outcomes.likert is None:
        raise DataError("these outcomes have no Likert levels")
    gold, likert = outcomes.gold == REFUTE, outcomes.likert

    def statistic(weights: Floats) -> dict[str, Floats]:
        figures = {}
        for level in LEVELS:
            matrix = _binary(gold, likert >= level, weights)
            figures[f"{level} precision"] = weighted.precision(matrix)[:, 1]
            figures[f"{level} recall"] = weighted.recall(matrix)[:, 1]
            figures[f"{level} fpr"] = 1 - weighted.recall(matrix)[:, 0]
        return figures

    found = estimates(statistic, outcomes.groups, n_resamples=n_resamples, seed=seed)
    kinds = ("precision", "recall", "fpr")
    return {level: {kind: found[f"{level} {kind}"] for kind in kinds} for level in LEVELS}


def abstention_curve(
    outcomes: Outcomes, *, n_resamples: int = N_RESAMPLES, seed: int = SEED
) -> dict[float, Estimate]:
    """Accuracy over the surest share of rows (coverage 0.05 to 1), abstaining from the others.

    Rows are ranked by the probability of the label that was called.
    """
    rows = np.arange(len(outcomes))
    confidence = outcomes.probabilities[rows, outcomes.called]
    right = outcomes.gold == outcomes.called

    def statistic(weights: Floats) -> dict[str, Floats]:
        curve = weighted.accuracy_at_coverage(confidence, right, weights, np.array(SHARES))
        return {str(share): curve[:, i] for i, share in enumerate(SHARES)}

    found = estimates(statistic, outcomes.groups, n_resamples=n_resamples, seed=seed)
    return {share: found[str(share)] for share in SHARES}


def ndcg_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Normalised discounted cumulative gain of the first `k`, with gains of 0 and 1, in [0, 1].

    An item counts once, at its first place. nan without relevant items.

    References
    ----------
    K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", ACM
    Transactions on Information Systems 20 (2002), 422-446.
    """
    wanted = set(relevant)
    if not wanted:
        return float("nan")
    first = list(dict.fromkeys(ranking))[:k]
    gain = sum(1 / log2(place + 2) for place, item in enumerate(first) if item in wanted)
    ideal = sum(1 / log2(place + 2) for place in range(min(k, len(wanted))))
    return gain / ideal


def recall_at(ranking: Sequence[str], relevant: Collection[str], k: int) -> float:
    """Share of the relevant items among the first `k`; nan without relevant items."""
    wanted = set(relevant)
    if not wanted:
        return float("nan")
    return len(wanted & set(list(dict.fromkeys(ranking))[:k])) / len(wanted)


def _places(labels: Sequence[str]) -> Ints:
    try:
        return np.array([LABELS.index(Label(label)) for label in labels], dtype=np.int64)
    except ValueError as error:
        raise DataError(f"unknown label: {error}; use SUPPORT, REFUTE, UNCERTAIN") from error


def _binary(gold: Bools, called: Bools, weights: Floats) -> Floats:
    return weighted.confusion(gold.astype(np.int64), called.astype(np.int64), weights, classes=2)


def _of_labels(outcomes: Outcomes, weights: Floats) -> dict[str, Floats]:
    matrix = weighted.confusion(outcomes.gold, outcomes.called, weights)
    precision, recall = weighted.precision(matrix), weighted.recall(matrix)
    f1, rows = weighted.f1(matrix), matrix.sum(axis=2)
    figures = {"agreement": weighted.accuracy(matrix), "macro_f1": weighted.macro_f1(matrix)}
    for place, label in enumerate(LABELS):
        name = label.value.lower()
        figures[f"precision_{name}"] = precision[:, place]
        figures[f"recall_{name}"] = recall[:, place]
        figures[f"f1_{name}"] = f1[:, place]
    false_support, false_refute = matrix[:, REFUTE, SUPPORT], matrix[:, SUPPORT, REFUTE]
    return figures | {
        "cohen_kappa": weighted.cohen_kappa(matrix),
        "mcc": weighted.matthews(matrix),
        "contradicted_as_supported": false_support,
        "contradicted_as_supported_share": weighted.ratio(false_support, rows[:, REFUTE]),
        "supported_as_contradicted": false_refute,
        "supported_as_contradicted_share": weighted.ratio(false_refute, rows[:, SUPPORT]),
    }


def _of_rankings(outcomes: Outcomes, weights: Floats) -> dict[str, Floats]:
    chances, gold = outcomes.probabilities, outcomes.gold
    sided, refuted = gold != UNCERTAIN, gold == REFUTE
    lean = chances[:, SUPPORT] - chances[:, REFUTE]
    against = chances[:, REFUTE]
    return {
        "auroc_support_vs_contradict": weighted.auroc(lean, gold == SUPPORT, weights * sided),
        "auroc_evidence_vs_none": weighted.auroc(1 - chances[:, UNCERTAIN], sided, weights),
        "auroc_contradicted": weighted.auroc(against, refuted, weights),
        "pr_auc_contradicted": weighted.average_precision(against, refuted, weights),
    }


def _of_probabilities(outcomes: Outcomes, weights: Floats, bins: int) -> dict[str, Floats]:
    chances, gold = outcomes.probabilities, outcomes.gold
    right = chances.argmax(axis=1) == gold
    misses = ((chances - np.eye(len(LABELS))[gold]) ** 2).sum(axis=1)
    given = chances[np.arange(len(gold)), gold]
    surprise = -np.log(np.clip(given, np.finfo(float).eps, 1))

    def error(scores: Floats, truth: Bools) -> Floats:
        return weighted.calibration_error(scores, truth, weights, bins)

    return {
        "ece": error(chances.max(axis=1), right),
        "ece_support": error(chances[:, SUPPORT], gold == SUPPORT),
        "ece_refute": error(chances[:, REFUTE], gold == REFUTE),
        "brier": weighted.mean(misses, weights),
        "log_loss": weighted.mean(surprise, weights),
    }
