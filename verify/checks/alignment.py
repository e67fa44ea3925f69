"""Do two texts say that things go the same way? Their signals and word places, set side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.text import word_set
from verify.checks.negation import Negations
from verify.checks.polarity import Signal
from verify.checks.words import Words

MOST_PLACES = 16  # of one stem; bounds the time taken
# Set by judgement; doubling or halving any one moves polarity's AUROC on the training pairs of
# SciFact, Check-COVID and our synthetic ones by 1.5 points at most.
_REACH = 4.0  # words at which a shared word counts half
_OBJECT = 2.0  # how much more a shared word after a direction word counts: it's its object
_OTHER_CLAUSE = 0.4  # share of its weight that a shared word in another clause keeps
_SURE = 0.25  # weight of shared context at which agreement counts half
_IMPLIED = 0.5  # "decreases" implies "does not increase", which says less
_THAN = word_set("than versus vs compared relative")
_AFTER_THAN = 8
_MAJOR = frozenset({"amount", "valence", "effect", "necessity", "sensitivity", "presence",
                    "sufficiency", "speed", "truth"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """One text as alignment needs it: words, negations, signals and where each stem stands."""

    words: Words
    negations: Negations
    signals: tuple[Signal, ...]
    places: dict[str, list[int]]


def places_of(words: Words) -> dict[str, list[int]]:
    """Where each content stem stands, its first 16 places."""
    places: dict[str, list[int]] = {}
    for i, key in enumerate(words.stems):
        if key and len(known := places.setdefault(key, [])) < MOST_PLACES:
            known.append(i)
    return places


def agreement(claim: Signal, evidence: Signal) -> float:
    """+1 for the same statement, -1 for its opposite, between for weaker relations, 0 for none.

    A negated direction contradicts that direction, and the other direction implies it; "no effect"
    contradicts every direction.
    """
    if claim.axis == evidence.axis:
        return _on_one_axis(claim, evidence)
    effect, other = (claim, evidence) if claim.axis == "effect" else (evidence, claim)
    if effect.axis != "effect" or other.axis not in ("amount", "valence"):
        return 0.0
    if (effect.sign > 0) == effect.negated:  # "no effect"
        return _IMPLIED if other.negated else -1.0
    return -_IMPLIED if other.negated else 0.0


def _on_one_axis(claim: Signal, evidence: Signal) -> float:
    same = claim.sign == evidence.sign
    if claim.negated == evidence.negated:
        if claim.negated and not same:
            return 0.0
        return 1.0 if same else -1.0
    if same:
        return -1.0
    return 1.0 if claim.axis in ("effect", "presence", "necessity", "truth") else _IMPLIED


def polarity(claim: Side, evidence: Side, shared: Sequence[str], axis: str | None = None) -> float:
    """Agreement of the directions stated about shared words, in [-1, 1]; 0 if nothing is known.

    Each pair of signals weighs as much as the shared words near both; a claim's signal is answered
    by the signals of the evidence, the likelier counterparts first. `axis` narrows it to one axis.
    """
    mine = [s for s in claim.signals if s.axis == axis or (axis is None and s.axis in _MAJOR)]
    if not (mine and evidence.signals and shared):
        return 0.0
    near_claim = [_closeness(claim, s.at, shared) for s in mine]
    near_evidence = [_closeness(evidence, s.at, shared) for s in evidence.signals]
    total = weight = 0.0
    for one, near_one in zip(mine, near_claim, strict=True):
        for other, near_other in zip(evidence.signals, near_evidence, strict=True):
            verdict = agreement(one, other)
            if verdict:
                tie = sum(a * b for a, b in zip(near_one, near_other, strict=True)) / len(shared)
                tie *= tie * (1.5 if one.pairs and one.pairs == other.pairs else 1.0)
                total += tie * verdict
                weight += tie
    return total / (weight + _SURE**2 / len(shared)) if weight else 0.0


def _closeness(side: Side, at: int, shared: Sequence[str]) -> list[float]:
    clause = side.words.clauses[at]
    values = []
    for word in shared:
        best = 0.0
        for place in side.places[word]:
            near = _REACH / (_REACH + abs(place - at))
            if side.words.clauses[place] != clause:
                near *= _OTHER_CLAUSE
            best = max(best, near * _OBJECT if place > at else near)
        values.append(best)
    return values


def parity(claim: Side, evidence: Side, shared: Sequence[str]) -> float:
    """Product of all amounts stated in the claim and in the evidence's closest clause: -1, 0, +1.

    0 where either states none or denies one.
    """
    if not shared:
        return 0.0
    clause = _closest_clause(evidence, shared)
    return _product(claim, None) * _product(evidence, clause) + 0.0  # never -0.0


def _closest_clause(side: Side, shared: Sequence[str]) -> int:
    counts: dict[int, int] = {}
    for word in shared:
        for clause in {side.words.clauses[place] for place in side.places[word]}:
            counts[clause] = counts.get(clause, 0) + 1
    return max(counts, key=lambda c: (counts[c], -c))


def _product(side: Side, clause: int | None) -> float:
    product, any_found = 1.0, False
    for signal in side.signals:
        here = clause in (None, side.words.clauses[signal.at])
        if not here or signal.axis not in ("amount", "sensitivity"):
            continue
        if signal.negated:
            return 0.0
        product *= signal.sign
        any_found = True
    return product if any_found else 0.0


def negation_mismatch(claim: Side, evidence: Side, shared: Sequence[str]) -> float:
    """Share of the shared words that one text negates and the other doesn't, in [0, 1]."""
    if not shared:
        return 0.0
    differing = sum(_is_negated(claim, word) != _is_negated(evidence, word) for word in shared)
    return differing / len(shared)


