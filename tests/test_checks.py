"""The whole comparison of a claim and a sentence: features, warnings, robustness, use on data."""

from __future__ import annotations

import gzip
import json
import math
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checks import analyse, compare, compare_analyses

NEGATES = "the sentence negates what the claim asserts"
ASSERTS = "the sentence asserts what the claim negates"
OTHER_WAY = "the sentence compares the same things the other way round"
UNMEASURED = "the sentence says that something was not measured, which is no negative result"


@pytest.mark.parametrize(
    ("claim", "evidence", "warning"),
    [
        (
            "Statins cut the risk of stroke by 50%.",
            "Statins cut the risk of stroke by 20%.",
            "the claim says 50%, the sentence says 20%",
        ),
        ("Zinc reduces colds.", "Zinc did not reduce colds.", NEGATES),
        ("Zinc does not reduce colds.", "Zinc reduced colds.", ASSERTS),
        ("Men have higher IL6 than women.", "Women have higher IL6 than men.", OTHER_WAY),
        ("Zinc lowers IL6.", "IL6 was not measured after zinc.", UNMEASURED),
        (
            "Zinc increases IL6.",
            "Zinc decreases IL6.",
            "the sentence states the opposite direction (increase/decrease)",
        ),
        (
            "Zinc lowers the risk of death.",
            "With zinc the hazard ratio of death was 0.9 (95% CI 0.7-1.2).",
            "the interval of the sentence (95% CI 0.7-1.2) includes no effect",
        ),
        (
            "Zinc lowers weight.",
            "Weight fell by 1 kg with zinc (P = 0.4).",
            "the result of the sentence is not significant (p above 0.05)",
        ),
        (
            "Zinc lowers weight.",
            "Zinc may lower weight.",
            "the sentence is hedged (“may”), the claim is not",
        ),
        (
            "The daily dose of zinc was 5 mg.",
            "The daily dose of zinc was 5 ml.",
            "the claim says 5 mg, the sentence says 5 ml",
        ),
    ],
)
def test_what_speaks_against_a_claim_is_told_in_a_sentence(
    claim: str, evidence: str, warning: str
) -> None:
    assert warning in compare(claim, evidence).warnings


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Zinc lowers weight.", "Zinc lowered weight."),
        ("Zinc does not lower weight.", "Zinc had no effect on weight."),
        ("Sensitivity is between 80 and 90%.", "Sensitivity was 89.4%."),
        ("Statins cut the risk of stroke by 50%.", "Statins cut the risk of stroke."),
        ("IL6 is higher in men than in women.", "IL6 is lower in women than in men."),
        ("Zinc does not affect IL6 or TNF.", "IL6 and TNF were unaffected by zinc."),
        ("Zinc lowers IL6.", "Zinc lowered IL6 but did not affect height."),
        ("Zinc lowers IL6.", "Although height did not change, zinc lowered IL6."),
    ],
)
def test_what_agrees_gives_no_warning(claim: str, evidence: str) -> None:
    assert compare(claim, evidence).warnings == ()


def test_a_no_in_one_clause_does_not_silence_another() -> None:
    found = compare("Zinc lowers IL6", "No deaths occurred, and zinc lowered IL6.")
    assert found.polarity > 0.5
    assert NEGATES not in found.warnings


def test_not_measured_is_not_negative() -> None:
    found = compare("Zinc lowers IL6", "Whether zinc lowers IL6 was not assessed.")
    assert found.unmeasured == 1
    assert found.polarity == found.null_mismatch == found.negation_odd == 0
    found = compare("No tumour accumulates zinc", "Accumulation of zinc was not assayed.")
    assert found.polarity == found.null_mismatch == 0


