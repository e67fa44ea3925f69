"""Run the real pipeline over a labelled set and measure it.

Two settings: *pairs*, where each claim is judged against the evidence it was labelled with, and
*open*, where the evidence must be found in a library first. A verifier is shown nothing but the
claim's text and, for pairs, the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Protocol, TypeVar

from calibration.baselines import word_overlap
from calibration.errors import DataError
from calibration.labels import CUSTOM, EvidenceText, read, read_scifact_open, split_of
from retrieval.errors import InputError
from retrieval.models import Document, Paper, Passage, PassageKind, SectionKind
from retrieval.sentences import joined
from verify.evaluation_report import EvaluationReport, Judged, report_on
from verify.models import Verdict
from verify.open_metrics import measure_open

T = TypeVar("T")
OPEN_SETS = frozenset({"scifact", "proclaim-signor", "proclaim-connectomedb", CUSTOM})
Track = Callable[[Sequence[int]], Iterable[int]]


class PairVerifier(Protocol):
    """What is evaluated; `verify.verifier.Verifier` is one."""

    def verify_against(self, claim: str, documents: Sequence[Document]) -> Verdict:
        """Judge the claim against these documents only."""

    def verify(self, claim: str) -> Verdict:
        """Find evidence, then judge."""


def evaluate(
    name: str,
    path: Path,
    split: str | None = None,
    *,
    verifier: PairVerifier,
    limit: int | None = None,
    track: Track = iter,
) -> EvaluationReport:
    """Judge each claim of a set against its own evidence.

    `path` is the folder of the set or its parent, for "custom" a file; `limit` takes that many
    rows, evenly spaced (files may be sorted by label); `track` may wrap the row numbers to show
    progress. Raises DataError if the set can't be used so.
    """
    claims = read(name, path, split)
    if lacking := sum(claim.evidence is None for claim in claims):
        raise DataError(
            f"{lacking} of {len(claims)} claims of {name} come without evidence; "
            "add a column 'evidence' or evaluate with --open and --library"
        )
    claims = spread(claims, limit)
    empty = sum(not any(e.sentences for e in c.evidence or ()) for c in claims)
    documents = [[document(e) for e in claim.evidence or ()] for claim in claims]
    judged = _judge(
        lambda row: verifier.verify_against(claims[row].text, documents[row]),
        [claim.id for claim in claims],
        track,
    )
    if empty:
        judged = judged.told(f"claims with empty evidence: {empty}")
    kept = [claims[row] for row in judged.rows]
    return report_on(
        name, split, "pairs", kept, judged, baselines={"word_overlap": word_overlap(kept)}
    )


def evaluate_open(
    name: str,
    path: Path,
    split: str | None = None,
    *,
    verifier: PairVerifier,
    limit: int | None = None,
    track: Track = iter,
) -> EvaluationReport:
    """Judge each claim by the evidence that `verifier.verify` finds; parameters as `evaluate`.

    SciFact's abstracts must be in the verifier's library under the ids `local:<doc_id>`; it also
    gets the figures of `measure_open`. Sets labelled pair by pair have no label for a claim as
    a whole, and raise DataError.
    """
    check_open(name)
    if name == "scifact":
        return _evaluate_scifact_open(path, split, verifier, limit, track)
    claims = spread(read(name, path, split), limit)
    judged = _judge(lambda row: verifier.verify(claims[row].text), [c.id for c in claims], track)
    return report_on(name, split, "open", [claims[row] for row in judged.rows], judged)


def check_open(name: str) -> None:
    """Raise DataError unless the set can be evaluated without being given the evidence."""
    split_of(name, None)
    if name not in OPEN_SETS:
        raise DataError(
            f"{name} is labelled against the evidence given with each claim, so it can't be "
            f"evaluated with --open; that works for {', '.join(sorted(OPEN_SETS))}"
        )


def document(evidence: EvidenceText) -> Document:
    """One abstract made of the evidence's sentences, joined by single blanks."""
    paper = Paper(id=f"local:{evidence.doc_id}", title=evidence.title)
    text, spans = joined(evidence.sentences)
    if not text:
        return Document(paper=paper, passages=(), warnings=("the evidence is empty",))
    passage = Passage(
        id=f"{paper.id}#0",
        paper_id=paper.id,
        kind=PassageKind.ABSTRACT,
        section_kind=SectionKind.ABSTRACT,
        order=0,
        text=text,
        sentences=spans if evidence.split else None,
    )
    return Document(paper=paper, passages=(passage,))


def spread(rows: Sequence[T], limit: int | None) -> list[T]:
    """`limit` evenly spaced rows in their order, or all of them."""
    if limit is None or limit >= len(rows):
        return list(rows)
    return [rows[place * len(rows) // limit] for place in range(limit)]


def _evaluate_scifact_open(
    path: Path, split: str | None, verifier: PairVerifier, limit: int | None, track: Track
) -> EvaluationReport:
    everything, _ = read_scifact_open(path, split)
    claims = spread(everything, limit)
    judged = _judge(lambda row: verifier.verify(claims[row].text), [c.id for c in claims], track)
    kept = [claims[row] for row in judged.rows]
    found = measure_open(kept, judged.verdicts)
    return report_on("scifact", split, "open", kept, judged, more=found)


def _judge(ask: Callable[[int], Verdict], ids: Sequence[str], track: Track) -> Judged:
    """Ask row by row; what the verifier refuses as no claim is counted, never dropped silently."""
    verdicts: dict[int, Verdict] = {}
    refused: list[str] = []
    start = perf_counter()
    for row in track(range(len(ids))):
        try:
            verdicts[row] = ask(row)
        except InputError as error:
            refused.append(f"{ids[row]}: {error}")
    if not verdicts:
        raise DataError(f"none of {len(ids)} claims could be judged; the first, {refused[0]}")
    judged = Judged(tuple(verdicts), tuple(verdicts.values()), perf_counter() - start)
    return (
        judged.told(f"claims left out: {len(refused)}; the first, {refused[0]}")
        if refused
        else judged
    )
