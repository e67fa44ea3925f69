"""Evaluation: what a verifier is shown, what is measured, and what the command prints."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from calibration.errors import DataError
from calibration.labels import read, read_scifact_open
from calibration.models import EvidenceText, Label, OpenClaim
from retrieval.errors import InputError
from retrieval.models import Document
from verify.cli_evaluate import evaluate as command
from verify.evaluate import document, evaluate, evaluate_open, spread
from verify.evaluation_text import as_text
from verify.models import (
    PaperRef,
    PaperStance,
    Probabilities,
    Provenance,
    Stance,
    Status,
    Verdict,
)
from verify.open_metrics import called, measure_open

PROVENANCE = Provenance(
    version="0",
    judge="fake",
    calibrator="none",
    sources=(),
    queries=(),
    papers_judged=1,
    sentences_judged=1,
)
CERTAIN = {
    Label.SUPPORT: (1.0, 0.0, 0.0),
    Label.REFUTE: (0.0, 1.0, 0.0),
    Label.UNCERTAIN: (0.0, 0.0, 1.0),
}


def paper_stance(doc_id: str, label: Label, *, counted: bool = True) -> PaperStance:
    support, refute, uncertain = CERTAIN[label]
    paper = PaperRef(
        id=f"local:{doc_id}",
        title="",
        year=None,
        journal=None,
        pmid=None,
        pmcid=None,
        doi=None,
        url=None,
        retracted=not counted,
        preprint=False,
        synopsis=False,
    )
    stance = Stance(supports=support, neutral=uncertain, refutes=refute)
    return PaperStance(paper=paper, stance=stance, relevance=1.0, counted=counted)


def verdict(label: Label, papers: Sequence[PaperStance] = ()) -> Verdict:
    support, refute, uncertain = CERTAIN[label]
    return Verdict.model_validate(
        {
            "claim": "x",
            "status": Status.DECIDED,
            "likert": {"SUPPORT": 1, "REFUTE": 9, "UNCERTAIN": 5}[label],
            "likert_name": "x",
            "label": label.value,
            "probabilities": Probabilities(support=support, refute=refute, uncertain=uncertain),
            "direction": 0,
            "strength": 0,
            "coverage": 0,
            "mixedness": 0,
            "rationale": "",
            "citations": (),
            "papers": tuple(papers),
            "warnings": (),
            "provenance": PROVENANCE,
        }
    )


class Fake:
    """Answers by a function of (claim, documents) and remembers what it was shown."""

    def __init__(self, answer: Callable[[str, Sequence[Document]], Verdict]) -> None:
        self.answer = answer
        self.shown: list[tuple[str, tuple[Document, ...]]] = []

    def verify_against(self, claim: str, documents: Sequence[Document]) -> Verdict:
        self.shown.append((claim, tuple(documents)))
        return self.answer(claim, documents)

    def verify(self, claim: str) -> Verdict:
        self.shown.append((claim, ()))
        return self.answer(claim, ())


def always(label: Label) -> Fake:
    return Fake(lambda claim, documents: verdict(label))


def knowing(name: str, data: Path) -> Fake:
    """Knows the gold label of every pair."""
    gold = {
        (c.text, tuple(f"local:{e.doc_id}" for e in c.evidence or ())): c.label
        for c in read(name, data)
    }
    return Fake(lambda claim, documents: verdict(gold[claim, tuple(d.paper.id for d in documents)]))


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.csv"
    path.write_text(
        "id,claim,evidence,label\n"
        "a,Aspirin lowers fever,Aspirin lowered fever.,supported\n"
        "b,Aspirin raises fever,Aspirin lowered fever.,refuted\n"
        "c,Zinc shortens colds,Aspirin lowered fever.,neutral\n"
        "d,Zinc prevents colds,,neutral\n",
        "utf-8",
    )
    return path


# Pairs


def test_a_verifier_that_knows_all_gets_full_marks(shared: Path) -> None:
    data = shared / "data"
    report = evaluate("scifact", data, verifier=knowing("scifact", data))
    assert (report.dataset, report.split, report.setting, report.n) == (
        "scifact",
        "dev",
        "pairs",
        340,
    )
    assert report.metrics["agreement"] == report.metrics["macro_f1"] == 1
    assert report.metrics["contradicted_as_supported"] == 0
    assert report.intervals["agreement"] == (1, 1)
    assert report.confusion["REFUTE"] == {"SUPPORT": 0, "REFUTE": 71, "UNCERTAIN": 0}


def test_a_verifier_that_believes_everything(shared: Path) -> None:
    """It certifies all 71 contradicted pairs; both its AUROCs are those of a coin."""
    report = evaluate("scifact", shared / "data", verifier=always(Label.SUPPORT))
    assert report.metrics["contradicted_as_supported"] == 71
    assert isinstance(report.metrics["contradicted_as_supported"], int)
    assert report.metrics["auroc_support_vs_contradict"] == 0.5
    assert report.metrics["auroc_evidence_vs_none"] == 0.5
    assert report.metrics["agreement"] == pytest.approx(138 / 340, abs=1e-6)
    assert report.baselines["always_majority"]["agreement"] == pytest.approx(138 / 340)
    overlap = report.baselines["word_overlap"]
    assert 0.55 < (overlap["auroc_support_vs_contradict"] or 0) < 0.65
    assert 0.78 < (overlap["auroc_evidence_vs_none"] or 0) < 0.85


@pytest.mark.parametrize(
    "name",
    ["healthver", "checkcovid", "citint", "clinifact", "covidfact", "proclaim-signor", "nli4ct"],
)
def test_every_set_runs(shared: Path, name: str) -> None:
    fake = always(Label.UNCERTAIN)
    report = evaluate(name, shared / "data", verifier=fake, limit=25)
    assert report.n == len(fake.shown) == 25
    assert report.metrics["contradicted_as_supported"] == 0
    for claim, documents in fake.shown:
        assert claim
        for shown in documents:
            for passage in shown.passages:
                for span in passage.sentences or ():
                    assert span.of(passage.text).strip() == span.of(passage.text) != ""


def test_signor_shows_claim_and_evidence_and_no_more(shared: Path) -> None:
    fake = always(Label.UNCERTAIN)
    evaluate("proclaim-signor", shared / "data", verifier=fake)
    assert len(fake.shown) == 65
    for claim, (evidence,) in fake.shown:
        assert " directly " in claim
        dumped = evidence.model_dump_json()
        assert not any(
            leak in dumped for leak in ("SIGNOR-", "REFUTE", "SUPPORTED", "WRONG", "flip")
        )


def test_custom_report(mine: Path) -> None:
    labels = {"Aspirin lowers fever": Label.SUPPORT, "Aspirin raises fever": Label.SUPPORT}
    fake = Fake(lambda claim, documents: verdict(labels.get(claim, Label.UNCERTAIN)))
    report = evaluate("custom", mine, verifier=fake)
    assert (report.n, report.split, report.judge, report.calibrator) == (4, "all", "fake", "none")
    assert report.metrics["agreement"] == 0.75
    assert report.metrics["contradicted_as_supported"] == 1
    assert report.groups == 2, "three rows share their evidence"
    assert report.warnings == ("claims with empty evidence: 1",)
    assert fake.shown[3][1][0].passages == ()
    assert report.statuses == {"decided": 4}
    assert report.likert[8]["recall"].value == 0
    json.loads(report.model_dump_json())


def test_undefined_figures_are_null_not_nan(tmp_path: Path) -> None:
    path = tmp_path / "two.csv"
    path.write_text("claim,evidence,label\nA,E,yes\nB,F,no\n", "utf-8")
    report = evaluate("custom", path, verifier=always(Label.SUPPORT))
    assert report.metrics["auroc_evidence_vs_none"] is None
    assert "auroc_evidence_vs_none" not in report.intervals
    assert "NaN" not in report.model_dump_json()


def test_refused_claims_are_counted_and_told(mine: Path) -> None:
    def refuse(claim: str, documents: Sequence[Document]) -> Verdict:
        if claim.startswith("Zinc"):
            raise InputError("too short")
        return verdict(Label.SUPPORT)

    report = evaluate("custom", mine, verifier=Fake(refuse))
    assert report.n == 2
    assert "claims left out: 2; the first, c: too short" in report.warnings


def test_all_refused_is_an_error(mine: Path) -> None:
    def refuse(claim: str, documents: Sequence[Document]) -> Verdict:
        raise InputError("too short")

    with pytest.raises(DataError, match="none of 4 claims could be judged; the first, a: too"):
        evaluate("custom", mine, verifier=Fake(refuse))


def test_claims_without_evidence_are_no_pairs(shared: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"190 of 190 claims .* without evidence.*--open"):
        evaluate("proclaim-connectomedb", shared / "data", verifier=always(Label.SUPPORT))
    path = tmp_path / "bare.csv"
    path.write_text("claim,label\nA,yes\nB,no\n", "utf-8")
    with pytest.raises(DataError, match="add a column 'evidence'"):
        evaluate("custom", path, verifier=always(Label.SUPPORT))


def test_a_split_asked_of_an_undivided_set_is_told(shared: Path) -> None:
    report = evaluate("proclaim-signor", shared / "data", "dev", verifier=always(Label.REFUTE))
    assert report.split == "all"
    assert report.warnings == ("proclaim-signor has no splits: all of it was taken",)


def test_equal_input_gives_an_equal_report(mine: Path) -> None:
    first, second = (evaluate("custom", mine, verifier=always(Label.REFUTE)) for _ in range(2))
    timeless = {"seconds": 0.0, "claims_per_second": 0.0}
    assert first.model_copy(update=timeless) == second.model_copy(update=timeless)


@given(st.integers(1, 200), st.integers(1, 200))
def test_limit_takes_evenly_spaced_rows(rows: int, limit: int) -> None:
    taken = spread(range(rows), limit)
    assert len(taken) == min(rows, limit)
    assert len(set(taken)) == len(taken)
    assert taken == sorted(taken)
    gaps = {b - a for a, b in pairwise(taken)}
    assert not gaps or max(gaps) - min(gaps) <= 1


SENTENCES = st.lists(st.text(min_size=1).map(str.strip).filter(bool), max_size=5)


@given(SENTENCES)
def test_documents_keep_every_sentence_exactly(sentences: list[str]) -> None:
    made = document(EvidenceText(doc_id="7", title="T", sentences=tuple(sentences)))
    assert made.paper.id == "local:7"
    if not sentences:
        assert (made.passages, made.warnings) == ((), ("the evidence is empty",))
        return
    (passage,) = made.passages
    assert passage.sentences is not None
    assert [span.of(passage.text) for span in passage.sentences] == sentences
    assert passage.text == " ".join(sentences)


def test_running_text_leaves_its_sentences_to_be_found() -> None:
    made = document(EvidenceText.running(" One. Two. ", "Three."))
    assert made.passages[0].sentences is None
    assert made.passages[0].text == "One. Two. Three."


# Open


def test_open_scifact_in_full_knowledge(shared: Path) -> None:
    claims = {c.text: c for c in read_scifact_open(shared / "data")[0]}

    def answer(text: str, documents: Sequence[Document]) -> Verdict:
        claim = claims[text]
        papers = [paper_stance(d, claim.gold.get(d, Label.UNCERTAIN)) for d in claim.cited]
        return verdict(claim.label, papers)

    report = evaluate_open("scifact", shared / "data", verifier=Fake(answer))
    assert (report.n, report.setting) == (300, "open")
    for name in ("agreement", "abstract_f1", "abstract_precision", "ndcg_at_10", "recall_at_20"):
        assert report.metrics[name] == 1, name
        assert report.intervals[name] == (1, 1), name
    assert "word_overlap" not in report.baselines


def open_claim(gold: dict[str, Label], cited: Sequence[str], number: int = 0) -> OpenClaim:
    return OpenClaim(
        id=str(number), text="x", cited=tuple(cited), gold=gold, rationales={}, group=str(number)
    )


def test_open_figures_by_hand() -> None:
    claims = [
        open_claim({"1": Label.SUPPORT, "2": Label.REFUTE}, ["1", "2"], 0),
        open_claim({}, ["9"], 1),
    ]
    verdicts = [
        verdict(
            Label.SUPPORT,
            [
                paper_stance("7", Label.UNCERTAIN),
                paper_stance("1", Label.SUPPORT),
                paper_stance("2", Label.SUPPORT),  # the wrong side
                paper_stance("3", Label.REFUTE, counted=False),  # retracted: no call
            ],
        ),
        verdict(Label.SUPPORT, [paper_stance("8", Label.SUPPORT)]),  # a call without gold
    ]
    found = {k: e.value for k, e in measure_open(claims, verdicts, n_resamples=0).items()}
    assert found["abstract_precision"] == pytest.approx(1 / 3)
    assert found["abstract_recall"] == pytest.approx(1 / 2)
    assert found["abstract_f1"] == pytest.approx(2 / 5)
    assert found["recall_at_20"] == pytest.approx((1 + 0) / 2)
    assert found["ndcg_at_10"] == pytest.approx((0.63093 + 0.5) / (1 + 0.63093) / 2, abs=1e-4)


def test_no_call_at_all_has_no_precision() -> None:
    found = measure_open([open_claim({"1": Label.SUPPORT}, ["1"])], [verdict(Label.UNCERTAIN)])
    assert found["abstract_precision"].value is None
    assert found["abstract_f1"].value == 0


@pytest.mark.parametrize(
    ("supports", "neutral", "refutes", "label"),
    [
        (0.5, 0.3, 0.2, Label.SUPPORT),
        (0.2, 0.3, 0.5, Label.REFUTE),
        (0.3, 0.4, 0.3, Label.UNCERTAIN),
        (0.4, 0.2, 0.4, Label.UNCERTAIN),
    ],
)
def test_a_papers_call_is_its_most_probable_side(
    supports: float, neutral: float, refutes: float, label: Label
) -> None:
    assert called(Stance(supports=supports, neutral=neutral, refutes=refutes)) == label


def test_open_on_claims_labelled_as_a_whole(shared: Path) -> None:
    fake = always(Label.REFUTE)
    report = evaluate_open("proclaim-connectomedb", shared / "data", verifier=fake)
    assert report.metrics["agreement"] == pytest.approx(76 / 190, abs=1e-6)
    assert "abstract_f1" not in report.metrics
    assert all(documents == () for _, documents in fake.shown)


def test_open_refuses_sets_labelled_pair_by_pair(shared: Path) -> None:
    with pytest.raises(DataError, match="can't be evaluated with --open; that works for custom"):
        evaluate_open("healthver", shared / "data", verifier=always(Label.REFUTE))


# The command

app = typer.Typer()
app.command()(command)


@pytest.fixture
def piped(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The command with a fake in place of the real pipeline."""
    fake = always(Label.SUPPORT)

    class Context:
        def __enter__(self) -> Fake:
            return fake

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr("verify.cli_evaluate._verifier", lambda *_: Context())
    return fake


