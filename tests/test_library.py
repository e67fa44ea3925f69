"""The local library: what goes in comes out unchanged, one work once, and nothing breaks it."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval import library_add, library_schema
from retrieval.errors import InputError, LibraryBusyError, LibraryFileError, TemporaryError
from retrieval.library import Library, default_library_path
from retrieval.library_merge import Outcome, store
from retrieval.library_schema import connect, transaction
from retrieval.models import (
    Document,
    Notice,
    Paper,
    Passage,
    PassageKind,
    SectionKind,
    Span,
    Standing,
)

AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.sqlite", create=True) as opened:
        yield opened


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def abstract(number: int, text: str = "Aspirin lowers fever.", **more: Any) -> dict[str, Any]:
    return {"id": str(number), "title": f"Study {number}", "abstract": text} | more


def jats(title: str, *, ids: dict[str, str], body: str = "", kind: str = "research-article",
         head: str = "") -> str:  # fmt: skip
    articles = "".join(f'<article-id pub-id-type="{k}">{v}</article-id>' for k, v in ids.items())
    text = f"<body><sec><title>Results</title><p>{body}</p></sec></body>" if body else ""
    return (
        f'<article article-type="{kind}" xmlns:xlink="http://www.w3.org/1999/xlink"><front>'
        f"<article-meta>{articles}<title-group><article-title>{title}</article-title>"
        f"</title-group>{head}<abstract><p>What we saw.</p></abstract></article-meta></front>"
        f"{text}</article>"
    )


def document(paper: Paper, *texts: str, kind: PassageKind = PassageKind.ABSTRACT) -> Document:
    passages = tuple(
        Passage(id=f"{paper.id}#{i}", paper_id=paper.id, kind=kind, order=i, text=text)
        for i, text in enumerate(texts)
    )
    return Document(paper=paper, passages=passages)


# --- what goes in comes out


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(title=TEXT, texts=st.lists(TEXT, min_size=1, max_size=4), cuts=st.lists(st.integers(0, 60)))
def test_any_text_comes_back_to_the_last_character(
    tmp_path: Path, title: str, texts: list[str], cuts: list[int]
) -> None:
    first = texts[0]
    edges = sorted({min(cut, len(first)) for cut in cuts})
    spans = tuple(Span(start=a, end=b) for a, b in pairwise(edges))
    paper = Paper(id="local:x", title=title, journal=title or None, publication_types=(title,))
    passages = tuple(
        Passage(id=f"local:x#{i}", paper_id="local:x", kind=PassageKind.TABLE_ROW,
                section=(title, "b"), section_kind=SectionKind.RESULTS, order=i, text=text,
                sentences=spans if i == 0 else None)
        for i, text in enumerate(texts)
    )  # fmt: skip
    path = tmp_path / "roundtrip.sqlite"
    path.unlink(missing_ok=True)
    with Library.open(path, create=True) as opened:
        connection = connect(path)
        store(connection, Document(paper=paper, passages=passages))
        connection.close()
        assert opened.paper("local:x") == paper
        assert opened.passages("local:x") == passages
        opened.search(title + " ".join(texts), limit=5)


def test_sentences_of_a_list_are_spans_of_the_joined_text(library: Library, tmp_path: Path) -> None:
    record = abstract(1, text=["  Fever fell. ", "", "It was 1.5 °C.", "n = 12"])  # type: ignore[arg-type]
    library.add([lines(tmp_path / "a.jsonl", record)])
    (passage,) = library.passages("local:1")
    assert passage.text == "Fever fell. It was 1.5 °C. n = 12"
    assert passage.sentences is not None
    quotes = [span.of(passage.text) for span in passage.sentences]
    assert quotes == ["Fever fell.", "It was 1.5 °C.", "n = 12"]
    assert passage.kind is PassageKind.ABSTRACT


def test_a_string_is_kept_as_it_is_and_not_cut(library: Library, tmp_path: Path) -> None:
    text = "  NUL \0, BOM \ufeff, nbsp \xa0\r\n and e\u0301; [12] "
    library.add([lines(tmp_path / "a.jsonl", abstract(1, text))])
    (passage,) = library.passages("local:1")
    assert (passage.text, passage.sentences) == (text, None)


def test_half_a_surrogate_pair_becomes_a_replacement_sign_with_a_note(
    library: Library, tmp_path: Path
) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(
        '{"id": "1", "title": "T\\ud83d", "abstract": "a \\ud83d\\ude00 b \\udc00 c", "\\ud800": 1}'
    )
    report = library.add([file])
    assert library.paper("local:1").title == "T\ufffd"
    assert library.passages("local:1")[0].text == "a 😀 b \ufffd c"
    assert any("surrogate" in note for note in report.warnings)


def test_jats_fixtures_come_back_as_the_reader_gave_them(library: Library, shared: Path) -> None:
    from retrieval.jats import read_jats

    folder = shared / "fixtures" / "jats"
    report = library.add([folder])
    files = sorted(folder.iterdir())
    assert (report.added, report.failed) == (len(files), 0)
    for file in files:
        read = read_jats(file.read_bytes(), name=file.name)
        assert library.passages(read.paper.id) == read.passages
        assert library.paper(read.paper.id) == read.paper
    info = library.info()
    assert (info.papers, info.notices, info.retracted) == (17, 4, 0)
    assert info.full_texts == 16
    assert info.abstracts == 1
    assert info.last_year == 2020


def test_scifact_ids_can_be_had_back(library: Library, shared: Path) -> None:
    corpus = shared / "data" / "scifact" / "corpus.jsonl.gz"
    report = library.add([corpus])
    assert (report.added, report.failed, report.warnings) == (5183, 0, ())
    with gzip.open(corpus, "rt", encoding="utf-8") as stream:
        records = {f"local:{r['doc_id']}": r for r in map(json.loads, stream)}
    for paper in library.papers(limit=10_000):
        record = records.pop(paper.id)
        assert paper.title == record["title"]
        (passage,) = library.passages(paper.id)
        quotes = [span.of(passage.text) for span in passage.sentences or ()]
        assert quotes == [s.strip() for s in record["abstract"] if s.strip()]
    assert not records
    hits = library.search("1 in 5 million in UK have abnormal PrP positivity.", limit=3)
    assert hits[0].paper_id == "local:13734012"
    began = time.perf_counter()
    for _ in range(20):
        library.search("40mg/day dosage of folic acid does not affect kidney disease.", limit=100)
    assert (time.perf_counter() - began) / 20 < 0.1  # 20 ms is the aim; CI machines vary


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
    seen = []
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
        "import sys; from pathlib import Path; from retrieval import library_add\n"
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


# --- one work once


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"doi": "10.1000/ABC"}, {"doi": "https://doi.org/10.1000/abc"}),
        ({"doi": "doi:10.1000/abc"}, {"id": "10.1000/abc"}),
        ({"doi": "10.21203/rs.3.rs-77/v1"}, {"doi": "10.21203/rs.3.rs-77/v2"}),
        ({"doi": "10.20944/preprints202001.0001.v1"}, {"doi": "10.20944/preprints202001.0001.v3"}),
        ({"doi": "10.12688/f1000research.77.1"}, {"doi": "10.12688/f1000research.77.2"}),
        ({"pmid": 123}, {"pmid": "0123"}),
        ({"pmcid": "PMC55"}, {"pmcid": "pmc55.1"}),
        ({"id": "PMC55"}, {"pmcid": "55"}),
    ],
)
def test_the_same_identifier_is_the_same_work(
    library: Library, tmp_path: Path, first: dict[str, Any], second: dict[str, Any]
) -> None:
    records = [r | {"title": "T", "abstract": "Same."} for r in (first, second)]
    library.add([lines(tmp_path / "a.jsonl", *records)])
    assert library.info().papers == 1


def test_versioned_dois_keep_their_link(library: Library, tmp_path: Path) -> None:
    record = {"doi": "10.21203/rs.3.rs-77/v2", "title": "T", "abstract": "A."}
    library.add([lines(tmp_path / "a.jsonl", record)])
    assert library.paper("doi:10.21203/rs.3.rs-77").doi == "10.21203/rs.3.rs-77/v2"


def test_other_dois_that_end_in_a_number_stay_apart(library: Library, tmp_path: Path) -> None:
    dois = ["10.1371/journal.pone.1", "10.1371/journal.pone.2", "10.1000/x/v1", "10.1000/x/v2"]
    library.add([lines(tmp_path / "a.jsonl", *({"doi": d, "title": "T"} for d in dois))])
    assert library.info().papers == 4


@pytest.mark.parametrize("full_text_first", [True, False])
def test_full_text_replaces_the_abstract_and_ids_unite(
    library: Library, tmp_path: Path, full_text_first: bool
) -> None:
    xml = tmp_path / "a.xml"
    xml.write_text(jats("Mice", ids={"doi": "10.1000/x"}, body="Mice slept <i>well</i>."))
    record = {"doi": "10.1000/X", "pmid": "77", "title": "Mice.", "abstract": "Long. " * 99,
              "year": 2001, "publication_types": ["Review"]}  # fmt: skip
    files = [xml, lines(tmp_path / "b.jsonl", record)]
    library.add(files if full_text_first else files[::-1])
    for name in ("doi:10.1000/x", "pmid:77", "77", "https://doi.org/10.1000/X"):
        paper = library.paper(name)
        assert (paper.id, paper.pmid, paper.year, paper.title) == (
            "doi:10.1000/x", "77", 2001, "Mice"
        )  # fmt: skip
        assert "Review" in paper.publication_types
    texts = [p.text for p in library.passages("77")]
    assert texts == ["What we saw.", "Mice slept well."]
    assert {p.paper_id for p in library.passages("77")} == {"doi:10.1000/x"}
    assert [h.paper_id for h in library.search("slept", limit=5)] == ["doi:10.1000/x"]
    assert library.search("long", limit=5) == [], "the replaced abstract has left the index"
    assert library.add(files).files_known == 2


def test_a_record_that_links_two_works_merges_them(library: Library, tmp_path: Path) -> None:
    file = lines(
        tmp_path / "a.jsonl",
        {"pmid": "1", "title": "T", "abstract": "Short."},
        {"doi": "10.1000/x", "title": "T", "abstract": "Rather longer."},
        {"pmid": "1", "doi": "10.1000/x", "title": "T"},
    )
    report = library.add([file])
    assert (report.added, report.updated) == (2, 1)
    (paper,) = library.papers(limit=9)
    assert (paper.id, paper.pmid, paper.doi) == ("doi:10.1000/x", "1", "10.1000/x")
    assert library.passages("pmid:1")[0].text == "Rather longer."
    assert library.search("short", limit=9) == []


def test_equal_own_ids_of_different_papers_are_kept_apart(library: Library, tmp_path: Path) -> None:
    lines(tmp_path / "a.jsonl", {"id": 1, "title": "Mice sleep", "abstract": "A."})
    lines(tmp_path / "b.jsonl", {"id": 1, "title": "Rats swim", "abstract": "B."})
    library.add([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    first, second = library.papers(limit=9)
    assert (first.id, first.title, second.title) == ("local:1", "Mice sleep", "Rats swim")
    assert second.id.startswith("local:1~")
    lines(tmp_path / "c.jsonl", {"id": 1, "title": "Rats swim.", "abstract": "B."})
    assert library.add([tmp_path / "c.jsonl"]).present == 1


def test_a_papers_own_words_come_before_a_synopsis(library: Library, tmp_path: Path) -> None:
    library.add([lines(
        tmp_path / "a.jsonl",
        {"doi": "10.1000/x", "title": "T", "abstract": "A synopsis, long." * 9, "synopsis": True},
        {"doi": "10.1000/x", "title": "T", "abstract": "Own words."},
    )])  # fmt: skip
    assert not library.paper("10.1000/x").synopsis
    assert library.passages("10.1000/x")[0].text == "Own words."


def test_preprint_and_article_are_one_published_work(library: Library, tmp_path: Path) -> None:
    library.add([lines(
        tmp_path / "a.jsonl",
        {"pmid": "5", "doi": "10.1101/2020.01.01.1v2", "title": "T", "year": 2020,
         "abstract": "The preprint's text.", "publication_types": ["Preprint"]},
        {"pmid": "5", "doi": "10.1000/x", "title": "T", "year": 2021, "abstract": "Final."},
    )])  # fmt: skip
    paper = library.paper("10.1101/2020.01.01.1")
    assert (paper.id, paper.year, paper.preprint) == ("doi:10.1000/x", 2021, False)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("123-"), st.sampled_from("abc-")), max_size=8))
def test_no_identifier_is_ever_held_twice(pairs: list[tuple[str, str]]) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(library_schema.SCHEMA)
    for pmid, doi in pairs:
        ids = {"pmid": pmid.strip("-") or None, "doi": None if doi == "-" else f"10.1000/{doi}"}
        paper = Paper(id=f"local:{pmid}{doi}", title="T", **ids)  # type: ignore[arg-type]
        store(connection, document(paper, "Some words."))
        assert store(connection, document(paper, "Some words.")) is Outcome.PRESENT
    for column in ("pmid", "doi"):
        values = [v for (v,) in connection.execute(f"SELECT {column} FROM paper") if v]
        assert len(values) == len(set(values))
    groups = _connected(pairs)
    assert connection.execute("SELECT count(*) FROM paper").fetchone() == (groups,)
    counts = [connection.execute(f"SELECT count(*) FROM {t}").fetchone()[0]
              for t in ("paper", "lead", "passage")]  # fmt: skip
    assert len(set(counts)) == 1
    connection.close()


def _connected(pairs: list[tuple[str, str]]) -> int:
    """How many works the pairs of identifiers describe, by another algorithm."""
    groups: list[set[str]] = []
    for pair in pairs:
        names = {name for name in pair if name != "-"} or {"none"}
        touching = [group for group in groups if group & names]
        groups = [group for group in groups if not group & names]
        groups.append(names.union(*touching))
    return len(groups)


# --- standing


@pytest.mark.parametrize("notice_first", [True, False])
@pytest.mark.parametrize(
    ("link", "kind", "standing"),
    [
        ("retracted-article", "retraction", Standing.RETRACTED),
        ("corrected-article", "correction", Standing.CORRECTED),
        ("object-of-concern", "expression-of-concern", Standing.CONCERN),
    ],
)
def test_a_notice_marks_the_paper_it_is_about(
    library: Library, tmp_path: Path, notice_first: bool, link: str, kind: str, standing: Standing
) -> None:
    head = f'<related-article related-article-type="{link}" xlink:href="10.1000/Bad"/>'
    notice = tmp_path / "notice.xml"
    notice.write_text(jats("On a paper", ids={"doi": "10.1000/n"}, kind=kind, head=head))
    paper = lines(tmp_path / "p.jsonl", {"doi": "10.1000/bad", "title": "T", "abstract": "A."})
    library.add([notice, paper] if notice_first else [paper, notice])
    assert library.paper("10.1000/bad").standing is standing
    assert library.paper("10.1000/n").standing is Standing.NOTICE
    assert library.papers(limit=1, offset=1 if notice_first else 0)[0].standing is standing
    assert library.info().retracted == (standing is Standing.RETRACTED)
    assert library.add([tmp_path]).files_known == 2
    library.remove(["10.1000/n"])
    assert library.paper("10.1000/bad").standing is Standing.SOUND


def test_standing_only_gets_graver_and_a_paper_never_becomes_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "l.sqlite"
    paper = Paper(id="doi:10.1000/x", title="T", doi="10.1000/x")
    with Library.open(path, create=True) as library:
        connection = connect(path)
        for standing in (Standing.CONCERN, Standing.RETRACTED, Standing.SOUND, Standing.NOTICE):
            store(connection, document(paper.model_copy(update={"standing": standing}), "A."))
        own = Notice(target="https://doi.org/10.1000/X", standing=Standing.CORRECTED)
        note = Paper(id="doi:10.1000/n", title="N", doi="10.1000/n", standing=Standing.NOTICE)
        noted = document(note, "B.").model_copy(update={"notices": (own,)})
        assert store(connection, noted) is Outcome.ADDED
        assert store(connection, noted) is Outcome.PRESENT
        connection.close()
        assert library.paper("10.1000/x").standing is Standing.RETRACTED


@pytest.mark.parametrize(
    ("more", "standing"),
    [
        ({"retracted": True}, Standing.RETRACTED),
        ({"publication_types": ["Retracted Publication"]}, Standing.RETRACTED),
        ({"title": "RETRACTED: Vitamin C heals all"}, Standing.RETRACTED),
        ({"title": "[Withdrawn] Vitamin C heals all"}, Standing.RETRACTED),
        ({"publication_types": "Retraction of Publication"}, Standing.NOTICE),
        ({"title": "Retraction: Vitamin C heals all"}, Standing.NOTICE),
        ({"title": "Correction to: Vitamin C heals all"}, Standing.NOTICE),
        ({"title": "Correction of hyponatraemia in rats"}, Standing.SOUND),
        ({"title": "Retracted gill lamellae in trout"}, Standing.SOUND),
    ],
)
def test_standing_of_a_line(
    library: Library, tmp_path: Path, more: dict[str, Any], standing: Standing
) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1) | more)])
    assert library.paper("local:1").standing is standing


# --- searching


def test_spellings_of_the_same_name_meet(library: Library, tmp_path: Path) -> None:
    texts = ["IL-6 rises.", "TGF-β falls.", "CO₂ is stable.", "Ménière's disease.", "α‑synuclein",
             "Microglia were counted."]  # fmt: skip
    library.add([lines(tmp_path / "a.jsonl", *(abstract(i, t) for i, t in enumerate(texts)))])
    queries = {"IL6": 0, "il 6": 0, "TGFβ": 1, "TGF-beta": 1, "TGF‑b": 1, "CO2": 2, "Meniere": 3,
               "alpha-synuclein": 4, "microglial": 5}  # fmt: skip
    for query, expected in queries.items():
        hits = library.search(query, limit=1)
        assert [h.paper_id for h in hits] == [f"local:{expected}"], query


def test_title_counts_more_than_abstract_and_body_less(library: Library, tmp_path: Path) -> None:
    lines(
        tmp_path / "a.jsonl",
        {"id": "title", "title": "Zinc", "abstract": "Nothing of note here."},
        {"id": "abstract", "title": "Nothing", "abstract": "Zinc of note here."},
        *({"id": f"x{i}", "title": "Other", "abstract": "Filler of note."} for i in range(9)),
    )
    (tmp_path / "b.xml").write_text(jats("Body", ids={"doi": "10.1000/b"}, body="Zinc here."))
    library.add([tmp_path])
    found = [hit.paper_id for hit in library.search("zinc", limit=9)]
    assert found == ["local:title", "local:abstract", "doi:10.1000/b"]


def test_holding_the_full_text_never_lowers_a_paper(library: Library, tmp_path: Path) -> None:
    words = "We also measured many other things that do not matter here. " * 200
    (tmp_path / "a.xml").write_text(jats("Zinc and colds", ids={"doi": "10.1000/a"}, body=words))
    other = {"id": 1, "title": "Colds and zinc lozenges again", "abstract": "What we saw."}
    rest = (abstract(i) for i in range(2, 40))
    library.add([tmp_path / "a.xml", lines(tmp_path / "b.jsonl", other, *rest)])
    assert library.search("zinc colds", limit=1)[0].paper_id == "doi:10.1000/a"


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=st.text(max_size=80) | st.text('"*(){}:^-+ANDORNOTEAR', max_size=30))
def test_nothing_a_user_types_breaks_the_search(tmp_path: Path, query: str) -> None:
    path = tmp_path / "any.sqlite"
    with Library.open(path, create=True) as library:
        if not library.info().papers:
            library.add([lines(tmp_path / "a.jsonl", abstract(1), abstract(2, "AND OR NEAR"))])
        assert len(library.search(query, limit=3)) <= 3


def test_odd_queries(library: Library, tmp_path: Path) -> None:
    library.add([lines(tmp_path / "a.jsonl", abstract(1), abstract(2))])
    assert library.search("", limit=5) == []
    assert library.search("of the and", limit=5) == []
    assert library.search("zebra", limit=5) == []
    assert library.search("fever", limit=0) == []
    assert [h.paper_id for h in library.search("fever", limit=5)] == ["local:1", "local:2"]
    long = "fever " + " ".join(f"w{i}" for i in range(5000))
    assert len(library.search(long, limit=5)) == 2


# --- removing, listing


def test_removing_by_any_identifier(library: Library, tmp_path: Path) -> None:
    ids = [{"doi": "10.1000/x"}, {"pmid": "5"}, {"pmcid": "PMC6"}, {"id": "own"}, {"id": "stays"}]
    library.add(
        [lines(tmp_path / "a.jsonl", *(i | {"title": "Topic", "abstract": str(i)} for i in ids))]
    )
    report = library.remove(["https://doi.org/10.1000/X", "5", "PMC6", "local:own", "nope", "5"])
    assert report.removed == ("doi:10.1000/x", "pmid:5", "pmcid:PMC6", "local:own")
    assert report.unknown == ("nope",)
    assert [p.id for p in library.papers(limit=9)] == ["local:stays"]
    info = library.info()
    assert (info.papers, info.passages) == (1, 1)
    assert [h.paper_id for h in library.search("topic own", limit=9)] == ["local:stays"]
    with pytest.raises(InputError, match="no paper 'local:own'"):
        library.paper("local:own")
    with pytest.raises(InputError, match="no paper"):
        library.passages("pmid:5")


def test_a_new_library_is_empty(library: Library) -> None:
    info = library.info()
    assert (info.papers, info.retracted, info.first_year) == (0, 0, None)
    assert library.papers(limit=5) == []
    assert library.search("anything", limit=5) == []


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
