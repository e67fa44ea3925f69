"""Adding to the library: idempotent, resumable, and bad input costs only itself."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retrieval.library import AddProgress, Library
from retrieval.library import add as library_add
from retrieval.models import (
    Document,
)
from tests.library_inputs import abstract, jats, lines


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.sqlite", create=True) as opened:
        yield opened


# --- adding


def test_adding_twice_changes_nothing(library: Library, tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", abstract(1), abstract(2))
    assert library.add([file]).added == 2
    before = library.path.read_bytes()
    again = library.add([file, file])
    assert (again.added, again.files_known, again.readable) == (0, 2, True)
    assert library.path.read_bytes() == before
    more = lines(tmp_path / "b.jsonl", abstract(1), abstract(2), abstract(3))
    report = library.add([more])
    assert (report.added, report.updated, report.present) == (1, 0, 2)


def test_a_removed_paper_can_be_added_again(library: Library, tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", abstract(1), abstract(2))
    library.add([file])
    library.remove(["local:1"])
    assert library.add([file]).added == 1


def test_bad_lines_are_reported_and_the_rest_goes_on(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    bad = [
        b'{"id": "1", "title": ',
        b"[1, 2]",
        b'{"id": "1", "title": 5}',
        b'{"id": "1", "title": "T", "abstract": ["a", 5]}',
        b'{"id": "1", "title": "T", "year": "soon"}',
        b'{"id": true, "title": "T"}',
        b'{"title": "T", "abstract": "nameless"}',
        b'{"id": "1", "title": " ", "abstract": []}',
        b'{"id": "1", "title": "\xff"}',
        b"[" * 100_000,
        b'{"id": "1", "year": ' + b"9" * 10_000 + b"}",
        b'{"id": "1", "title": "' + b"x" * 5_000_001 + b'"}',
    ]
    good = json.dumps(abstract(7)).encode()
    file.write_bytes(b"\n".join([good, b"", *bad, json.dumps(abstract(8)).encode()]))
    report = library.add([file])
    assert (report.added, report.failed) == (2, len(bad))
    assert [p.line for p in report.problems] == list(range(3, 3 + len(bad)))
    assert all(p.reason and "\n" not in p.reason for p in report.problems)
    assert "`title`" in report.problems[2].reason
    assert library.add([file]).failed == len(bad), "problems are reported every time"


def test_unknown_keys_are_counted(library: Library, tmp_path: Path) -> None:
    file = lines(tmp_path / "a.jsonl", abstract(1, authors=["A"]), abstract(2, authors=[], mesh=1))
    notes = library.add([file]).warnings
    assert any("`authors`" in note and "2 times" in note for note in notes)
    assert any("`mesh`" in note for note in notes)


def test_ordinary_json_is_one_problem_not_thousands(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([abstract(i) for i in range(100)], indent=1))
    (problem,) = library.add([file]).problems
    assert "one paper a line" in problem.reason


def test_many_bad_lines_are_counted_but_not_all_told(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("x\n" * 1000)
    report = library.add([file])
    assert (report.failed, len(report.problems)) == (1000, library_add.PROBLEMS_A_FILE)
    assert not report.readable


def test_folders_are_walked_in_order_and_odd_files_reported(
    library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "papers"
    (folder / "deep" / ".git").mkdir(parents=True)
    lines(folder / "b.jsonl", abstract(2))
    lines(folder / "deep" / "c.jsonl", abstract(3))
    lines(folder / "a.jsonl", abstract(1))
    lines(folder / "deep" / ".git" / "hidden.jsonl", abstract(4))
    (folder / "good.nxml").write_text(jats("A study of mice", ids={"doi": "10.1000/good"}))
    (folder / "bad.xml").write_text("<html>no</html>")
    (folder / "notes.docx").write_bytes(b"PK")
    (folder / "deep" / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "dangling.xml").symlink_to(tmp_path / "nowhere")
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(b'{"id": 1}' * 999)[:-20])
    os.mkfifo(folder / "pipe.xml")
    report = library.add([folder, tmp_path / "missing.xml"])
    assert report.added == 4
    assert [p.id for p in library.papers(limit=9)] == [
        "local:1", "local:2", "doi:10.1000/good", "local:3"
    ]  # fmt: skip
    wrong = {Path(p.path).name: p.reason for p in report.problems}
    assert set(wrong) == {"bad.xml", "cut.jsonl.gz", "missing.xml"}
    assert "HTML" in wrong["bad.xml"]
    skipped = {Path(p).name for p in report.skipped}
    assert skipped == {"notes.docx", "pipe.xml", "dangling.xml"}


def test_a_fault_of_the_reader_costs_one_file(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(data: bytes, name: str = "") -> list[Document]:
        raise TypeError("our own mistake")

    monkeypatch.setattr("retrieval.jats.read_jats_set", faulty)
    (tmp_path / "a.xml").write_text("<article/>")
    lines(tmp_path / "b.jsonl", abstract(1))
    report = library.add([tmp_path / "a.xml", tmp_path / "b.jsonl"])
    assert report.added == 1
    assert "our own mistake" in report.problems[0].reason


def test_progress_goes_up_to_the_end(library: Library, tmp_path: Path) -> None:
    seen: list[AddProgress] = []
    files = [lines(tmp_path / f"{i}.jsonl", *map(abstract, range(250 * i, 250 * i + 250)))
             for i in range(2)]  # fmt: skip
    library.add(files, on_progress=seen.append)
    assert [p.bytes_done for p in seen] == sorted(p.bytes_done for p in seen)
    last = seen[-1]
    assert (last.bytes_done, last.files_done, last.papers) == (last.bytes_total, 2, 500)
    assert len(seen) > 4


def test_killed_in_the_middle_then_the_same_command_adds_the_rest(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for part in range(3):
        numbers = range(1500 * part, 1500 * (part + 1))
        lines(folder / f"{part}.jsonl", *(abstract(n, f"Word{n} heals. " * 20) for n in numbers))
    target = tmp_path / "library.sqlite"
    program = (
        "import sys; from pathlib import Path; from retrieval.library import add as library_add\n"
        "library_add.COMMIT_SECONDS = 0.05\n"
        "from retrieval.library import Library\n"
        "def tell(p): print(p.papers, flush=True)\n"
        "with Library.open(sys.argv[1], create=True) as l:\n"
        "    l.add([Path(sys.argv[2])], on_progress=tell)\n"
    )
    command = [sys.executable, "-c", program, str(target), str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 2000:
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    with Library.open(target, create=True) as library:
        kept = library.info().papers
        assert 0 < kept < 4500, "batches before the kill are kept"
        report = library.add([folder])
        assert report.added == 4500 - kept
        assert library.info().papers == library.info().passages == 4500
        assert library.search("word4321", limit=5)[0].paper_id == "local:4321"
        check = sqlite3.connect(target)
        assert check.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        check.execute("INSERT INTO lead(lead) VALUES ('integrity-check')")
        check.close()


def test_an_interrupt_keeps_what_was_committed_and_frees_the_lock(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library_add, "COMMIT_SECONDS", -1.0)
    monkeypatch.setattr(library_add, "PROGRESS_RECORDS", 10)

    def interrupt(progress: Any) -> None:
        if progress.papers >= 10:
            raise KeyboardInterrupt

    file = lines(tmp_path / "a.jsonl", *map(abstract, range(30)))
    with pytest.raises(KeyboardInterrupt):
        library.add([file], on_progress=interrupt)
    assert library.info().papers == 10
    assert library.add([file]).added == 20


def test_file_names_that_are_not_utf8_can_be_told(library: Library, tmp_path: Path) -> None:
    try:
        for name in (b"caf\xe9.xml", b"caf\xe9.pdf"):
            Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("<html/>")
    except OSError:
        pytest.skip("this file system has no such names")
    report = library.add([tmp_path])
    assert report.problems[0].path.endswith("caf?.xml")
    assert "caf?.pdf" in report.model_dump_json()
    assert library.remove(["\udce9"]).unknown == ("?",)
