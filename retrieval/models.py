"""What retrieval speaks of: papers, passages, spans, evidence, and how it was found.

Everything here is frozen and refuses unknown fields. Offsets are half-open character ranges
`[start, end)` into `Passage.text`; `passage.text[span.start:span.end]` *is* the quote.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class Model(BaseModel):
    """A frozen record that refuses fields it doesn't know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Span(Model):
    """A half-open character range `[start, end)` in one text."""

    start: int = Field(ge=0)
    end: int = Field(ge=0)

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.end < self.start:
            raise ValueError(f"span ends before it starts: {self.start}, {self.end}")
        return self

    def of(self, text: str) -> str:
        """The quote: `text[start:end]`."""
        return text[self.start : self.end]


class Standing(StrEnum):
    """What became of a paper after publication, or what kind of notice it is.

    Papers that are `RETRACTED` are shown and never counted; `NOTICE` (a retraction notice, an
    erratum, an expression of concern) is never evidence at all.
    """

    SOUND = "sound"
    CORRECTED = "corrected"
    CONCERN = "expression of concern"
    RETRACTED = "retracted"
    NOTICE = "notice"


class Paper(Model):
    """One work. `id` is stable: `doi:…`, `pmid:…` or `pmcid:…` when known, else `local:…`."""

    id: str
    title: str
    year: int | None = None
    journal: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    doi: str | None = None
    publication_types: tuple[str, ...] = ()
    standing: Standing = Standing.SOUND
    preprint: bool = False
    synopsis: bool = Field(
        default=False,
        description="the text is a synopsis written for us, not the paper's own words",
    )
    language: str = "en"

    @property
    def url(self) -> str | None:
        """A link that opens the paper, by DOI first, then PMC, then PubMed."""
        if self.doi:
            return f"https://doi.org/{self.doi}"
        if self.pmcid:
            return f"https://europepmc.org/article/PMC/{self.pmcid}"
        if self.pmid:
            return f"https://europepmc.org/article/MED/{self.pmid}"
        return None

    @property
    def retracted(self) -> bool:
        """True for a retracted or withdrawn paper."""
        return self.standing is Standing.RETRACTED


class PassageKind(StrEnum):
    """What kind of block a passage was in its paper."""

    ABSTRACT = "abstract"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list item"
    CAPTION = "caption"
    TABLE_ROW = "table row"
    TABLE_NOTE = "table note"
    BOX = "boxed text"
    QUOTE = "quotation"
    CODE = "code"


class SectionKind(StrEnum):
    """Where in a paper a passage stands, as far as type or title tells."""

    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    METHODS = "methods"
    RESULTS = "results"
    DISCUSSION = "discussion"
    CONCLUSION = "conclusion"
    APPENDIX = "appendix"
    OTHER = "other"


class Passage(Model):
    """A block of a paper whose `text` is fixed once read.

    `sentences` are spans into `text` in reading order with nothing but white space between them,
    or None when the source gave none and they haven't been computed yet.
    """

    id: str
    paper_id: str
    kind: PassageKind
    section: tuple[str, ...] = Field(default=(), description="section titles, outermost first")
    section_kind: SectionKind = SectionKind.OTHER
    order: int = Field(ge=0, description="reading order within the paper, from 0")
    text: str
    sentences: tuple[Span, ...] | None = None


class Notice(Model):
    """What a notice of retraction, correction or concern makes of the paper it is about."""

    target: str = Field(description="the paper it is about: `doi:…`, `pmid:…` or `pmcid:…`")
    standing: Standing


class Document(Model):
    """A paper with its passages, as a reader returns it; `warnings` says what was lost and why."""

    paper: Paper
    passages: tuple[Passage, ...]
    notices: tuple[Notice, ...] = Field(
        default=(), description="what it says became of other papers (related-article links)"
    )
    warnings: tuple[str, ...] = ()


class SentenceHit(Model):
    """A sentence that may bear on the claim; `score` is comparable within one search only."""

    span: Span
    score: float


class PassageHit(Model):
    """A passage that was found, with its most relevant sentences, best first."""

    passage: Passage
    score: float
    sentences: tuple[SentenceHit, ...]


class Evidence(Model):
    """A paper with the passages that may bear on the claim, best first, and how it was found."""

    paper: Paper
    score: float = Field(description="fused relevance, comparable within one search only")
    passages: tuple[PassageHit, ...]
    queries: tuple[str, ...] = Field(description="the queries that found this paper")


class QueryTrace(Model):
    """One query as it was sent to one source, and what came of it."""

    source: str
    query: str
    found: int = Field(ge=0)
    error: str | None = None


class Findings(Model):
    """What `Librarian.find` returns: evidence best first, the trace of the search, warnings."""

    claim: str
    evidence: tuple[Evidence, ...]
    queries: tuple[QueryTrace, ...]
    warnings: tuple[str, ...] = ()
