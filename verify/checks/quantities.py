"""Numbers that measure something, with unit, interval and place; never those within names.

"IL-6", "CD4+", "rs1344706", "H2O2", "Figure 2", "[12]", "type 2" and the year 2019 are no
quantities.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from retrieval.text import Normalised, normalise
from verify.checks import quantity_patterns as written
from verify.checks.number_words import MAGNITUDES, WORDS, half_last_digit, value_of
from verify.checks.units import unit_at

ABOUT = 0.1  # relative slack granted to "about 50"
ROUGHLY = 0.08  # relative slack granted to "a third" and "one in five"


class Kind(StrEnum):
    """What a quantity is; only quantities of one kind are ever compared."""

    COUNT = "count"
    PERCENT = "percent"
    MEASURE = "measure"
    FOLD = "fold"
    RATIO = "ratio"
    P_VALUE = "p-value"
    INTERVAL = "confidence interval"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity: `text[start:end]` is where it is written, with its unit and words like "about".

    `low` and `high` bound the value, in percent for shares, else in the base unit of `dimension`
    (for a count that is the noun counted, for a ratio its name; "" where there's none). They are
    equal for a plain value; one is infinite for "< 5" or "at least 80". `slack` is what rounding
    or "about" may hide, in the same unit.
    """

    kind: Kind
    low: float
    high: float
    dimension: str
    slack: float
    start: int
    end: int

    def agrees(self, other: Quantity) -> bool:
        """Whether both can be true of one thing; meant for two of one kind and dimension."""
        smaller = min(abs(x) for x in (self.low, self.high, other.low, other.high))
        slack = max(self.slack, other.slack) + 1e-9 * smaller
        return self.low <= other.high + slack and other.low <= self.high + slack


# (kind, low, high, dimension, slack, end): what a reader makes of a match
_Read = tuple[Kind, float, float, str, float, int]
_Reader = Callable[[re.Match[str]], "_Read | None"]
_TAKEN = "\0"
_WORD_BEFORE = re.compile(r"([^\W\d_]+) $")
_ANY = re.compile(rf"\d|{written.FACTOR.pattern}|{written.PART.pattern}|{WORDS}")


def quantities(text: str) -> tuple[Quantity, ...]:
    """Every quantity of `text`, in reading order, with its place in `text` itself."""
    return read_quantities(normalise(text))


def read_quantities(normalised: Normalised) -> tuple[Quantity, ...]:
    """The same for a text that is normalised already; places are those of its original."""
    if not _ANY.search(normalised.text):
        return ()
    rest = written.SKIPPED.sub(_blanked, normalised.text)
    found: list[Quantity] = []
    for pattern, reader in _READERS:
        spans = []
        for start, read in _read_all(pattern, reader, rest):
            span = normalised.original_span(start, read[-1])
            found.append(Quantity(*read[:-1], span.start, span.end))
            spans.append((start, read[-1]))
        rest = _without(rest, spans)
        if pattern is written.INTERVAL:
            rest = written.LEVEL.sub(_blanked, rest)
    return tuple(sorted(found, key=lambda q: q.start))


def _blanked(found: re.Match[str]) -> str:
    return _TAKEN * len(found.group())


def _without(text: str, spans: list[tuple[int, int]]) -> str:
    pieces, done = [], 0
    for start, end in spans:
        pieces += [text[done:start], _TAKEN * (end - start)]
        done = end
    return "".join([*pieces, text[done:]])


def _read_all(pattern: re.Pattern[str], reader: _Reader, text: str) -> Iterator[tuple[int, _Read]]:
    """Each match that is a quantity; a reader may take more of the text than the pattern did."""
    at = 0
    while found := pattern.search(text, at):
        read = reader(found)
        if read:
            yield found.start(), read
        at = max(read[-1] if read else found.end(), found.start() + 1)


def _p_value(found: re.Match[str]) -> _Read:
    value = value_of(found["low"])
    low, high = _bounded({"of": "=", "was": "="}.get(found["relation"], found["relation"]), value)
    return Kind.P_VALUE, max(low, 0.0), min(high, 1.0), "", 0.0, found.end()


def _interval(found: re.Match[str]) -> _Read:
    low, high = _signed(found["low"]), _signed(found["high"])
    if low < 0 and high < low:  # "-0.5-0.1": the second hyphen joins
        high = abs(high)
    unit = "%" if found["percent"] else ""
    return Kind.INTERVAL, min(low, high), max(low, high), unit, 0.0, found.end()


def _ratio(found: re.Match[str]) -> _Read:
    value = value_of(found["low"])
    return Kind.RATIO, value, value, "", half_last_digit(found["low"]), found.end()


def _factor(found: re.Match[str]) -> _Read:
    value = written.FACTORS[found.group().lower()]
    return Kind.FOLD, value, value, "", 0.0, found.end()


def _part(found: re.Match[str]) -> _Read:
    count = written.PART_COUNTS[(found["count"] or "one").lower()]
    share = 100.0 * count / written.PARTS[found["part"] or "half"]
    relation = written.RELATIONS.get((found["relation"] or "=").lower(), "=")
    return Kind.PERCENT, *_bounded(relation, share), "", ROUGHLY * share, found.end()


