"""What an evaluation reports, and how it is counted from verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from calibration.baselines import always_majority
from calibration.bootstrap import Estimate
from calibration.labels import CUSTOM, DATA_SETS, LabelledClaim, OpenClaim, split_of
from calibration.metrics import Outcomes, abstention_curve, confusion_counts, likert_curve, measure
from retrieval.models import Model
from verify.models import Verdict

DIGITS = 6  # after the point, in every figure of a report
_COUNTS = ("contradicted_as_supported", "supported_as_contradicted")


class Figure(Model):
    """A figure with its 95% interval; None for what the rows leave undefined."""

    value: float | None
    low: float | None
    high: float | None


class EvaluationReport(Model):
    """What an evaluation found. Figures that the rows leave undefined are None.

    `n` claims in `groups` independent groups were judged; `metrics` are explained at
    `calibration.metrics.measure` and `verify.open_metrics.measure_open`, `intervals` are grouped
    bootstrap 95% intervals of the metrics that have one, `baselines` need no judge at all.
    `confusion` is counted by gold label, then by called label; `likert` gives precision, recall
    and false-positive rate of "contradicted" from each level on; `abstention` the accuracy of the
    surest share of claims; `statuses` how far the claims could be judged.
    """

    dataset: str
    split: str
    setting: str
    n: int
    groups: int
    metrics: dict[str, float | int | None]
    intervals: dict[str, tuple[float, float]]
    baselines: dict[str, dict[str, float | None]]
    confusion: dict[str, dict[str, int]]
    likert: dict[int, dict[str, Figure]]
    abstention: dict[float, Figure]
    statuses: dict[str, int]
    judge: str
    calibrator: str
    warnings: tuple[str, ...]
    seconds: float
    claims_per_second: float


class Judged(NamedTuple):
    """Verdicts of the rows that the verifier didn't refuse; `warnings` tells of the others."""

    rows: tuple[int, ...]
    verdicts: tuple[Verdict, ...]
    seconds: float
    warnings: tuple[str, ...] = ()

    def told(self, warning: str) -> Judged:
        """The same with one warning more."""
        return self._replace(warnings=(*self.warnings, warning))


def report_on(
    name: str,
    split: str | None,
    setting: str,
    claims: Sequence[LabelledClaim | OpenClaim],
    judged: Judged,
    *,
    baselines: Mapping[str, dict[str, float | None]] | None = None,
    more: Mapping[str, Estimate] | None = None,
) -> EvaluationReport:
    """The figures of the verdicts on `claims`, row by row; `more` is what this set alone has."""
    verdicts, gold = judged.verdicts, [claim.label for claim in claims]
    groups = [claim.group for claim in claims]
    outcomes = Outcomes.of(
        gold,
        [verdict.label for verdict in verdicts],
        [_chances(verdict) for verdict in verdicts],
        groups=groups,
        likert=[verdict.likert for verdict in verdicts],
    )
    found = {**measure(outcomes), **(more or {})}
    undivided = split is not None and name != CUSTOM and not DATA_SETS[name].splits
    unsplit = [f"{name} has no splits: all of it was taken"] if undivided else []
    return EvaluationReport(
        dataset=name,
        split=split_of(name, split),
        setting=setting,
        n=len(verdicts),
        groups=len(set(groups)),
        metrics={key: _value(key, estimate) for key, estimate in found.items()},
        intervals={
            key: (round(e.low, DIGITS), round(e.high, DIGITS))
            for key, e in found.items()
            if e.low is not None and e.high is not None
        },
        baselines={"always_majority": dict(always_majority(gold)), **(baselines or {})},
        confusion=confusion_counts(outcomes),
        likert={
            level: {kind: _figure(estimate) for kind, estimate in kinds.items()}
            for level, kinds in likert_curve(outcomes).items()
        },
        abstention={s: _figure(estimate) for s, estimate in abstention_curve(outcomes).items()},
        statuses=dict(Counter(verdict.status.value for verdict in verdicts)),
        judge=verdicts[0].provenance.judge,
        calibrator=verdicts[0].provenance.calibrator,
        warnings=(*unsplit, *judged.warnings),
        seconds=round(judged.seconds, 3),
        claims_per_second=round(len(verdicts) / max(judged.seconds, 1e-9), 2),
    )


def _chances(verdict: Verdict) -> tuple[float, float, float]:
    chances = verdict.probabilities
    return chances.support, chances.refute, chances.uncertain


def _value(name: str, estimate: Estimate) -> float | int | None:
    if estimate.value is None:
        return None
    return int(estimate.value) if name in _COUNTS else round(estimate.value, DIGITS)


def _figure(estimate: Estimate) -> Figure:
    value, low, high = (None if f is None else round(f, DIGITS) for f in estimate)
    return Figure(value=value, low=low, high=high)
