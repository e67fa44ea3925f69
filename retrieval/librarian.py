"""`Librarian.find(claim)`: papers by BM25, then paragraphs by BM25, then sentences, then fusion.

Papers come from the library's own full-text index. Each paper's best paragraphs (its abstract
always) are cut into sentences; all candidate sentences of all papers are ranked together by BM25,
and the embedded cross-encoder says how much the best of them bear on the claim. A paper's final
score joins both: `FUSION` was fitted on SciFact's training claims by `tests/benchmarks/finding.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Protocol

from retrieval.cross_encoder import PairScore
from retrieval.library import Library
from retrieval.models import (
    Evidence,
    Findings,
    Paper,
    Passage,
    PassageHit,
    PassageKind,
    QueryTrace,
    SentenceHit,
    Standing,
)
from retrieval.ranking import best, bm25_scores
from retrieval.windows import Window, sentence_windows

CANDIDATE_PAPERS = 40
PARAGRAPHS_A_PAPER = 16  # as in the Librarian paper
SENTENCES_A_PAPER = 4
PAPERS_FOUND = 20


class Relevance(Protocol):
    """What can tell how much texts bear on a claim: the embedded cross-encoder, or a model."""

    def score(self, claim: str, texts: Sequence[str]) -> list[PairScore]:
        """One score a text, in the order given."""


@dataclass(frozen=True, slots=True)
class Fusion:
    """Weights of a paper's final score: log BM25 (relative to the best paper), log-odds of bearing."""

    bm25: float
    bears: float


FUSION = Fusion(bm25=1.0, bears=0.35)


@dataclass(frozen=True, slots=True)
class _Candidate:
    paper: Paper
    bm25: float
    windows: tuple[tuple[Window, float], ...]


class Librarian:
    """Finds the evidence on a claim in one local library."""

    def __init__(self, library: Library, relevance: Relevance) -> None:
        self._library = library
        self._relevance = relevance

    def find(self, claim: str, *, limit: int = PAPERS_FOUND) -> Findings:
        """At most `limit` papers that may bear on the claim, best first, with their sentences.

        Notices of retraction and errata are left out; retracted papers are kept and marked.
        """
        hits = self._library.search(claim, limit=CANDIDATE_PAPERS)
        papers = [(self._library.paper(hit.paper_id), hit.score) for hit in hits]
        papers = [(p, score) for p, score in papers if p.standing is not Standing.NOTICE]
        candidates = self._with_sentences(claim, papers)
        bearing = self._bearing(claim, candidates)
        top = max((c.bm25 for c in candidates), default=1.0)
        scores = [
            FUSION.bm25 * log(max(c.bm25, 1e-6) / top) + FUSION.bears * bears
            for c, bears in zip(candidates, bearing, strict=True)
        ]
        found = [_evidence(c, score, claim) for c, score in best(candidates, scores, limit)]
        trace = QueryTrace(source=self._library.name, query=claim, found=len(hits))
        return Findings(claim=claim, evidence=tuple(found), queries=(trace,))

    def _with_sentences(
        self, claim: str, papers: Sequence[tuple[Paper, float]]
    ) -> list[_Candidate]:
        """Each paper with its most likely sentences, ranked by BM25 over all papers' sentences."""
        windows = [
            [w for p in self._paragraphs(claim, paper.id) for w in sentence_windows(p)]
            for paper, _ in papers
        ]
        flat = bm25_scores(claim, [w.text for group in windows for w in group])
        candidates, start = [], 0
        for (paper, score), group in zip(papers, windows, strict=True):
            own = flat[start : start + len(group)]
            start += len(group)
            if group:
                candidates.append(
                    _Candidate(paper, score, tuple(best(group, own, SENTENCES_A_PAPER)))
                )
        return candidates

    def _paragraphs(self, claim: str, paper_id: str) -> list[Passage]:
        """The abstract and the best other paragraphs, by BM25 of section titles and text."""
        passages = self._library.passages(paper_id)
        abstract = [p for p in passages if p.kind is PassageKind.ABSTRACT]
        others = [p for p in passages if p.kind is not PassageKind.ABSTRACT]
        texts = [" ".join((*p.section, p.section_kind.value, p.text)) for p in others]
        ranked = best(others, bm25_scores(claim, texts), PARAGRAPHS_A_PAPER)
        return abstract + [p for p, score in ranked if score > 0]

    def _bearing(self, claim: str, candidates: Sequence[_Candidate]) -> list[float]:
        """Log-odds that a paper's best sentence bears on the claim."""
        texts = [w.text for c in candidates for w, _ in c.windows]
        scores = iter(self._relevance.score(claim, texts))
        return [
            max(_log_odds(next(scores).relevance) for _ in c.windows) for c in candidates
        ]


def _log_odds(chance: float) -> float:
    kept = min(max(chance, 1e-3), 1 - 1e-3)
    return log(kept / (1 - kept))


def _evidence(candidate: _Candidate, score: float, query: str) -> Evidence:
    grouped: dict[str, list[tuple[Window, float]]] = {}
    for window, window_score in candidate.windows:
        grouped.setdefault(window.passage.id, []).append((window, window_score))
    passages = tuple(
        PassageHit(
            passage=group[0][0].passage,
            score=group[0][1],
            sentences=tuple(SentenceHit(span=w.span, score=s) for w, s in group),
        )
        for group in grouped.values()
    )
    return Evidence(paper=candidate.paper, score=score, passages=passages, queries=(query,))
