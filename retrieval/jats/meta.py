"""The front matter of a JATS article → Paper: identifiers, year, journal, standing.

Only direct children of the article's own `front/article-meta` count: sub-articles (referees'
letters, replies) have identifiers of their own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from lxml.etree import _Element, tostring

from retrieval.jats.body import XML_LANG
from retrieval.jats.text import text_of
from retrieval.jats.tree import words
from retrieval.models import Notice, Paper, Standing

XLINK_HREF = "{http://www.w3.org/1999/xlink}href"

_NOTICE_TYPES = words(
    "retraction correction expression-of-concern erratum corrigendum addendum"
    " partial-retraction retraction-notice withdrawal-notice"
)
_WITHDRAWN_TYPES = frozenset(("preprint-withdrawal", "preprint-removal", "retracted-article"))
_NOTICE_SUBJECT = re.compile(
    r"(published )?(retractions?|corrections?|errat(um|a)|corrigend(um|a)|expressions? of concern"
    r"|(retraction|correction) (note|notice)|retraction of publication"
    r"|(author|publisher) correction)"
)
_NOTICE_TITLE = re.compile(
    r"((author|publisher)[’']?s? )?(retraction|correction|corrigend(um|a)|errat(um|a)"
    r"|expression of concern|withdrawal|removal)( (note|notice|statement))?"
    r"( (to|of|for|on)\s*:|\s*(:|$))|(errat(um|a)|corrigend(um|a)) (to|for)\b"
)
_RETRACTED_TITLE = re.compile(
    r"\W*(retracted|withdrawn)( (article|publication|paper|preprint))?\s*[:\]–—.-]"
    r"|.*[\[(](retracted|withdrawn)( \w+)?[\])]\W*$"
)
_FORWARD_LINKS = {
    "retraction-forward": Standing.RETRACTED,
    "retracted-by": Standing.RETRACTED,
    "retraction": Standing.RETRACTED,
    "retraction-notice": Standing.RETRACTED,
    "withdrawal-forward": Standing.RETRACTED,
    "removal-forward": Standing.RETRACTED,
    "concern-forward": Standing.CONCERN,
    "expression-of-concern": Standing.CONCERN,
    "expression-of-concern-forward": Standing.CONCERN,
    "correction-forward": Standing.CORRECTED,
    "corrected-by": Standing.CORRECTED,
    "correction": Standing.CORRECTED,
    "erratum": Standing.CORRECTED,
    "corrigendum": Standing.CORRECTED,
}
_BACKWARD_LINKS = {
    "retracted-article": "retraction notice of",
    "corrected-article": "correction of",
    "object-of-concern": "expression of concern about",
    "addended-article": "addendum to",
}
_NOTICED = {
    "retracted-article": Standing.RETRACTED,
    "object-of-concern": Standing.CONCERN,
    "corrected-article": Standing.CORRECTED,
    "addended-article": Standing.CORRECTED,
}
_GRAVITY = (Standing.RETRACTED, Standing.CONCERN, Standing.CORRECTED)
_DOI = re.compile(r"(?:https?://(?:dx\.)?doi\.org/|info:doi/|doi:\s*)?(10\.\d{4,9}/\S+)", re.I)
_PREPRINT_SERVERS = re.compile(
    r"(bio|med|chem|psy|soc|eco|edu|eng|agri)?[ar]*xiv\b.*|research square|preprints?(\.org)?"
    r"|ssrn\b.*|authorea\b.*|osf preprints|scielo preprints"
)
_DATE_TYPES = ("epub", "ppub", "collection", "epub-ppub")
_NOT_PUBLISHED = frozenset(
    ["pmc-release", "update", "received", "accepted", "rev-recd", "retraction"]
)


def read_paper(article: _Element, data: bytes, language: str) -> tuple[Paper, list[str]]:
    """The paper that `article` is, and warnings about its standing.

    `data` (the bytes of the article) names papers without any identifier.
    """
    meta = article.find("front/article-meta")
    journal = _journal(article)
    if meta is None:
        return Paper(id=_local_id(data), title="", journal=journal, language=language), []
    ids = _identifiers(meta)
    title = _title(meta)
    types = tuple(dict.fromkeys(filter(None, [_article_type(article), *_subjects(meta)])))
    standing, warnings = _standing(article, meta, title)
    paper = Paper(
        id=next((f"{k}:{ids[k]}" for k in ("doi", "pmid", "pmcid") if k in ids), _local_id(data)),
        title=title,
        year=_year(meta),
        journal=journal,
        pmid=ids.get("pmid"),
        pmcid=ids.get("pmcid"),
        doi=ids.get("doi"),
        publication_types=types,
        standing=standing,
        preprint=_article_type(article).startswith("preprint") or _is_server(journal),
        language=language,
    )
    return paper, warnings


def read_notices(article: _Element) -> Iterator[Notice]:
    """What a notice says became of the papers that it identifies by DOI, PMID or PMCID."""
    for link in _links(article):
        standing = _NOTICED.get(link.get("related-article-type") or "")
        target = _target(link)
        if standing and re.match(r"(doi|pmid|pmcid):", target):
            yield Notice(target=target, standing=standing)


def article_language(article: _Element) -> str:
    """The two-letter language of the article, its body or its abstract; English if none says."""
    places = [article, article.find("body"), article.find("front/article-meta/abstract")]
    given = (place.get(XML_LANG) for place in places if place is not None)
    return (next(filter(None, given), None) or "en")[:2].lower()


def _article_type(article: _Element) -> str:
    return (article.get("article-type") or "").strip().lower()


def _identifiers(meta: _Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in meta.iterchildren("article-id"):
        kind, value = element.get("pub-id-type"), "".join(element.itertext()).strip()
        doi = _DOI.fullmatch(value)
        pmcid = re.fullmatch(r"(?:PMC)?(\d{1,9})(?:\.\d+)?", value, re.IGNORECASE)
        if kind == "doi" and doi:
            found.setdefault("doi", doi.group(1).lower())
        elif kind == "pmid" and re.fullmatch(r"[1-9]\d{0,8}", value):
            found.setdefault("pmid", value)
        elif kind in ("pmc", "pmcid") and pmcid:
            found.setdefault("pmcid", f"PMC{pmcid.group(1)}")
    return found


def _local_id(data: bytes) -> str:
    return f"local:{hashlib.sha256(data).hexdigest()[:16]}"


def local_bytes(article: _Element) -> bytes:
    """What stands for an article's bytes where one file holds several."""
    return bytes(tostring(article, with_tail=False))


