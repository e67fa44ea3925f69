"""From papers' stances to the verdict: what counts, what is cited, what each status means."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.models import Standing
from tests.fakes import AGAINST, FOR, NEITHER, claim_calibrator, paper, passage, windows
from verify.claims import CheckedClaim
from verify.judges.nli import Judged
from verify.models import Label, Provenance, Stance, Status, Verdict
from verify.stances import JudgedPaper
from verify.verdict import decide, not_checkable

TRACE = Provenance(
    version="0",
    judge="words-1",
    calibrator="none",
    sources=(),
    queries=(),
    papers_judged=0,
    sentences_judged=0,
)
STANCES = {
    "for": Stance(supports=0.95, neutral=0.03, refutes=0.02),
    "against": Stance(supports=0.02, neutral=0.03, refutes=0.95),
    "neither": Stance(supports=0.02, neutral=0.96, refutes=0.02),
}
SCORES = {"for": FOR, "against": AGAINST, "neither": NEITHER}


def judged(kind: str, paper_id: str = "p1", standing: Standing = Standing.SOUND) -> JudgedPaper:
    source = passage("We looked.", f"The result is {kind} the claim.", paper_id=paper_id)
    scores = (NEITHER, SCORES[kind])
    return JudgedPaper(
        paper(paper_id, standing=standing),
        STANCES[kind],
        tuple(Judged(w, s) for w, s in zip(windows(source), scores, strict=True)),
        0.0,
    )


def verdict_on(papers: Sequence[JudgedPaper]) -> Verdict:
    return decide("A inhibits B", papers, claim_calibrator(), TRACE, ())


def test_one_side_is_decided_and_cited_with_its_own_sentence() -> None:
    verdict = verdict_on([judged("against"), judged("neither", "p2")])
    assert verdict.status is Status.DECIDED
    assert verdict.label is Label.REFUTE
    assert verdict.likert >= 8
    assert verdict.direction == pytest.approx(0.93 / 0.97)
    assert verdict.coverage == 0.5
    (citation,) = verdict.citations
    assert citation.quote == "The result is against the claim."
    assert citation.stance == "refutes"


def test_nothing_that_bears_on_it_is_lack_of_evidence() -> None:
    for papers in ([], [judged("neither")]):
        verdict = verdict_on(papers)
        assert (verdict.status, verdict.likert, verdict.label) == (
            Status.NO_EVIDENCE,
            5,
            Label.UNCERTAIN,
        )
        assert verdict.citations == ()


def test_evidence_on_both_sides_is_mixed_and_never_five() -> None:
    verdict = verdict_on([judged("for"), judged("against", "p2")])
    assert verdict.label is Label.UNCERTAIN
    assert verdict.likert in (4, 6)
    assert verdict.mixedness == pytest.approx(1)
    assert {c.stance for c in verdict.citations} == {"supports", "refutes"}


def test_a_retracted_paper_is_shown_marked_and_not_counted() -> None:
    verdict = verdict_on([judged("for", standing=Standing.RETRACTED)])
    assert verdict.status is Status.NO_EVIDENCE
    assert verdict.likert == 5
    (citation,) = verdict.citations
    assert not citation.counted
    assert citation.paper.retracted
    assert any("is retracted; it is shown, not counted" in w for w in verdict.warnings)


def test_corrected_papers_count_with_a_warning() -> None:
    verdict = verdict_on([judged("for", standing=Standing.CORRECTED)])
    assert verdict.label is Label.SUPPORT
    assert any("later notice: corrected" in w for w in verdict.warnings)


def test_no_decisive_label_without_a_sentence() -> None:
    vague = judged("for")
    vague = JudgedPaper(
        vague.paper, vague.stance, tuple(Judged(j.window, NEITHER) for j in vague.windows), 0.0
    )
    verdict = verdict_on([vague])
    assert verdict.label is Label.UNCERTAIN
    assert any("no single sentence says so" in w for w in verdict.warnings)


def test_a_refused_claim_says_why() -> None:
    verdict = not_checkable(CheckedClaim("Why?", refusal="this is a question"), TRACE)
    assert verdict.status is Status.NOT_CHECKABLE
    assert verdict.warnings == ("this is a question",)
    assert verdict.likert == 5


@given(st.lists(st.sampled_from(sorted(STANCES)), max_size=6))
def test_every_mixture_keeps_the_rules(kinds: list[str]) -> None:
    papers = [judged(kind, f"p{i}") for i, kind in enumerate(kinds)]
    verdict = verdict_on(papers)
    chances = verdict.probabilities
    assert chances.support + chances.refute + chances.uncertain == pytest.approx(1)
    assert (verdict.likert == 5) == (verdict.status is Status.NO_EVIDENCE)
    texts = {j.window.passage.id: j.window.passage.text for p in papers for j in p.windows}
    assert all(texts[c.passage_id][c.start : c.end] == c.quote for c in verdict.citations)
    wanted = {Label.SUPPORT: "supports", Label.REFUTE: "refutes"}.get(verdict.label)
    assert wanted is None or any(c.stance == wanted for c in verdict.citations)
    assert Verdict.model_validate_json(verdict.model_dump_json()) == verdict


@given(st.lists(st.sampled_from(sorted(STANCES)), min_size=1, max_size=6))
def test_order_of_papers_does_not_move_the_answer(kinds: list[str]) -> None:
    papers = [judged(kind, f"p{i}") for i, kind in enumerate(kinds)]
    one, other = verdict_on(papers), verdict_on(papers[::-1])
    assert (one.label, one.likert, one.citations) == (other.label, other.likert, other.citations)
