"""Stand-ins for the heavy parts, so that the pipeline's own logic can be tested exactly."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.calibrators import Calibrator, Thresholds
from retrieval.cross_encoder import PairScore
from retrieval.models import Paper, Passage, PassageKind, SectionKind
from retrieval.sentences import joined
from retrieval.windows import Window

FOR = PairScore(0.02, 0.03, 0.95)
AGAINST = PairScore(0.95, 0.03, 0.02)
NEITHER = PairScore(0.02, 0.96, 0.02)


class WordEncoder:
    """Scores by key words: a text with "supports" is for, with "refutes" against, else neutral."""

    name = "words-1"

    def score(self, claim: str, texts: Sequence[str]) -> list[PairScore]:
        return [FOR if "supports" in t else AGAINST if "refutes" in t else NEITHER for t in texts]


def passage(*sentences: str, paper_id: str = "p1", order: int = 0) -> Passage:
    """An abstract of these sentences."""
    text, spans = joined(sentences)
    return Passage(
        id=f"{paper_id}#{order}",
        paper_id=paper_id,
        kind=PassageKind.ABSTRACT,
        section=("Abstract",),
        section_kind=SectionKind.ABSTRACT,
        order=order,
        text=text,
        sentences=spans,
    )


def paper(paper_id: str = "p1", **facts: object) -> Paper:
    """A paper with a title made from its id."""
    return Paper.model_validate({"id": paper_id, "title": f"Study {paper_id}", **facts})


def windows(source: Passage) -> list[Window]:
    return [Window(source, span) for span in source.sentences or ()]


def claim_calibrator() -> Calibrator:
    """A calibrator over the claim features with plain weights: best support against best refute."""
    names = (
        "bearing",
        "refute_best",
        "refute_second",
        "refute_share",
        "support_best",
        "support_second",
        "support_share",
    )
    weight = dict.fromkeys(names, 0.0)
    return Calibrator(
        judge="words-1",
        features=names,
        means=(0.0,) * len(names),
        scales=(1.0,) * len(names),
        coefficients={
            "SUPPORT": tuple({**weight, "support_best": 1.0}.values()),
            "REFUTE": tuple({**weight, "refute_best": 1.0}.values()),
            "UNCERTAIN": (0.0,) * len(names),
        },
        intercepts={"SUPPORT": 0.0, "REFUTE": 0.0, "UNCERTAIN": 0.0},
        thresholds=Thresholds(support=0.5, refute=0.5),
        fitted_on="nothing: written by hand for tests",
        data_sha256="0" * 64,
        figures={},
    )
