"""The embedded judge: the cross-encoder's three-way answer for every window of the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.cross_encoder import CrossEncoder, PairScore
from retrieval.windows import Window, widened
from verify.aims import is_aim


@dataclass(frozen=True, slots=True)
class Judged:
    """A window with what the judge says of it."""

    window: Window
    score: PairScore

    @property
    def aim(self) -> bool:
        """True when the window states an aim or a question rather than a finding."""
        return is_aim(self.window.text)


class EmbeddedJudge:
    """Judges each sentence alone and, where it bears on the claim, with the sentence before it."""

    def __init__(self, encoder: CrossEncoder) -> None:
        self._encoder = encoder

    @property
    def name(self) -> str:
        """Name and weights' hash, as a calibrator must quote it."""
        return self._encoder.name

    def judge(self, claim: str, windows: Sequence[Window]) -> list[Judged]:
        """The stance of each window, in the order given."""
        scores = self._encoder.score(claim, [window.text for window in windows])
        return [Judged(*pair) for pair in zip(windows, scores, strict=True)]

    def widen(self, claim: str, judged: Sequence[Judged], count: int) -> list[Judged]:
        """The `count` windows most relevant to the claim, judged again with more context."""
        closest = sorted(judged, key=lambda j: j.score.neutral)[:count]
        return self.judge(claim, [w for j in closest if (w := widened(j.window)) is not None])
