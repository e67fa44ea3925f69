"""What calibration speaks of: labelled claims, their evidence, which belong together."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Label(StrEnum):
    """The three-way answer; the same values as `verify.models.Label`."""

    SUPPORT = "SUPPORT"
    REFUTE = "REFUTE"
    UNCERTAIN = "UNCERTAIN"


Statement = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class EvidenceText(_Record):
    """One text a claim was labelled against."""

    doc_id: str = Field(min_length=1, description="equal ids mean equal texts, within one data set")
    title: str = ""
    sentences: tuple[str, ...] = Field(description="in reading order; empty if the source is empty")
    split: bool = Field(
        default=True,
        description="False: `sentences` holds running text whose sentence boundaries aren't given",
    )

    @classmethod
    def running(cls, *paragraphs: str, title: str = "", doc_id: str | None = None) -> EvidenceText:
        """Running text. Without an id of its own it is named by its hash, which tells nothing
        about the label, while the id of its row may.
        """
        kept = tuple(p.strip() for p in paragraphs if p.strip())
        digest = hashlib.sha256("\n".join((title, *kept)).encode()).hexdigest()
        return cls(doc_id=doc_id or digest[:16], title=title, sentences=kept, split=False)


class LabelledClaim(_Record):
    """A claim with its gold label. Only `text` and `evidence` may be shown to a judge."""

    id: str = Field(min_length=1, description="unique in its data set and split")
    text: Statement
    label: Label
    evidence: tuple[EvidenceText, ...] | None = Field(
        description="None where the set gives none: the claim is labelled against the literature"
    )
    group: str = Field(description="claims of one group must stay in the same fold")
    source: str = Field(description="name of the data set")


class OpenClaim(_Record):
    """A claim to be checked against a whole corpus, with the gold label of each abstract."""

    id: str
    text: Statement
    cited: tuple[str, ...] = Field(description="ids of the abstracts cited for the claim")
    gold: dict[str, Label] = Field(description="SUPPORT or REFUTE by id; a cited one may be absent")
    rationales: dict[str, tuple[tuple[int, ...], ...]] = Field(
        description="by abstract: sets of sentence indices, each set enough by itself"
    )
    group: str

    @property
    def label(self) -> Label:
        """The label all labelled abstracts share; UNCERTAIN without one, or if they disagree."""
        labels = set(self.gold.values())
        return labels.pop() if len(labels) == 1 else Label.UNCERTAIN


def linked(claims: Sequence[LabelledClaim]) -> list[LabelledClaim]:
    """The claims with groups that leak nothing over a fold's border.

    Claims that share their text, an evidence document or the `group` they came with get one
    group, named after the id of its first claim.
    """
    first = components([_ties(claim) for claim in claims])
    return [
        claim.model_copy(update={"group": claims[index].id})
        for claim, index in zip(claims, first, strict=True)
    ]


def components(ties: Sequence[Sequence[tuple[str, str]]]) -> list[int]:
    """For each row the first row that it hangs together with, directly or by a chain of ties."""
    parents = list(range(len(ties)))

    def root(index: int) -> int:
        while parents[index] != index:
            parents[index] = parents[parents[index]]
            index = parents[index]
        return index

    first_with: dict[tuple[str, str], int] = {}
    for index, own in enumerate(ties):
        for tie in own:
            first, second = sorted((root(first_with.setdefault(tie, index)), root(index)))
            parents[second] = first
    return [root(index) for index in range(len(ties))]


def text_tie(text: str) -> tuple[str, str]:
    """The tie between claims of equal wording, whatever their case and white space."""
    return "text", " ".join(text.casefold().split())


def _ties(claim: LabelledClaim) -> list[tuple[str, str]]:
    documents = [("document", e.doc_id) for e in claim.evidence or () if e.sentences]
    own = [("group", claim.group)] if claim.group else []
    return [text_tie(claim.text), *own, *documents]
