"""What verification speaks of: claims, stances, citations and verdicts. This is the JSON form too."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from retrieval.models import Model, Span


class Label(StrEnum):
    """The three-way answer, as in ProClaim."""

    SUPPORT = "SUPPORT"
    REFUTE = "REFUTE"
    UNCERTAIN = "UNCERTAIN"


class Status(StrEnum):
    """How far the question could be answered at all."""

    DECIDED = "decided"
    NO_EVIDENCE = "no_evidence"
    COULD_NOT_LOOK = "could_not_look"
    NOT_CHECKABLE = "not_checkable"
    ERROR = "error"


class Stance(Model):
    """What one piece of evidence says of the claim; the three probabilities sum to 1."""

    supports: float = Field(ge=0, le=1)
    neutral: float = Field(ge=0, le=1)
    refutes: float = Field(ge=0, le=1)


class Judgement(Model):
    """A judge's stance on one window of a passage; `span` is the window judged."""

    passage_id: str
    span: Span
    stance: Stance


class PaperRef(Model):
    """The paper behind a citation, as shown to a reader."""

    id: str
    title: str
    year: int | None
    journal: str | None
    pmid: str | None
    pmcid: str | None
    doi: str | None
    url: str | None
    retracted: bool
    preprint: bool
    synopsis: bool


class Citation(Model):
    """A quote that carries the verdict: `passage.text[start:end] == quote`."""

    stance: str = Field(pattern="^(supports|refutes)$")
    quote: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    passage_id: str
    section: str
    probability: float = Field(ge=0, le=1, description="the judge's probability of this stance")
    counted: bool = Field(description="False for a retracted paper: shown, not counted")
    warnings: tuple[str, ...] = ()
    paper: PaperRef


class PaperStance(Model):
    """What one paper as a whole says of the claim (every paper that was judged is listed)."""

    paper: PaperRef
    stance: Stance
    relevance: float = Field(description="retrieval score, comparable within one verdict only")
    counted: bool


class Probabilities(Model):
    """Calibrated probabilities of the three labels; they sum to 1."""

    support: float = Field(ge=0, le=1)
    refute: float = Field(ge=0, le=1)
    uncertain: float = Field(ge=0, le=1)


class Provenance(Model):
    """What produced a verdict; equal inputs give an equal verdict, so no clock is read here."""

    version: str
    judge: str
    calibrator: str
    sources: tuple[str, ...]
    queries: tuple[str, ...]
    papers_judged: int
    sentences_judged: int


class Verdict(Model):
    """The answer for one claim."""

    schema_version: int = 1
    claim: str
    status: Status
    likert: int = Field(ge=0, le=10)
    likert_name: str
    label: Label
    probabilities: Probabilities
    direction: float = Field(ge=-1, le=1, description="-1 all evidence supports, +1 all refutes")
    strength: float = Field(ge=0, le=1, description="probability of the stronger side")
    coverage: float = Field(
        ge=0, le=1, description="how much of the looked-at evidence bears on it"
    )
    mixedness: float = Field(ge=0, le=1, description="0 one-sided, 1 evenly split")
    rationale: str
    citations: tuple[Citation, ...]
    papers: tuple[PaperStance, ...]
    warnings: tuple[str, ...]
    provenance: Provenance
