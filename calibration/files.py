"""Reading data files: plain or gzipped, size-limited, UTF-8, with one clear sentence on failure."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibration.errors import DataError

LARGEST_FILE = 256 * 2**20  # bytes unpacked; the largest public set we read has 9 MB


def folder_of(data: Path, name: str) -> Path:
    """`data` itself, or the folder `name` in it; raises DataError where neither is a folder."""
    if (data / name).is_dir():
        return data / name
    if data.is_dir():
        return data
    state = "is a file" if data.exists() else "does not exist"
    raise DataError(f"{data} {state}; give the folder of the data set {name!r}, or its parent")


def find(folder: Path, *names: str) -> Path | None:
    """The first of these files that is there, plain or with .gz."""
    for name in names:
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return path
    return None


def need(folder: Path, *names: str) -> Path:
    """`find`, but raises DataError if none of the files is there."""
    if found := find(folder, *names):
        return found
    raise DataError(
        f"there is no {' or '.join(names)} (nor .gz) in {folder}; "
        "give the folder that holds the data set"
    )


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, unpacked if its name ends in .gz, without a byte-order mark.

    Raises DataError for a file that is missing, damaged, not UTF-8, or above 256 MB.
    """
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            content = stream.read(LARGEST_FILE + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{path} can't be read: {error}") from error
    if len(content) > LARGEST_FILE:
        raise DataError(f"{path} unpacks to more than {LARGEST_FILE // 2**20} MB; split it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"{path.name} isn't UTF-8 (byte {content[error.start]:#04x} at position "
            f"{error.start:,}); save it as UTF-8"
        ) from error


def read_json(path: Path) -> Any:
    """The content of a JSON file; raises DataError if it isn't JSON."""
    return _parsed(read_text(path), path.name)


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """One object a line; blank lines are skipped; raises DataError naming the line at fault."""
    # Not splitlines(): U+2028 and its like may stand unescaped inside a JSON string.
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield _object(_parsed(line, f"{path.name}, line {number}"), path, number)


def read_table(path: Path, delimiter: str, *, quoted: bool = True) -> Iterator[list[str]]:
    """Rows of a delimited file, header first, blank lines skipped.

    Raises DataError for a row that has more or fewer fields than the header.
    """
    text = io.StringIO(read_text(path), newline="")
    rows = csv.reader(
        text,
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
        strict=quoted,
    )
    width = 0
    try:
        for row in rows:
            width = width or len(row)
            if row and len(row) != width:
                raise DataError(
                    f"{path.name}, line {rows.line_num}: {len(row)} fields where the header has "
                    f"{width}; put quotes around fields that hold a delimiter or a line break"
                )
            if row:
                yield row
    except csv.Error as error:
        raise DataError(f"{path.name}, line {rows.line_num}: {error}") from error


def read_records(path: Path, delimiter: str = ",") -> Iterator[dict[str, str]]:
    """Rows of a delimited file as dictionaries, by the names in its header."""
    rows = read_table(path, delimiter)
    header = next(rows, [])
    return (dict(zip(header, row, strict=True)) for row in rows)


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{where}: not JSON ({error})") from error


def _object(value: Any, path: Path, number: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{path.name}, line {number}: expected an object, got {value!r:.40}")
    return value
