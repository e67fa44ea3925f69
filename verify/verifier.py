"""`Verifier.verify(claim)`: find → judge → calibrate → Verdict. Read top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from calibration.calibrators import Calibrator
from retrieval.cross_encoder import CrossEncoder
from retrieval.librarian import Librarian
from retrieval.library import Library
from retrieval.models import Document, Standing
from retrieval.windows import sentence_windows, windows_of
from verify.claims import check_claim
from verify.judges.nli import EmbeddedJudge
from verify.models import Provenance, Verdict
from verify.stances import JudgedPaper, judge_paper
from verify.verdict import decide, not_checkable

DEFAULTS = Path(__file__).parent / "data"


class Verifier:
    """Verifies claims against a local library, or against documents you hand over.

    Without a library only `verify_against` works. The same input always gives the same verdict.
    """

    def __init__(
        self, library: Library | None = None, *, encoder: CrossEncoder | None = None
    ) -> None:
        self._library = library
        self._encoder = encoder or CrossEncoder()
        self._judge = EmbeddedJudge(self._encoder)

    def verify(self, claim: str) -> Verdict:
        """Find evidence in the library and judge it; raises InputError for text that is no claim."""
        if self._library is None:
            raise ValueError("Verifier was made without a library; use verify_against")
        checked = check_claim(claim)
        if checked.refusal:
            return not_checkable(checked, self._provenance((), (), []))
        findings = Librarian(self._library).find(checked.text)
        papers = [
            judge_paper(
                self._judge, self._found_calibrator, checked.text, e.paper, windows_of(e), e.score
            )
            for e in findings.evidence
        ]
        provenance = self._provenance(
            (self._library.name,), tuple(q.query for q in findings.queries), papers
        )
        return decide(
            checked.text,
            papers,
            self._claim_calibrator,
            provenance,
            (*checked.warnings, *findings.warnings),
        )

    def verify_against(self, claim: str, documents: Sequence[Document]) -> Verdict:
        """Judge the claim against these documents only, every sentence of them; nothing is searched."""
        checked = check_claim(claim)
        if checked.refusal:
            return not_checkable(checked, self._provenance((), (), []))
        papers = []
        for document in documents:
            windows = [w for p in document.passages for w in sentence_windows(p)]
            if windows and document.paper.standing is not Standing.NOTICE:
                papers.append(
                    judge_paper(
                        self._judge,
                        self._given_calibrator,
                        checked.text,
                        document.paper,
                        windows,
                        0.0,
                    )
                )
        warnings = (*checked.warnings, *(w for d in documents for w in d.warnings))
        provenance = self._provenance(("given documents",), (), papers)
        return decide(
            checked.text,
            papers,
            self._claim_calibrator,
            provenance,
            warnings,
            single=self._given_calibrator.thresholds,
        )

    @cached_property
    def _found_calibrator(self) -> Calibrator:
        return Calibrator.load(DEFAULTS / "embedded-found.json", judge=self._judge.name)

    @cached_property
    def _given_calibrator(self) -> Calibrator:
        return Calibrator.load(DEFAULTS / "embedded-given.json", judge=self._judge.name)

    @cached_property
    def _claim_calibrator(self) -> Calibrator:
        return Calibrator.load(DEFAULTS / "embedded-claim.json", judge=self._judge.name)

    def _provenance(
        self, sources: tuple[str, ...], queries: tuple[str, ...], papers: Sequence[JudgedPaper]
    ) -> Provenance:
        from importlib.metadata import version

        return Provenance(
            version=version("countercite"),
            judge=self._judge.name,
            calibrator=f"{self._claim_calibrator.data_sha256[:8]}",
            sources=sources,
            queries=queries,
            papers_judged=len(papers),
            sentences_judged=sum(len(p.windows) for p in papers),
        )
