"""Normalised text that remembers where each character came from, and search words.

Passages keep the characters their source had. To match, search and judge we need one spelling of
each sign: this module folds blanks, hyphens, quotes, ligatures, full-width letters and raised or
lowered digits, and maps every span of the result back, so that a quote is always sliced from the
original. It never changes a number: 10⁶ becomes 10^6 (plain NFKC gives 106), CO₂ becomes CO2.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from retrieval.models import Span
from retrieval.stemming import stem

# What to put in the place of a match; the second argument is the character now before it, or "".
Replace = Callable[[re.Match[str], str], str]


@dataclass(frozen=True, slots=True)
class _Edits:
    """The replacements that made one text out of another, in order; all else was kept.

    Replacement i put `[new_start[i], new_end[i])` in the place of `[old_start[i], old_end[i])`.
    """

    new_start: tuple[int, ...]
    new_end: tuple[int, ...]
    old_start: tuple[int, ...]
    old_end: tuple[int, ...]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The least range of the old text that holds all that the new range was made of."""
        first = bisect_right(self.new_start, start) - 1
        last = bisect_right(self.new_start, end - 1) - 1
        return self._old(first, start, self.old_start), self._old(last, end, self.old_end)

    def _old(self, edit: int, at: int, inside: tuple[int, ...]) -> int:
        if edit < 0:
            return at
        if at < self.new_end[edit] or (at == self.new_end[edit] and inside is self.old_end):
            return inside[edit]
        return self.old_end[edit] + at - self.new_end[edit]


