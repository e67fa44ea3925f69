"""Intervals for any statistic by resampling whole groups of rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from calibration.weighted import Floats

N_RESAMPLES = 1000  # enough for 95% limits (Efron and Tibshirani 1993, section 19.3)
SEED = 0
CELLS_AT_ONCE = 2_000_000  # weights held in memory at a time: 16 MB a matrix

Statistic = Callable[[Floats], Mapping[str, Floats]]


class Estimate(NamedTuple):
    """A figure with its interval; None for what the data leave undefined."""

    value: float | None
    low: float | None = None
    high: float | None = None


def estimates(
    statistic: Statistic,
    groups: Sequence[str],
    *,
    n_resamples: int = N_RESAMPLES,
    seed: int = SEED,
    confidence: float = 0.95,
) -> dict[str, Estimate]:
    """Figures of all rows, with bias-corrected percentile bootstrap intervals.

    Whole groups are drawn with replacement, as rows of one group aren't independent.

    Parameters
    ----------
    statistic : callable
        Takes weights of shape (resamples, rows), gives named figures of shape (resamples,).
    groups : sequence of str
        The group of each row. With a single group there is nothing to draw: no intervals.
    n_resamples : int, default=1000
        0 for no intervals.
    seed : int, default=0
        Equal seeds give equal intervals.
    confidence : float in (0, 1), default=0.95

    Notes
    -----
    Plain percentile limits of a figure that resampling itself inflates, such as the calibration
    error, would lie too high; the correction shifts them by the median bias [1]_. An interval
    always holds its figure. With fewer than some 20 groups it is too narrow.

    References
    ----------
    .. [1] B. Efron, "Nonparametric standard errors and confidence intervals", Canadian Journal
       of Statistics 9 (1981), 139-158.
    """
    _, of_row = np.unique(np.asarray(groups, dtype=str), return_inverse=True)
    count = int(of_row.max()) + 1
    points = statistic(np.ones((1, len(of_row))))
    if count < 2 or n_resamples < 1:
        return {name: Estimate(_number(figure[0])) for name, figure in points.items()}
    generator = np.random.default_rng(seed)
    drawn: dict[str, list[Floats]] = {name: [] for name in points}
    step = max(1, CELLS_AT_ONCE // len(of_row))
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        times = generator.multinomial(count, np.full(count, 1 / count), size=size)
        for name, figure in statistic(times[:, of_row].astype(float)).items():
            drawn[name].append(figure)
    return {
        name: _estimate(float(figure[0]), np.concatenate(drawn[name]), confidence)
        for name, figure in points.items()
    }


def _estimate(value: float, drawn: Floats, confidence: float) -> Estimate:
    defined = drawn[~np.isnan(drawn)]
    if np.isnan(value) or 2 * len(defined) < len(drawn):
        return Estimate(_number(value))
    below = (np.sum(defined < value) + np.sum(defined == value) / 2) / len(defined)
    edge = 1 / (2 * len(defined))
    normal = NormalDist()
    bias = normal.inv_cdf(float(np.clip(below, edge, 1 - edge)))
    reach = normal.inv_cdf((1 + confidence) / 2)
    low, high = np.quantile(defined, [normal.cdf(2 * bias - reach), normal.cdf(2 * bias + reach)])
    return Estimate(value, min(float(low), value), max(float(high), value))


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
