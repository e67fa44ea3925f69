"""Features for the two calibrators: what one paper says, and what all papers together say."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from verify.judges.nli import Judged
from verify.models import Stance

FLOOR = 1e-3
BEARS = 0.5  # a paper bears on the claim when its calibrated neutral probability is below this


def log_odds(chance: float) -> float:
    """Log-odds of a probability kept within [0.001, 0.999]; in [-6.9, 6.9]."""
    kept = min(max(chance, FLOOR), 1 - FLOOR)
    return log(kept / (1 - kept))


def _top(values: Sequence[float]) -> tuple[float, float]:
    ranked = sorted(values, reverse=True)
    return ranked[0], (ranked[1] if len(ranked) > 1 else 0.0)


def paper_features(
    judged: Sequence[Judged], widened: Sequence[Judged], overlaps: Sequence[float]
) -> dict[str, float]:
    """What the windows of one paper say together; `overlaps` go with `judged`, each in [0, 1]."""
    everything = [*judged, *widened]
    support = _top([j.score.supports for j in judged])
    refute = _top([j.score.refutes for j in judged])
    wide_support = max((j.score.supports for j in widened), default=support[0])
    wide_refute = max((j.score.refutes for j in widened), default=refute[0])
    weights = [j.score.relevance**2 for j in everything]
    lean = sum(
        w * (j.score.refutes - j.score.supports) for w, j in zip(weights, everything, strict=True)
    ) / (sum(weights) + FLOOR)
    matched = [o * (j.score.relevance) for o, j in zip(overlaps, judged, strict=True)]
    at_match = judged[max(range(len(judged)), key=lambda i: (overlaps[i], -i))].score
    return {
        "support_best": log_odds(support[0]),
        "support_second": log_odds(support[1]),
        "refute_best": log_odds(refute[0]),
        "refute_second": log_odds(refute[1]),
        "support_wide": log_odds(wide_support),
        "refute_wide": log_odds(wide_refute),
        "bears_best": log_odds(max(j.score.relevance for j in everything)),
        "lean": lean,
        "overlap_best": max(overlaps),
        "overlap_bears": max(matched),
        "lean_at_overlap": at_match.refutes - at_match.supports,
    }


def claim_features(stances: Sequence[Stance]) -> dict[str, float]:
    """What the counted papers say together; an empty list gives the features of no evidence."""
    support = _top([*(s.supports for s in stances), 0.0])
    refute = _top([*(s.refutes for s in stances), 0.0])
    bearing = [s for s in stances if s.neutral < BEARS]
    return {
        "support_best": log_odds(support[0]),
        "support_second": log_odds(support[1]),
        "refute_best": log_odds(refute[0]),
        "refute_second": log_odds(refute[1]),
        "support_share": sum(s.supports for s in bearing) / max(1, len(bearing)),
        "refute_share": sum(s.refutes for s in bearing) / max(1, len(bearing)),
        "bearing": log(1 + len(bearing)),
    }
