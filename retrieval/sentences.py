"""Sentences as spans of the text: quick rules where they are sure, pySBD where they aren't.

pySBD alone breaks after "et al. [2004]" and "2.1. Methods", misses breaks that lost their blank,
keeps the text in the segmenter (so threads spoil each other's), recompiles its patterns on every
call, takes quadratic time, and hangs on "a.[12, 12, 12, …": its pattern for numbered references
backtracks exponentially. So it is only asked about doubtful full stops, in short questions without
square brackets, each time by a segmenter of its own.
"""

from __future__ import annotations

import re
import warnings
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from retrieval.models import Span
from retrieval.sentence_rules import SECTION_TITLES, Ending, ending, may_be_cited

LONGEST_ASIDE = 500  # characters; a longer pair of brackets is taken for two stray ones
CONTEXT = 50  # characters on either side of a full stop that the rules look at
QUESTION_CONTEXT = 150  # characters around a doubtful full stop that pySBD is shown
QUESTION_GAPS = 10  # doubtful full stops asked about at once; pySBD is quadratic


class _Gap(NamedTuple):
    """What parts two sentences: one ends at `end`, the next starts at `start`."""

    end: int
    start: int
    sure: bool


def joined(given: Iterable[str]) -> tuple[str, tuple[Span, ...]]:
    """Sentences whose borders a source gives, as one text with a blank between, and their spans."""
    text, spans = "", []
    for sentence in given:
        start = len(text) + bool(text)
        text = f"{text} {sentence}" if text else sentence
        spans.append(Span(start=start, end=len(text)))
    return text, tuple(spans)


def sentences(text: str) -> tuple[Span, ...]:
    """The sentences of `text` in order, as spans that cover everything but white space.

    A citation after the full stop belongs to the sentence before it; brackets are not cut; a blank
    line, a list item or a line that is a section title starts a new sentence, any other line break
    doesn't. Deterministic, linear in the length of the text, safe in several threads.
    """
    spans = []
    for start, end in _blocks(text):
        for gap in _settled(text, start, end, list(_gaps(text, start, end))):
            spans.append(Span(start=start, end=gap.end))
            start = gap.start
        spans.append(Span(start=start, end=end))
    return tuple(spans)


_LINE_BREAK = re.compile(r"[\n\r\f\u2028\u2029]\s*")
_ITEM = re.compile(r"(?:[-*+•‣▪◦–]|\(?\d{1,2}[.)]|\[\d{1,4}\]|#{1,6})[^\S\n]+\S")
_TITLE_LINE = re.compile(rf"\s*(?:#{{1,6}}\s.*|(?:\d[\d.]*\s+)?(?:{SECTION_TITLES})\s*:?\s*)", re.I)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs, list items and title lines, without the white space around them."""
    start = line = 0
    for found in _LINE_BREAK.finditer(text):
        if _is_hard(text, line, found):
            yield from _trimmed(text, start, found.start())
            start = found.end()
        line = found.end()
    yield from _trimmed(text, start, len(text))


def _is_hard(text: str, line: int, found: re.Match[str]) -> bool:
    run = found.group()
    if run.count("\n") > 1 or run.count("\r") > 1 or "\f" in run or "\u2029" in run:
        return True
    return bool(_ITEM.match(text, found.end()) or _TITLE_LINE.fullmatch(text, line, found.start()))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    inner = piece.strip()
    if inner:
        start += len(piece) - len(piece.lstrip())
        yield start, start + len(inner)


_NUMBERS = r"\d{1,4}[a-z]?(?:\s?[,;–-]\s?\d{1,4}[a-z]?)*"
_BRACKETED = rf"(?:[\s,]?\s?(?:\[{_NUMBERS}\]|\({_NUMBERS}\)))+(?=\s|[A-Z]|\Z)"
_AUTHOR_YEAR = r"\s?\([A-Z](?:[^().]|al\.){2,80}?\b(?:19|20)\d\d[a-z]?\)(?=\s+[A-Z])"
_RAISED = r"[⁰¹²³⁴-⁹]+(?:[,⁻–-][⁰¹²³⁴-⁹]+)*(?=\s|[A-Z]|\Z)"
_BARE = re.compile(r"\d{1,3}(?:[,–-]\d{1,3})*(?=\s+[A-Z]|[A-Z][a-z])")
_CITATION = re.compile(f"{_BRACKETED}|{_AUTHOR_YEAR}|{_RAISED}")
_STOP = re.compile(r"[.!?…]+[\"'”’»)\]]*|[。！？．]+[」』）”]*")
_SPACE = re.compile(r"\s*")


def _gaps(text: str, start: int, end: int) -> Iterator[_Gap]:
    """Every gap in a block that parts two sentences, for sure or perhaps."""
    asides = _asides(text, start, end)
    listed = text.find("(1)", start, end) >= 0 and text.find("(2)", start, end) >= 0
    for stop in _STOP.finditer(text, start, end):
        at = bisect_left(asides, (stop.end(), 0))
        if at and stop.end() <= asides[at - 1][1]:
            continue
        left = text[max(start, stop.start() - CONTEXT) : stop.start()]
        after = _after_citation(text, stop.end(), end, left, listed)
        onward = _SPACE.match(text, after, end).end()  # type: ignore[union-attr]
        if onward == end:
            continue
        verdict = ending(
            left,
            stop.group(),
            text[onward : min(end, onward + CONTEXT)],
            glued=onward == after,
            cited=after > stop.end(),
        )
        if verdict is not Ending.NO:
            yield _Gap(after, onward, verdict is Ending.YES)


_PAIRS = {")": "(", "]": "[", "”": "“", "»": "«"}
_BRACKET = re.compile(r"[()\[\]“”«»]")


def _asides(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The outermost pairs of brackets and quotes, as (opening, closing) positions in order."""
    opened: list[int] = []
    pairs: list[tuple[int, int]] = []
    for found in _BRACKET.finditer(text, start, end):
        partner = _PAIRS.get(found.group())
        if partner is None:
            opened.append(found.start())
        elif opened and text[opened[-1]] == partner:
            first = opened.pop()
            if found.start() - first <= LONGEST_ASIDE:
                while pairs and pairs[-1][0] > first:
                    pairs.pop()
                pairs.append((first, found.start()))
    return pairs


