"""Papers' stances → the verdict: direction, strength, coverage, mixedness, label, Likert, citations."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.calibrators import Calibrator, Chances, Thresholds
from retrieval.models import Paper
from verify.checks import compare
from verify.claims import CheckedClaim
from verify.features import BEARS, claim_features
from verify.judges.nli import Judged
from verify.likert import LACK_OF_EVIDENCE, LIKERT_NAMES, likert
from verify.models import (
    Citation,
    Label,
    PaperRef,
    PaperStance,
    Probabilities,
    Provenance,
    Status,
    Verdict,
)
from verify.stances import JudgedPaper

CITATIONS_A_SIDE = 5
CITABLE = 0.5  # least probability of a sentence's own stance


def decide(
    claim: str,
    papers: Sequence[JudgedPaper],
    calibrator: Calibrator,
    provenance: Provenance,
    warnings: Sequence[str],
    single: Thresholds | None = None,
) -> Verdict:
    """Pool the counted papers into one calibrated verdict; retracted ones are only shown.

    With `single`, one counted paper alone decides: its stance is calibrated already, and `single`
    are the bars fitted for it.
    """
    counted = [p for p in papers if p.counted]
    bearing = [p for p in counted if p.stance.neutral < BEARS]
    thresholds = calibrator.thresholds
    raw = calibrator.chances(claim_features([p.stance for p in counted]))
    if single is not None and len(counted) == 1:
        stance, thresholds = counted[0].stance, single
        raw = Chances(stance.supports, stance.refutes, stance.neutral)
    chances = Probabilities(support=raw.support, refute=raw.refute, uncertain=raw.uncertain)
    citations = cite(claim, papers)
    label = Label(thresholds.label(raw)) if bearing else Label.UNCERTAIN
    label, doubt = _with_a_span(label, citations)
    score = likert(label, chances, bears=bool(bearing))
    support, refute = _pooled(bearing)
    return Verdict(
        claim=claim,
        status=Status.DECIDED if bearing else Status.NO_EVIDENCE,
        likert=score,
        likert_name=LIKERT_NAMES[score],
        label=label,
        probabilities=chances,
        direction=(refute - support) / (refute + support) if bearing else 0.0,
        strength=max(chances.support, chances.refute),
        coverage=len(bearing) / len(counted) if counted else 0.0,
        mixedness=2 * min(support, refute) / (support + refute) if bearing else 0.0,
        rationale=_rationale(label, bearing, counted, papers),
        citations=tuple(citations),
        papers=tuple(_paper_stance(p) for p in papers),
        warnings=(*warnings, *doubt, *_paper_warnings(papers), *_check_warnings(citations)),
        provenance=provenance,
    )


def not_checkable(checked: CheckedClaim, provenance: Provenance) -> Verdict:
    """The verdict on text that states nothing that could be checked; says why, in one sentence."""
    assert checked.refusal is not None
    return Verdict(
        claim=checked.text,
        status=Status.NOT_CHECKABLE,
        likert=LACK_OF_EVIDENCE,
        likert_name=LIKERT_NAMES[LACK_OF_EVIDENCE],
        label=Label.UNCERTAIN,
        probabilities=Probabilities(support=0.0, refute=0.0, uncertain=1.0),
        direction=0.0,
        strength=0.0,
        coverage=0.0,
        mixedness=0.0,
        rationale=f"Not checked: {checked.refusal}.",
        citations=(),
        papers=(),
        warnings=(checked.refusal, *checked.warnings),
        provenance=provenance,
    )


def cite(claim: str, papers: Sequence[JudgedPaper]) -> list[Citation]:
    """The sentences that carry the verdict: on each side the surest one of the surest papers.

    A paper is cited for the side it takes as a whole; counted papers come before retracted ones.
    """
    chosen = []
    for stance in ("supports", "refutes"):
        sided = [p for p in papers if _side(p) == stance]
        sided.sort(key=lambda p: (not p.counted, -getattr(p.stance, stance), p.paper.id))
        for paper in sided[:CITATIONS_A_SIDE]:
            window = max(
                paper.windows,
                key=lambda j: (getattr(j.score, stance), -j.window.span.start),
            )
            chosen.append(_citation(claim, paper, window, stance))
    return chosen


def _side(paper: JudgedPaper) -> str | None:
    """The side a paper is cited for, or None when no sentence of it takes that side itself."""
    if paper.stance.neutral >= BEARS:
        return None
    side = "supports" if paper.stance.supports > paper.stance.refutes else "refutes"
    best = max(getattr(j.score, side) for j in paper.windows)
    return side if best >= CITABLE else None


def _citation(claim: str, judged: JudgedPaper, chosen: Judged, stance: str) -> Citation:
    span, passage = chosen.window.span, chosen.window.passage
    return Citation(
        stance=stance,
        quote=chosen.window.text,
        start=span.start,
        end=span.end,
        passage_id=passage.id,
        section=" › ".join(passage.section) or passage.section_kind.value,
        probability=getattr(judged.stance, stance),
        counted=judged.counted,
        warnings=compare(claim, chosen.window.text).warnings,
        paper=paper_ref(judged.paper),
    )


def paper_ref(paper: Paper) -> PaperRef:
    """What a reader is shown of a paper."""
    return PaperRef(
        id=paper.id,
        title=paper.title,
        year=paper.year,
        journal=paper.journal,
        pmid=paper.pmid,
        pmcid=paper.pmcid,
        doi=paper.doi,
        url=paper.url,
        retracted=paper.retracted,
        preprint=paper.preprint,
        synopsis=paper.synopsis,
    )


def _paper_stance(judged: JudgedPaper) -> PaperStance:
    return PaperStance(
        paper=paper_ref(judged.paper),
        stance=judged.stance,
        relevance=judged.relevance,
        counted=judged.counted,
    )


def _with_a_span(label: Label, citations: Sequence[Citation]) -> tuple[Label, tuple[str, ...]]:
    """No decisive label without a counted sentence that says so."""
    wanted = {Label.SUPPORT: "supports", Label.REFUTE: "refutes"}.get(label)
    if wanted is None or any(c.stance == wanted and c.counted for c in citations):
        return label, ()
    return Label.UNCERTAIN, (
        "the papers lean to one side, but no single sentence says so clearly enough to be "
        "cited; the label is therefore UNCERTAIN",
    )


def _pooled(bearing: Sequence[JudgedPaper]) -> tuple[float, float]:
    return (
        sum(p.stance.supports for p in bearing),
        sum(p.stance.refutes for p in bearing),
    )


def _rationale(
    label: Label,
    bearing: Sequence[JudgedPaper],
    counted: Sequence[JudgedPaper],
    papers: Sequence[JudgedPaper],
) -> str:
    if not papers:
        return "Nothing was found that shares the claim's words."
    looked = f"{len(counted)} paper{'s' if len(counted) != 1 else ''}"
    if not bearing:
        return f"None of the {looked} looked at bears on the claim."
    supporting = sum(p.stance.supports > p.stance.refutes for p in bearing)
    against = len(bearing) - supporting
    told = {
        Label.SUPPORT: "The evidence supports the claim",
        Label.REFUTE: "The evidence contradicts the claim",
        Label.UNCERTAIN: "The evidence does not settle the claim",
    }[label]
    return f"{told}: of {looked} looked at, {supporting} lean for it and {against} against it."


def _paper_warnings(papers: Sequence[JudgedPaper]) -> list[str]:
    told = []
    for judged in papers:
        if judged.stance.neutral >= BEARS:
            continue
        name = f"“{judged.paper.title}”"
        if not judged.counted:
            told.append(f"{name} is retracted; it is shown, not counted")
        elif judged.paper.standing.value in ("corrected", "expression of concern"):
            told.append(f"{name} has a later notice: {judged.paper.standing.value}")
    return told


def _check_warnings(citations: Sequence[Citation]) -> list[str]:
    """Checks that speak against the side a counted sentence is cited for."""
    return [
        f"check “{c.paper.title}”: {warning}"
        for c in citations
        if c.counted and c.stance == "supports"
        for warning in c.warnings
    ]
