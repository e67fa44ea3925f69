"""Do the numbers of a claim and of a sentence agree? Only like things are compared."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from retrieval.stemming import stem
from verify.checks.quantities import Kind, Quantity

_DIGITS = re.compile(r"\d[\d.,]*")
LEAST_CONTEXT = 2  # words near both quantities before a difference counts as a conflict
CLEARLY = 0.05  # relative difference below which two values neither agree nor conflict
COMPARED = frozenset({Kind.COUNT, Kind.PERCENT, Kind.MEASURE, Kind.FOLD, Kind.RATIO})
SIGNIFICANT = 0.05  # the customary level


@dataclass(frozen=True, slots=True)
class Placed:
    """A quantity with its quote and the content stems near it; `change` for "by 5 days"."""

    quantity: Quantity
    quote: str
    near: frozenset[str]
    change: bool


@dataclass(frozen=True, slots=True)
class NumberMatch:
    """How the claim's quantities fare in the evidence; one that isn't there is in no list."""

    agreeing: tuple[tuple[Placed, Placed], ...]
    conflicting: tuple[tuple[Placed, Placed], ...]
    other_unit: tuple[tuple[Placed, Placed], ...]


def match_numbers(claim: Sequence[Placed], evidence: Sequence[Placed]) -> NumberMatch:
    """Look for each of the claim's quantities in the evidence."""
    lists: Mapping[str, list[tuple[Placed, Placed]]] = {"=": [], "!": [], "u": []}
    for mine in claim:
        if mine.quantity.kind in COMPARED:
            verdict, theirs = _counterpart(mine, evidence)
            if theirs:
                lists[verdict].append((mine, theirs))
    return NumberMatch(tuple(lists["="]), tuple(lists["!"]), tuple(lists["u"]))


def _counterpart(mine: Placed, evidence: Sequence[Placed]) -> tuple[str, Placed | None]:
    """What answers a quantity: "=" one that agrees, "!" one that differs, "u" another unit."""
    alike = [theirs for theirs in evidence if _is_alike(mine.quantity, theirs.quantity)]
    for theirs in alike:
        if mine.quantity.agrees(theirs.quantity):
            return "=", theirs
    about = [t for t in alike if _differs(mine, t) and len(mine.near & t.near) >= LEAST_CONTEXT]
    if about:
        return "!", max(about, key=lambda t: len(mine.near & t.near))
    return "u", _in_other_unit(mine, evidence)


def _is_alike(one: Quantity, other: Quantity) -> bool:
    if one.kind is not other.kind:
        return False
    if one.kind is Kind.COUNT:
        return bool(one.dimension) and stem(one.dimension) == stem(other.dimension)
    return one.dimension == other.dimension


def _differs(mine: Placed, theirs: Placed) -> bool:
    """Clearly another value; "by 5 days" is a change, which no level can contradict."""
    gap = max(mine.quantity.low - theirs.quantity.high, theirs.quantity.low - mine.quantity.high)
    size = min(abs(mine.quantity.low), abs(theirs.quantity.low))
    return mine.change == theirs.change and gap > CLEARLY * (size if size < inf else 0.0)


def _in_other_unit(mine: Placed, evidence: Sequence[Placed]) -> Placed | None:
    """The same digits with another unit: "8 to 14 hours" against "8 to 14 min"."""
    if mine.quantity.kind is not Kind.MEASURE:
        return None
    digits = _DIGITS.findall(mine.quote)
    for theirs in evidence:
        same = theirs.quantity.kind is Kind.MEASURE and _DIGITS.findall(theirs.quote) == digits
        if same and mine.near & theirs.near:
            return theirs
    return None


def includes_null(quantities: Sequence[Quantity], text: str) -> tuple[float, Quantity | None]:
    """Do the confidence intervals include "no effect"? +1 they do, -1 they don't, 0 unknown.

    That is 1 for a ratio and 0 for a difference; an interval with a negative end is of a
    difference, one after a ratio is of that ratio. Also returns the first interval that does.
    """
    verdicts = []
    including = None
    for before, quantity in zip((None, *quantities), quantities, strict=False):
        if quantity.kind is not Kind.INTERVAL:
            continue
        null = _null_value(quantity, before, text)
        if null is None:
            continue
        inside = quantity.low <= null <= quantity.high
        including = including or (quantity if inside else None)
        verdicts.append(1.0 if inside else -1.0)
    return (sum(verdicts) / len(verdicts) if verdicts else 0.0), including


def _null_value(interval: Quantity, before: Quantity | None, text: str) -> float | None:
    if interval.low < 0:
        return 0.0
    if before and before.kind is Kind.RATIO:
        return 1.0
    lead = text[max(0, interval.start - 80) : interval.start].lower()
    if "difference" in lead or "change" in lead:
        return 0.0
    return 1.0 if "ratio" in lead or "relative risk" in lead else None


def not_significant(quantities: Sequence[Quantity]) -> float:
    """+1 if all p-values are above 0.05, -1 if all are at most that, between if mixed, 0 if none."""
    verdicts = [
        1.0 if q.low >= SIGNIFICANT and q.high > SIGNIFICANT else -1.0
        for q in quantities
        if q.kind is Kind.P_VALUE
    ]
    return sum(verdicts) / len(verdicts) if verdicts else 0.0


def ratio_direction(quantities: Sequence[Quantity], interval_null: float) -> int:
    """+1 if the first ratio is above 1, -1 if below, 0 if there's none or it may well be 1."""
    first = next((q for q in quantities if q.kind is Kind.RATIO), None)
    if first is None or interval_null > 0 or first.low == 1:
        return 0
    return 1 if first.low > 1 else -1
