"""The Likert score follows from label and probabilities, and 5 only ever means no evidence."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from verify.likert import LIKERT_NAMES, likert
from verify.models import Label, Probabilities


@st.composite
def chances(draw: st.DrawFn) -> Probabilities:
    parts = [draw(st.floats(0.001, 1)) for _ in range(3)]
    s, r, u = (part / sum(parts) for part in parts)
    return Probabilities(support=s, refute=r, uncertain=u)


def test_both_ends_are_named_by_their_direction() -> None:
    sure = Probabilities(support=0.01, refute=0.97, uncertain=0.02)
    assert LIKERT_NAMES[likert(Label.REFUTE, sure, bears=True)] == "explicit contradiction"
    sure = Probabilities(support=0.97, refute=0.01, uncertain=0.02)
    assert LIKERT_NAMES[likert(Label.SUPPORT, sure, bears=True)] == "explicit agreement"
    assert len(LIKERT_NAMES) == 11


@given(chances(), st.sampled_from(Label), st.booleans())
def test_score_label_and_evidence_agree(c: Probabilities, label: Label, bears: bool) -> None:
    score = likert(label, c, bears=bears)
    if not bears:
        assert score == 5
    else:
        assert (score >= 8) == (label is Label.REFUTE)
        assert (score <= 2) == (label is Label.SUPPORT)
        assert score != 5
