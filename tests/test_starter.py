"""The starter library: well-formed, honest about what it is, and consistent in its own numbers."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from typing import Any

import pytest

from tests.conftest import REPOSITORY

TEXT = (REPOSITORY / "verify" / "data" / "starter.jsonl").read_text(encoding="utf-8")
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in TEXT.splitlines()]
SENTENCES: list[str] = [sentence for record in RECORDS for sentence in record["abstract"]]

REQUIRED = {
    "id": str,
    "doi": str,
    "title": str,
    "year": int,
    "journal": str,
    "publication_types": list,
    "retracted": bool,
    "synopsis": bool,
    "abstract": list,
}
RETRACTED = {
    "10.1016/j.ijantimicag.2020.105949",  # Gautret 2020, retracted in December 2024
    "10.1016/S0140-6736(20)31180-6",  # Mehra 2020, retracted in June 2020
    "10.1016/S0140-6736(97)11096-0",  # Wakefield 1998, retracted in February 2010
    "10.1038/nature12968",  # Obokata 2014, retracted in July 2014
    "10.1126/science.1197258",  # Wolfe-Simon 2011, retracted in July 2025
}
INTERVAL = re.compile(
    r"(?:hazard ratio|rate ratio|relative risk) (?:for \w+ )?(\d+\.\d+), "
    r"(?:95|99)% (?:CI|credible interval) (\d+\.\d+) to (\d+\.\d+)"
)

each_record = pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["doi"])
each_sentence = pytest.mark.parametrize("sentence", SENTENCES)


def test_it_is_small_clean_text() -> None:
    assert len(TEXT.encode()) < 64_000
    assert TEXT.endswith("}\n")
    assert unicodedata.is_normalized("NFC", TEXT)
    assert not [c for c in TEXT if unicodedata.category(c) in {"Cc", "Cf"} and c != "\n"]


@each_record
def test_a_record_has_the_keys_and_types_that_a_reader_needs(record: dict[str, Any]) -> None:
    assert record.keys() - {"pmid"} == REQUIRED.keys()
    assert {key: type(record[key]) for key in REQUIRED} == REQUIRED
    assert record["synopsis"] is True
    assert 1900 < record["year"] < 2030
    assert record["title"].strip() == record["title"] != ""
    assert not record["title"].upper().startswith("RETRACTED")


@each_record
def test_identifiers_are_well_formed(record: dict[str, Any]) -> None:
    assert re.fullmatch(r"10\.\d{4,9}/[\w.()/-]+", record["doi"])
    assert record["id"] == f"doi:{record['doi'].lower()}"
    assert re.fullmatch(r"[1-9]\d{6,7}", record.get("pmid", "12345678"))


@pytest.mark.parametrize("key", ["id", "doi", "pmid", "title"])
def test_no_work_is_in_it_twice(key: str) -> None:
    counts = Counter(record[key].lower() for record in RECORDS if key in record)
    assert not [value for value, count in counts.items() if count > 1]


def test_exactly_the_retracted_papers_are_marked_as_retracted() -> None:
    assert {record["doi"] for record in RECORDS if record["retracted"]} == RETRACTED


@each_record
def test_a_retraction_is_told_in_the_types_and_in_the_text(record: dict[str, Any]) -> None:
    typed = "Retracted Publication" in record["publication_types"]
    told = bool(re.search(r"\bretracted\b.* in \w+ \d{4}\b", record["abstract"][-1]))
    assert (typed, told) == (record["retracted"], record["retracted"])


@each_record
def test_a_synopsis_has_four_to_seven_sentences(record: dict[str, Any]) -> None:
    assert 4 <= len(record["abstract"]) <= 7


@each_sentence
def test_a_sentence_is_one_plain_sentence_that_stands_alone(sentence: str) -> None:
    assert 50 <= len(sentence) <= 200
    assert re.fullmatch(r"[A-Z][^\n]*[\w)%]\.", sentence)
    assert "  " not in sentence
    assert not re.search(r"[.?!] +[A-Z]", sentence), "two sentences in one"
    assert not re.match(r"(It|They|These?|This|Those|He|She|We|Both|However)\b", sentence)


def test_no_sentence_is_in_it_twice() -> None:
    counts = Counter(sentence.casefold() for sentence in SENTENCES)
    assert not [sentence for sentence, count in counts.items() if count > 1]


@each_sentence
def test_an_estimate_lies_within_its_interval(sentence: str) -> None:
    for estimate, low, high in INTERVAL.findall(sentence):
        assert float(low) < float(estimate) < float(high)


def test_intervals_are_read_by_the_test_above() -> None:
    assert sum(len(INTERVAL.findall(sentence)) for sentence in SENTENCES) >= 30


@pytest.mark.parametrize(
    "subject",
    [
        "hydroxychloroquine",
        "autism",
        "omega-3",
        "vitamin D",
        "aspirin",
        "prostate cancer",
        "amyloid",
        "coronary",
        "intensive glucose",
        "neurogenesis",
        "GFAJ-1",
    ],
)
def test_each_subject_has_at_least_two_papers_and_one_that_counts(subject: str) -> None:
    papers = [r for r in RECORDS if subject.lower() in " ".join(r["abstract"]).lower()]
    assert len(papers) >= 2
    assert not all(record["retracted"] for record in papers)
