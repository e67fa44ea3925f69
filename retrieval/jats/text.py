"""The text of JATS elements: inline mark-up, super- and subscripts, citations and formulas.

Rules: inline elements keep the source's own blanks, block elements get blanks on both sides;
`10<sup>-5</sup>` becomes "10^-5" and never "10-5"; `CO<sub>2</sub>` becomes "CO2"; a raised
citation becomes " [12]" and is never glued to a word or number; formulas become one line of
text, or "[formula]" where they are only a picture.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lxml.etree import _Element

from retrieval.jats.math import MATH, math_text, tex_text
from retrieval.jats.tree import words

BLOCKS = words(
    "p list list-item def-list table-wrap table-wrap-group table table-wrap-foot"
    " array fig fig-group boxed-text preformat code disp-quote verse-group statement"
    " speech sec app app-group glossary notes supplementary-material media graphic"
    " title subtitle fn fn-group"
)
"""Elements that are passages of their own, or hold some."""

SPACED = words(
    "tr td th thead tbody tfoot row entry term def def-item caption verse-line attrib speaker label"
)
"""Elements set off by blanks, but not passages of their own."""

SILENT = words(
    "inline-graphic object-id alt-text long-desc permissions index-term ref-list ack"
    " bio sec-meta kwd-group sub-article response"
)
"""Elements whose text is never the article's own prose."""

HEADED = frozenset(
    ["sec", "app", "app-group", "abstract", "glossary", "notes", "fn-group", "disp-formula"]
)
"""Elements whose title and label are read by their owner, not as text."""

FORMULA = "[formula]"
Cut = Callable[[_Element], None]

_NUMERIC = re.compile(r"(?!(?:1[89]|20)\d\d$)\d+[a-z]?(?:\s*[,;–—-]\s*\d+[a-z]?)*")
_CHARGE = re.compile(r"\d*[+\-−–‒±/∗*†‡§¶#′″'®™]+")
_ORDINAL = re.compile(r"st|nd|rd|th", re.IGNORECASE)
_MARK_TYPES = frozenset(("fn", "table-fn"))


