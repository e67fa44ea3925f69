"""Adding files to a library, in short transactions, so that an interruption loses a second's work.

A file that was read to its end without problems is remembered by its content and not read again;
after an interruption the same command reads the rest, and records that are there already change
nothing.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable
from io import BufferedReader
from pathlib import Path
from time import monotonic

from retrieval.library.files import find_files, fingerprint, read_file, reason_of, shown
from retrieval.library.merge import Outcome, store
from retrieval.library.models import AddProgress, AddReport, Problem
from retrieval.models import Document

COMMIT_SECONDS = 1.0
PROGRESS_RECORDS = 100
PROBLEMS_A_FILE = 20

OnProgress = Callable[[AddProgress], None]


def add_files(
    connection: sqlite3.Connection, paths: Iterable[Path], on_progress: OnProgress | None
) -> AddReport:
    """Add all that can be read of `paths`; errors of the library itself are raised."""
    adding = _Adding(connection, paths, on_progress)
    try:
        for path in adding.found.files:
            adding.add(path)
        adding.commit()
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return adding.report()


class _Adding:
    """One run of adding: its transaction, and what is to be told at the end."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        paths: Iterable[Path],
        on_progress: OnProgress | None,
    ) -> None:
        self.found = find_files(paths)
        self._connection = connection
        self._on_progress = on_progress
        self._outcomes: Counter[Outcome] = Counter()
        self._problems = list(self.found.problems)
        self._failed = len(self._problems)
        self._known = 0
        self._warnings: list[str] = []
        self._files_done = self._bytes_done = 0
        self._bytes_total = sum(map(_size, self.found.files))
        self._began = 0.0

    def add(self, path: Path) -> None:
        """Add one file, unless it is known."""
        self._tell(path, 0)
        try:
            with path.open("rb") as stream:
                self._add_stream(stream, path)
        except OSError as error:
            self._fault(Problem(path=shown(path), reason=reason_of(error)), 0)
        self._files_done += 1
        self._bytes_done += _size(path)
        self._tell(path, 0)

    def _add_stream(self, stream: BufferedReader, path: Path) -> None:
        content = fingerprint(stream, path)
        if self._is_finished(content):
            self._known += 1
            return
        notes: Counter[str] = Counter()
        faults = 0
        for number, item in enumerate(read_file(stream, path, notes), start=1):
            if isinstance(item, Document):
                self._store(item)
            else:
                self._fault(item, faults)
                faults += 1
            if number % PROGRESS_RECORDS == 0:
                self._tell(path, stream.tell())
        self._warnings += [f"{shown(path)}: {note}{_times(count)}" for note, count in notes.items()]
        if not faults:
            self._begin()
            self._connection.execute("INSERT OR IGNORE INTO finished VALUES (?)", (content,))

    def _is_finished(self, content: str) -> bool:
        found = self._connection.execute("SELECT 1 FROM finished WHERE content = ?", (content,))
        return found.fetchone() is not None

    def _store(self, document: Document) -> None:
        self._begin()
        self._outcomes[store(self._connection, document)] += 1
        if monotonic() - self._began > COMMIT_SECONDS:
            self.commit()

    def _fault(self, problem: Problem, faults: int) -> None:
        self._failed += 1
        if faults < PROBLEMS_A_FILE:
            self._problems.append(problem)

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._connection.execute("BEGIN IMMEDIATE")
            self._began = monotonic()

    def commit(self) -> None:
        """Keep what was added so far."""
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")

    def _tell(self, path: Path, position: int) -> None:
        if self._on_progress:
            self._on_progress(
                AddProgress(
                    path=shown(path),
                    files_done=self._files_done,
                    files_total=len(self.found.files),
                    bytes_done=self._bytes_done + position,
                    bytes_total=self._bytes_total,
                    papers=self._outcomes.total(),
                )
            )

    def report(self) -> AddReport:
        """What became of everything that was given."""
        return AddReport(
            added=self._outcomes[Outcome.ADDED],
            updated=self._outcomes[Outcome.UPDATED],
            present=self._outcomes[Outcome.PRESENT],
            files=len(self.found.files),
            files_known=self._known,
            failed=self._failed,
            problems=tuple(self._problems),
            skipped=tuple(self.found.skipped),
            warnings=tuple(self._warnings),
        )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _times(count: int) -> str:
    return f" ({count} times)" if count > 1 else ""
