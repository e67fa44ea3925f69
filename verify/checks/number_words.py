"""Numbers as digits and as words: the grammar of a single value."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d{1,15})(?:\.\d{1,15})?|\.\d{1,15}"
_POWER = r"10(?:\^-?|-)\d{1,2}"
DIGITS = rf"(?:10\^-?\d{{1,2}}|(?:{_DIGITS})(?:[eE][-+]?\d{{1,2}}| ?[×x*] ?{_POWER})?)(?!\d)"
"""A non-negative number: 1,234.5 or .05 or 1e-5 or 1.2 × 10^6 or 10^-5."""

_ONES = "zero one two three four five six seven eight nine"
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: float(i) for i, word in enumerate(f"{_ONES} {_TEENS}".split())} | {
    word: 10.0 * i for i, word in enumerate(_TENS.split(), start=2)
}
MAGNITUDES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, its first letter in either case (faster than `(?i:...)`)."""
    longest_first = sorted(words, key=len, reverse=True)
    return "|".join(f"[{word[0]}{word[0].upper()}]{word[1:]}" for word in longest_first)


WORDS = (
    rf"\b(?:(?:{any_of(_TENS.split())})[- ](?:{'|'.join(_ONES.split()[1:])})|{any_of(_VALUES)})\b"
)
"""A number written out: two, nineteen, twenty-five."""

_PARTS = re.compile(r"(?P<mantissa>[\d.,]+)?(?:[eE]| ?[×x*] ?10\^?|10\^)(?P<exponent>[-+]?\d+)")


def value_of(written: str) -> float:
    """The value of text that matches `DIGITS` or `WORDS`."""
    if written[0].isalpha():
        return sum(_VALUES[word] for word in re.split("[- ]", written.lower()))
    power = _PARTS.fullmatch(written)
    if power is None:
        return float(written.replace(",", ""))
    mantissa = power["mantissa"] or "1"
    return float(f"{mantissa.replace(',', '')}e{power['exponent']}")


def half_last_digit(written: str) -> float:
    """Half a unit of the last digit given: what rounding may have changed; 0 for words."""
    if written[0].isalpha():
        return 0.0
    power = _PARTS.fullmatch(written)
    mantissa = (power["mantissa"] or "") if power else written
    if not mantissa:
        return 0.0  # "10^-5" is an order of magnitude: exact
    scale = 10.0 ** int(power["exponent"]) if power else 1.0
    return float(0.5 * 10.0 ** -len(mantissa.partition(".")[2]) * scale)
