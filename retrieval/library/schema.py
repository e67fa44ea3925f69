"""The library's SQLite file: its tables, connections to it, and its errors in plain words.

Rollback journal, not WAL: a library must open in read-only folders and survive being copied as
one file, and WAL needs to write beside it even to read. Readers and a writer of several processes
wait for each other for at most `BUSY_SECONDS`; writers keep their transactions to about a second.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from retrieval.errors import CounterciteError, LibraryBusyError, LibraryFileError, TemporaryError

APPLICATION_ID = 0x43435431  # "CCT1"
SCHEMA_VERSION = 1
BUSY_SECONDS = 10.0
CACHE_KIB = 64 * 1024

SCHEMA = """
CREATE TABLE paper (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    year INTEGER,
    journal TEXT,
    pmid TEXT,
    pmcid TEXT,
    doi TEXT,
    publication_types TEXT NOT NULL,
    standing TEXT NOT NULL,
    preprint INTEGER NOT NULL,
    synopsis INTEGER NOT NULL,
    language TEXT NOT NULL
) STRICT;
CREATE TABLE identifier (
    value TEXT PRIMARY KEY,
    paper INTEGER NOT NULL REFERENCES paper ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX identifier_paper ON identifier (paper);
CREATE TABLE passage (
    paper INTEGER NOT NULL REFERENCES paper ON DELETE CASCADE,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    section TEXT NOT NULL,
    section_kind TEXT NOT NULL,
    text TEXT NOT NULL,
    sentences TEXT,
    PRIMARY KEY (paper, place)
) STRICT;
CREATE TABLE notice (
    source INTEGER NOT NULL REFERENCES paper ON DELETE CASCADE,
    target TEXT NOT NULL,
    standing TEXT NOT NULL,
    PRIMARY KEY (target, source, standing)
) STRICT, WITHOUT ROWID;
CREATE INDEX notice_source ON notice (source);
CREATE TABLE finished (content TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE lead USING fts5 (
    title, abstract, beginnings, tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE body USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2');
"""
"""`lead` ranks papers as abstracts; full texts have an index of their own, because FTS5 divides by
the length of all columns together and would rank a paper lower for having its text in the library.
`finished` remembers the SHA-256 of files that were read completely and without problems."""


def connect(path: Path, *, create: bool = False) -> sqlite3.Connection:
    """A connection to the library at `path`, usable from any one thread at a time.

    Raises LibraryFileError or LibraryBusyError (see `plain_errors`).
    """
    with plain_errors(path):
        if not create:
            _must_exist(path)
        elif not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
        mode = "rwc" if create else "rw"
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        try:
            connection.executescript(
                "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON;"
                f"PRAGMA cache_size = -{CACHE_KIB};"
            )
            if create:
                _create(connection)
            _check(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection


def _must_exist(path: Path) -> None:
    if path.is_dir():
        raise LibraryFileError(f"{path} is a folder, not a library file: name the file itself.")
    if not path.exists():
        raise LibraryFileError(
            f"There is no library at {path}: add papers first with "
            f"`countercite library add FILE_OR_FOLDER --library {path}`."
        )


def _create(connection: sqlite3.Connection) -> None:
    """Make the tables if the file is new; two processes may try at once."""
    if _header(connection)[0] == APPLICATION_ID:
        return
    with transaction(connection):
        empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone() == (0,)
        if empty and _header(connection) == (0, 0):
            for statement in SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _header(connection: sqlite3.Connection) -> tuple[int, int]:
    (application_id,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return application_id, version


def _check(connection: sqlite3.Connection, path: Path) -> None:
    application_id, version = _header(connection)
    if application_id != APPLICATION_ID:
        raise LibraryFileError(
            f"{path} is a SQLite file of another program or an empty one, not a Countercite "
            "library: name another file."
        )
    if version != SCHEMA_VERSION:
        raise LibraryFileError(
            f"The library {path} has schema version {version}, and this Countercite reads version "
            f"{SCHEMA_VERSION}: make a new library with `countercite library add`."
        )


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the write lock, then commit; roll back if anything is raised."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn what SQLite and damaged contents raise into our errors.

    Raises LibraryBusyError (locked by another process), TemporaryError (disk full), or
    LibraryFileError (missing, damaged, foreign, not writable).
    """
    try:
        yield
    except sqlite3.Error as error:
        raise _plain(error, path) from error
    except (OSError, ValidationError, ValueError) as error:
        raise LibraryFileError(
            f"The library {path} can't be used ({_first_line(error)})."
        ) from error


_WRITE_PROTECTED = (
    "The library {path} or its folder can't be written to: choose another file with `--library`, "
    "or ask for the right to write there."
)
_DAMAGED = (
    "The library {path} is damaged or not a library ({error}): restore it from a copy, or delete "
    "it and add your papers again."
)
_MESSAGES: dict[int, tuple[type[CounterciteError], str]] = {
    sqlite3.SQLITE_BUSY: (
        LibraryBusyError,
        "The library {path} is being written to by another process: try again when it is done.",
    ),
    sqlite3.SQLITE_FULL: (
        TemporaryError,
        "The disk is full while writing the library {path}: free some space and run the same "
        "command again; what was added so far is kept.",
    ),
    sqlite3.SQLITE_READONLY: (LibraryFileError, _WRITE_PROTECTED),
    sqlite3.SQLITE_PERM: (LibraryFileError, _WRITE_PROTECTED),
    sqlite3.SQLITE_CANTOPEN: (
        LibraryFileError,
        "The library {path} can't be opened: check that its folder exists and can be read and "
        "written to.",
    ),
    sqlite3.SQLITE_IOERR: (
        TemporaryError,
        "The disk failed while using the library {path} ({error}): check the disk, then try again.",
    ),
}
_MESSAGES[sqlite3.SQLITE_LOCKED] = _MESSAGES[sqlite3.SQLITE_BUSY]


def _plain(error: sqlite3.Error, path: Path) -> CounterciteError:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    kind, message = _MESSAGES.get(code, (LibraryFileError, _DAMAGED))
    return kind(message.format(path=path, error=error))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