def test_json_on_stdout_progress_on_stderr(piped: Fake, mine: Path) -> None:
    result = CliRunner().invoke(app, ["custom", "--data", str(mine), "--json"])
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert {"dataset", "split", "n", "metrics", "intervals", "baselines", "judge", "calibrator",
            "seconds", "claims_per_second"} <= set(report)  # fmt: skip
    assert {"agreement", "macro_f1", "auroc_support_vs_contradict", "auroc_evidence_vs_none",
            "contradicted_as_supported", "ece"} <= set(report["metrics"])  # fmt: skip
    assert report["metrics"]["agreement"] == 0.25
    low, high = report["intervals"]["agreement"]
    assert low <= 0.25 <= high
    assert "judging 4 claims" in result.stderr


def test_text_names_every_figure(piped: Fake, mine: Path) -> None:
    result = CliRunner().invoke(app, ["custom", "--data", str(mine), "--limit", "3"])
    assert result.exit_code == 0, result.output
    report = evaluate("custom", mine, verifier=piped, limit=3)
    assert "custom · all · pairs: claims 3, independent groups 1" in result.stdout
    for name in report.metrics:
        assert f"\n{name} " in result.stdout
    assert "level 8" in result.stdout
    assert "judge fake, calibrator none" in result.stdout
    assert as_text(report).splitlines()[0] == result.stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["custom", "--data", "missing.csv"], "does not exist"),
        (["scifax", "--data", "."], "unknown data set"),
        (["scifact", "--data", ".", "--split", "test"], "has no split 'test'"),
        (["scifact", "--data", ".", "--library", "x.sqlite"], "--library is searched with --open"),
        (["healthver", "--data", ".", "--open"], "can't be evaluated with --open"),
        (["scifax", "--data", ".", "--open"], "unknown data set"),
    ],
)
def test_bad_input_is_one_sentence(piped: Fake, arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, InputError)
    assert told in str(result.exception)
    assert result.stdout == ""


@pytest.mark.parametrize("name", ["custom", "proclaim-signor", "proclaim-connectomedb"])
def test_open_without_a_corpus_asks_for_a_library(name: str) -> None:
    result = CliRunner().invoke(app, [name, "--data", ".", "--open"])
    assert isinstance(result.exception, InputError)
    assert f"{name} brings no corpus to search; give --library FILE" in str(result.exception)
