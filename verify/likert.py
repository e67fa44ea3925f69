"""The 11-point scale of ContraCrow (PaperQA2, arXiv 2409.13740): 0 agreement … 10 contradiction."""

from __future__ import annotations

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