def _after_citation(text: str, at: int, end: int, left: str, listed: bool) -> int:
    """Where the citation that follows a full stop at `at` ends; `at` if there is none."""
    found = _CITATION.match(text, at, end)
    if found and not (listed and re.match(r"\s\(\d\)", found.group())):
        return found.end()
    bare = _BARE.match(text, at, end)
    return bare.end() if bare and may_be_cited(left) else at


def _settled(text: str, start: int, end: int, gaps: Sequence[_Gap]) -> list[_Gap]:
    """The sure gaps and those doubtful ones that pySBD confirms, in order."""
    doubtful = [gap for gap in gaps if not gap.sure]
    confirmed: set[_Gap] = set()
    for first in range(0, len(doubtful), QUESTION_GAPS):
        confirmed |= _confirmed(text, start, end, doubtful[first : first + QUESTION_GAPS])
    return [gap for gap in gaps if gap.sure or gap in confirmed]


# pySBD takes line breaks for sentence breaks, and these signs are its own place holders.
_PLAIN = {ord(sign): " " for sign in "\n\r\f\v\x1c\x1d\x1e\x85\u2028\u2029"} | {
    ord(sign): "x" for sign in "∯∮ȸȹ☉☈☇☄♨☝✂⌬⎋ᓰᓱᓳᓴᓷᓸƪ♟♝☏♬♭"
}
_PLAIN |= {ord("["): "(", ord("]"): ")"}


def _confirmed(text: str, start: int, end: int, gaps: Sequence[_Gap]) -> set[_Gap]:
    """The gaps after which pySBD starts a sentence."""
    question, marks = "", {}
    for gap in gaps:
        question += text[max(start, gap.end - QUESTION_CONTEXT) : gap.end] + " "
        marks[len(question)] = gap
        start = gap.start
    question += text[start : min(end, start + QUESTION_CONTEXT)]
    segmenter = _segmenter_class()(language="en", clean=False, char_span=True)
    return {
        marks[found.start]
        for found in segmenter.segment(question.translate(_PLAIN))
        if found.start in marks
    }


@cache
def _segmenter_class() -> Any:
    with warnings.catch_warnings():
        # pySBD's sources hold invalid escape sequences, of which Python warns when compiling
        warnings.simplefilter("ignore")
        from pysbd import Segmenter
    return Segmenter
