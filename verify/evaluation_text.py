"""An evaluation as a table for the terminal."""

from __future__ import annotations

from verify.evaluation_report import EvaluationReport
from verify.models import Label

_SIGNIFICANT = (
    "agreement",
    "macro_f1",
    "auroc_support_vs_contradict",
    "auroc_evidence_vs_none",
    "auroc_contradicted",
    "contradicted_as_supported",
    "supported_as_contradicted",
    "ece",
    "abstract_f1",
    "ndcg_at_10",
    "recall_at_20",
)


def as_text(report: EvaluationReport) -> str:
    """The figures that matter first, then the others; confusion, thresholds, abstention."""
    first = [name for name in _SIGNIFICANT if name in report.metrics]
    others = [name for name in report.metrics if name not in first]
    lines = [
        f"{report.dataset} · {report.split} · {report.setting}: claims {report.n}, "
        f"independent groups {report.groups}",
        "",
        f"{'measure':<34}{'value':>8}  95% interval    {'always majority':<17}word overlap",
        *(_row(report, name) for name in (*first, *others)),
        "",
        *_confusion(report),
        "",
        *_likert(report),
        "",
        *_abstention(report),
        "",
        f"judge {report.judge}, calibrator {report.calibrator}",
        "status: " + ", ".join(f"{count} {name}" for name, count in report.statuses.items()),
        f"{report.seconds:.1f} s, {report.claims_per_second:.1f} claims a second",
        *(f"warning: {warning}" for warning in report.warnings),
    ]
    return "\n".join(line.rstrip() for line in lines)


def _row(report: EvaluationReport, name: str) -> str:
    value, limits = report.metrics[name], report.intervals.get(name, ())
    interval = " – ".join(
        f"{limit:.0f}" if isinstance(value, int) else _figure(limit) for limit in limits
    )
    majority = _baseline(report, "always_majority", name)
    overlap = _baseline(report, "word_overlap", name)
    return f"{name:<34}{_figure(value):>8}  {interval:<16}{majority:<17}{overlap}"


def _baseline(report: EvaluationReport, baseline: str, name: str) -> str:
    figures = report.baselines.get(baseline, {})
    return _figure(figures[name]) if name in figures else ""


def _confusion(report: EvaluationReport) -> list[str]:
    head = f"{'gold ↓   called →':<20}" + "".join(f"{label:>11}" for label in Label)
    return [head] + [
        f"{gold:<20}" + "".join(f"{count:>11}" for count in row.values())
        for gold, row in report.confusion.items()
    ]


def _likert(report: EvaluationReport) -> list[str]:
    head = f"{'contradicted from':<20}{'precision':>11}{'recall':>11}{'FPR':>11}"
    return [head] + [
        f"{f'level {level}':<20}" + "".join(f"{_figure(f.value):>11}" for f in kinds.values())
        for level, kinds in report.likert.items()
    ]


def _abstention(report: EvaluationReport) -> list[str]:
    shown = {s: a for s, a in report.abstention.items() if round(s * 20) % 4 == 0}
    return [
        f"{'surest share':<20}" + "".join(f"{share:>8.0%}" for share in shown),
        f"{'accuracy':<20}" + "".join(f"{_figure(f.value):>8}" for f in shown.values()),
    ]


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
