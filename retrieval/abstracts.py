"""JSON Lines of abstracts → Documents: SciFact's corpus, BEIR's, and anything alike.

One object a line: `id` (or `doc_id`, `_id`), `pmid`, `pmcid`, `doi`, at least one of them; `title`;
`abstract` (or `text`), a string or a list of sentences; optionally `year`, `journal`,
`publication_types`, `retracted`, `preprint`, `synopsis`, `language`. Other keys are counted and
left. A string is kept to the last character; the sentences of a list are stripped and joined by
one blank, and their bounds are kept. Half a surrogate pair, which is no character and can't be
stored, becomes U+FFFD; NUL and all other characters stay.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple, Protocol

from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from retrieval.identifiers import parse_identifier, plain_doi, plain_pmcid, plain_pmid, work_ids
from retrieval.models import Document, Paper, Passage, PassageKind, SectionKind, Standing
from retrieval.sentences import joined

LONGEST_LINE = 5_000_000
"""Bytes; the longest abstract of SciFact's corpus has 14,000 and a whole book about 1,000,000."""

_RETRACTED_TYPES = frozenset(("retracted publication", "retracted article", "retracted"))
_NOTICE_TYPES = frozenset(
    (
        "retraction of publication",
        "retraction notice",
        "retraction",
        "published erratum",
        "erratum",
        "correction",
        "corrigendum",
        "expression of concern",
    )
)
_RETRACTED_TITLE = re.compile(r"\W*(retracted|withdrawn)( article)?\s*[:\]–—-]", re.IGNORECASE)
_NOTICE_TITLE = re.compile(
    r"(retraction|correction|corrigendum|erratum|expression of concern)( note| notice)?"
    r"( (to|for|of)\b.*?)?:",
    re.IGNORECASE,
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_BLANK = b" \t\r\n\xef\xbb\xbf"
_OPENINGS = (b"{", b"[", b"[{")
_MOST_KEYS = 50  # different unknown keys of one file that are named


class Lines(Protocol):
    """A file open for reading bytes, packed or not."""

    def readline(self, size: int, /) -> bytes:
        """The next line, or its first `size` bytes if it is longer; b"" at the end."""


class BadLine(NamedTuple):
    """A line that couldn't be used; lines are counted from 1."""

    line: int
    reason: str


def _identifier_text(value: object) -> object:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if whole else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _whole_year(value: object) -> object:
    return int(value) if isinstance(value, str) and re.fullmatch(r"[12]\d{3}", value) else value


_Identifier = Annotated[str | None, BeforeValidator(_identifier_text)]
_Names = Annotated[list[str] | None, BeforeValidator(_listed)]
_Year = Annotated[int | None, Field(ge=1000, le=2999), BeforeValidator(_whole_year)]


class _Record(BaseModel):
    """One line. Numbers and words must be what they claim to be: nothing is guessed from a bool."""

    model_config = ConfigDict(extra="allow", strict=True)

    id: _Identifier = Field(default=None, validation_alias=AliasChoices("id", "doc_id", "_id"))
    pmid: _Identifier = None
    pmcid: _Identifier = None
    doi: str | None = None
    title: str | None = None
    abstract: str | list[str] | None = Field(
        default=None, validation_alias=AliasChoices("abstract", "text")
    )
    year: _Year = None
    journal: str | None = None
    publication_types: _Names = None
    retracted: bool | None = None
    preprint: bool | None = None
    synopsis: bool | None = None
    language: str | None = None
    structured: Any = None  # SciFact's: whether the abstract has headings


def read_abstracts(stream: Lines, notes: Counter[str]) -> Iterator[Document | BadLine]:
    """The papers in a stream of JSON Lines, in order, and the lines that can't be used.

    What is left out of usable lines is counted in `notes`. Reading stops where the stream itself
    fails (OSError, EOFError, zlib.error go to the caller).
    """
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        if len(line) > LONGEST_LINE:
            _skip_rest(stream, line)
            yield BadLine(number, f"longer than {LONGEST_LINE:,} bytes")
        elif number == 1 and line.strip(_BLANK) in _OPENINGS:
            yield BadLine(
                1, "one JSON value over several lines: give one paper a line (JSON Lines)"
            )
            return
        elif line.strip(_BLANK):
            yield _read_line(line, number, notes)


def _skip_rest(stream: Lines, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = stream.readline(LONGEST_LINE)


def _read_line(line: bytes, number: int, notes: Counter[str]) -> Document | BadLine:
    try:
        return _document(_Record.model_validate(_parsed(line, number, notes)), notes)
    except ValidationError as error:
        return BadLine(number, _first_fault(error))
    except RecursionError:
        return BadLine(number, "nested too deeply for an abstract")
    except ValueError as error:
        return BadLine(number, str(error))


def _parsed(line: bytes, number: int, notes: Counter[str]) -> dict[str, object]:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 (byte {error.start} of the line)") from None
    try:
        record = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON ({error.msg} at character {error.pos})") from None
    if not isinstance(record, dict):
        raise ValueError("not a JSON object: one paper a line, like {…}")
    if re.search(r"\\u[dD][89a-fA-F]", text):
        return dict(_without_surrogates(record, notes))
    return record


def _without_surrogates(value: Any, notes: Counter[str]) -> Any:
    if isinstance(value, dict):
        return {_SURROGATE.sub("?", k): _without_surrogates(v, notes) for k, v in value.items()}
    if isinstance(value, list):
        return [_without_surrogates(inner, notes) for inner in value]
    if isinstance(value, str) and _SURROGATE.search(value):
        notes["half a surrogate pair was replaced by U+FFFD"] += 1
        return _SURROGATE.sub("\ufffd", value)
    return value


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_input=False)[0]
    return f"`{fault['loc'][0]}`: {fault['msg'][:1].lower()}{fault['msg'][1:]}"


def _document(record: _Record, notes: Counter[str]) -> Document:
    paper = _paper(record, notes)
    passages = tuple(_passages(paper.id, record.abstract))
    if not passages and not paper.title.strip():
        raise ValueError("neither a title nor an abstract")
    if not passages:
        notes["no abstract: only the title is kept"] += 1
    for key in sorted(record.model_extra or ()):
        known = f"key `{key[:60]}` isn't read"
        notes[known if len(notes) < _MOST_KEYS else "other keys that aren't read"] += 1
    return Document(paper=paper, passages=passages)


def _paper(record: _Record, notes: Counter[str]) -> Paper:
    title, types = record.title or "", tuple(record.publication_types or ())
    named = parse_identifier(record.id or "")
    given = {"doi": record.doi, "pmid": record.pmid, "pmcid": record.pmcid}
    if named and not (record.id or "").strip().isdecimal():
        kind, _, value = named.partition(":")
        given |= {kind: given.get(kind) or value}
    paper = Paper(
        id=_local(record.id),
        title=title,
        year=record.year,
        journal=record.journal,
        doi=_plain("doi", given, notes),
        pmid=_plain("pmid", given, notes),
        pmcid=_plain("pmcid", given, notes),
        publication_types=types,
        standing=_standing(record.retracted, title, types),
        preprint=record.preprint or "preprint" in map(str.lower, types),
        synopsis=record.synopsis or False,
        language=record.language or "en",
    )
    best = next(iter(work_ids(paper)), None)
    if not best and paper.id == _local(None):
        raise ValueError("no `id`, `doc_id`, `pmid`, `pmcid` or `doi` that can be used")
    return paper if paper.id != _local(None) else paper.model_copy(update={"id": best})


def _local(own_id: str | None) -> str:
    return own_id if own_id and own_id.startswith("local:") else f"local:{own_id or ''}"


_PLAIN = {"doi": plain_doi, "pmid": plain_pmid, "pmcid": plain_pmcid}


def _plain(kind: str, given: Mapping[str, str | None], notes: Counter[str]) -> str | None:
    value = given.get(kind)
    plain = _PLAIN[kind](value) if value else None
    if value and not plain:
        notes[f"a `{kind}` that isn't one was left out"] += 1
    return plain


def _standing(retracted: bool | None, title: str, types: tuple[str, ...]) -> Standing:
    kinds = set(map(str.lower, types))
    if kinds & _NOTICE_TYPES or _NOTICE_TITLE.match(title):
        return Standing.NOTICE
    if retracted or kinds & _RETRACTED_TYPES or _RETRACTED_TITLE.match(title):
        return Standing.RETRACTED
    return Standing.SOUND


def _passages(paper_id: str, abstract: str | list[str] | None) -> Iterator[Passage]:
    sentences = None
    if isinstance(abstract, list):
        kept = [sentence.strip() for sentence in abstract if sentence.strip()]
        abstract, sentences = joined(kept)
    if abstract and abstract.strip():
        yield Passage(
            id=f"{paper_id}#0",
            paper_id=paper_id,
            kind=PassageKind.ABSTRACT,
            section=("Abstract",),
            section_kind=SectionKind.ABSTRACT,
            order=0,
            text=abstract,
            sentences=sentences,
        )
