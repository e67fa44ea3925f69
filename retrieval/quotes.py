"""Finding a quote in its text again although blanks, hyphens, quotes or line ends differ."""

from __future__ import annotations

import re

from retrieval.models import Span
from retrieval.text import Normalised, normalise

_LETTER = r"[^\W\d_]"
_LAYOUT = re.compile(
    rf"(?P<hyphen>(?<={_LETTER})- ?(?={_LETTER}))"
    r"| ?(?P<sign>\+/-|>=|<=|[<>=±×≤≥≈/]) ?"
    r"|(?<=\d) ?(?P<times>x) ?(?=\d)"
    r"| (?=[,;:%)\]])|(?<=[(\[]) "
)
_SAME_SIGN = {"+/-": "±", ">=": "≥", "<=": "≤", "x": "×"}
_WRAPPING = re.compile(r"^(?:\.\.\.|[\"'\s])+|(?:\.\.\.|[\"'\s])+$")


def find_quote(text: str, quote: str) -> Span | None:
    """Where `quote` stands in `text`, as a span of `text`; None if it isn't there word for word.

    Only layout may differ: blanks, line breaks, hyphens between letters, kinds of dashes and
    quotes, ligatures, "≥" or ">=", blanks around signs; quotation marks and dots around the quote
    are ignored. Words, case, digits and signs must agree, and the quote may not start or end within
    a word, compound or number: "inferior" isn't found in "non-inferior", nor "5 mg" in "15 mg".
    """
    here, wanted = _key(text), _key(_WRAPPING.sub("", normalise(quote).text)).text
    if not wanted:
        return None
    at = here.text.find(wanted)
    while at >= 0:
        if not (_cuts_before(here.text, at) or _cuts_after(here.text, at + len(wanted))):
            return here.original_span(at, at + len(wanted))
        at = here.text.find(wanted, at + 1)
    return None


def _key(text: str) -> Normalised:
    return normalise(text).rewritten(_LAYOUT, _same_layout)


def _same_layout(found: re.Match[str], _: str) -> str:
    sign = found["sign"] or found["times"] or ""
    return _SAME_SIGN.get(sign, sign)


_SIGNED = re.compile(r"[-+.,^_<>≤≥=≈±×~/]\d|\d[-.,]")
_UNFINISHED = re.compile(r"\d(?:[%‰^_/±×-]|[.,]\d)")
_COMPOUND = re.compile(r"\w-\w")


def _cuts_before(text: str, at: int) -> bool:
    """Whether a quote from `at` on would lack the start of its first word or number."""
    return _splits_word(text, at) or (at > 0 and bool(_SIGNED.match(text, at - 1)))


def _cuts_after(text: str, end: int) -> bool:
    """Whether a quote up to `end` would lack the end of its last word or number."""
    return _splits_word(text, end) or bool(_UNFINISHED.match(text, end - 1))


def _splits_word(text: str, at: int) -> bool:
    if at in (0, len(text)):
        return False
    around = (max(0, at - 2), at - 1)
    return text[at - 1 : at + 1].isalnum() or any(_COMPOUND.match(text, i) for i in around)
