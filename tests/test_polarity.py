"""Direction words, what governs them, and how far a negation reaches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checks import compare
from verify.checks.analysis import analyse
from verify.checks.lexicon import DIRECTIONS


def negated_words(text: str) -> set[str]:
    side = analyse(text).side
    return {w for w, no in zip(side.words.lower, side.negations.negated, strict=True) if no}


def stated(text: str) -> list[tuple[str, int, bool]]:
    return [(s.axis, s.sign, s.negated) for s in analyse(text).side.signals if s.pairs]


@pytest.mark.parametrize(
    ("text", "denied", "asserted"),
    [
        ("Aspirin did not reduce pain, but ibuprofen lowered fever.", "reduce pain", "lowered fever"),
        ("No effect on weight was seen; glucose fell.", "effect weight", "glucose fell"),
        ("Although A does not bind B, C activates D.", "bind b", "c activates d"),
        ("A does not bind B; however, C activates D.", "bind", "activates"),
        ("A inhibits B whereas C does not inhibit D.", "d", "a b c"),
        ("It not only increases A but also decreases B.", "", "increases decreases"),
        ("It decreases not just A but B.", "", "decreases a b"),
        ("A no longer binds B.", "binds b", "a"),
        ("Cells grew without affecting viability.", "affecting viability", "cells grew"),
        ("The lack of an effect was clear.", "effect", "clear"),
        ("Absence of any association with death was noted.", "association", "noted"),
        ("Neither A nor B increases C.", "a b increases", ""),
        ("A fails to activate B.", "activate b", "a"),
        ("We cannot exclude that A activates B.", "", "activates"),
        ("Results did not rule out an effect.", "", "effect"),
        ("It is not without benefit.", "", "benefit"),
        ("B was not measured and A increased.", "", "b a increased"),
        ("Whether A binds B has not been assessed.", "", "a binds b"),
        ("The role of A is not fully understood.", "", "role a"),
        ("A did not affect B, C, or D.", "affect b c d", "a"),
        ("A (but not B) activates C.", "b", "a activates c"),
        ("A, not B, activates C.", "b", "a activates c"),
        ("There was no evidence that the drug, alone or with zinc, reduced death.", "reduced", ""),
        ("A few patients died.", "", "patients died"),
        ("Few patients died.", "patients died", ""),
        ("Sample No. 5 increased.", "", "increased"),
        ("Patients with or without diabetes improved.", "", "diabetes improved"),
        ("Loss rather than gain of weight was seen.", "gain", "loss"),
        ("It doesn't increase A.", "increase", "it"),
    ],
)  # fmt: skip
def test_a_negation_reaches_just_its_scope(text: str, denied: str, asserted: str) -> None:
    found = negated_words(text)
    assert set(denied.split()) <= found
    assert not set(asserted.split()) & found


def test_not_measured_is_marked_and_is_no_negation() -> None:
    found = analyse("Cytokine X was not measured in this study.").side.negations
    assert found.unmeasured
    assert found.cues == 0


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("X increases Y", [("amount", 1, False)]),
        ("X does not prevent Y", [("amount", -1, True)]),
        ("Loss of PTEN increases AKT", [("amount", -1, False)]),
        ("X inhibits activation of Y", [("amount", -1, False)]),
        ("X leads to decreased Y", [("amount", -1, False)]),
        ("Knockdown of X in human cells reduced Y", [("amount", 1, False)]),
        ("X increased A and decreased B", [("amount", 1, False), ("amount", -1, False)]),
        ("TNF-induced death", []),
        ("up-regulated", [("amount", 1, False)]),
        ("PTEN-deficient", [("amount", -1, False)]),
        ("HIV-positive women", [("sex", -1, False)]),
        ("more than 50 patients", []),
        ("at least 5 men", [("sex", 1, False)]),
        ("lower urinary tract", []),
        ("A needs B but not C", [("necessity", 1, False), ("necessity", 1, True)]),
    ],
)
def test_directions_are_chained_and_told_from_other_senses(
    text: str, signals: list[tuple[str, int, bool]]
) -> None:
    assert stated(text) == signals


@pytest.mark.parametrize(
    "pair",
    [
        "increase/decrease",
        "activate/inhibit",
        "upregulate/downregulate",
        "higher/lower",
        "more/less",
        "gain/loss",
        "positive/negative",
        "protective/endanger",
        "sensitive/resistant",
        "promote/suppress",
        "enhance/impair",
        "present/absent",
        "hypermethylation/hypomethylation",
        "agonist/antagonist",
        "superior/inferior",
        "improve/worsen",
        "accelerate/delay",
        "required/dispensable",
        "efficacious/ineffective",
        "increased/decreased",
        "increasing/reducing",
        "activation/inhibition",
        "promotes/suppresses",
        "overexpression/knockdown",
        "elevated/reduced",
        "stimulates/blocks",
        "exacerbates/alleviates",
        "stabilizes/degrades",
        "sufficient/insufficient",
    ],
)
def test_the_lexicon_knows_opposites_in_their_inflections(pair: str) -> None:
    one, other = (DIRECTIONS[word] for word in pair.split("/"))
    assert one.axis == other.axis
    assert (one.sign, other.sign) == (1, -1)


SUPPORTS = [
    ("Aspirin reduces stroke risk", "Aspirin lowered the risk of stroke."),
    ("A activates B", "B is activated by A."),
    ("A activates B", "Knockdown of A reduced B."),
    ("PTEN inhibits AKT", "Loss of PTEN increases AKT activity."),
    ("X does not affect Y", "X had no effect on Y."),
    ("X does not affect Y", "Y was unaffected by X."),
    ("A and B did not differ in weight", "Weight was similar in A and B."),
    ("A is required for B", "B depends on A."),
    ("The drug reduces mortality in mice", "The drug improved survival of mice."),
    ("IL6 is higher than IL8", "IL8 was lower than IL6."),
    ("X does not increase Y", "X decreases Y."),
]
REFUTES = [
    ("Aspirin reduces stroke risk", "Aspirin increased the risk of stroke."),
    ("A activates B", "A inhibits B."),
    ("A activates B", "A did not activate B."),
    ("A activates B", "A fails to activate B."),
    ("X increases Y", "There was no significant difference in Y with X."),
    ("X increases Y", "X had no effect on Y."),
    ("X increases Y", "Y was unchanged after X."),
    ("X prevents Y", "X does not prevent Y."),
    ("Smoking is associated with cancer", "Smoking was not associated with cancer."),
    ("A is required for B", "A is dispensable for B."),
    ("Cells are sensitive to cisplatin", "The cells were resistant to cisplatin."),
    ("IL6 levels are higher than IL8 levels", "IL8 levels were higher than IL6 levels."),
    ("X improves outcome", "X worsened outcome."),
    ("Obesity is protective against stroke", "Obesity is a risk factor for stroke."),
    ("The drug was superior to placebo", "The drug was inferior to placebo."),
    ("PTEN activates AKT", "Loss of PTEN increases AKT activity."),
    ("X lowers Y", "X increased Y but decreased Z."),
    ("X lowers Y", "X decreased Z but increased Y."),
]


def lean(claim: str, evidence: str) -> float:
    found = compare(claim, evidence)
    return found.polarity + found.valence + found.comparison


@pytest.mark.parametrize(("claim", "evidence"), SUPPORTS)
def test_the_same_direction_is_seen(claim: str, evidence: str) -> None:
    assert lean(claim, evidence) > 0.2


@pytest.mark.parametrize(("claim", "evidence"), REFUTES)
def test_the_opposite_direction_is_seen(claim: str, evidence: str) -> None:
    assert lean(claim, evidence) < -0.2


def test_opposite_words_without_shared_content_say_nothing() -> None:
    found = compare("Aspirin reduces stroke", "Rainfall increased in Peru")
    assert (found.polarity, found.valence, found.comparison, found.parity) == (0, 0, 0, 0)
    assert found.warnings == ()


WORDS = st.lists(
    st.sampled_from(
        [
            "A",
            "B",
            "IL-6",
            "increases",
            "decreases",
            "did",
            "not",
            "no",
            "effect",
            "on",
            "of",
            "the",
            ",",
            "but",
            "than",
            "higher",
            "lower",
            "(",
            ")",
            "loss",
            "without",
            "lack",
            "nor",
            "neither",
            "reduced",
            "mortality",
            ".",
            "similar",
            "fails",
            "to",
            "absent",
            "only",
        ]
    ),
    max_size=25,
).map(" ".join)


@given(WORDS, WORDS)
def test_agreement_of_directions_is_symmetric(one: str, other: str) -> None:
    there, back = compare(one, other), compare(other, one)
    assert there.polarity == pytest.approx(back.polarity, abs=1e-9)
    assert there.negation_mismatch == pytest.approx(back.negation_mismatch)
    assert there.overlap_claim == pytest.approx(back.overlap_evidence)


@given(WORDS)
def test_a_text_never_opposes_itself_by_negation_or_comparison(text: str) -> None:
    found = compare(text, text)
    assert found.negation_mismatch == found.null_mismatch == found.negation_odd == 0
    assert found.comparison >= 0
    assert not found.comparator_flip
    assert found.antonyms == 0


@pytest.mark.parametrize("verb", ["increases", "inhibits", "improves", "requires", "affects"])
def test_negating_the_evidence_turns_the_polarity_round(verb: str) -> None:
    base = verb[:-1]
    asserted = compare(f"Zinc {verb} growth", f"Zinc {verb} growth")
    denied = compare(f"Zinc {verb} growth", f"Zinc does not {base} growth")
    assert asserted.polarity == pytest.approx(-denied.polarity, abs=0.1)
    assert "the sentence negates what the claim asserts" in denied.warnings or verb == "requires"