def _general(found: re.Match[str]) -> _Read | None:
    if _is_name(found):
        return None
    low, high, slack = _bounds(found)
    kind, dimension, factor, offset, end = _measured(found)
    if kind is None or (kind is Kind.COUNT and _is_numbered(found)):
        return None
    low, high = low * factor + offset, high * factor + offset
    slack *= factor
    if kind is Kind.PERCENT and found["low"][0].isalpha():
        slack = max(slack, ROUGHLY * low)  # "one in five"
    return kind, low, high, dimension, slack, end


def _is_name(found: re.Match[str]) -> bool:
    """A label ("Figure 2", "type 2"), a year, or a number grown into a name ("5-HT", "4th")."""
    text, end = found.string, found.end()
    before = text[max(0, found.start("low") - 20) : found.start("low")].lower().rstrip(" (.")
    if not found["relation"] and before.rpartition(" ")[2] in written.LABELS:
        return True
    if text[end : end + 1].isalnum() or re.match(
        r"[-'][^\W_]|[./,]\d|_|\([A-Z]", text[end : end + 2]
    ):
        goes_on = written.FOLD.match(text, end) or unit_at(text, end) or _share(found)
        return not goes_on and not written.PERCENT.match(text, end)
    return _is_year(found)


def _is_numbered(found: re.Match[str]) -> bool:
    """A bare integer after a noun and counting nothing: "compound 2", "Ser 794", "T 3"."""
    if found["relation"] or found["high"] or found["magnitude"] or not found["low"].isdecimal():
        return False
    before = _WORD_BEFORE.search(found.string[max(0, found.start() - 30) : found.start()])
    if before is None or before[1].lower() in written.BEFORE_NUMBER:
        return False
    noun = written.NOUN.match(found.string, found.end())
    return noun is None or not noun["plural"]


def _is_year(found: re.Match[str]) -> bool:
    low, end = found["low"], found.end()
    if not (low.isdecimal() and len(low) == 4 and int(low) in written.YEARS):
        return False
    noun = written.NOUN.match(found.string, end)
    counted = noun is not None and (noun["plural"] or noun["next"]).lower() in written.COUNTED
    return not (found["relation"] or found["percent"] or counted or unit_at(found.string, end))


def _bounds(found: re.Match[str]) -> tuple[float, float, float]:
    """The low and high bound and the slack, as written, before any unit."""
    scale = MAGNITUDES.get((found["magnitude"] or "").lower(), 1.0)
    low = _signed(found["low"])
    slack = half_last_digit(found["low"].lstrip("+-"))
    high, join = low, (found["join"] or "").strip()
    if found["high"]:
        second = _signed(found["high"])
        low, high = (low - second, low + second) if join in ("±", "+/-") else (low, second)
        slack = max(slack, half_last_digit(found["high"]))
    else:
        relation = written.RELATIONS.get((found["relation"] or "=").lower(), "=")
        slack = max(slack, ABOUT * abs(low)) if relation == "~" else slack
        low, high = _bounded(relation, low)
    low, high = min(low, high), max(low, high)
    return low * scale, high * scale, slack * scale


def _bounded(relation: str, value: float) -> tuple[float, float]:
    if relation in (">", "≥"):
        return value, math.inf
    if relation in ("<", "≤"):
        return -math.inf, value
    return value, value


def _signed(number: str) -> float:
    value = value_of(number.lstrip("+-"))
    return -value if number.startswith("-") else value


def _measured(found: re.Match[str]) -> tuple[Kind | None, str, float, float, int]:
    """Kind, dimension, factor and offset to the base unit, and where the quantity ends."""
    text, end = found.string, found.end()
    percent = written.PERCENT.match(text, end)
    if percent or found["percent"]:
        return Kind.PERCENT, "", 1.0, 0.0, percent.end() if percent else end
    if fold := written.FOLD.match(text, end):
        return Kind.FOLD, "", 1.0, 0.0, fold.end()
    if share := _share(found):
        return Kind.PERCENT, "", 100.0 / share[0], 0.0, share[1]
    if measured := unit_at(text, end):
        unit, unit_end = measured
        return Kind.MEASURE, unit.dimension, unit.factor, unit.offset, unit_end
    noun = written.NOUN.match(text, end)
    if found["low"].lower() == "one" or (found["low"][0].isalpha() and noun is None):
        return None, "", 1.0, 0.0, end  # "one of", "the two": hardly ever a quantity
    counted = (noun["plural"] or noun["next"]).lower() if noun else ""
    return Kind.COUNT, counted, 1.0, 0.0, end


def _share(found: re.Match[str]) -> tuple[float, int] | None:
    """The whole and the end of "1 in 5 million", "16 of 32,441", "493 per million"."""
    share = written.SHARE.match(found.string, found.end())
    if share is None or found["high"]:
        return None
    scale = MAGNITUDES.get((share["magnitude"] or "").lower(), 1.0)
    whole = (value_of(share["whole"]) if share["whole"] else 1.0) * scale
    small = whole < max(_signed(found["low"]), 2)
    if small or (share["of"] is None and whole < 10):  # "120/80", "1/2"
        return None
    return whole, share.end()


_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = (
    (written.P_VALUE, _p_value),
    (written.INTERVAL, _interval),
    (written.RATIO, _ratio),
    (written.PART, _part),
    (written.FACTOR, _factor),
    (written.GENERAL, _general),
)
