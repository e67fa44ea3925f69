"""Papers and passages to rows of the library and back, unchanged to the last character."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from retrieval.identifiers import plain_doi
from retrieval.library.text import beginnings, index_words
from retrieval.models import Document, Notice, Paper, Passage, PassageKind, Span, Standing

GRAVITY = (
    Standing.SOUND,
    Standing.CORRECTED,
    Standing.CONCERN,
    Standing.RETRACTED,
    Standing.NOTICE,
)
"""From least to most grave: the gravest that anything says of a paper holds."""

LEAD_CHARACTERS = 2_000
"""How much of a full text stands in for a missing abstract in the index: a long abstract."""

_COLUMNS = (
    "id, title, year, journal, pmid, pmcid, doi, publication_types, standing, preprint, synopsis,"
    " language"
)
_SAID_BY_NOTICES = (
    "(SELECT group_concat(DISTINCT notice.standing) FROM identifier"
    " JOIN notice ON notice.target = identifier.value"
    " WHERE identifier.paper = paper.key AND notice.source <> paper.key)"
)
SELECT_PAPER = f"SELECT {_COLUMNS}, {_SAID_BY_NOTICES} FROM paper"
"""Rows for `paper_of`: what notices in the library say of a paper comes with it."""


def paper_of(row: tuple[Any, ...]) -> Paper:
    """The paper of a row of `SELECT_PAPER`, its standing the gravest known."""
    *own, said = row
    names = _COLUMNS.split(", ")
    fields = dict(zip(map(str.strip, names), own, strict=True))
    fields["publication_types"] = tuple(json.loads(fields["publication_types"]))
    standings = [Standing(fields["standing"])]
    standings += map(Standing, said.split(",") if said else [])
    return Paper(**fields | {"standing": max(standings, key=GRAVITY.index)})


def read_document(connection: sqlite3.Connection, key: int) -> Document:
    """The work with this key as it was added: notices about it are not in its standing."""
    row = connection.execute(f"SELECT {_COLUMNS}, NULL FROM paper WHERE key = ?", (key,)).fetchone()
    notices = connection.execute(
        "SELECT target, standing FROM notice WHERE source = ? ORDER BY target, standing", (key,)
    )
    paper = paper_of(row)
    return Document(
        paper=paper,
        passages=tuple(read_passages(connection, key, paper.id)),
        notices=tuple(Notice(target=t, standing=Standing(s)) for t, s in notices),
    )


def read_passages(connection: sqlite3.Connection, key: int, paper_id: str) -> Iterator[Passage]:
    """The passages of one work in reading order."""
    rows = connection.execute(
        "SELECT place, kind, section, section_kind, text, sentences FROM passage"
        " WHERE paper = ? ORDER BY place",
        (key,),
    )
    for place, kind, section, section_kind, text, sentences in rows:
        yield Passage(
            id=f"{paper_id}#{place}",
            paper_id=paper_id,
            kind=kind,
            section=tuple(json.loads(section)),
            section_kind=section_kind,
            order=place,
            text=text,
            sentences=None if sentences is None else tuple(_spans(sentences, len(text))),
        )


def _spans(stored: str, length: int) -> Iterator[Span]:
    for start, end in json.loads(stored):
        if end > length:
            raise ValueError(f"a sentence ends at {end} in a passage of {length} characters")
        yield Span(start=start, end=end)


def write_document(connection: sqlite3.Connection, document: Document, key: int | None) -> int:
    """Store a work, in the place of the one with this key if there is one; returns its key.

    Identifiers are left to the caller.
    """
    paper = document.paper
    row = connection.execute(
        f"INSERT INTO paper (key, {_COLUMNS}) VALUES (?{', ?' * 12})"
        " ON CONFLICT (key) DO UPDATE SET "
        + ", ".join(f"{c.strip()} = excluded.{c.strip()}" for c in _COLUMNS.split(","))
        + " RETURNING key",
        (
            key,
            paper.id,
            paper.title,
            paper.year,
            paper.journal,
            paper.pmid,
            paper.pmcid,
            plain_doi(paper.doi or "") or paper.doi,
            json.dumps(paper.publication_types, ensure_ascii=False),
            paper.standing.value,
            paper.preprint,
            paper.synopsis,
            paper.language,
        ),
    ).fetchone()
    own_key = int(row[0])
    if key is not None:
        _clear(connection, key)
    _write_passages(connection, own_key, document.passages)
    _write_index(connection, own_key, document)
    connection.executemany(
        "INSERT OR IGNORE INTO notice (source, target, standing) VALUES (?, ?, ?)",
        [(own_key, n.target, n.standing.value) for n in document.notices],
    )
    return own_key


def delete_document(connection: sqlite3.Connection, key: int) -> None:
    """Remove a work with all that belongs to it, its notices about others too."""
    _clear(connection, key)
    connection.execute("DELETE FROM paper WHERE key = ?", (key,))


def _clear(connection: sqlite3.Connection, key: int) -> None:
    for table, column in (("passage", "paper"), ("notice", "source")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (key,))
    for index in ("lead", "body"):
        connection.execute(f"DELETE FROM {index} WHERE rowid = ?", (key,))


def _write_passages(connection: sqlite3.Connection, key: int, passages: Iterable[Passage]) -> None:
    connection.executemany(
        "INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                key,
                place,
                passage.kind.value,
                json.dumps(passage.section, ensure_ascii=False),
                passage.section_kind.value,
                passage.text,
                None
                if passage.sentences is None
                else json.dumps([(s.start, s.end) for s in passage.sentences]),
            )
            for place, passage in enumerate(passages)
        ],
    )


def _write_index(connection: sqlite3.Connection, key: int, document: Document) -> None:
    is_abstract = PassageKind.ABSTRACT
    abstract = " \n".join(p.text for p in document.passages if p.kind is is_abstract)
    body = " \n".join(p.text for p in document.passages if p.kind is not is_abstract)
    title = index_words(document.paper.title)
    lead = index_words(abstract or body[:LEAD_CHARACTERS])
    connection.execute(
        "INSERT INTO lead (rowid, title, abstract, beginnings) VALUES (?, ?, ?, ?)",
        (key, " ".join(title), " ".join(lead), " ".join(beginnings(title + lead))),
    )
    if body:
        connection.execute(
            "INSERT INTO body (rowid, text) VALUES (?, ?)", (key, " ".join(index_words(body)))
        )
