"""`countercite library add|list|remove|info`: results on stdout, the rest on stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from retrieval.errors import InputError, LibraryFileError
from retrieval.library import Library, default_library_path
from verify import cli_library
from verify.cli_library import library_app


def run(*arguments: object) -> Result:
    return CliRunner().invoke(library_app, [str(argument) for argument in arguments])


def papers_file(path: Path, count: int = 3) -> Path:
    records: list[dict[str, Any]] = [
        {"pmid": str(i), "title": f"Study\n{i}", "abstract": "Fever fell.", "year": 2000 + i}
        for i in range(1, count + 1)
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "library.sqlite"
    assert run("add", papers_file(tmp_path / "papers.jsonl"), "--library", path).exit_code == 0
    return path


def test_add_says_what_was_added_and_adds_nothing_twice(tmp_path: Path) -> None:
    file, path = papers_file(tmp_path / "papers.jsonl"), tmp_path / "new" / "library.sqlite"
    first = run("add", file, "--library", path)
    assert first.exit_code == 0
    assert first.stdout == f"added 3 papers to {path}\n"
    assert "100%" in first.stderr
    second = run("add", file, "--library", path)
    assert second.exit_code == 0
    assert second.stdout == f"added 0 papers to {path}; 1 file already read\n"


def test_add_goes_on_past_bad_files_and_tells_them_on_stderr(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text("<html/>")
    (tmp_path / "odd.pdf").write_bytes(b"%PDF")
    papers_file(tmp_path / "papers.jsonl", 1)
    result = run("add", tmp_path, tmp_path / "none", "--library", tmp_path / "l.sqlite", "--json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert (report["added"], report["failed"]) == (1, 2)
    assert "problem: " in result.stderr
    assert "bad.xml" in result.stderr
    assert "skipped (not JATS or JSON Lines): " in result.stderr


def test_many_problems_are_not_all_printed(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.xml").write_text("<html/>")
    papers_file(tmp_path / "papers.jsonl")
    result = run("add", tmp_path, "--library", tmp_path / "l.sqlite")
    assert result.stderr.count("problem: ") == cli_library.MOST_SHOWN + 1
    assert "problem: 10 more" in result.stderr


def test_nothing_readable_is_an_input_error_and_leaves_no_empty_library(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_text("<html/>")
    path = tmp_path / "library.sqlite"
    result = run("add", tmp_path / "bad.xml", "--library", path)
    assert isinstance(result.exception, InputError)
    assert not path.exists()


def test_nothing_readable_leaves_a_library_that_was_there(tmp_path: Path, library: Path) -> None:
    result = run("add", tmp_path / "none", "--library", library)
    assert isinstance(result.exception, InputError)
    with Library.open(library) as opened:
        assert opened.info().papers == 3


def test_the_default_library_is_the_users_own(tmp_path: Path) -> None:
    run("add", papers_file(tmp_path / "papers.jsonl"))
    assert default_library_path().is_relative_to(tmp_path)
    assert "\n" not in str(default_library_path())
    assert json.loads(run("info", "--json").stdout)["papers"] == 3


def test_list_gives_one_line_a_paper(library: Path) -> None:
    result = run("list", "--library", library, "--limit", 2)
    assert result.stdout.splitlines() == ["pmid:1\t2001\tStudy 1", "pmid:2\t2002\tStudy 2"]
    assert "2 of 3 papers" in result.stderr
    rest = run("list", "--library", library, "--offset", 2, "--json")
    listed = json.loads(rest.stdout)
    assert (listed["total"], [paper["id"] for paper in listed["papers"]]) == (3, ["pmid:3"])
    assert listed["papers"][0]["url"] == "https://europepmc.org/article/MED/3"


def test_list_marks_what_must_not_be_counted(tmp_path: Path) -> None:
    file = tmp_path / "papers.jsonl"
    file.write_text(
        '{"id": "1", "title": "", "abstract": "A.", "retracted": true, "synopsis": true}'
    )
    run("add", file, "--library", tmp_path / "l.sqlite")
    result = run("list", "--library", tmp_path / "l.sqlite")
    assert result.stdout == "local:1\t-\t(no title) [retracted, synopsis]\n"


def test_remove_reports_unknown_ids(library: Path) -> None:
    result = run("remove", "1", "PMC9", "pmid:2", "--library", library)
    assert (result.exit_code, result.stdout) == (0, "removed 2 papers\n")
    assert result.stderr == "no such paper: PMC9\n"
    as_json = run("remove", "3", "4", "--library", library, "--json")
    assert json.loads(as_json.stdout) == {"removed": ["pmid:3"], "unknown": ["4"]}
    assert isinstance(run("remove", "3", "--library", library).exception, InputError)


def test_info(library: Path) -> None:
    shown = run("info", "--library", library).stdout
    assert "papers     3, of which 0 with full text, 3 with an abstract only" in shown
    assert "years      2001 to 2003" in shown
    held = json.loads(run("info", "--library", library, "--json").stdout)
    assert held["bytes"] == library.stat().st_size
    assert (held["papers"], held["passages"], held["schema_version"]) == (3, 3, 1)


@pytest.mark.parametrize("command", [["list"], ["info"], ["remove", "1"]])
def test_a_missing_library_is_named_and_not_made(tmp_path: Path, command: list[str]) -> None:
    result = run(*command, "--library", tmp_path / "none.sqlite")
    assert isinstance(result.exception, LibraryFileError)
    assert "library add" in str(result.exception)
    assert not (tmp_path / "none.sqlite").exists()


def test_progress_on_a_terminal_is_a_bar_on_stderr(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with cli_library._progress() as show, Library.open(tmp_path / "l", create=True) as library:
        library.add([papers_file(tmp_path / "[red]papers.jsonl", 500)], on_progress=show)
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "[red]papers.jsonl" in captured.err
