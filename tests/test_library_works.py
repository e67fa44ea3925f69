"""One work once, and what notices make of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.library import Library
from retrieval.library import schema as library_schema
from retrieval.library.merge import Outcome, store
from retrieval.library.schema import connect
from retrieval.models import (
    Notice,
    Paper,
    Standing,
)
from tests.library_inputs import abstract, document, jats, lines


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    with Library.open(tmp_path / "library.sqlite", create=True) as opened:
        yield opened


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