@pytest.mark.parametrize(
    "unit", ["zinc, not, increases ", "but not IL6 ", "5 mg zinc ", "no increase (", "95% CI 1-2, "]
)
def test_comparing_takes_linear_time_and_tells_what_it_left_out(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    found = compare(text, text + ".")
    assert time.process_time() - start < 6
    assert all(math.isfinite(figure) for figure in found.features().values())
    assert any("only the first 64" in w for w in found.warnings) or "increase" not in unit


def test_hyper_and_hypo_are_opposites() -> None:
    found = compare("Zinc causes hyperkalemia", "Zinc causes hypokalemia")
    assert found.antonyms > 0
    assert "the claim says hyperkalemia, the sentence says hypokalemia" in found.warnings


def test_names_are_matched_in_any_spelling_and_counted() -> None:
    found = compare("TGF-β1 activates SMAD3 in IL-6 mice", "SMAD3 is induced by TGFβ1.")
    assert found.entities == pytest.approx(2 / 3)
    assert compare("Zinc lowers weight", "Nothing here").entities == 1


@pytest.mark.parametrize(
    ("evidence", "interval", "p"),
    [
        ("HR 0.64 (95% CI 0.5-0.8; p<0.001)", -1, -1),
        ("HR 0.94 (95% CI 0.7-1.2; P = 0.3)", 1, 1),
        ("a mean difference of -2.5 (95% CI -4.0 to 1.0)", 1, 0),
        ("a mean difference of -2.5 (95% CI -4.0 to -1.0)", -1, 0),
        ("the prevalence was 12% (95% CI 10 to 14)", 0, 0),
        ("A (p=0.01) and B (p=0.6)", 0, 0),
    ],
)
def test_intervals_and_p_values_tell_of_no_effect(evidence: str, interval: float, p: float) -> None:
    found = compare("Zinc lowers the risk of death", evidence)
    assert (found.interval_null, found.p_null) == (interval, p)


def test_a_ratio_is_set_against_the_direction_of_the_claim() -> None:
    evidence = "Death was rarer with zinc (HR 0.64, 95% CI 0.5-0.8)."
    assert compare("Zinc reduces death", evidence).ratio == 1
    assert compare("Zinc increases death", evidence).ratio == -1
    assert compare("Zinc reduces death", "HR 0.9 (95% CI 0.7-1.2)").ratio == 0


RANGES = {
    "polarity": (-1, 1), "valence": (-1, 1), "parity": (-1, 1), "comparison": (-1, 1),
    "ratio": (-1, 1), "comparator_flip": (0, 1), "antonyms": (0, 1), "negation_mismatch": (0, 1),
    "negation_odd": (0, 1), "null_mismatch": (0, 1), "numbers_conflict": (0, 3),
    "units_conflict": (0, 3), "numbers_agree": (0, 3), "overlap_claim": (0, 1),
    "overlap_evidence": (0, 1), "entities": (0, 1), "claim_null": (0, 1), "evidence_null": (0, 1),
    "claim_hedge": (0, 1), "evidence_hedge": (0, 1), "unmeasured": (0, 1), "interval_null": (-1, 1),
    "p_null": (-1, 1),
}  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(
        st.sampled_from(
            "IL-6 TNF-α 5 mg/kg 50% (95% CI 0.7-1.2) p<0.05 HR = 0.6 not no increases reduced than"
            " but , . ; nor without neither hyperkalemia hypokalemia may [ ) higher lower".split()
        ),
        max_size=30,
    ).map(" ".join),
)


@given(TEXTS, TEXTS)
def test_any_text_is_compared_with_features_in_their_ranges(claim: str, evidence: str) -> None:
    features = compare(claim, evidence).features()
    assert features.keys() == RANGES.keys()
    for name, (low, high) in RANGES.items():
        assert type(features[name]) is float
        assert low <= features[name] <= high, name


@given(TEXTS, TEXTS)
def test_analysing_first_changes_nothing(claim: str, evidence: str) -> None:
    assert compare(claim, evidence) == compare_analyses(analyse(claim), analyse(evidence))


def test_word_lists_need_no_shared_order_but_empty_texts_know_nothing() -> None:
    found = compare("", "")
    assert set(found.features().values()) <= {0.0, 1.0}
    assert found.warnings == ()


def test_polarity_tells_support_from_contradiction_on_training_pairs(shared: Path) -> None:
    """SciFact's training claims with their gold sentences: 0.71 when written, chance is 0.5."""
    from sklearn.metrics import roc_auc_score

    with gzip.open(shared / "nli" / "scifact_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        pairs = [json.loads(line) for line in lines]
    told = [p for p in pairs if p["label"] != "nei"]
    scores = [compare(p["hypothesis"], p["premise"]).polarity for p in told]
    assert roc_auc_score([p["label"] == "support" for p in told], scores) > 0.69
