"""Deterministic checks of a claim against a sentence: directions, negation, comparison, numbers.

They stand beside the neural judge: they give it features and the reader warnings, and they never
overrule. What a check can't see counts as unknown, never as disagreement.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from verify.checks.alignment import (
    Side,
    antonyms,
    comparison,
    denial,
    negation_mismatch,
    parity,
    polarity,
)
from verify.checks.analysis import Analysis, analyse
from verify.checks.lexicon import DIRECTIONS
from verify.checks.opposites import prefix_opposites
from verify.checks.quantity_match import (
    includes_null,
    match_numbers,
    not_significant,
    ratio_direction,
)
from verify.checks.warnings import warnings_of


@dataclass(frozen=True, slots=True)
class Checks:
    """What was found; ranges in brackets, 0 meaning "unknown" or "none" throughout.

    Directions (+1 the sentence says the same, -1 the opposite):
        polarity [-1, 1]: directions stated about shared words, negation included; what `comparison`
        says where the compared things changed places.
        valence [-1, 1]: the same for good and bad ("reduces mortality", "improves survival").
        parity [-1, 0, 1]: product of all increases and decreases, "loss of X reduces Y" is +.
        comparison [-1, 1]: "A higher than B" statements.
        ratio [-1, 1]: a hazard, odds or risk ratio against the claim's direction.
    Disagreements:
        comparator_flip {0, 1}: both texts compare the same two things, in opposite order.
        antonyms [0, 1]: pairs of opposites split between the texts, 1 for two or more.
        negation_mismatch [0, 1]: share of shared words negated in one text only.
        negation_odd {0, 1}: one text has an odd number of negations, the other an even one.
        null_mismatch [0, 1]: one text denies an effect where the other asserts one.
        numbers_conflict, units_conflict [0, 3]: quantities of the claim that differ.
    Agreement and topic:
        numbers_agree [0, 3]: quantities of the claim found in the sentence.
        overlap_claim, overlap_evidence [0, 1]: shared content words, as a share of either text.
        entities [0, 1]: share of the claim's gene-, drug- or variant-like names in the sentence;
        1 if the claim has none.
    Certainty:
        claim_null, evidence_null [0, 1]: how far the text denies rather than asserts.
        claim_hedge, evidence_hedge [0, 1]: "may", "suggests" and the like.
        unmeasured {0, 1}: the sentence says that something was not measured.
        interval_null, p_null [-1, 1]: +1 interval includes no effect, p above 0.05; -1 neither.
    """

    polarity: float
    valence: float
    parity: float
    comparison: float
    ratio: float
    comparator_flip: float
    antonyms: float
    negation_mismatch: float
    negation_odd: float
    null_mismatch: float
    numbers_conflict: float
    units_conflict: float
    numbers_agree: float
    overlap_claim: float
    overlap_evidence: float
    entities: float
    claim_null: float
    evidence_null: float
    claim_hedge: float
    evidence_hedge: float
    unmeasured: float
    interval_null: float
    p_null: float
    warnings: tuple[str, ...]

    def features(self) -> dict[str, float]:
        """Every figure by name, for a calibrated model."""
        figures = asdict(self)
        del figures["warnings"]
        return figures


def compare(claim: str, evidence: str) -> Checks:
    """Check a claim against a sentence. Any text will do; never raises."""
    return compare_analyses(analyse(claim), analyse(evidence))


def compare_analyses(claim: Analysis, evidence: Analysis) -> Checks:
    """The same for two texts analysed before (`analyse`): a claim is analysed only once."""
    mine, theirs = claim.side, evidence.side
    shared = [word for word in mine.places if word in theirs.places]
    numbers = match_numbers(claim.placed, evidence.placed)
    compared, flipped = comparison(mine, theirs)
    interval_null, _ = includes_null(evidence.quantities, evidence.text)
    denials = denial(mine, shared), denial(theirs, shared)
    facing = [p for p in prefix_opposites(claim.plain, evidence.plain) if p[0] not in DIRECTIONS]
    split = antonyms(mine, theirs)
    found = {
        "polarity": compared if flipped else polarity(mine, theirs, shared),
        "valence": polarity(mine, theirs, shared, "valence"),
        "parity": parity(mine, theirs, shared),
        "comparison": compared,
        "ratio": _ratio(claim, ratio_direction(evidence.quantities, interval_null)),
        "comparator_flip": float(flipped),
        "antonyms": min(1.0, (len(split) + len(facing)) / 2),
        "negation_mismatch": negation_mismatch(mine, theirs, shared),
        "negation_odd": float((mine.negations.cues + theirs.negations.cues) % 2),
        "null_mismatch": abs(denials[0] - denials[1]) if all(map(_states, (mine, theirs))) else 0.0,
        "numbers_conflict": _capped(numbers.conflicting),
        "units_conflict": _capped(numbers.other_unit),
        "numbers_agree": _capped(numbers.agreeing),
        "overlap_claim": len(shared) / max(1, len(mine.places)),
        "overlap_evidence": len(shared) / max(1, len(theirs.places)),
        "entities": _share(claim.words.entities, evidence.words.entities),
        "claim_null": denials[0],
        "evidence_null": denials[1],
        "claim_hedge": claim.hedge,
        "evidence_hedge": evidence.hedge,
        "unmeasured": float(theirs.negations.unmeasured),
        "interval_null": interval_null,
        "p_null": not_significant(evidence.quantities),
    }
    return Checks(**found, warnings=warnings_of(claim, evidence, found, numbers, split, facing))


def _states(side: Side) -> bool:
    """Whether the text states any effect that could be denied."""
    return any(s.axis in ("amount", "effect", "valence") for s in side.signals)


def _ratio(claim: Analysis, direction: int) -> float:
    """The claim's last increase or decrease against a ratio's direction."""
    stated = [s for s in claim.side.signals if s.axis == "amount" and not s.negated]
    return float(direction * stated[-1].sign) if stated else 0.0


def _capped(pairs: Sequence[object]) -> float:
    return float(min(3, len(pairs)))


def _share(wanted: frozenset[str], present: frozenset[str]) -> float:
    return len(wanted & present) / len(wanted) if wanted else 1.0
