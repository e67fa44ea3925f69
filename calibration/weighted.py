"""Statistics of weighted rows, for many weightings at once.

`weights` has shape (resamples, rows); a row of weight 2 counts as two rows. Every function gives
one number a resample, nan where it isn't defined. A thousand bootstrap resamples thus cost one
pass over matrices rather than a thousand calls of scikit-learn, whose functions are the oracle in
`tests/test_metrics.py`. Rows of equal score are taken together, so that no result hangs on the
order of the rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def ratio(part: Floats, whole: Floats) -> Floats:
    """`part / whole`, nan where `whole` is 0."""
    shares: Floats = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)
    return shares


def mean(values: Floats | Bools, weights: Floats) -> Floats:
    """Weighted mean of one value a row."""
    return ratio(weights @ values.astype(float), weights.sum(axis=1))


def confusion(gold: Ints, called: Ints, weights: Floats, classes: int = 3) -> Floats:
    """Confusion matrices, shape (resamples, classes, classes): gold by row, called by column."""
    cells = np.eye(classes * classes)[gold * classes + called]
    matrices: Floats = (weights @ cells).reshape(-1, classes, classes)
    return matrices


def accuracy(matrix: Floats) -> Floats:
    """Share of rows called right."""
    return ratio(np.trace(matrix, axis1=1, axis2=2), matrix.sum(axis=(1, 2)))


def precision(matrix: Floats) -> Floats:
    """Of the rows called a class, the share that is; shape (resamples, classes)."""
    return ratio(np.diagonal(matrix, axis1=1, axis2=2), matrix.sum(axis=1))


def recall(matrix: Floats) -> Floats:
    """Of the rows of a class, the share called so; shape (resamples, classes)."""
    return ratio(np.diagonal(matrix, axis1=1, axis2=2), matrix.sum(axis=2))


def f1(matrix: Floats) -> Floats:
    """F1 of each class, nan for a class that is neither there nor called."""
    both = matrix.sum(axis=1) + matrix.sum(axis=2)
    return ratio(2 * np.diagonal(matrix, axis1=1, axis2=2), both)


def macro_f1(matrix: Floats) -> Floats:
    """Mean F1 over the classes that have gold rows."""
    present = matrix.sum(axis=2) > 0
    return ratio(np.where(present, np.nan_to_num(f1(matrix)), 0).sum(axis=1), present.sum(axis=1))


def cohen_kappa(matrix: Floats) -> Floats:
    """Agreement beyond that of independent raters with the same shares (Cohen 1960)."""
    total = matrix.sum(axis=(1, 2))
    chance = ratio((matrix.sum(axis=1) * matrix.sum(axis=2)).sum(axis=1), total**2)
    return ratio(accuracy(matrix) - chance, 1 - chance)


def matthews(matrix: Floats) -> Floats:
    """Matthews correlation coefficient for several classes (Gorodkin 2004); 0 if one side is
    constant.
    """
    total = matrix.sum(axis=(1, 2))
    called, gold = matrix.sum(axis=1), matrix.sum(axis=2)
    right = np.trace(matrix, axis1=1, axis2=2)
    covariance = right * total - (called * gold).sum(axis=1)
    spread = (total**2 - (called**2).sum(axis=1)) * (total**2 - (gold**2).sum(axis=1))
    return np.nan_to_num(ratio(covariance, np.sqrt(spread)))


def auroc(scores: Floats, positive: Bools, weights: Floats) -> Floats:
    """Chance that a positive row scores above a negative one, ties counting half."""
    atoms = _Atoms(scores)
    up, down = atoms.sums(weights * positive), atoms.sums(weights * ~positive)
    below = np.cumsum(down, axis=1) - down / 2
    return ratio((up * below).sum(axis=1), up.sum(axis=1) * down.sum(axis=1))


def average_precision(scores: Floats, positive: Bools, weights: Floats) -> Floats:
    """Area under the precision-recall curve, by steps and without interpolation."""
    atoms = _Atoms(-scores)
    up, rows = atoms.sums(weights * positive), atoms.sums(weights)
    at = np.nan_to_num(ratio(np.cumsum(up, axis=1), np.cumsum(rows, axis=1)))
    return ratio((up * at).sum(axis=1), up.sum(axis=1))


def calibration_error(scores: Floats, truth: Bools, weights: Floats, bins: int) -> Floats:
    """Mean gap between score and frequency of truth over `bins` bins of equal mass."""
    atoms = _Atoms(scores)
    rows = atoms.sums(weights)
    gaps = atoms.sums(weights * (truth - scores))
    total = rows.sum(axis=1, keepdims=True)
    middles = ratio(np.cumsum(rows, axis=1) - rows / 2, np.broadcast_to(total, rows.shape))
    chosen = np.clip(np.nan_to_num(middles) * bins, 0, bins - 1).astype(int)
    cells = np.arange(len(rows))[:, None] * bins + chosen
    summed = np.bincount(cells.ravel(), gaps.ravel(), minlength=len(rows) * bins)
    return ratio(np.abs(summed.reshape(-1, bins)).sum(axis=1), total[:, 0])


def accuracy_at_coverage(
    confidence: Floats, right: Bools, weights: Floats, shares: Floats
) -> Floats:
    """Accuracy over the surest share of rows, for each of `shares`; shape (resamples, shares).

    Of rows with equal confidence that straddle a share, a part is taken: the mean over all
    their orders.
    """
    atoms = _Atoms(-confidence)
    rows, hits = atoms.sums(weights), atoms.sums(weights * right)
    results = np.full((len(weights), len(shares)), np.nan)
    for index, (mass, won) in enumerate(zip(rows, hits, strict=True)):
        wanted = shares * mass.sum()
        kept = np.interp(wanted, np.r_[0, np.cumsum(mass)], np.r_[0, np.cumsum(won)])
        results[index] = ratio(kept, wanted)
    return results


class _Atoms:
    """Rows grouped by equal score, in ascending order of the score."""

    def __init__(self, scores: Floats) -> None:
        self._order = np.argsort(scores, kind="stable")
        ranked = scores[self._order]
        self._starts = np.flatnonzero(np.r_[True, ranked[1:] != ranked[:-1]])

    def sums(self, weights: Floats) -> Floats:
        """Summed weights of each atom, shape (resamples, atoms)."""
        summed: Floats = np.add.reduceat(weights[:, self._order], self._starts, axis=1)
        return summed
