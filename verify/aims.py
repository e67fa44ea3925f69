"""Sentences that state an aim, a question or a hypothesis: they name a finding without claiming it.

The cross-encoder reads "we tested whether A prevents B" as support for "A prevents B".
"""

from __future__ import annotations

import re

_AIM = re.compile(
    r"\bto (determine|investigate|assess|evaluate|examine|test|study|explore|analy[sz]e|compare|"
    r"identify|elucidate|clarify|establish|estimate|ascertain|quantify|find out)\b|"
    r"\bwhether\b|\baim(s|ed)? (of|was|is|were|to)\b|\bobjectives?\b|\bhypothes[ie][sz]|"
    r"\bsought to\b|\bpurpose\b|\basked (if|how|what)\b|"
    r"\b(is|are|was|were|remains?) (still )?(largely |mostly |as yet )?"
    r"(unclear|unknown|uncertain|controversial|debated|to be (determined|established))\b|"
    r"\b(not|poorly) (yet |well |fully |completely )?(understood|known|established|elucidated)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(found|showed?n?|demonstrat\w+|reveal\w*|observed|concluded?|indicat\w+|suggest\w*|"
    r"confirm\w*|resulted|results? in|significant\w*)\b|\bp\s*[<=>]|%",
    re.IGNORECASE,
)


def is_aim(text: str) -> bool:
    """True for a sentence that says what was asked and nothing of what was found."""
    return bool(_AIM.search(text)) and not _FINDING.search(text)