def _title(meta: _Element) -> str:
    group = meta.find("title-group")
    if group is None:
        return ""
    title = _one_line(group.find("article-title"))
    subtitle = _one_line(group.find("subtitle"))
    return f"{title.rstrip(' :')}: {subtitle}" if title and subtitle else title or subtitle


def _one_line(element: _Element | None) -> str:
    return "" if element is None else text_of(element).rstrip("*†‡§¶# ")


def _journal(article: _Element) -> str | None:
    paths = ("journal-title-group/journal-title", "journal-title", "abbrev-journal-title")
    elements = (article.find(f"front/journal-meta/{path}") for path in paths)
    return next(filter(None, (_one_line(e) for e in elements)), None)


def _is_server(journal: str | None) -> bool:
    return journal is not None and _PREPRINT_SERVERS.fullmatch(journal.lower()) is not None


def _subjects(meta: _Element) -> Iterator[str]:
    groups = list(meta.iterfind("article-categories/subj-group"))
    display = [g for g in groups if g.get("subj-group-type") == "display-channel"]
    headings = [g for g in groups if g.get("subj-group-type") == "heading"]
    for group in display or headings or groups:
        yield from (text_of(subject) for subject in group.iterchildren("subject"))


def _year(meta: _Element) -> int | None:
    dates = list(meta.iterchildren("pub-date"))
    for kind in _DATE_TYPES:
        for date in dates:
            if _date_type(date) == kind and (year := _four_digits(date.findtext("year"))):
                return year
    rest = [d for d in dates if _date_type(d) not in _NOT_PUBLISHED]
    rest += meta.iterfind("permissions/copyright-year/..")
    rest += meta.iterfind("history/date[@date-type='accepted']")
    years = (_four_digits(d.findtext("year") or d.findtext("copyright-year")) for d in rest)
    return next(filter(None, years), None)


def _date_type(date: _Element) -> str:
    kind = date.get("pub-type") or date.get("date-type") or ""
    if kind in ("pub", "publication"):
        return "ppub" if date.get("publication-format") in ("print", "ppub") else "epub"
    return kind


def _four_digits(text: str | None) -> int | None:
    match = re.search(r"\b(1[5-9]|20)\d\d\b", text or "")
    return int(match.group()) if match else None


def _standing(article: _Element, meta: _Element, title: str) -> tuple[Standing, list[str]]:
    kind, plain = _article_type(article), title.lower()
    links = [(link.get("related-article-type") or "", _target(link)) for link in _links(article)]
    subjects = [subject.lower() for subject in _subjects(meta)]
    backward = [f"{_BACKWARD_LINKS[k]} {t}" for k, t in links if k in _BACKWARD_LINKS]
    if (
        kind in _NOTICE_TYPES
        or _NOTICE_TITLE.match(plain)
        or any(map(_NOTICE_SUBJECT.fullmatch, subjects))
    ):
        return Standing.NOTICE, backward or [f"a notice ({kind or plain}), not a study"]
    forward = {_FORWARD_LINKS[k]: t for k, t in links if k in _FORWARD_LINKS}
    if kind in _WITHDRAWN_TYPES or _RETRACTED_TITLE.match(plain) or _says_retracted(subjects):
        forward.setdefault(Standing.RETRACTED, "")
    for standing in _GRAVITY:
        if standing in forward:
            notice = forward[standing]
            return standing, [f"{standing}" + (f": see {notice}" if notice else "")]
    return Standing.SOUND, []


def _says_retracted(subjects: list[str]) -> bool:
    return any(s in ("retracted", "retracted article", "retracted publication") for s in subjects)


def _links(article: _Element) -> Iterator[_Element]:
    """Related articles named in the front matter or at the head of the article's own body."""
    for path in ("front/article-meta", "front", "body", "body/p", "back"):
        for parent in article.iterfind(path):
            yield from parent.iterchildren("related-article", "related-object")


def _target(link: _Element) -> str:
    href = (link.get(XLINK_HREF) or link.get("href") or "").strip()
    doi = _DOI.fullmatch(href)
    if doi:
        return f"doi:{doi.group(1).lower()}"
    kind = link.get("ext-link-type") or ""
    if kind in ("pmid", "pubmed", "pmc", "pmcid") and href:
        return f"{'pmcid' if kind.startswith('pmc') else 'pmid'}:{href}"
    return href or text_of(link)[:120] or "an article it doesn't identify"
