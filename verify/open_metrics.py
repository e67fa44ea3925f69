"""SciFact's open setting: were the right abstracts found, and the right ones called?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.bootstrap import N_RESAMPLES, SEED, Estimate, estimates
from calibration.metrics import ndcg_at, recall_at
from calibration.models import OpenClaim
from calibration.weighted import Floats, mean, ratio
from verify.models import Label, PaperStance, Stance, Verdict

_LOCAL = "local:"


def called(stance: Stance) -> Label:
    """The label that one paper's stance amounts to: the most probable; UNCERTAIN on a tie."""
    if stance.supports > max(stance.neutral, stance.refutes):
        return Label.SUPPORT
    if stance.refutes > max(stance.neutral, stance.supports):
        return Label.REFUTE
    return Label.UNCERTAIN


def measure_open(
    claims: Sequence[OpenClaim],
    verdicts: Sequence[Verdict],
    *,
    n_resamples: int = N_RESAMPLES,
    seed: int = SEED,
) -> dict[str, Estimate]:
    """Abstract-level label-only scores, as SciFact defines them [1]_, and scores of retrieval.

    Returns `abstract_precision`, `abstract_recall` and `abstract_f1`: a called abstract (one
    that counts and whose stance isn't UNCERTAIN) is right if it has that label in the gold data,
    pooled over all claims, rationales left aside. `ndcg_at_10` and `recall_at_20`: the verdict's
    papers in their order against the cited abstracts, averaged over claims. All with grouped
    bootstrap 95% intervals.

    References
    ----------
    .. [1] D. Wadden et al., "Fact or fiction: verifying scientific claims", EMNLP 2020.
    """
    rankings = [[_doc_id(paper) for paper in verdict.papers] for verdict in verdicts]
    calls = [_calls(verdict.papers) for verdict in verdicts]
    pairs = list(zip(claims, calls, strict=True))
    right = np.array([_matches(called_, claim.gold) for claim, called_ in pairs], dtype=float)
    made = np.array([len(called_) for called_ in calls], dtype=float)
    wanted = np.array([len(claim.gold) for claim in claims], dtype=float)
    ranked = list(zip(claims, rankings, strict=True))
    gains = np.array([ndcg_at(ranking, claim.cited, 10) for claim, ranking in ranked])
    found = np.array([recall_at(ranking, claim.cited, 20) for claim, ranking in ranked])
    citing = ~np.isnan(gains)

    def statistic(weights: Floats) -> dict[str, Floats]:
        return {
            "abstract_precision": ratio(weights @ right, weights @ made),
            "abstract_recall": ratio(weights @ right, weights @ wanted),
            "abstract_f1": ratio(2 * (weights @ right), weights @ (made + wanted)),
            "ndcg_at_10": mean(gains[citing], weights[:, citing]),
            "recall_at_20": mean(found[citing], weights[:, citing]),
        }

    groups = [claim.group for claim in claims]
    return estimates(statistic, groups, n_resamples=n_resamples, seed=seed)


def _doc_id(paper: PaperStance) -> str:
    return paper.paper.id.removeprefix(_LOCAL)


def _calls(papers: Sequence[PaperStance]) -> dict[str, Label]:
    stances = {_doc_id(paper): called(paper.stance) for paper in papers if paper.counted}
    return {doc: label for doc, label in stances.items() if label is not Label.UNCERTAIN}


def _matches(calls: Mapping[str, Label], gold: Mapping[str, str]) -> int:
    return sum(gold.get(doc) == label for doc, label in calls.items())
