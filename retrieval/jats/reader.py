"""JATS XML → Document: the public door to reading full text.

`read_jats(data)` reads one article, `read_jats_set(data)` every article of a set (PubMed Central
wraps its answers in `pmc-articleset`). Bytes in, because the XML's own declaration says how they
are encoded. See `tree` for what is refused, `body` for what is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lxml.etree import _Element

from retrieval.errors import DocumentError
from retrieval.jats.body import XML_LANG, Block, BodyReader, Place, title_of
from retrieval.jats.meta import article_language, local_bytes, read_notices, read_paper
from retrieval.jats.tree import ParsedXml, parse_xml
from retrieval.models import Document, Paper, Passage, PassageKind, SectionKind, Standing

_PARTS = ("front", "body", "back")
_DROPPED_ABSTRACTS = frozenset(("graphical", "toc", "graphical-abstract", "video", "web-summary"))
_OTHER_ABSTRACTS = {
    "teaser": "Teaser",
    "summary": "Author summary",
    "author-summary": "Author summary",
    "executive-summary": "Executive summary",
    "plain-language-summary": "Plain language summary",
    "key-points": "Key points",
    "highlights": "Highlights",
    "editor": "Editor's summary",
}


def read_jats(data: bytes, *, name: str = "document") -> Document:
    """The article in the JATS file `data`; the first one if it holds several (with a warning).

    `name` is what error messages and warnings call the file. A damaged file is read as far as it
    goes, and `warnings` says what was wrong. Raises DocumentError with the reason if nothing can
    be read: not XML, not JATS, no article, too large, too deep, wrongly encoded, no text at all.
    """
    documents = read_jats_set(data, name)
    if len(documents) == 1:
        return documents[0]
    note = f"{name} holds {len(documents)} articles; only the first was read"
    return documents[0].model_copy(update={"warnings": (*documents[0].warnings, note)})


def read_jats_set(data: bytes, name: str = "document") -> list[Document]:
    """Every article in the JATS file `data`, in order; raises DocumentError like `read_jats`."""
    parsed = parse_xml(data, name)
    articles = _articles(parsed, name)
    if len(articles) == 1:
        return [_document(articles[0], data, name, parsed)]
    return [_document(article, local_bytes(article), name, parsed) for article in articles]


def _articles(parsed: ParsedXml, name: str) -> list[_Element]:
    root = parsed.root
    kind = _local(root)
    if kind == "html":
        raise DocumentError(
            f"{name} is a web page (HTML), not JATS XML: fetch the article's XML instead."
        )
    for element in root.iter("{*}article"):
        _drop_namespace(element)
    articles = [
        article
        for article in root.iter("article")
        if any(article.find(part) is not None for part in _PARTS)
        and next(article.iterancestors("article"), None) is None
    ]
    if not articles and parsed.damage:
        raise DocumentError(f"{parsed.damage}; no article could be read: fetch the file again.")
    if not articles:
        raise DocumentError(
            f"{name} holds no JATS article (its root element is <{kind}>): "
            "give JATS XML, for instance from Europe PMC's fullTextXML."
        )
    return articles


def _local(element: _Element) -> str:
    return str(element.tag).rpartition("}")[2].lower()


def _drop_namespace(article: _Element) -> None:
    """Behind OAI the JATS elements carry a namespace; elsewhere they have none."""
    namespace = str(article.tag).rpartition("}")[0]
    if namespace:
        for element in article.iter(f"{namespace}}}*"):
            element.tag = str(element.tag).removeprefix(f"{namespace}}}")


def _document(article: _Element, data: bytes, name: str, parsed: ParsedXml) -> Document:
    language = article_language(article)
    paper, standing = read_paper(article, data, language)
    reader = BodyReader(name, language, _footnotes(article))
    _read_abstracts(article, reader, language)
    abstracts = len(reader.blocks)
    _read_text(article, reader)
    passages = tuple(_passages(paper, _with_introduction(reader.blocks)))
    if not passages and (parsed.damage or not paper.title):
        reason = parsed.damage or f"{name} has neither a title nor any text"
        raise DocumentError(f"{reason}; nothing could be read: fetch the file again.")
    missing = [] if len(passages) > abstracts else [_missing(article, abstracts, parsed)]
    skipped = [
        f"{count} part(s) in another language ({code}) were left out"
        for code, count in sorted(reader.skipped.items())
    ]
    warnings = (*parsed.warnings, *standing, *reader.warnings, *missing, *skipped)
    is_notice = paper.standing is Standing.NOTICE
    notices = tuple(dict.fromkeys(read_notices(article))) if is_notice else ()
    return Document(paper=paper, passages=passages, notices=notices, warnings=warnings)


def _missing(article: _Element, abstracts: int, parsed: ParsedXml) -> str:
    kept = "only the abstract was read" if abstracts else "no abstract either"
    if parsed.damage:
        return f"no body could be read from the damaged file; {kept}"
    if article.find("body") is None:
        return f"no body; {kept}"
    return f"no text in the body; {kept}"


def _footnotes(article: _Element) -> frozenset[str]:
    """The ids of footnotes that the article's own text points to."""
    references = article.iterfind("body//xref[@ref-type='fn']")
    return frozenset(id for x in references for id in (x.get("rid") or "").split())


def _read_abstracts(article: _Element, reader: BodyReader, language: str) -> None:
    own = [
        element
        for element in article.iterfind("front/article-meta/abstract")
        if (element.get(XML_LANG) or language)[:2].lower() == language
        and _abstract_type(element) not in _DROPPED_ABSTRACTS
    ]
    real = [element for element in own if not _abstract_type(element)]
    real = real or [e for e in own if _abstract_type(e) not in _OTHER_ABSTRACTS][:1]
    for element in real:
        place = Place(PassageKind.ABSTRACT, ("Abstract",), SectionKind.ABSTRACT)
        reader.read(element, place)
    for element in own:
        if element not in real:
            kind = _abstract_type(element)
            title = _OTHER_ABSTRACTS.get(kind) or title_of(element) or kind.replace("-", " ")
            reader.read(element, Place(section=(title,)))


def _abstract_type(element: _Element) -> str:
    return (element.get("abstract-type") or "").strip().lower()


def _read_text(article: _Element, reader: BodyReader) -> None:
    for body in article.iterchildren("body"):
        reader.read(body, Place())
    for back in article.iterchildren("back"):
        reader.read(back, Place())
    for floats in article.iterchildren("floats-group", "floats-wrap"):
        reader.read(floats, Place(section=("Figures and tables",)))


def _with_introduction(blocks: list[Block]) -> list[Block]:
    """Paragraphs without a section, before sections with results or methods, introduce them."""
    studied = {SectionKind.METHODS, SectionKind.RESULTS}
    if studied.isdisjoint(block.place.section_kind for block in blocks):
        return blocks
    opening = replace(Place(), section_kind=SectionKind.INTRODUCTION)
    return [replace(b, place=opening) if b.place == Place() else b for b in blocks]


def _passages(paper: Paper, blocks: list[Block]) -> Iterator[Passage]:
    for order, block in enumerate(blocks):
        yield Passage(
            id=f"{paper.id}#{order}",
            paper_id=paper.id,
            kind=block.place.kind,
            section=block.place.section,
            section_kind=block.place.section_kind,
            order=order,
            text=block.text,
        )
