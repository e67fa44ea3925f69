"""One work once: a record that shares a DOI, PMID or PMCID with works in the library joins them.

The richest text is kept whole (full text over abstract, a paper's own words over a synopsis, then
the longer); identifiers, publication types and notices are united; where two records disagree on
year or journal, the published article is believed before the preprint. Standing only gets graver,
except that a work is a notice only if all its records are: publishers reuse DOIs for notices.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from enum import StrEnum

from retrieval.identifiers import parse_identifier, work_ids
from retrieval.library.rows import GRAVITY, delete_document, read_document, write_document
from retrieval.models import Document, Notice, Paper, PassageKind, Standing

LOCAL = "local:"


class Outcome(StrEnum):
    """What storing a document did to the library."""

    ADDED = "added"
    UPDATED = "updated"
    PRESENT = "present"


def store(connection: sqlite3.Connection, document: Document) -> Outcome:
    """Add a document to the library, or unite it with the works there that it is."""
    document = document.model_copy(update={"notices": tuple(map(_plain_target, document.notices))})
    ids = work_ids(document.paper) or (_local_id(connection, document.paper),)
    keys = _keys(connection, ids)
    if not keys:
        _write(connection, document, ids, None)
        return Outcome.ADDED
    there = [read_document(connection, key) for key in keys]
    merged = merge([*there, document])
    missing = set(ids) - _identifiers(connection, keys[0])
    if len(there) == 1 and not missing and _same(merged, there[0]):
        return Outcome.PRESENT
    for key in keys[1:]:
        _hand_over(connection, key, keys[0])
    _write(connection, merged, ids, keys[0])
    return Outcome.UPDATED


def merge(works: Sequence[Document]) -> Document:
    """One document out of several of the same work; among equals the earlier is preferred."""
    richest = max(works, key=_richness)
    others = [work.paper for work in works if work is not richest]
    papers = sorted([richest.paper, *others], key=lambda paper: paper.preprint)
    named = ("title", "year", "journal", "pmid", "pmcid", "doi")
    types = [kind for paper in papers for kind in paper.publication_types]
    fields = {name: _first(papers, name) for name in named} | {
        "publication_types": tuple(dict.fromkeys(types)),
        "standing": _standing(papers),
        "preprint": all(paper.preprint for paper in papers),
    }
    notices = tuple({(n.target, n.standing): n for work in works for n in work.notices}.values())
    return richest.model_copy(
        update={"paper": richest.paper.model_copy(update=fields), "notices": notices}
    )


def _plain_target(notice: Notice) -> Notice:
    target = parse_identifier(notice.target) or notice.target
    return notice.model_copy(update={"target": target})


def _richness(work: Document) -> tuple[bool, bool, int]:
    full_text = any(p.kind is not PassageKind.ABSTRACT for p in work.passages)
    return full_text, not work.paper.synopsis, sum(len(p.text) for p in work.passages)


def _first(papers: Sequence[Paper], name: str) -> object:
    values = [getattr(paper, name) for paper in papers]
    return next((value for value in values if value), values[0])


def _standing(papers: Sequence[Paper]) -> Standing:
    said = [p.standing for p in papers if p.standing is not Standing.NOTICE]
    return max(said, key=GRAVITY.index, default=Standing.NOTICE)


def _same(merged: Document, there: Document) -> bool:
    return (
        merged.paper == there.paper
        and merged.passages is there.passages
        and set(merged.notices) == set(there.notices)
    )


def _keys(connection: sqlite3.Connection, ids: Sequence[str]) -> list[int]:
    marks = ", ".join("?" * len(ids))
    rows = connection.execute(
        f"SELECT DISTINCT paper FROM identifier WHERE value IN ({marks}) ORDER BY paper", ids
    )
    return [key for (key,) in rows]


def _identifiers(connection: sqlite3.Connection, key: int) -> set[str]:
    rows = connection.execute("SELECT value FROM identifier WHERE paper = ?", (key,))
    return {value for (value,) in rows}


def _local_id(connection: sqlite3.Connection, paper: Paper) -> str:
    """The paper's own id, made longer if another file has used it for a paper of another title."""
    row = connection.execute(
        "SELECT title FROM identifier JOIN paper ON paper.key = identifier.paper WHERE value = ?",
        (paper.id,),
    ).fetchone()
    if row is None or _plain(row[0]) == _plain(paper.title):
        return paper.id
    return f"{paper.id}~{hashlib.sha256(_plain(paper.title).encode()).hexdigest()[:8]}"


def _plain(title: str) -> str:
    return "".join(filter(str.isalnum, title.lower()))


def _hand_over(connection: sqlite3.Connection, key: int, to: int) -> None:
    connection.execute("UPDATE identifier SET paper = ? WHERE paper = ?", (to, key))
    delete_document(connection, key)


def _write(
    connection: sqlite3.Connection, document: Document, ids: Sequence[str], key: int | None
) -> None:
    """Store the document under the best of its ids; all others keep leading to it."""
    paper_id = next(iter(work_ids(document.paper)), ids[0])
    paper = document.paper.model_copy(update={"id": paper_id})
    own_key = write_document(connection, document.model_copy(update={"paper": paper}), key)
    aliases = [*ids, *([document.paper.id] if document.paper.id.startswith(LOCAL) else [])]
    connection.executemany(
        "INSERT OR IGNORE INTO identifier (value, paper) VALUES (?, ?)",
        [(value, own_key) for value in (paper_id, *aliases)],
    )
