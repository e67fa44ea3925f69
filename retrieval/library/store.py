"""The local library: your own papers in one SQLite file, searched by BM25.

    with Library.open(path, create=True) as library:
        report = library.add([Path("papers/")])
        hits = library.search("Aspirin lowers the risk of colorectal cancer.", limit=20)

Adding is in `add`, what makes two records one work in `merge`, the words of the index in `text`,
the file itself in `schema`.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from retrieval.errors import InputError
from retrieval.identifiers import parse_identifier
from retrieval.library.add import OnProgress, add_files
from retrieval.library.files import shown
from retrieval.library.models import AddReport, LibraryHit, LibraryInfo, RemoveReport
from retrieval.library.rows import SELECT_PAPER, delete_document, paper_of, read_passages
from retrieval.library.schema import SCHEMA_VERSION, connect, plain_errors, transaction
from retrieval.library.text import match_any
from retrieval.models import Paper, Passage

TITLE_WEIGHT, ABSTRACT_WEIGHT, BEGINNINGS_WEIGHT = 2.0, 1.0, 0.2
"""Chosen on SciFact's training claims; between 1 and 3, and 0.15 and 0.5, little changes."""

BODY_WEIGHT = 0.3
"""Of the full text's BM25 beside the abstract's: enough to find a paper that only its full text
names, too little to rank it above abstracts that say the same. Not fitted: SciFact has no full
texts."""

_SEARCH = f"""
SELECT paper.id, found.score FROM (
    SELECT key, sum(score) AS score FROM (
        SELECT rowid AS key,
            -bm25(lead, {TITLE_WEIGHT}, {ABSTRACT_WEIGHT}, {BEGINNINGS_WEIGHT}) AS score
        FROM lead WHERE lead MATCH :with_beginnings
        UNION ALL
        SELECT rowid, {BODY_WEIGHT} * -bm25(body) FROM body WHERE body MATCH :words
    ) GROUP BY key ORDER BY score DESC, key LIMIT :limit
) AS found JOIN paper USING (key) ORDER BY found.score DESC, paper.id
"""


def default_library_path() -> Path:
    """Where a user's library is if they name none: in their data folder (platformdirs)."""
    from platformdirs import user_data_path

    return user_data_path("countercite", appauthor=False) / "library.sqlite"


