"""The command line end to end: the real pipeline on the starter library and on small ones."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from retrieval.library import Library
from tests.conftest import SHARED
from verify.cli import run
from verify.models import Verdict

AGAINST = "Hydroxychloroquine reduces mortality in hospitalised patients with COVID-19"
FOR = "Aspirin increases the risk of major bleeding in healthy older adults"
VERDICT_KEYS = {
    "claim",
    "status",
    "likert",
    "likert_name",
    "label",
    "probabilities",
    "citations",
    "warnings",
    "provenance",
}
PAPER_KEYS = {"id", "title", "year", "pmid", "pmcid", "doi", "url", "retracted"}


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["verify", *arguments, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def test_the_documented_json_and_spans_that_slice_back(capsys: pytest.CaptureFixture[str]) -> None:
    from verify.starter import open_library

    answer = asked(capsys, AGAINST)
    assert set(answer) >= VERDICT_KEYS
    assert set(answer["probabilities"]) == {"support", "refute", "uncertain"}
    assert answer["citations"]
    with open_library(None) as library:
        for citation in answer["citations"]:
            assert set(citation["paper"]) >= PAPER_KEYS
            passages = {p.id: p for p in library.passages(citation["paper"]["id"])}
            text = passages[citation["passage_id"]].text
            assert text[citation["start"] : citation["end"]] == citation["quote"]
    assert Verdict.model_validate(answer).likert_name == answer["likert_name"]


def test_the_starter_library_answers_both_ways(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked(capsys, AGAINST)["label"] == "REFUTE"
    assert asked(capsys, FOR)["label"] == "SUPPORT"


def test_a_retracted_study_is_shown_and_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "MMR vaccination causes autism")
    assert answer["label"] == "REFUTE"
    assert not any(c["counted"] for c in answer["citations"] if c["paper"]["retracted"])


def test_nothing_relevant_is_lack_of_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "Sourdough fermentation shortens the life of copper roofs")
    assert (answer["status"], answer["likert"], answer["label"]) == ("no_evidence", 5, "UNCERTAIN")


def test_text_form_reads_well_and_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", AGAINST, "--explain"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert all(len(line) <= 100 for line in shown.out.splitlines())
    for part in ("Claim", "Verdict  REFUTE", "Contradicting", "https://doi.org/", "synopsis"):
        assert part in shown.out
    assert "does not establish" in shown.out


def test_same_input_same_output_byte_for_byte() -> None:
    command = [sys.executable, "-m", "verify.cli", "verify", AGAINST, "--json"]
    outputs = {
        subprocess.run(
            command, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["verify", ""], "the claim is empty"),
        (["verify", "  \n "], "the claim is empty"),
        (["verify", "x" * 20_000], "has 20,000 characters"),
        (["verify"], "Missing"),
        (["verify", AGAINST, "--frobnicate"], "o such option"),
        (["nonsense"], "No such command 'nonsense'"),
    ],
)
def test_bad_input_is_one_sentence_and_status_1(
    capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert run(arguments) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert sentence in shown.err
    assert len(shown.err.strip().splitlines()) == 1
    assert "Traceback" not in shown.err


@pytest.mark.parametrize(
    ("claim", "because"),
    [
        ("Does aspirin prevent stroke?", "this is a question"),
        ("Aspirin senkt das Risiko für einen Herzinfarkt und ist sicher.", "English"),
        ("Please summarise the literature on aspirin.", "this is a request"),
    ],
)
def test_what_is_no_claim_is_a_verdict_of_its_own(
    capsys: pytest.CaptureFixture[str], claim: str, because: str
) -> None:
    answer = asked(capsys, claim)
    assert answer["status"] == "not_checkable"
    assert because in answer["warnings"][0]


def test_several_sentences_are_judged_with_a_warning(capsys: pytest.CaptureFixture[str]) -> None:
    answer = asked(capsys, "Dexamethasone helps in COVID-19. Hydroxychloroquine does not.")
    assert any("holds 2 sentences" in warning for warning in answer["warnings"])


@pytest.mark.parametrize("kind", ["missing", "garbage", "foreign", "folder", "empty"])
def test_a_library_that_is_none_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    file = tmp_path / "library.sqlite"
    if kind == "garbage":
        file.write_bytes(b"no database at all" * 1000)
    elif kind == "foreign":
        with sqlite3.connect(file) as database:
            database.execute("CREATE TABLE recipes (name TEXT)")
        database.close()
    elif kind == "folder":
        file.mkdir()
    elif kind == "empty":
        file.write_bytes(b"")
    assert run(["verify", AGAINST, "--library", str(file)]) == 1
    shown = capsys.readouterr()
    assert "library.sqlite" in shown.err
    assert len(shown.err.strip().splitlines()) == 1


def test_an_empty_library_is_lack_of_evidence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "library.sqlite"
    Library.open(file, create=True).close()
    answer = asked(capsys, AGAINST, "--library", str(file))
    assert (answer["status"], answer["likert"]) == ("no_evidence", 5)


@pytest.mark.usefixtures("shared")
def test_a_library_of_real_full_texts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "library.sqlite"
    assert run(["library", "add", str(SHARED / "fixtures" / "jats"), "--library", str(file)]) == 0
    capsys.readouterr()
    claim = "Agricultural exposure to paraquat increases the risk of Parkinson's disease"
    answer = asked(capsys, claim, "--library", str(file))
    with Library.open(file) as library:
        for citation in answer["citations"]:
            passages = {p.id: p.text for p in library.passages(citation["paper"]["id"])}
            text = passages[citation["passage_id"]]
            assert text[citation["start"] : citation["end"]] == citation["quote"]
