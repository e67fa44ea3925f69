"""Windows: the runs of sentences that are judged against a claim, and quoted if they matter."""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.models import Evidence, Passage, Span
from retrieval.sentences import sentences

LONGEST_WINDOW = 700  # characters; about 160 tokens, what the embedded cross-encoder reads
OVERLAP = 150


@dataclass(frozen=True, slots=True)
class Window:
    """One or two neighbouring sentences of a passage, or a part of one overlong sentence."""

    passage: Passage
    span: Span

    @property
    def text(self) -> str:
        """The words of the window, as they stand in the passage."""
        return self.span.of(self.passage.text)


def sentence_spans(passage: Passage) -> tuple[Span, ...]:
    """The passage's sentences: those its source gave, else split now."""
    return passage.sentences if passage.sentences is not None else sentences(passage.text)


def sentence_windows(passage: Passage) -> list[Window]:
    """Every sentence as a window of its own; sentences of more than 700 characters in parts."""
    return [
        Window(passage, part)
        for span in sentence_spans(passage)
        for part in _parts(passage.text, span)
    ]


def windows_of(evidence: Evidence) -> list[Window]:
    """The sentences that retrieval put forward for one paper."""
    return [
        Window(hit.passage, sentence.span)
        for hit in evidence.passages
        for sentence in hit.sentences
    ]


def widened(window: Window) -> Window | None:
    """The window with the sentence before it, or None if there is none or it grows too long."""
    before = [s for s in sentence_spans(window.passage) if s.end <= window.span.start]
    if not before or window.span.end - before[-1].start > LONGEST_WINDOW:
        return None
    return Window(window.passage, Span(start=before[-1].start, end=window.span.end))


def _parts(text: str, span: Span) -> list[Span]:
    """`span` cut into overlapping parts of at most 700 characters, at blanks."""
    parts, start = [], span.start
    while span.end - start > LONGEST_WINDOW:
        cut = text.rfind(" ", start + OVERLAP, start + LONGEST_WINDOW)
        end = cut if cut > 0 else start + LONGEST_WINDOW
        parts.append(Span(start=start, end=end))
        back = text.find(" ", max(start + 1, end - OVERLAP), end)
        start = back + 1 if back > 0 else end
    parts.append(Span(start=start, end=span.end))
    return parts