class Library:
    """One library file. Reading is safe from several threads; each call uses its own connection."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._idle = deque([connection])
        self._closed = False

    @classmethod
    def open(cls, path: Path | str, *, create: bool = False) -> Self:
        """Open the library at `path`; with `create`, make it and its folder if it isn't there.

        Raises LibraryFileError for a file that is missing, damaged, foreign or of another version,
        LibraryBusyError if another process keeps it locked.
        """
        path = Path(path)
        return cls(path, connect(path, create=create))

    @property
    def name(self) -> str:
        """What traces call this library: its file's name."""
        return self.path.name

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; the library can't be used afterwards."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        if self._closed:
            raise ValueError(f"the library {self.path} is closed")
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self.path)
        try:
            with plain_errors(self.path):
                yield connection
        finally:
            self._idle.append(connection)
            if self._closed:
                self.close()

    def add(self, paths: Iterable[Path], *, on_progress: OnProgress | None = None) -> AddReport:
        """Add papers from files and folders (JATS, JSON Lines of abstracts); see `AddReport`.

        Files and lines that can't be used are reported and the rest goes on. What was added before
        an interruption stays, and the same call then adds the rest. Raises LibraryFileError (not
        writable), LibraryBusyError (another process is adding), TemporaryError (disk full).
        """
        with self._connection() as connection:
            return add_files(connection, paths, on_progress)

    def search(self, query_terms: str, *, limit: int) -> list[LibraryHit]:
        """At most `limit` papers that share words with `query_terms`, best first.

        BM25 over title and abstract, and over the full text at a lower weight. Any text may be
        given; it is read as words, never as a query language. Notices are found like papers.
        """
        queries = match_any(query_terms)
        if queries is None or limit < 1:
            return []
        with_beginnings, words = queries
        arguments = {"with_beginnings": with_beginnings, "words": words, "limit": limit}
        with self._connection() as connection:
            rows = connection.execute(_SEARCH, arguments).fetchall()
        return [LibraryHit(paper_id, score) for paper_id, score in rows]

    def paper(self, paper_id: str) -> Paper:
        """The paper with this id (or any identifier of it); raises InputError if there is none."""
        with self._connection() as connection:
            key = self._key(connection, paper_id)
            row = connection.execute(f"{SELECT_PAPER} WHERE key = ?", (key,)).fetchone()
            return paper_of(row)

    def passages(self, paper_id: str) -> tuple[Passage, ...]:
        """The passages of a paper in reading order; raises InputError if there is no such paper."""
        with self._connection() as connection:
            key = self._key(connection, paper_id)
            (own_id,) = connection.execute("SELECT id FROM paper WHERE key = ?", (key,)).fetchone()
            return tuple(read_passages(connection, key, own_id))

    def papers(self, *, limit: int, offset: int = 0) -> list[Paper]:
        """A page of all papers, in the order in which they were added first."""
        with self._connection() as connection:
            rows = connection.execute(
                f"{SELECT_PAPER} ORDER BY key LIMIT ? OFFSET ?", (limit, offset)
            )
            return [paper_of(row) for row in rows]

    def remove(self, ids: Iterable[str]) -> RemoveReport:
        """Remove papers by id, DOI, PMID (a bare number) or PMCID, all or, on an error, none.

        What a removed notice said of other papers is forgotten with it.
        """
        removed, unknown = [], []
        with self._connection() as connection, transaction(connection):
            for given in dict.fromkeys(map(shown, ids)):
                key = _find(connection, given)
                if key is None:
                    unknown.append(given)
                    continue
                (own_id,) = connection.execute(
                    "SELECT id FROM paper WHERE key = ?", (key,)
                ).fetchone()
                delete_document(connection, key)
                removed.append(own_id)
            if removed:  # else the files they came from would count as added already
                connection.execute("DELETE FROM finished")
        return RemoveReport(removed=tuple(removed), unknown=tuple(unknown))

    def info(self) -> LibraryInfo:
        """What the library holds."""
        with self._connection() as connection:
            counts = connection.execute(_COUNTS)
            names = [column[0] for column in counts.description]
            row = dict(zip(names, counts.fetchone(), strict=True))
            return LibraryInfo(
                path=shown(self.path),
                schema_version=SCHEMA_VERSION,
                bytes=self.path.stat().st_size,
                **row,
            )

    def _key(self, connection: sqlite3.Connection, paper_id: str) -> int:
        key = _find(connection, paper_id)
        if key is None:
            raise InputError(
                f"There is no paper {paper_id!r} in the library {self.path}: "
                "`countercite library list` shows the ids."
            )
        return key


def _find(connection: sqlite3.Connection, given: str) -> int | None:
    for value in (shown(given), parse_identifier(given)):
        found = connection.execute(
            "SELECT paper FROM identifier WHERE value = ?", (value,)
        ).fetchone()
        if found:
            return int(found[0])
    return None


_RETRACTED = """(standing <> 'notice' AND (standing = 'retracted' OR EXISTS (
    SELECT 1 FROM identifier JOIN notice ON notice.target = identifier.value
    WHERE identifier.paper = paper.key AND notice.source <> paper.key
        AND notice.standing = 'retracted')))"""
_FULL_TEXT = "key IN (SELECT paper FROM passage WHERE kind <> 'abstract')"
_TITLE_ONLY = "key NOT IN (SELECT paper FROM passage)"
_COUNTS = f"""
SELECT count(*) AS papers,
    (SELECT count(*) FROM passage) AS passages,
    coalesce(sum({_FULL_TEXT}), 0) AS full_texts,
    coalesce(sum(NOT {_FULL_TEXT} AND NOT {_TITLE_ONLY}), 0) AS abstracts,
    coalesce(sum({_TITLE_ONLY}), 0) AS titles,
    coalesce(sum({_RETRACTED}), 0) AS retracted,
    coalesce(sum(standing = 'notice'), 0) AS notices,
    coalesce(sum(synopsis), 0) AS synopses,
    min(year) AS first_year,
    max(year) AS last_year
FROM paper
"""
