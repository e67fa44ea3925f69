"""Fit the shipped calibrators of the embedded judge, on training splits only.

    python -m verify.fitting --nli DIR --data DIR

Rows are pairs that the judge's weights never saw: SciFact's training claims whose hash holds them
out (a quarter), synthetic SciFact pairs of held-out abstracts, and Check-COVID training pairs of
held-out premises. Writes `embedded-given.json` (papers handed over: about one in three
is neutral), `embedded-found.json` (papers found by search: most are) and `embedded-claim.json`.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.calibrators import Calibrator, fit
from calibration.models import EvidenceText
from calibration.nli_training.data import (
    SCIFACT_HELD_OUT_PERCENT,
    is_held_out,
    read_jsonl,
)
from retrieval.cross_encoder import CrossEncoder
from retrieval.librarian import Librarian
from retrieval.library import Library
from retrieval.models import Evidence
from retrieval.windows import Window, sentence_windows, windows_of
from verify.evaluate import document
from verify.features import claim_features
from verify.judges.nli import EmbeddedJudge
from verify.stances import features_of, judge_paper

OUTPUT = Path(__file__).parent / "data"
LABEL_OF = {"support": "SUPPORT", "SUPPORT": "SUPPORT", "refute": "REFUTE", "CONTRADICT": "REFUTE"}
FOUND_UNCITED = 3  # retrieved papers a claim that nobody cited for it: taken as neutral


@dataclass(frozen=True, slots=True)
class Row:
    """A claim with the windows of one paper, and the label a reader gave the pair."""

    claim: str
    windows: tuple[Window, ...]
    label: str
    group: str


def main() -> None:
    """Collect the rows, fit the calibrators, save them, print their figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nli", type=Path, required=True, help="folder of training pairs")
    parser.add_argument("--data", type=Path, required=True, help="folder with scifact/")
    options = parser.parse_args()
    judge = EmbeddedJudge(CrossEncoder())
    corpus = {r["doc_id"]: r for r in read_jsonl(options.data / "scifact" / "corpus.jsonl.gz")}
    claims = [
        row
        for row in read_jsonl(options.data / "scifact" / "claims_train.jsonl")
        if is_held_out(row["claim"], SCIFACT_HELD_OUT_PERCENT)
    ]
    with tempfile.TemporaryDirectory() as folder:
        with Library.open(Path(folder) / "scifact.sqlite", create=True) as library:
            library.add([options.data / "scifact" / "corpus.jsonl.gz"])
            librarian = Librarian(library)
            found = {row["claim"]: librarian.find(row["claim"]).evidence for row in claims}
    given = [
        *_cited(claims, corpus),
        *_synthetic(options.nli, corpus),
        *_check_covid(options.nli),
    ]
    _fit_papers(judge, given, "given")
    papers = _fit_papers(judge, [*given, *_found(claims, found)], "found")
    _fit_claims(judge, papers, claims, found)


def _fit_papers(judge: EmbeddedJudge, rows: list[Row], name: str) -> Calibrator:
    table = [features_of(judge, row.claim, row.windows)[0] for row in rows]
    calibrator, _ = fit(
        table,
        [row.label for row in rows],
        [row.group for row in rows],
        judge=judge.name,
        fitted_on="held-out parts of: scifact train, synthetic_scifact, checkcovid train",
    )
    calibrator.save(OUTPUT / f"embedded-{name}.json")
    print(name, calibrator.figures, calibrator.thresholds, flush=True)
    return calibrator


def _fit_claims(
    judge: EmbeddedJudge,
    papers: Calibrator,
    claims: list[dict[str, Any]],
    found: dict[str, tuple[Evidence, ...]],
) -> None:
    table, labels = [], []
    for row in claims:
        judged = [
            judge_paper(judge, papers, row["claim"], e.paper, windows_of(e), e.score)
            for e in found[row["claim"]]
        ]
        table.append(claim_features([paper.stance for paper in judged]))
        labels.append(_claim_label(row))
    calibrator, _ = fit(
        table,
        labels,
        [row["claim"] for row in claims],
        judge=judge.name,
        fitted_on="held-out quarter of scifact train claims, evidence found in the whole corpus",
    )
    calibrator.save(OUTPUT / "embedded-claim.json")
    print("claim", calibrator.figures, calibrator.thresholds, flush=True)


def _claim_label(row: dict[str, Any]) -> str:
    kinds = {s["label"] for sets in row["evidence"].values() for s in sets}
    return LABEL_OF[kinds.pop()] if len(kinds) == 1 else "UNCERTAIN"


def _cited(claims: list[dict[str, Any]], corpus: dict[int, dict[str, Any]]) -> Iterator[Row]:
    """Claims with the abstracts cited for them, every sentence of each."""
    for row in claims:
        for doc in row["cited_doc_ids"]:
            windows = _abstract(corpus[doc]["abstract"])
            yield Row(row["claim"], windows, _cited_label(row, doc), row["claim"])


def _found(claims: list[dict[str, Any]], found: dict[str, tuple[Evidence, ...]]) -> Iterator[Row]:
    """Claims with what retrieval puts forward: the cited abstracts among it, and three others."""
    for row in claims:
        cited = {f"local:{doc}": doc for doc in row["cited_doc_ids"]}
        others = [e for e in found[row["claim"]] if e.paper.id not in cited]
        for evidence in found[row["claim"]]:
            if evidence.paper.id in cited:
                label = _cited_label(row, cited[evidence.paper.id])
                yield Row(row["claim"], tuple(windows_of(evidence)), label, row["claim"])
        for evidence in others[:FOUND_UNCITED]:
            yield Row(row["claim"], tuple(windows_of(evidence)), "UNCERTAIN", row["claim"])


def _cited_label(row: dict[str, Any], doc: int) -> str:
    sets = row["evidence"].get(str(doc))
    return LABEL_OF[sets[0]["label"]] if sets else "UNCERTAIN"


def _synthetic(nli: Path, corpus: dict[int, dict[str, Any]]) -> Iterator[Row]:
    for row in read_jsonl(nli / "synthetic_scifact.jsonl.gz"):
        sentences = corpus[int(row["doc_id"])]["abstract"]
        if is_held_out(" ".join(sentences)):
            label = LABEL_OF.get(row["label"], "UNCERTAIN")
            yield Row(row["hypothesis"], _abstract(sentences), label, str(row["doc_id"]))


def _check_covid(nli: Path) -> Iterator[Row]:
    for row in read_jsonl(nli / "checkcovid_train.jsonl.gz"):
        if is_held_out(row["premise"]):
            label = LABEL_OF.get(row["label"], "UNCERTAIN")
            yield Row(row["hypothesis"], _abstract([row["premise"]]), label, row["premise"])


def _abstract(sentences: list[str]) -> tuple[Window, ...]:
    """The windows of an abstract given as sentences."""
    kept = tuple(sentence.strip() for sentence in sentences)
    (passage,) = document(EvidenceText(doc_id="given", sentences=kept)).passages
    return tuple(sentence_windows(passage))


if __name__ == "__main__":
    main()
