"""Files and folders → Documents: which files are read, and how each kind is.

JATS (`.xml`, `.nxml`, `.jats`) and JSON Lines of abstracts (`.jsonl`, `.json`, `.jsonl.gz`).
"""

from __future__ import annotations

import gzip
import hashlib
import os
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path

from retrieval.abstracts import BadLine, Lines, read_abstracts
from retrieval.errors import DocumentError
from retrieval.library.models import Problem
from retrieval.models import Document

JATS = (".xml", ".nxml", ".jats")
JSON_LINES = (".jsonl", ".json", ".jsonl.gz")


@dataclass(slots=True)
class Found:
    """The files to read, in order, what can't be reached, and files of kinds that aren't read."""

    files: list[Path] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)


def find_files(paths: Iterable[Path]) -> Found:
    """Every file named, and all files in the folders named, sorted; hidden ones are passed over.

    Links to folders are followed, but no folder is entered twice.
    """
    found = Found()
    for path in paths:
        if path.is_dir():
            _walk(path, found, set())
        elif not path.exists():
            found.problems.append(
                Problem(path=shown(path), reason="there is no such file or folder")
            )
        else:
            _take(path, found)
    return found


def _walk(folder: Path, found: Found, entered: set[tuple[int, int]]) -> None:
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            status = current.stat()
            children = sorted(current.iterdir())
        except OSError as error:
            found.problems.append(Problem(path=shown(current), reason=reason_of(error)))
            continue
        if (status.st_dev, status.st_ino) in entered:
            continue
        entered.add((status.st_dev, status.st_ino))
        visible = [child for child in children if not child.name.startswith(".")]
        for child in visible:
            if not child.is_dir():
                _take(child, found)
        pending += [child for child in reversed(visible) if child.is_dir()]


def _take(path: Path, found: Found) -> None:
    if not path.is_file():
        found.skipped.append(shown(path))
    elif path.name.lower().endswith(JATS + JSON_LINES):
        found.files.append(path)
    else:
        found.skipped.append(shown(path))


def fingerprint(stream: BufferedReader, path: Path) -> str:
    """SHA-256 of the content and of how it is read; leaves the stream at its start."""
    digest = hashlib.file_digest(stream, "sha256").hexdigest()
    stream.seek(0)
    kind = "jats" if path.name.lower().endswith(JATS) else "json lines"
    return f"{digest} {kind}"


def read_file(
    stream: BufferedReader, path: Path, notes: Counter[str]
) -> Iterator[Document | Problem]:
    """The documents in an open file, in order, and what of it can't be used.

    Warnings go to `notes`, with how often each holds. Nothing that a file contains raises.
    """
    name = path.name.lower()
    try:
        if name.endswith(JATS):
            yield from _read_jats(stream, path, notes)
        elif name.endswith(".gz"):
            with gzip.GzipFile(fileobj=stream, mode="rb") as unpacked:
                yield from _read_lines(unpacked, path, notes)
        else:
            yield from _read_lines(stream, path, notes)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        yield Problem(path=shown(path), reason="its compressed data is cut off or damaged")
    except OSError as error:
        yield Problem(path=shown(path), reason=reason_of(error))


def _read_lines(stream: Lines, path: Path, notes: Counter[str]) -> Iterator[Document | Problem]:
    lines = 0
    for item in read_abstracts(stream, notes):
        lines += 1
        if isinstance(item, BadLine):
            yield Problem(path=shown(path), line=item.line, reason=item.reason)
        else:
            yield item
    if not lines:
        yield Problem(path=shown(path), reason="empty: there is no line with a paper in it")


def _read_jats(
    stream: BufferedReader, path: Path, notes: Counter[str]
) -> Iterator[Document | Problem]:
    from retrieval.jats import read_jats_set
    from retrieval.jats.tree import MAX_BYTES

    try:
        documents = read_jats_set(stream.read(MAX_BYTES + 1), shown(path.name))
    except DocumentError as error:
        yield Problem(path=shown(path), reason=str(error))
    except Exception as error:  # a fault of the reader must not cost the user the other files
        reason = f"reading it failed ({type(error).__name__}: {error}): please report this"
        yield Problem(path=shown(path), reason=reason)
    else:
        for document in documents:
            notes.update(document.warnings)
            yield document


def shown(path: Path | str) -> str:
    """`path` as text that can be printed: bytes of a name that aren't UTF-8 become "?"."""
    return str(path).encode("utf-8", "replace").decode()


def reason_of(error: OSError) -> str:
    """What the operating system said, without the file's name."""
    return (error.strerror or str(error)).lower() or os.strerror(error.errno or 0)
