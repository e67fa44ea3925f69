"""Features for the two calibrators: what one paper says, and what all papers together say."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from verify.judges.nli import Judged
from verify.models import Stance

FLOOR = 1e-3
BEARS = 0.5  # a paper bears on the claim when its calibrated neutral probability is below this
AIM_WEIGHT = 0.3  # of a sentence that states an aim; 1 did slightly worse on held-out train pairs


def log_odds(chance: float) -> float:
    """Log-odds of a probability kept within [0.001, 0.999]; in [-6.9, 6.9]."""
    kept = min(max(chance, FLOOR), 1 - FLOOR)
    return log(kept / (1 - kept))


def _top(values: Sequence[float]) -> tuple[float, float]:
    ranked = sorted(values, reverse=True)
    return ranked[0], (ranked[1] if len(ranked) > 1 else 0.0)


def paper_features(
    judged: Sequence[Judged],
    widened: Sequence[Judged],
    overlaps: Sequence[float],
    *,
    covered: float,
) -> dict[str, float]:
    """What the windows of one paper say together.

    `overlaps` (of each judged window) and `covered` (of all of them together) are shares of the
    claim's content words, in [0, 1].
    """
    weights = [AIM_WEIGHT if j.aim else 1.0 for j in judged]
    support = _top([w * j.score.supports for w, j in zip(weights, judged, strict=True)])
    refute = _top([w * j.score.refutes for w, j in zip(weights, judged, strict=True)])
    bearing = [o * j.score.relevance for o, j in zip(overlaps, judged, strict=True)]
    pull = [(w * b) ** 2 for w, b in zip(weights, bearing, strict=True)]
    lean = sum(
        p * (j.score.refutes - j.score.supports) for p, j in zip(pull, judged, strict=True)
    ) / (sum(pull) + FLOOR)
    closest = judged[max(range(len(judged)), key=lambda i: (overlaps[i], -i))].score
    return {
        "support_best": log_odds(support[0]),
        "support_second": log_odds(support[1]),
        "refute_best": log_odds(refute[0]),
        "refute_second": log_odds(refute[1]),
        "support_wide": log_odds(max((j.score.supports for j in widened), default=support[0])),
        "refute_wide": log_odds(max((j.score.refutes for j in widened), default=refute[0])),
        "bears_best": log_odds(max(j.score.relevance for j in (*judged, *widened))),
        "lean": lean,
        "overlap_best": max(overlaps),
        "overlap_bears": max(bearing),
        "lean_at_overlap": closest.refutes - closest.supports,
        "covered": covered,
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
