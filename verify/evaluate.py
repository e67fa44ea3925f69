"""Run the real pipeline over a labelled set and measure it.

Two settings: *pairs*, where each claim is judged against the evidence it was labelled with, and
*open*, where the evidence must be found in a library first. A verifier is shown nothing but the
claim's text and, for pairs, the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import NamedTuple, Protocol, TypeVar

from calibration.baselines import always_majority, word_overlap
from calibration.bootstrap import Estimate
from calibration.errors import DataError
from calibration.labels import (
    CUSTOM,
    DATA_SETS,
    EvidenceText,
    Label,
    read,
    read_scifact_open,
    split_of,
)
from calibration.metrics import Outcomes, abstention_curve, confusion_counts, likert_curve, measure
from retrieval.errors import InputError
from retrieval.models import Document, Model, Paper, Passage, PassageKind, SectionKind, Span
from verify.models import Verdict
from verify.open_metrics import measure_open

T = TypeVar("T")
OPEN_SETS = frozenset({"scifact", "proclaim-signor", "proclaim-connectomedb", CUSTOM})
Track = Callable[[Sequence[int]], Iterable[int]]
DIGITS = 6  # after the point, in every figure of a report
_COUNTS = ("contradicted_as_supported", "supported_as_contradicted")


class PairVerifier(Protocol):
    """What is evaluated; `verify.verifier.Verifier` is one."""

    def verify_against(self, claim: str, documents: Sequence[Document]) -> Verdict:
        """Judge the claim against these documents only."""

    def verify(self, claim: str) -> Verdict:
        """Find evidence, then judge."""


class Figure(Model):
    """A figure with its 95% interval; None for what the rows leave undefined."""

    value: float | None
    low: float | None
    high: float | None


class EvaluationReport(Model):
    """What an evaluation found. Figures that the rows leave undefined are None.

    `n` claims in `groups` independent groups were judged; `metrics` are explained at
    `calibration.metrics.measure` and `verify.open_metrics.measure_open`, `intervals` are grouped
    bootstrap 95% intervals of the metrics that have one, `baselines` need no judge at all.
    `confusion` is counted by gold label, then by called label; `likert` gives precision, recall
    and false-positive rate of "contradicted" from each level on; `abstention` the accuracy of the
    surest share of claims; `statuses` how far the claims could be judged.
    """

    dataset: str
    split: str
    setting: str
    n: int
    groups: int
    metrics: dict[str, float | int | None]
    intervals: dict[str, tuple[float, float]]
    baselines: dict[str, dict[str, float | None]]
    confusion: dict[str, dict[str, int]]
    likert: dict[int, dict[str, Figure]]
    abstention: dict[float, Figure]
    statuses: dict[str, int]
    judge: str
    calibrator: str
    warnings: tuple[str, ...]
    seconds: float
    claims_per_second: float


class _Judged(NamedTuple):
    """Verdicts by row; rows that the verifier refused are missing, and told of in `warnings`."""

    verdicts: dict[int, Verdict]
    warnings: tuple[str, ...]
    seconds: float


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
    warnings = [f"claims with empty evidence: {empty}"] if empty else []
    documents = [[document(e) for e in claim.evidence or ()] for claim in claims]
    judged = _judge(
        lambda row: verifier.verify_against(claims[row].text, documents[row]),
        [claim.id for claim in claims],
        track,
    )
    kept = [claims[row] for row in judged.verdicts]
    return _report(
        name,
        split,
        "pairs",
        gold=[claim.label for claim in kept],
        groups=[claim.group for claim in kept],
        judged=judged._replace(warnings=(*warnings, *judged.warnings)),
        baselines={"word_overlap": word_overlap(kept)},
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
    kept = [claims[row] for row in judged.verdicts]
    gold, groups = [claim.label for claim in kept], [claim.group for claim in kept]
    return _report(name, split, "open", gold=gold, groups=groups, judged=judged)


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
    spans, text = [], ""
    for sentence in evidence.sentences:
        start = len(text) + bool(text)
        text = f"{text} {sentence}" if text else sentence
        spans.append(Span(start=start, end=len(text)))
    if not text:
        return Document(paper=paper, passages=(), warnings=("the evidence is empty",))
    passage = Passage(
        id=f"{paper.id}#0",
        paper_id=paper.id,
        kind=PassageKind.ABSTRACT,
        section_kind=SectionKind.ABSTRACT,
        order=0,
        text=text,
        sentences=tuple(spans) if evidence.split else None,
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
    kept = [claims[row] for row in judged.verdicts]
    return _report(
        "scifact",
        split,
        "open",
        gold=[claim.label for claim in kept],
        groups=[claim.group for claim in kept],
        judged=judged,
        more=measure_open(kept, list(judged.verdicts.values())),
    )


def _judge(ask: Callable[[int], Verdict], ids: Sequence[str], track: Track) -> _Judged:
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
    warnings = [f"claims left out: {len(refused)}; the first, {refused[0]}"] if refused else []
    return _Judged(verdicts, tuple(warnings), perf_counter() - start)


def _report(
    name: str,
    split: str | None,
    setting: str,
    *,
    gold: Sequence[Label],
    groups: Sequence[str],
    judged: _Judged,
    baselines: dict[str, dict[str, float | None]] | None = None,
    more: dict[str, Estimate] | None = None,
) -> EvaluationReport:
    verdicts = list(judged.verdicts.values())
    outcomes = Outcomes.of(
        gold,
        [verdict.label for verdict in verdicts],
        [_chances(verdict) for verdict in verdicts],
        groups=groups,
        likert=[verdict.likert for verdict in verdicts],
    )
    found = {**measure(outcomes), **(more or {})}
    undivided = split is not None and name != CUSTOM and not DATA_SETS[name].splits
    unsplit = [f"{name} has no splits: all of it was taken"] if undivided else []
    return EvaluationReport(
        dataset=name,
        split=split_of(name, split),
        setting=setting,
        n=len(verdicts),
        groups=len(set(groups)),
        metrics={key: _value(key, estimate) for key, estimate in found.items()},
        intervals={
            key: (round(e.low, DIGITS), round(e.high, DIGITS))
            for key, e in found.items()
            if e.low is not None and e.high is not None
        },
        baselines={"always_majority": dict(always_majority(gold)), **(baselines or {})},
        confusion=confusion_counts(outcomes),
        likert={
            level: {kind: _figure(estimate) for kind, estimate in kinds.items()}
            for level, kinds in likert_curve(outcomes).items()
        },
        abstention={s: _figure(estimate) for s, estimate in abstention_curve(outcomes).items()},
        statuses=dict(Counter(verdict.status.value for verdict in verdicts)),
        judge=verdicts[0].provenance.judge,
        calibrator=verdicts[0].provenance.calibrator,
        warnings=(*unsplit, *judged.warnings),
        seconds=round(judged.seconds, 3),
        claims_per_second=round(len(verdicts) / max(judged.seconds, 1e-9), 2),
    )


def _chances(verdict: Verdict) -> tuple[float, float, float]:
    chances = verdict.probabilities
    return chances.support, chances.refute, chances.uncertain


def _value(name: str, estimate: Estimate) -> float | int | None:
    if estimate.value is None:
        return None
    return int(estimate.value) if name in _COUNTS else round(estimate.value, DIGITS)


def _figure(estimate: Estimate) -> Figure:
    value, low, high = (None if f is None else round(f, DIGITS) for f in estimate)
    return Figure(value=value, low=low, high=high)
