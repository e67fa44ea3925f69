"""The library's file: foreign, damaged, locked, protected, shared by threads and processes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from retrieval.errors import LibraryBusyError, LibraryFileError, TemporaryError
from retrieval.library import Library, default_library_path
from retrieval.library import schema as library_schema
from retrieval.library.schema import connect, transaction
from tests.library_inputs import abstract, lines

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.sqlite", create=True) as opened:
        yield opened


# --- files that aren't libraries, locks, protection


def test_missing_library_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(LibraryFileError, match="countercite library add"):
        Library.open(tmp_path / "none.sqlite")
    assert not (tmp_path / "none.sqlite").exists()
    with pytest.raises(LibraryFileError, match="is a folder"):
        Library.open(tmp_path)


@pytest.mark.parametrize("create", [True, False])
def test_foreign_files_are_refused_and_left_alone(tmp_path: Path, create: bool) -> None:
    text, other = tmp_path / "a.txt", tmp_path / "b.sqlite"
    text.write_text("not a database, but long enough to look like something " * 50)
    foreign = sqlite3.connect(other)
    foreign.execute("CREATE TABLE paper (id)")
    foreign.commit()
    foreign.close()
    for file in (text, other):
        before = file.read_bytes()
        with pytest.raises(LibraryFileError, match=file.name):
            Library.open(file, create=create)
        assert file.read_bytes() == before


def test_empty_file_and_other_version(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    path.touch()
    with pytest.raises(LibraryFileError, match="empty"):
        Library.open(path)
    Library.open(path, create=True).close()
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(LibraryFileError, match="version 99"):
        Library.open(path)


@pytest.mark.parametrize("how", ["truncated", "overwritten"])
def test_damaged_libraries_give_one_sentence(tmp_path: Path, how: str) -> None:
    path = tmp_path / "l.sqlite"
    with Library.open(path, create=True) as library:
        library.add([lines(tmp_path / "a.jsonl", *map(abstract, range(300)))])
    data = bytearray(path.read_bytes())
    if how == "truncated":
        data = data[: len(data) // 3]
    else:
        data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(LibraryFileError, match="damaged"):
        use_all_of(path)


def use_all_of(path: Path) -> None:
    with Library.open(path) as library:
        library.search("fever", limit=5)
        library.papers(limit=500)
        library.info()
        for number in range(300):
            library.passages(f"local:{number}")


def test_forged_contents_are_refused(library: Library, tmp_path: Path) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1))])
    raw = sqlite3.connect(library.path)
    raw.execute("UPDATE passage SET sentences = '[[0, 999]]'")
    raw.commit()
    with pytest.raises(LibraryFileError, match="999"):
        library.passages("local:1")
    raw.execute("UPDATE paper SET standing = 'excellent'")
    raw.commit()
    raw.close()
    with pytest.raises(LibraryFileError, match="excellent"):
        library.paper("local:1")


def test_locked_library(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_schema, "BUSY_SECONDS", 0.1)
    file = lines(tmp_path / "a.jsonl", abstract(1))
    library.add([file])
    with Library.open(library.path) as second:
        writer = connect(library.path)
        with transaction(writer):
            assert second.search("fever", limit=1), "readers aren't kept out by a writer"
            with pytest.raises(LibraryBusyError, match="another process") as caught:
                second.remove(["local:1"])
            assert caught.value.retryable
        writer.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LibraryBusyError):
            second.search("fever", limit=1)
        writer.close()
        assert second.remove(["local:1"]).removed


def test_full_disk(library: Library, tmp_path: Path) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1))])
    connection = library._idle[0]
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 2}")
    file = lines(tmp_path / "b.jsonl", *(abstract(i, f"w{i} " * 500) for i in range(2, 99)))
    with pytest.raises(TemporaryError, match="disk is full"):
        library.add([file])
    assert library.paper("local:1")
    connection.execute("PRAGMA max_page_count = 1000000")
    assert library.add([file]).readable


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_write_protected_folder(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    path = folder / "l.sqlite"
    file = lines(tmp_path / "a.jsonl", abstract(1))
    with Library.open(path, create=True) as library:
        library.add([file])
    path.chmod(0o444)
    folder.chmod(0o555)
    try:
        with Library.open(path) as library:
            assert library.search("fever", limit=1)
            with pytest.raises(LibraryFileError, match="can't be written"):
                library.remove(["local:1"])
        with pytest.raises(LibraryFileError, match="can't be opened"):
            Library.open(folder / "new.sqlite", create=True)
    finally:
        folder.chmod(0o755)


def test_a_write_protected_library_is_searched_and_refuses_changes(
    library: Library, tmp_path: Path
) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1))])
    library._idle[0].execute("PRAGMA query_only = ON")
    assert library.search("fever", limit=1)
    with pytest.raises(LibraryFileError, match="can't be written to"):
        library.remove(["local:1"])


def test_folder_that_cant_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(LibraryFileError, match="library"):
        Library.open(tmp_path / "file" / "l.sqlite", create=True)


def test_odd_file_names(tmp_path: Path) -> None:
    path = tmp_path / "my library? #1 100%25 é.db"
    with Library.open(path, create=True) as library:
        assert library.info().papers == 0
    assert path.exists()


def test_many_threads_read_and_one_writes(library: Library, tmp_path: Path) -> None:
    library.add([lines(tmp_path / "a.jsonl", *map(abstract, range(200)))])
    files = [lines(tmp_path / f"more{i}.jsonl", *map(abstract, range(i * 100, i * 100 + 100)))
             for i in range(2, 8)]  # fmt: skip
    writer = threading.Thread(target=lambda: [library.add([f]) for f in files])
    writer.start()
    with ThreadPoolExecutor(8) as pool:
        ids = list(
            pool.map(lambda i: library.search(f"study {i}", limit=1)[0].paper_id, range(200))
        )
    writer.join()
    assert ids == [f"local:{i}" for i in range(200)]
    assert library.info().papers == 800


def test_two_processes_may_create_and_add_at_once(tmp_path: Path) -> None:
    target = tmp_path / "l.sqlite"
    program = (
        "import sys; from pathlib import Path; from retrieval.library import Library\n"
        "with Library.open(sys.argv[1], create=True) as l: l.add([Path(sys.argv[2])])\n"
    )
    files = [lines(tmp_path / f"{i}.jsonl", *map(abstract, range(i * 100, i * 100 + 150)))
             for i in range(2)]  # fmt: skip
    running = [subprocess.Popen([sys.executable, "-c", program, target, f]) for f in files]
    assert [process.wait() for process in running] == [0, 0]
    with Library.open(target) as library:
        assert library.info().papers == 250


def test_closed_library_says_so(tmp_path: Path) -> None:
    library = Library.open(tmp_path / "l.sqlite", create=True)
    library.close()
    with pytest.raises(ValueError, match="is closed"):
        library.info()


def test_a_copy_is_a_library(library: Library, tmp_path: Path) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1))])
    copy = shutil.copy(library.path, tmp_path / "copy")
    with Library.open(copy) as copied:
        assert copied.search("fever", limit=1) == library.search("fever", limit=1)
        assert copied.name == "copy"


def test_default_path_is_in_the_users_data_folder(tmp_path: Path) -> None:
    assert default_library_path().parts[-2:] == ("countercite", "library.sqlite")