class Ink:
    """Text being written, which knows what stands just before the next piece."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def add(self, text: str | None) -> None:
        """Write `text` as it is."""
        if text:
            self.pieces.append(text)

    @property
    def last(self) -> str:
        """The last character written, or ""."""
        return self.pieces[-1][-1] if self.pieces else ""

    def inside(self, brackets: str) -> bool:
        """True while one of these ("[]", "()") opened a little while ago is still open."""
        recent = "".join(self.pieces[-24:])[-200:]
        return recent.rfind(brackets[0]) > recent.rfind(brackets[1])

    def take(self) -> str:
        """All that was written, with white space collapsed; starts afresh."""
        text = " ".join("".join(self.pieces).split())
        self.pieces = []
        return text


def text_of(element: _Element) -> str:
    """The whole text of `element` as one line."""
    ink = Ink()
    _write_flat(element, ink)
    return ink.take()


def write(element: _Element, ink: Ink, cut: Cut) -> None:
    """Write the content of `element` to `ink`; `cut` is called for each block element met."""
    ink.add(element.text)
    for child in element:
        tag = child.tag
        if tag in BLOCKS:
            cut(child)
        elif (special := _SPECIAL.get(tag)) is not None:
            special(child, ink)
        elif tag in SPACED:
            if tag != "label" or element.tag not in HEADED:
                ink.add(" ")
                write(child, ink, cut)
                ink.add(" ")
        elif tag not in SILENT:
            write(child, ink, cut)
        ink.add(child.tail)


def _write_flat(element: _Element, ink: Ink) -> None:
    def spaced(block: _Element) -> None:
        ink.add(" (" if block.tag == "fn" else " ")
        _write_flat(block, ink)
        ink.add(") " if block.tag == "fn" else " ")

    write(element, ink, spaced)


def _raw(element: _Element) -> str:
    ink = Ink()
    _write_flat(element, ink)
    return "".join(ink.pieces)


def _superscript(element: _Element, ink: Ink) -> None:
    if _is_citation(element):
        _cite("".join(element.itertext()), ink, raised=True)
    else:
        _raise_mark(_raw(element).lstrip(), ink, (element.tail or "")[:1])


def _is_citation(element: _Element) -> bool:
    """True if the letters and digits of `element` are all in references to the bibliography."""
    references = [x for x in element.iter("xref") if x.get("ref-type") == "bibr"]
    cited = sum(_weight("".join(x.itertext())) for x in references)
    return bool(references) and cited == _weight("".join(element.itertext()))


def _weight(text: str) -> int:
    return sum(map(str.isalnum, text))


def _raise_mark(text: str, ink: Ink, following: str) -> None:
    mark, last = text.strip(), ink.last
    attached = last.isalnum() or last in (")", "]", "}", "%", "′", "*", "|")
    if mark in ("o", "°", "º") and last.isdigit():
        ink.add("°")
    elif last in (".", ",", ";", ":") and _NUMERIC.fullmatch(mark) and not following.isalnum():
        ink.add(f" [{mark}]")
    elif attached and mark and not _joins(mark, last):
        ink.add(f"^{text}")
    else:
        ink.add(text)


def _joins(mark: str, last: str) -> bool:
    """True for "Ca" + "2+", "CD4" + "+", "1" + "st", but not "SO4" + "2-"."""
    if last.isdigit():
        return _ORDINAL.fullmatch(mark) is not None or not _weight(mark)
    return _CHARGE.fullmatch(mark) is not None


def _subscript(element: _Element, ink: Ink) -> None:
    text = _raw(element).lstrip()
    if ink.last.isdigit() and text[:1].isdigit():
        ink.add("_")
    ink.add(text)


def _reference(element: _Element, ink: Ink) -> None:
    kind = element.get("ref-type")
    if kind == "bibr":
        _cite("".join(element.itertext()), ink, raised=element.find("sup") is not None)
    elif kind in _MARK_TYPES:
        _raise_mark("".join(element.itertext()), ink, (element.tail or "")[:1])
    else:
        _write_flat(element, ink)


def _cite(text: str, ink: Ink, *, raised: bool) -> None:
    """A citation: bare numbers get brackets and a blank, names and years stay as they are."""
    number = text.strip()
    bracketed = ink.inside("[]") or (not raised and ink.inside("()"))
    if (bracketed and not ink.last.isalnum()) or not (raised or _NUMERIC.fullmatch(number)):
        ink.add(text)
    elif number:
        ink.add("" if ink.last in ("-", "–", "—", "(") else " ")
        ink.add(f"[{number.strip('[]()')}]")


def _formula(element: _Element, ink: Ink) -> None:
    label = element.findtext("label")
    text = f"{text_of(element) or FORMULA} {label or ''}".strip()
    ink.add(text if element.tag == "inline-formula" else f" {text} ")


def _alternatives(element: _Element, ink: Ink) -> None:
    """One of several forms of the same thing: MathML, else TeX, else the first that is text."""
    forms = [*element.iterchildren(MATH), *element.iterchildren("tex-math"), *element]
    texts = (_form(form) for form in forms)
    ink.add(next(filter(None, texts), FORMULA))


def _form(element: _Element) -> str:
    ink = Ink()
    special = _SPECIAL.get(element.tag, _write_flat)
    special(element, ink)
    return ink.take()


def _math(element: _Element, ink: Ink) -> None:
    ink.add(math_text(element) or FORMULA)


def _tex(element: _Element, ink: Ink) -> None:
    ink.add(tex_text("".join(element.itertext())) or FORMULA)


def _break(_element: _Element, ink: Ink) -> None:
    ink.add(" ")


_SPECIAL: dict[object, Callable[[_Element, Ink], None]] = {
    "sup": _superscript,
    "sub": _subscript,
    "xref": _reference,
    "inline-formula": _formula,
    "disp-formula": _formula,
    "chem-struct": _formula,
    "alternatives": _alternatives,
    "tex-math": _tex,
    MATH: _math,
    "break": _break,
}