def _is_negated(side: Side, word: str) -> bool:
    return all(side.negations.negated[place] for place in side.places[word])


def comparison(claim: Side, evidence: Side) -> tuple[float, bool]:
    """Agreement of "A higher than B" statements in [-1, 1], and whether A and B changed places."""
    mine, theirs = _compared(claim), _compared(evidence)
    if mine is None or theirs is None:
        return 0.0, False
    (left, right, signal), (their_left, their_right, their_signal) = mine, theirs
    straight = len(left & their_left) + len(right & their_right)
    crossed = min(len(left & their_right), 1) + min(len(right & their_left), 1)
    crossed = len(left & their_right) + len(right & their_left) if crossed == 2 else 0
    if straight == crossed:
        return 0.0, False
    verdict = agreement(signal, their_signal)
    return (-verdict, True) if crossed > straight else (verdict, False)


def _compared(side: Side) -> tuple[set[str], set[str], Signal] | None:
    """The words before and after "than", and the direction between them."""
    words = side.words
    at = next((i for i, word in enumerate(words.lower) if word in _THAN), None)
    if at is None:
        return None
    clause = words.clauses[at]
    directions = [
        s for s in side.signals if s.axis in ("amount", "valence") and words.clauses[s.at] == clause
    ]
    if not directions:
        return None
    signal = min(directions, key=lambda s: abs(s.at - at))
    right_end = _end_of_right(words, at)
    right = {key for key in words.stems[at + 1 : right_end] if key}
    left = {
        key
        for i, key in enumerate(words.stems)
        if key and words.clauses[i] == clause and not at <= i < right_end and i != signal.at
    }
    return left - right, right - left, signal


def _end_of_right(words: Words, than: int) -> int:
    for i in range(than + 1, min(len(words.lower), than + 1 + _AFTER_THAN)):
        if words.clauses[i] != words.clauses[than] or words.lower[i] == ",":
            return i
    return min(len(words.lower), than + 1 + _AFTER_THAN)


def antonyms(claim: Side, evidence: Side) -> tuple[str, ...]:
    """Pairs of opposites of which the claim has one word and the evidence only the other."""
    mine, theirs = _by_pair(claim), _by_pair(evidence)
    return tuple(pair for pair in mine if pair in theirs and not mine[pair] & theirs[pair])


def _by_pair(side: Side) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for signal in side.signals:
        for pair, sign in signal.pairs:
            found.setdefault(pair, set()).add(sign)
    return found


def denial(side: Side, shared: Sequence[str]) -> float:
    """How far a text denies rather than asserts effects near the shared words, in [0, 1]."""
    denied = weight = 0.0
    for signal in side.signals:
        if signal.axis in ("amount", "effect") or (signal.axis == "valence" and signal.pairs):
            near = sum(c * c for c in _closeness(side, signal.at, shared)) + 0.01
            null = signal.negated != (signal.axis == "effect" and signal.sign < 0)
            denied += near * null
            weight += near
    return denied / weight if weight else 0.0
