"""One paper's windows → its calibrated stance and the sentences that could be cited for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.calibrators import Calibrator
from retrieval.models import Paper, Standing
from retrieval.text import tokens
from retrieval.windows import Window
from verify.features import paper_features
from verify.judges.nli import EmbeddedJudge, Judged
from verify.models import Stance

WIDENED = 3  # windows judged again with the sentence before them


@dataclass(frozen=True, slots=True)
class JudgedPaper:
    """A paper, its stance as a whole, and every judged window."""

    paper: Paper
    stance: Stance
    windows: tuple[Judged, ...]
    relevance: float

    @property
    def counted(self) -> bool:
        """Retracted papers are shown and not counted."""
        return self.paper.standing is not Standing.RETRACTED


def features_of(
    judge: EmbeddedJudge, claim: str, windows: Sequence[Window]
) -> tuple[dict[str, float], list[Judged]]:
    """The features of one paper's windows, and the judged windows they come from."""
    judged = judge.judge(claim, windows)
    widened = judge.widen(claim, judged, WIDENED)
    wanted = frozenset(tokens(claim))
    shared = [wanted.intersection(tokens(window.text)) for window in windows]
    overlaps = [len(words) / max(1, len(wanted)) for words in shared]
    covered = len(frozenset().union(*shared)) / max(1, len(wanted))
    return paper_features(judged, widened, overlaps, covered=covered), judged


def judge_paper(
    judge: EmbeddedJudge,
    calibrator: Calibrator,
    claim: str,
    paper: Paper,
    windows: Sequence[Window],
    relevance: float,
) -> JudgedPaper:
    """Judge every window of a paper and calibrate what they say together."""
    features, judged = features_of(judge, claim, windows)
    chances = calibrator.chances(features)
    stance = Stance(supports=chances.support, neutral=chances.uncertain, refutes=chances.refute)
    return JudgedPaper(paper, stance, tuple(judged), relevance)
