"""The running text of a JATS article → blocks in reading order, each piece of text exactly once.

A block element inside a paragraph (a list, a figure, a table) cuts the paragraph: what stands
before it, the block, what stands after it. Display formulas stay in their paragraph, because the
sentence runs on through them. Left out on purpose: bibliographies, acknowledgements and other
boilerplate, the text (not the captions) of lists of supplementary files, footnotes that nothing in
the text points to, and blocks in another language than the article's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from lxml.etree import _Element

from retrieval.errors import DocumentError
from retrieval.jats.sections import is_boilerplate, is_supplement_list, section_kind
from retrieval.jats.tables import table_rows
from retrieval.jats.text import BLOCKS, HEADED, Ink, text_of, write
from retrieval.models import PassageKind, SectionKind

MAX_TEXT = 20_000_000
"""Most characters of text read from one article (repeated table cells can swell a small file)."""

MAX_BLOCKS = 100_000
"""Most passages read from one article; the longest of the fixtures has 266."""

XML_LANG = "{http://www.w3.org/XML/1998/namespace}lang"

_FLOAT_PARTS = frozenset(("label", "caption", "object-id", "permissions", "alt-text", "long-desc"))
_MERGED = frozenset(("p", "title", "subtitle"))
_SUPPLEMENT_KINDS = frozenset((PassageKind.CAPTION, PassageKind.TABLE_ROW, PassageKind.TABLE_NOTE))
_EMPTY = re.compile(
    r"(\W|\[formula\]|\(\w{1,3}\))*"
    r"|(DOI:? ?)?https?://(dx\.)?doi\.org/\S+"
    r"|Click here for (additional data )?file\.?",
    re.IGNORECASE,
)
_OWN_DOI = re.compile(r"\s*\bDOI: ?https?://(dx\.)?doi\.org/\S+$")
_ENDED = (".", "?", "!", ":", ";", "…")


@dataclass(frozen=True)
class Place:
    """Where text stands, and what kind of passage it becomes there."""

    kind: PassageKind = PassageKind.PARAGRAPH
    section: tuple[str, ...] = ()
    section_kind: SectionKind = SectionKind.OTHER
    merged: bool = False
    """Paragraphs are joined into one passage (list items, captions, notes)."""
    captions_only: bool = False


@dataclass(frozen=True)
class Block:
    """A piece of text with its place."""

    place: Place
    text: str


class BodyReader:
    """Reads elements of one article into `blocks`; `skipped` and `warnings` say what was left."""

    def __init__(self, name: str, language: str, footnotes: frozenset[str]) -> None:
        self.blocks: list[Block] = []
        self.skipped: Counter[str] = Counter()
        self.warnings: list[str] = []
        self._name = name
        self._language = language
        self._footnotes = footnotes
        self._ink = Ink()
        self._place = Place()
        self._deferred: list[_Element] = []
        self._size = 0
        self._handlers: dict[object, Callable[[_Element], None]] = {
            "sec": self._section,
            "notes": self._section,
            "glossary": self._section,
            "app": self._appendix,
            "list": self._list,
            "list-item": self._list_item,
            "def-list": self._definitions,
            "boxed-text": self._box,
            "disp-quote": lambda e: self.read(e, replace(self._place, kind=PassageKind.QUOTE)),
            "verse-group": lambda e: self._join(e, PassageKind.QUOTE),
            "statement": lambda e: self._join(e, self._place.kind),
            "speech": lambda e: self._join(e, self._place.kind),
            "code": lambda e: self._emit(PassageKind.CODE, text_of(e)),
            "preformat": lambda e: self._emit(PassageKind.CODE, text_of(e)),
            "title": self._title,
            "fn-group": self._footnote_group,
            "fn": lambda e: self._join(e, self._place.kind),
            "table": self._table,
            "array": self._table,
            "table-wrap-foot": self._table_notes,
        }
        for tag in ("fig", "fig-group", "table-wrap", "table-wrap-group", "media", "graphic"):
            self._handlers[tag] = self._float
        self._handlers["supplementary-material"] = self._supplement

    def read(self, element: _Element, place: Place) -> None:
        """Read the content of `element` as text that stands at `place`."""
        outer, self._place = self._place, place
        write(element, self._ink, self._block)
        self._flush()
        footnotes, self._deferred = self._deferred, []
        for note in footnotes:
            self._join(note, place.kind)
        self._place = outer

    def read_all(self, elements: Iterable[_Element], place: Place) -> None:
        """Read block elements one after the other, as children of `place`."""
        outer, self._place = self._place, place
        for element in elements:
            if element.tag in BLOCKS or element.tag in self._handlers:
                self._block(element)
        self._place = outer

    def _block(self, element: _Element) -> None:
        tag, merged = element.tag, self._place.merged
        if self._is_foreign(element):
            return
        if tag == "fn" and self._place.kind is not PassageKind.TABLE_NOTE:
            self._deferred.append(element)
        elif merged and (tag in _MERGED or tag == "fn"):
            self._ink.add(" ")
            write(element, self._ink, self._block)
            self._ink.add(" ")
        else:
            self._flush()
            handler = self._handlers.get(tag)
            handler(element) if handler else self.read(element, self._place)

    def _is_foreign(self, element: _Element) -> bool:
        language = element.get(XML_LANG)
        if not language or language[:2].lower() == self._language:
            return False
        self.skipped[language] += 1
        return True

    def _flush(self) -> None:
        self._keep(self._place, self._ink.take())

    def _emit(self, kind: PassageKind, text: str) -> None:
        self._keep(replace(self._place, kind=kind), text)

    def _keep(self, place: Place, text: str) -> None:
        if place.captions_only and place.kind not in _SUPPLEMENT_KINDS:
            return
        text = _OWN_DOI.sub("", text)
        if not text or _EMPTY.fullmatch(text):
            return
        self._size += len(text)
        if self._size > MAX_TEXT or len(self.blocks) >= MAX_BLOCKS:
            raise DocumentError(
                f"{self._name} unfolds to more than {MAX_TEXT:,} characters of text or "
                f"{MAX_BLOCKS:,} passages: check its tables, or split it."
            )
        self.blocks.append(Block(place, text))

    def _section(self, element: _Element) -> None:
        title = title_of(element)
        sec_type = element.get("sec-type") or element.get("notes-type") or ""
        if is_boilerplate(title, sec_type):
            return
        place = replace(
            self._place,
            section=(*self._place.section, *([title] if title else [])),
            section_kind=section_kind(title, sec_type, self._place.section_kind),
            captions_only=self._place.captions_only or is_supplement_list(title, sec_type),
            merged=False,
        )
        self.read(element, place)

    def _appendix(self, element: _Element) -> None:
        title = title_of(element) or "Appendix"
        self.read(
            element,
            replace(self._place, section=(title,), section_kind=SectionKind.APPENDIX),
        )

    def _title(self, element: _Element) -> None:
        """A title that no section has read: of a list, a box, a part of a definition list."""
        parent = element.getparent()
        if parent is None or parent.tag not in HEADED:
            self.read(element, self._place)

    def _list(self, element: _Element) -> None:
        self.read(element, replace(self._place, kind=self._item_kind, merged=False))

    def _list_item(self, element: _Element) -> None:
        self._join(element, self._item_kind)

    @property
    def _item_kind(self) -> PassageKind:
        in_notes = self._place.kind is PassageKind.TABLE_NOTE
        return PassageKind.TABLE_NOTE if in_notes else PassageKind.LIST_ITEM

    def _definitions(self, element: _Element) -> None:
        for child in element:
            if child.tag == "def-item":
                self._definition(child)
            elif child.tag in ("def-list", "title"):
                self._block(child)

    def _definition(self, item: _Element) -> None:
        outer = self._place
        self._place = replace(outer, kind=self._item_kind, merged=True)
        terms = [text_of(term) for term in item.iterchildren("term")]
        self._ink.add(", ".join(terms) + ": ")
        for definition in item.iterchildren("def"):
            write(definition, self._ink, self._block)
            self._ink.add(" ")
        self._flush()
        self._place = outer

    def _join(self, element: _Element, kind: PassageKind) -> None:
        self.read(element, replace(self._place, kind=kind, merged=True))

    def _box(self, element: _Element) -> None:
        place = replace(self._place, kind=PassageKind.BOX, merged=False)
        self._heading(element, PassageKind.BOX)
        self.read_all((child for child in element if child.tag != "caption"), place)

    def _float(self, element: _Element) -> None:
        """A figure, table, film or group of them: the caption, then what it holds."""
        self._heading(element, PassageKind.CAPTION)
        for child in element:
            if child.tag == "alternatives":
                self.read_all(child.iterchildren("table", "array"), self._place)
            elif child.tag not in _FLOAT_PARTS:
                self.read_all([child], replace(self._place, merged=False))
        if element.tag == "table-wrap" and next(element.iter("table", "array"), None) is None:
            label = element.findtext("label") or "a table"
            self.warnings.append(f"{label.strip(' .')} is only a picture: its caption was read")

    def _supplement(self, element: _Element) -> None:
        self._heading(element, PassageKind.CAPTION)
        held = ("media", "graphic", "fig", "table-wrap", "supplementary-material")
        self.read_all(element.iterchildren(*held), self._place)

    def _heading(self, element: _Element, kind: PassageKind) -> None:
        """Label, title and text of a caption as one passage of sentences."""
        outer = self._place
        self._place = replace(outer, kind=kind, merged=True)
        captions = list(element.iterchildren("caption"))
        titles = [t for caption in captions for t in caption.iterchildren("title")]
        for part in [*element.iterchildren("label"), *titles]:
            self._ink.add(_sentence(text_of(part)))
        for child in (child for caption in captions for child in caption):
            if child.tag != "title":
                self._block(child)
        self._flush()
        self._place = outer

    def _table(self, element: _Element) -> None:
        for row in table_rows(element):
            self._emit(PassageKind.TABLE_ROW, row)

    def _table_notes(self, element: _Element) -> None:
        self.read(element, replace(self._place, kind=PassageKind.TABLE_NOTE, merged=False))

    def _footnote_group(self, element: _Element) -> None:
        notes = element.iterchildren("fn")
        if self._place.kind is not PassageKind.TABLE_NOTE:
            notes = (note for note in notes if note.get("id") in self._footnotes)
        for note in notes:
            self._join(note, self._place.kind)


def title_of(element: _Element) -> str:
    """The label and title of a section as one line, or ""."""
    parts = [text_of(part) for tag in ("label", "title") for part in element.iterchildren(tag)]
    return " ".join(filter(None, parts))


def _sentence(text: str) -> str:
    """`text` ended by a full stop, so that a title doesn't run into the text after it."""
    return text + (" " if not text or text.endswith(_ENDED) else ". ")
