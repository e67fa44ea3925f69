"""What a reader should be told where a sentence may not say what the claim says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from verify.checks.analysis import MOST_QUANTITIES, Analysis
from verify.checks.polarity import MOST_SIGNALS
from verify.checks.quantity_match import NumberMatch, includes_null

OPPOSED = -0.5  # polarity below which directions are called opposite: 3-6 times as often right as
# wrong on the training pairs of SciFact, Check-COVID and our synthetic ones
DENIED = 0.5  # difference in denial above which a negation is pointed out


def warnings_of(
    claim: Analysis,
    evidence: Analysis,
    found: Mapping[str, float],
    numbers: NumberMatch,
    split: Sequence[str],
    facing: Sequence[tuple[str, str]],
) -> tuple[str, ...]:
    """One sentence for each check that speaks against the claim, the gravest first."""
    return (
        *_negation(found),
        *_direction(found, split),
        *(f"the claim says {mine}, the sentence says {theirs}" for mine, theirs in facing),
        *_numbers(numbers),
        *_certainty(claim, evidence, found),
        *_length(evidence),
    )


def _negation(found: Mapping[str, float]) -> Iterator[str]:
    if found["null_mismatch"] < DENIED:
        return
    if found["evidence_null"] > found["claim_null"]:
        yield "the sentence negates what the claim asserts"
    else:
        yield "the sentence asserts what the claim negates"


def _direction(found: Mapping[str, float], split: Sequence[str]) -> Iterator[str]:
    if found["comparator_flip"] and found["comparison"] < 0:
        yield "the sentence compares the same things the other way round"
    elif found["polarity"] < OPPOSED and found["null_mismatch"] < DENIED:
        words = f" ({', '.join(split)})" if split else ""
        yield f"the sentence states the opposite direction{words}"


def _numbers(numbers: NumberMatch) -> Iterator[str]:
    for mine, theirs in (*numbers.conflicting, *numbers.other_unit):
        yield f"the claim says {mine.quote}, the sentence says {theirs.quote}"


def _certainty(claim: Analysis, evidence: Analysis, found: Mapping[str, float]) -> Iterator[str]:
    if found["unmeasured"]:
        yield "the sentence says that something was not measured, which is no negative result"
    _, interval = includes_null(evidence.quantities, evidence.text)
    if interval and found["claim_null"] < DENIED:
        quote = evidence.text[interval.start : interval.end]
        yield f"the interval of the sentence ({quote}) includes no effect"
    elif found["p_null"] > 0 and found["claim_null"] < DENIED:
        yield "the result of the sentence is not significant (p above 0.05)"
    if evidence.hedges and not claim.hedges:
        yield f"the sentence is hedged (“{evidence.hedges[0]}”), the claim is not"


def _length(evidence: Analysis) -> Iterator[str]:
    """Nothing is left out in silence, not even from a text no sentence reaches."""
    if len(evidence.quantities) > MOST_QUANTITIES:
        yield f"only the first {MOST_QUANTITIES} numbers of the sentence were compared"
    if sum(bool(signal.pairs) for signal in evidence.side.signals) >= MOST_SIGNALS:
        yield f"only the first {MOST_SIGNALS} direction words of the sentence were compared"