@dataclass(frozen=True, slots=True)
class Normalised:
    """`text` in one spelling, and the `original` it was made from."""

    text: str
    original: str
    _steps: tuple[_Edits, ...] = field(repr=False)

    def original_span(self, start: int, end: int) -> Span:
        """Where in the original `text[start:end]` came from.

        The least range that holds every character it was made of; characters that were left out
        (soft hyphens, zero-width signs) at either edge are not in it.

        Raises:
            ValueError: if not 0 <= start <= end <= len(text).
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(
                f"[{start}, {end}) is no span of a text of {len(self.text)} characters"
            )
        empty = start == end
        for edits in reversed(self._steps):
            start, end = edits.back(start, max(end, start + empty))
        return Span(start=start, end=start if empty else end)

    def rewritten(self, pattern: re.Pattern[str], replace: Replace) -> Normalised:
        """The same with each match of `pattern` replaced, still mapped to the original."""
        text, edits = _rewrite(self.text, pattern, replace)
        return Normalised(text, self.original, (*self._steps, edits)) if edits else self


def normalise(text: str) -> Normalised:
    """One spelling for matching, searching and judging (not for quoting); case is kept.

    Blanks of any kind and control characters become one blank; soft hyphens and zero-width signs
    go; hyphens, dashes and minus signs become "-", quotes and primes ' and "; ligatures and
    full-width forms their letters; the micro sign the Greek letter; raised digits get a "^" unless
    they are a charge ("Ca²⁺" → "Ca2+") or start a word ("¹⁸F" → "18F"); a decimal point may be
    a middle dot ("0·05" → "0.05"). Normalising twice changes nothing more.
    """
    return (
        Normalised(text, text, ()).rewritten(_BLANKS, _one_blank).rewritten(_SIGNS, _one_spelling)
    )


def _rewrite(text: str, pattern: re.Pattern[str], replace: Replace) -> tuple[str, _Edits | None]:
    pieces, edits = [], []
    done = length = 0
    last = ""
    for found in pattern.finditer(text):
        kept = text[done : found.start()]
        new = replace(found, kept[-1:] or last)
        last = (kept + new)[-1:] or last
        pieces += [kept, new]
        length += len(kept) + len(new)
        edits.append((length - len(new), length, found.start(), found.end()))
        done = found.end()
    if not edits:
        return text, None
    return "".join([*pieces, text[done:]]), _Edits(*map(tuple, zip(*edits, strict=True)))


_INVISIBLE = (
    "\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"
)
_BLANK = r"\s\x00-\x1f\x7f-\x9f"
_BLANKS = re.compile(rf"[{_BLANK}{_INVISIBLE}]{{2,}}|[^\S ]|[\x00-\x1f\x7f-\x9f{_INVISIBLE}]")
_LEADING_INVISIBLE = re.compile(f"[{_INVISIBLE}]+")
_ANY_BLANK = re.compile(f"[{_BLANK}]")


def _one_blank(found: re.Match[str], _: str) -> str:
    run = found.group()
    leading = _LEADING_INVISIBLE.match(run)
    if leading and "\xad" in leading.group() and "\n" in run:  # a word hyphenated at a line's end
        return ""
    return " " if _ANY_BLANK.search(run) else ""


_FOLDS = str.maketrans(
    dict.fromkeys("‐‑‒–—―−﹣－⁃˗", "-")
    | dict.fromkeys("‘’‚‛′‵´ʹʼʻ", "'")
    | dict.fromkeys("“”„‟«»", '"')
    | dict.fromkeys("″‶", "''")
    | {"‴": "'''", "˚": "°", "º": "°", "˜": "~", "∼": "~", "⩽": "≤", "⩾": "≥", "≦": "≤", "≧": "≥"}
    | {"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "∕": "/", "⁄": "/", "∶": ":", "∗": "*"}
)
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
_LEVEL = str.maketrans(_RAISED + _LOWERED, "0123456789+-=()n0123456789+-=()")
_FRACTIONS = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
_NUMERAL = rf"[\d⁰¹²³⁴-⁹₀-₉{_FRACTIONS}]"
_SIGNS = re.compile(
    rf"(?P<raised>[{_RAISED}]+)|(?P<lowered>[{_LOWERED}]+)|(?P<fraction>[{_FRACTIONS}])"
    rf"|(?P<dot>(?<={_NUMERAL})[·\u0387⋅∙](?={_NUMERAL})(?!10[\^⁰¹²³⁴-⁹⁻]|\d*H[2₂]))"
    rf"|[^{_RAISED}{_LOWERED}{_FRACTIONS}{_MARKS}][{_MARKS}]+|[^\x00-\x7f]"
)
_CHARGE = re.compile(r"[⁰¹²³⁴-⁹]*[⁺⁻]")


def _one_spelling(found: re.Match[str], last: str) -> str:
    kind, sign = found.lastgroup, found.group()
    if kind == "raised":
        new = _raised(sign, last)
    elif kind == "lowered":
        new = ("_" if last.isdigit() else "") + sign.translate(_LEVEL)
    elif kind == "fraction":
        new = (" " if last.isdigit() else "") + _fraction(sign)
    elif kind == "dot":
        return "."
    else:
        return _folded(sign)
    follows = found.string[found.end() : found.end() + 1]
    return new + " " if new[-1].isdigit() and follows.isdecimal() else new


def _raised(sign: str, last: str) -> str:
    level = sign.translate(_LEVEL)
    if not re.search(r"[\dn]", level):
        return level
    word_start = not last or last in " ([/"
    if word_start or (_CHARGE.fullmatch(sign) and last.isalpha()):
        return level
    return "^" + level


def _fraction(sign: str) -> str:
    return unicodedata.normalize("NFKC", sign).replace("⁄", "/")


@lru_cache(maxsize=4096)
def _folded(sign: str) -> str:
    """NFKC and our own folds, unless they make a blank, a word ("™") or a digit out of a sign."""
    ours = sign.translate(_FOLDS)
    new = unicodedata.normalize("NFKC", ours).translate(_FOLDS)
    invents = sum(map(str.isdecimal, new)) != sum(map(str.isdecimal, sign))
    if invents or new.startswith(" ") or sign in "™℠":
        return unicodedata.normalize("NFC", ours).translate(_FOLDS)
    return new


_SPELLED = str.maketrans({
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
})  # fmt: skip
_ATOM = r"[^\W_]+(?:(?<=\d)(?:\.\d+|,\d{3}(?!\d)))*(?:\^-?\d+)?"  # "p53", "nkx2.5", "10^-5"
_WORD = re.compile(rf"{_ATOM}(?:-{_ATOM})*")


def word_set(words: str) -> frozenset[str]:
    """The words between the blanks, for lists of words kept in the code."""
    return frozenset(words.split())


# "no", "not" and the like aren't stop words: they turn a sentence round.
_STOP_WORDS = word_set(
    """
    a an and are as at be been being but by did do does for from had has have he her his i in into
    is it its of on or our s she than that the their them then there these they this those to was
    we were which who will with would can could may might also between during such
    """
)


def tokens(text: str) -> list[str]:
    """The search words of `text` in order: normalised, lower-case, stemmed, no stop words.

    Greek letters are spelled ("α" → "alpha"). A hyphenated compound gives itself without hyphens
    and then its parts ("IL-6" → "il6", "il", "6"), so that "TGF-β", "TGFβ" and "TGF-beta" meet;
    on SciFact's training claims that ranks better than the compound with its hyphens.
    """
    words: list[str] = []
    for word in _WORD.findall(normalise(text).text.lower().translate(_SPELLED)):
        if "-" in word and "^" not in word:
            parts = word.split("-")
            words.append(stem("".join(parts)))
            words += [stem(part) for part in parts if part not in _STOP_WORDS]
        elif word not in _STOP_WORDS:
            words.append(stem(word.replace(",", "")))
    return words
