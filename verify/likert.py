"""The 11-point scale of ContraCrow (PaperQA2, arXiv 2409.13740): 0 agreement … 10 contradiction.

The score is derived, never judged: its side and distance from the middle follow from the
calibrated probabilities, so that 8 and above is exactly the label REFUTE, 2 and below exactly
SUPPORT, and 5 only ever means that nothing was found that bears on the claim.
"""

from __future__ import annotations

from verify.models import Label, Probabilities

LIKERT_NAMES: tuple[str, ...] = (
    "explicit agreement",
    "strong agreement",
    "agreement",
    "nuanced agreement",
    "possibly an agreement",
    "lack of evidence",
    "possibly a contradiction",
    "nuanced contradiction",
    "contradiction",
    "strong contradiction",
    "explicit contradiction",
)
LACK_OF_EVIDENCE = 5
STRONG, EXPLICIT = 0.75, 0.90  # probability of the called side
NUANCED = 0.15  # margin between the sides while neither is called


def likert(label: Label, chances: Probabilities, *, bears: bool) -> int:
    """The score in 0..10 for a label and its probabilities; 5 when no evidence `bears` on it."""
    if not bears:
        return LACK_OF_EVIDENCE
    if label is Label.UNCERTAIN:
        margin = chances.refute - chances.support
        step = 2 if abs(margin) >= NUANCED else 1
        return LACK_OF_EVIDENCE + step if margin > 0 else LACK_OF_EVIDENCE - step
    called = chances.refute if label is Label.REFUTE else chances.support
    step = 5 if called >= EXPLICIT else 4 if called >= STRONG else 3
    return LACK_OF_EVIDENCE + step if label is Label.REFUTE else LACK_OF_EVIDENCE - step
