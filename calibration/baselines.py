"""What one gets for nothing: figures that any judge should beat, on the same rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from calibration import weighted
from calibration.metrics import LABELS
from calibration.models import EvidenceText, Label, LabelledClaim

_WORD = re.compile(r"[^\W_]{3,}")


def always_majority(gold: Sequence[Label]) -> dict[str, float]:
    """Agreement and macro-F1 of calling every row the label that is most frequent among them."""
    counts = Counter(gold)
    called = max(LABELS, key=lambda label: counts[label])
    places = np.array([LABELS.index(label) for label in gold])
    constant = np.full(len(gold), LABELS.index(called))
    matrix = weighted.confusion(places, constant, np.ones((1, len(gold))))
    return {
        "agreement": float(weighted.accuracy(matrix)[0]),
        "macro_f1": float(weighted.macro_f1(matrix)[0]),
    }


def word_overlap(claims: Sequence[LabelledClaim]) -> dict[str, float | None]:
    """Both AUROCs of the share of the claim's words that its evidence has.

    Words are runs of at least 3 letters or digits, lower-cased; a word counts once.
    """
    shares = np.array([_share(claim.text, claim.evidence or ()) for claim in claims])
    supported = np.array([claim.label is Label.SUPPORT for claim in claims])
    sided = np.array([claim.label is not Label.UNCERTAIN for claim in claims])
    everything = np.ones((1, len(claims)))
    figures = {
        "auroc_support_vs_contradict": weighted.auroc(shares, supported, everything * sided),
        "auroc_evidence_vs_none": weighted.auroc(shares, sided, everything),
    }
    return {name: None if np.isnan(f[0]) else float(f[0]) for name, f in figures.items()}


def _share(claim: str, evidence: Sequence[EvidenceText]) -> float:
    wanted = set(_WORD.findall(claim.lower()))
    given = {
        word
        for text in evidence
        for sentence in text.sentences
        for word in _WORD.findall(sentence.lower())
    }
    return len(wanted & given) / len(wanted) if wanted else 0.0
