"""Labelled claims: counts of the public sets, groups, leaks, and what bad files are told."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import calibration
import verify.models
from calibration.errors import DataError
from calibration.labels import DATA_SETS, read, read_scifact_open, split_of
from calibration.models import EvidenceText, Label, LabelledClaim, components, linked
from calibration.readers.abstracts import without_citations
from calibration.readers.custom import SPELLINGS

# (name, split): rows with SUPPORT, REFUTE, UNCERTAIN, as the data's README counts them.
COUNTS = {
    ("scifact", "train"): (370, 194, 355),
    ("scifact", "dev"): (138, 71, 131),
    ("healthver", "dev"): (533, 391, 993),
    ("healthver-claims", "train"): (2084, 1256, 1952),
    ("healthver-claims", "dev"): (300, 208, 432),
    ("checkcovid", "train"): (359, 358, 351),
    ("checkcovid", "dev"): (69, 70, 68),
    ("citint", "train"): (1366, 629, 143),
    ("citint", "dev"): (191, 101, 24),
    ("clinifact", "train"): (366, 262, 632),
    ("clinifact", "dev"): (83, 67, 166),
    ("covidfact", "train"): (1036, 2227, 0),
    ("covidfact", "dev"): (130, 289, 0),
    ("nli4ct", "train"): (850, 850, 0),
    ("nli4ct", "dev"): (100, 100, 0),
    ("nli4ct", "test"): (250, 250, 0),
    ("pubmedqa", "train"): (276, 169, 55),
    ("pubmedqa", "test"): (276, 169, 55),
    ("climatefever", None): (654, 253, 474 + 154),
    ("proclaim-signor", None): (26, 37, 2),
    ("proclaim-connectomedb", None): (108, 76, 6),
}


def shown(claims: list[LabelledClaim]) -> list[tuple[str, object]]:
    """All that a judge may see."""
    return [(c.text, c.evidence) for c in claims]


@pytest.mark.parametrize(("name", "split"), COUNTS, ids=lambda value: str(value))
def test_public_sets_have_the_rows_their_readme_counts(
    shared: Path, name: str, split: str | None
) -> None:
    claims = read(name, shared / "data", split)
    counts = Counter(claim.label for claim in claims)
    assert tuple(counts[label] for label in Label) == COUNTS[name, split]
    assert len({claim.id for claim in claims}) == len(claims)
    assert all(claim.text == claim.text.strip() for claim in claims)
    assert {claim.source for claim in claims} == {name}


@pytest.mark.parametrize(("name", "split"), COUNTS, ids=lambda value: str(value))
def test_no_text_and_no_document_is_in_two_groups(
    shared: Path, name: str, split: str | None
) -> None:
    groups: dict[str, set[str]] = {}
    for claim in read(name, shared / "data", split):
        keys = [claim.text.casefold(), *(e.doc_id for e in claim.evidence or () if e.sentences)]
        for key in keys:
            groups.setdefault(key, set()).add(claim.group)
    assert all(len(found) == 1 for found in groups.values())


def test_folder_or_its_parent(shared: Path) -> None:
    data = shared / "data"
    assert read("scifact", data / "scifact", "dev") == read("scifact", data)


def test_labels_equal_those_of_verify() -> None:
    assert [label.value for label in Label] == [label.value for label in verify.models.Label]


def test_signor_twins_share_a_group(shared: Path) -> None:
    claims = read("proclaim-signor", shared / "data")
    by_edge: dict[str, list[LabelledClaim]] = {}
    for claim in claims:
        by_edge.setdefault(claim.id.split("/")[0], []).append(claim)
    twins = [pair for pair in by_edge.values() if len(pair) == 2]
    assert len(twins) == 26
    for pair in twins:
        assert {c.label for c in pair} == {Label.SUPPORT, Label.REFUTE}
        assert len({c.group for c in pair}) == 1
        assert pair[0].evidence == pair[1].evidence
    literal = [c for c in claims if any(r"\u03b3" in e.sentences[0] for e in c.evidence or ())]
    assert len(literal) == 2, "evidence is kept letter by letter"


def test_checkcovid_variants_of_a_claim_share_a_group(shared: Path) -> None:
    stems: dict[str, set[str]] = {}
    for claim in read("checkcovid", shared / "data", "train"):
        stems.setdefault(claim.id.split("_")[0], set()).add(claim.group)
    assert all(len(groups) == 1 for groups in stems.values())


def test_pubmedqa_test_questions_never_come_with_the_training_part(shared: Path) -> None:
    test = set(json.loads((shared / "data/pubmedqa/test_ground_truth.json").read_text("utf-8")))
    assert not test & {claim.id for claim in read("pubmedqa", shared / "data")}
    assert test == {claim.id for claim in read("pubmedqa", shared / "data", "test")}


def test_pubmedqa_shows_no_conclusion(shared: Path) -> None:
    with gzip.open(shared / "data/pubmedqa/ori_pqal.json.gz", "rt", encoding="utf-8") as stream:
        answers = {pmid: row["LONG_ANSWER"].strip() for pmid, row in json.load(stream).items()}
    for claim in read("pubmedqa", shared / "data"):
        assert answers[claim.id] not in str(shown([claim]))


def test_scifact_open(shared: Path) -> None:
    claims, corpus = read_scifact_open(shared / "data", "dev")
    assert corpus.name == "corpus.jsonl.gz"
    counts = Counter(claim.label for claim in claims)
    assert tuple(counts[label] for label in Label) == (124, 64, 112)
    assert sum(len(claim.gold) for claim in claims) == 138 + 71
    assert all(set(claim.gold) <= set(claim.cited) for claim in claims)
    third = next(claim for claim in claims if claim.id == "3")
    assert third.rationales == {"14717500": ((2, 5), (7,))}


@pytest.mark.parametrize(
    ("file", "name", "safe"),
    [
        ("proclaim/signor.csv", "proclaim-signor", {"id", "claim", "label", "evidence"}),
        ("proclaim/connectomedb.csv", "proclaim-connectomedb", {"claim", "label", "ligand"}),
        (
            "clinifact/validation_set.csv.gz",
            "clinifact",
            {"index", "nctId", "claim", "PMID", "article_title", "article_abstract", "label"},
        ),
        ("healthver/healthver_dev.csv", "healthver", {"id", "evidence", "claim", "label"}),
    ],
)
def test_leaking_columns_never_reach_a_judge(
    shared: Path, tmp_path: Path, file: str, name: str, safe: set[str]
) -> None:
    """The real file with every other column overwritten reads exactly the same."""
    path = shared / "data" / file
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as stream
    ):
        rows = list(csv.DictReader(stream))
    plain = tmp_path / path.name.removesuffix(".gz")
    with plain.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows({k: v if k in safe else "LEAK" for k, v in row.items()} for row in rows)
    clean = read(name, tmp_path)
    assert clean == read(name, shared / "data")
    assert "LEAK" not in str(shown(clean))


def test_connectomedb_shows_the_claim_only(shared: Path) -> None:
    claims = read("proclaim-connectomedb", shared / "data")
    assert all(claim.evidence is None for claim in claims)
    assert not any("CDB25" in claim.text for claim in claims)


def test_annotations_of_the_json_sets_never_reach_a_judge(tmp_path: Path) -> None:
    (tmp_path / "climate-fever.jsonl").write_text(
        json.dumps(
            {
                "claim_id": "1",
                "claim": "Seas rise.",
                "claim_label": "SUPPORTS",
                "evidences": [
                    {
                        "evidence_id": "Sea:1",
                        "evidence_label": "LEAK",
                        "article": "Sea",
                        "evidence": "Levels are up.",
                        "votes": ["LEAK"],
                    }
                ],
            }
        ),
        "utf-8",
    )
    corpus = {"cord_id": "a", "title": "T", "abstract": ["One. ", "Two."]}
    row = {"id": "x_0", "claim": "C.", "cord_id": "a", "label": "REFUTE", "evidence_set": ["LEAK"]}
    (tmp_path / "corpus.json").write_text(json.dumps(corpus), "utf-8")
    (tmp_path / "covidCheck_dev_composed+extracted.json").write_text(json.dumps(row), "utf-8")
    claims = [*read("climatefever", tmp_path), *read("checkcovid", tmp_path)]
    assert "LEAK" not in str(claims)
    assert claims[1].evidence == (EvidenceText(doc_id="a", title="T", sentences=("One.", "Two.")),)


def test_nli4ct_shows_the_section_and_both_trials(shared: Path) -> None:
    claim = read("nli4ct", shared / "data", "train")[0]
    assert [e.title for e in claim.evidence or ()] == [
        "the primary trial (NCT01928186)",
        "the secondary trial (NCT00684983)",
    ]
    assert all(line == line.strip() for e in claim.evidence or () for line in e.sentences)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A acts on B [<|multi_cit|>].", "A acts on B."),
        ("A acts on B [<|multi_cit|>,7].", "A acts on B."),
        ("A<|cit|> (<|other_cit|>).", "A."),
        ("<|cit|> In a study, A rose.", "In a study, A rose."),
        ("GAS5),<|other_cit|> ERIC,<|other_cit|> and JADE", "GAS5), ERIC, and JADE"),
        ("rates of (28.6% to 52%)[<|other_cit|>], and", "rates of (28.6% to 52%), and"),
        ("failure (4)[<|other_cit|>,18,<|other_cit|>], death", "failure (4), death"),
        ("no citation (0.5) at all [sic]", "no citation (0.5) at all [sic]"),
    ],
)
def test_citation_marks_are_cut_out(text: str, wanted: str) -> None:
    assert without_citations(text) == wanted


def test_no_citation_mark_is_left_in_citint(shared: Path) -> None:
    for split in ("train", "dev"):
        assert not any("<|" in claim.text for claim in read("citint", shared / "data", split))


# Groups


@given(st.lists(st.lists(st.tuples(st.just("t"), st.sampled_from("abcdefgh")), max_size=3)))
def test_components_are_the_finest_grouping_that_tears_no_tie(
    ties: list[list[tuple[str, str]]],
) -> None:
    groups = [{row} for row in range(len(ties))]
    for row, own in enumerate(ties):
        for other in range(row):
            if set(own) & set(ties[other]):
                merged = groups[row] | groups[other]
                for member in merged:
                    groups[member] = merged
    assert components(ties) == [min(group) for group in groups]


def test_a_chain_of_ties_makes_one_group() -> None:
    def claim(number: int, text: str, document: str) -> LabelledClaim:
        return LabelledClaim(
            id=str(number),
            text=text,
            label=Label.SUPPORT,
            evidence=(EvidenceText(doc_id=document, sentences=("S.",)),),
            group="",
            source="test",
        )

    chain = [claim(1, "A", "x"), claim(2, "B", "y"), claim(3, "a ", "y"), claim(4, "C", "z")]
    assert [c.group for c in linked(chain)] == ["1", "1", "1", "4"]


# A user's own file


def custom(tmp_path: Path, content: str | bytes, name: str = "mine.csv") -> list[LabelledClaim]:
    path = tmp_path / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return read("custom", path)


def test_custom_csv_in_any_case_with_a_byte_order_mark(tmp_path: Path) -> None:
    claims = custom(
        tmp_path,
        "\ufeffLabel, Claim ,EVIDENCE,secret\n"
        "supported,A activates B,We saw it.,LEAK\n"
        'Not-Enough-Info,"A, B and C","It ""may"" be.\nOr not.",LEAK\n',
    )
    assert [c.label for c in claims] == [Label.SUPPORT, Label.UNCERTAIN]
    assert claims[1].text == "A, B and C"
    assert claims[1].evidence == (EvidenceText.running('It "may" be.\nOr not.'),)
    assert [c.id for c in claims] == ["row 1", "row 2"]
    assert "LEAK" not in str(claims)


def test_custom_id_never_names_the_evidence(tmp_path: Path) -> None:
    claims = custom(tmp_path, "id,claim,evidence,label\nSUP:1,A,E,yes\nREF:2,B,F,no\n")
    assert [c.id for c in claims] == ["SUP:1", "REF:2"]
    assert "SUP" not in str(shown(claims))


@pytest.mark.parametrize("kind", ["tsv", "semicolons", "jsonl", "jsonl.gz"])
def test_custom_formats(tmp_path: Path, kind: str) -> None:
    rows = [("A, b", "E; e", "true"), ("C", "F", "false")]
    if kind.startswith("jsonl"):
        keys = ("Claim", "evidence", "label")
        text = "\n".join(json.dumps(dict(zip(keys, row, strict=True))) for row in rows)
        content = text.encode()
        claims = custom(tmp_path, gzip.compress(content) if "gz" in kind else content, f"a.{kind}")
    else:
        delimiter = "\t" if kind == "tsv" else ";"
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=delimiter).writerows([("claim", "evidence", "label"), *rows])
        claims = custom(tmp_path, buffer.getvalue(), "a.tsv" if kind == "tsv" else "a.csv")
    assert [(c.text, c.label) for c in claims] == [("A, b", "SUPPORT"), ("C", "REFUTE")]
    assert [e.sentences for c in claims for e in c.evidence or ()] == [("E; e",), ("F",)]


def test_custom_jsonl_takes_sentences_and_booleans(tmp_path: Path) -> None:
    lines = '{"claim":"A","evidence":["One.","Two."],"label":true}\n\n' + (
        '{"claim":"B","evidence":null,"label":"REFUTES","group":7}\n'
    )
    first, second = custom(tmp_path, lines, "a.jsonl")
    assert first.evidence is not None
    assert (first.evidence[0].sentences, first.evidence[0].split) == (("One.", "Two."), True)
    assert second.evidence is not None
    assert second.evidence[0].sentences == ()


def test_custom_group_column_is_kept_together(tmp_path: Path) -> None:
    claims = custom(tmp_path, "claim,evidence,label,group\nA,1,yes,g\nB,2,no,g\nC,3,no,\n")
    assert claims[0].group == claims[1].group != claims[2].group


def test_every_spelling_is_read(tmp_path: Path) -> None:
    for label, spellings in SPELLINGS.items():
        other = "REFUTE" if label is Label.SUPPORT else "SUPPORT"
        for spelling in spellings:
            for written in (spelling, spelling.upper().replace(" ", "_")):
                claims = custom(tmp_path, f"claim,label\nA,{written}\nB,{other}\n")
                assert claims[0].label is label


BAD = {
    "empty": ("", "no rows"),
    "header only": ("claim,evidence,label\n", "no rows"),
    "no label column": ("claim,evidence\nA,B\n", "no column label"),
    "no claim column": ("text,label\nA,yes\n", "no column claim"),
    "ragged": ("claim,evidence,label\nA,B,yes\nA,B\n", "line 3: 2 fields where the header has 3"),
    "too many fields": ("claim,label\nA, b,yes\n", "line 2: 3 fields"),
    "open quote": ('claim,label\n"A,yes\n', "line"),
    "unknown label": ("claim,label\nA,perhaps\n", "row 1: unknown label 'perhaps'"),
    "number as label": ("claim,label\nA,1\nB,0\n", "row 1: unknown label '1'"),
    "ambiguous label": ("claim,label\nA,not_entailment\n", "unknown label"),
    "duplicate id": ("id,claim,label\nx,A,yes\ny,B,no\nx,C,no\n", "rows 1 and 3 have the same id"),
    "one class": ("claim,label\nA,yes\nB,supports\n", "all 2 rows are labelled SUPPORT"),
    "empty claim": ("claim,label\n ,yes\n", "row 1: the claim is empty"),
    "column twice": ("claim,Claim,label\nA,B,yes\n", "column claim is there twice"),
    "latin-1": ("claim,label\nCaf\xe9,yes\n".encode("latin-1"), "isn't UTF-8"),
    "utf-16": ("claim,label\nA,yes\n".encode("utf-16"), "isn't UTF-8"),
    "huge field": ("claim,label\n" + "A" * 200_000 + ",yes\n", "field larger"),
}


@pytest.mark.parametrize(("content", "told"), BAD.values(), ids=BAD)
def test_bad_custom_files_get_one_clear_sentence(
    tmp_path: Path, content: str | bytes, told: str
) -> None:
    with pytest.raises(DataError, match=told) as caught:
        custom(tmp_path, content)
    assert "mine.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ('{"claim": "A", "label": "yes"}\n{"claim": "B"', "line 2: not JSON"),
        ("[1, 2]\n", "line 1: expected an object"),
        ("[" * 100_000, "line 1: not JSON"),
        ('{"claim": {"a": 1}, "label": "yes"}\n', "row 1: claim should be text"),
        ('{"claim": "A", "label": "yes"}\n{"claim": "B"}\n', "row 2: no column label"),
    ],
)
def test_bad_jsonl_gets_one_clear_sentence(tmp_path: Path, content: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        custom(tmp_path, content, "mine.jsonl")


def test_custom_needs_a_file_of_a_known_kind(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is a folder"):
        read("custom", tmp_path)
    with pytest.raises(DataError, match="does not exist"):
        read("custom", tmp_path / "none.csv")
    with pytest.raises(DataError, match=r"should end in \.csv"):
        custom(tmp_path, "x", "mine.xlsx")


CELLS = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=40
).filter(str.strip)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(CELLS, CELLS, st.sampled_from(list(Label))), min_size=2, max_size=6))
def test_what_was_written_is_read(tmp_path: Path, rows: list[tuple[str, str, Label]]) -> None:
    labelled = [*rows, ("last but one", "x", Label.SUPPORT), ("last", "x", Label.REFUTE)]
    wanted = [(c.strip(), e.strip(), label) for c, e, label in labelled]
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, quoting=csv.QUOTE_ALL)
    writer.writerows([("claim", "evidence", "label"), *labelled])
    lines = "\n".join(
        json.dumps({"claim": c, "evidence": e, "label": label}, ensure_ascii=False)
        for c, e, label in labelled
    )
    for content, name in ((buffer.getvalue(), "a.csv"), (lines, "a.jsonl")):
        claims = custom(tmp_path, content, name)
        assert [
            (c.text, "".join(e.sentences[0] for e in c.evidence or ()), c.label) for c in claims
        ] == wanted


# Public sets that are damaged or not there


def test_unknown_names_and_splits() -> None:
    with pytest.raises(DataError, match="unknown data set 'scifax'; choose one of checkcovid"):
        split_of("scifax", None)
    with pytest.raises(DataError, match="scifact has no split 'test'; it has train, dev"):
        split_of("scifact", "test")
    assert split_of("pubmedqa", None) == "train"
    assert {split_of(name, None) for name in DATA_SETS} == {"dev", "train", "all"}


@pytest.mark.parametrize("name", ["healthver", "citint", "clinifact", "covidfact", "checkcovid"])
def test_a_split_that_is_not_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "corpus.json").write_text("", "utf-8")
    with pytest.raises(DataError, match=r"there is no \S*test"):
        read(name, tmp_path, "test")


def test_healthver_trains_in_the_claims_form_only(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="use the name healthver-claims"):
        read("healthver", tmp_path, "train")


def test_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="does not exist; give the folder of the data set"):
        read("scifact", tmp_path / "none")
    with pytest.raises(DataError, match=r"there is no claims_dev\.jsonl \(nor \.gz\)"):
        read("scifact", tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(DataError, match="is a file"):
        read("scifact", tmp_path / "file")


CLAIM = {"id": 1, "claim": "A.", "evidence": {}, "cited_doc_ids": [7]}
ABSTRACT = {"doc_id": 7, "title": "T", "abstract": ["S."]}


@pytest.mark.parametrize(
    ("claim", "abstract", "told"),
    [
        ({**CLAIM, "cited_doc_ids": [8]}, ABSTRACT, "the corpus has no abstract 8"),
        ({"id": 1}, ABSTRACT, "aren't laid out as scifact is: no field or value 'cited_doc_ids'"),
        ({**CLAIM, "claim": ""}, ABSTRACT, "text: String should have at least 1 character"),
        ({**CLAIM, "evidence": {"7": [{"label": "MAYBE"}]}}, ABSTRACT, "value 'MAYBE'"),
        ({**CLAIM, "evidence": []}, ABSTRACT, "aren't laid out as scifact is"),
        (CLAIM, {**ABSTRACT, "abstract": None}, "aren't laid out as scifact is"),
    ],
)
def test_foreign_layouts(
    tmp_path: Path, claim: dict[str, object], abstract: dict[str, object], told: str
) -> None:
    (tmp_path / "claims_dev.jsonl").write_text(json.dumps(claim), "utf-8")
    (tmp_path / "corpus.jsonl").write_text(json.dumps(abstract), "utf-8")
    with pytest.raises(DataError, match=told):
        read("scifact", tmp_path)


def test_damaged_archives(tmp_path: Path) -> None:
    whole = gzip.compress(json.dumps(CLAIM).encode() * 50)
    (tmp_path / "claims_dev.jsonl.gz").write_bytes(whole[:-12])
    (tmp_path / "corpus.jsonl").write_text(json.dumps(ABSTRACT), "utf-8")
    with pytest.raises(DataError, match=r"claims_dev\.jsonl\.gz can't be read"):
        read("scifact", tmp_path)
    (tmp_path / "Complete_dataset.zip").write_bytes(b"PK not a zip")
    with pytest.raises(DataError, match=r"Complete_dataset\.zip can't be read"):
        read("nli4ct", tmp_path)
    with zipfile.ZipFile(tmp_path / "Complete_dataset.zip", "w") as archive:
        archive.writestr("other.json", "{}")
    with pytest.raises(DataError, match="aren't laid out as nli4ct is"):
        read("nli4ct", tmp_path)


def test_a_file_that_unpacks_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("calibration.files.LARGEST_FILE", 2**20)
    bomb = gzip.compress(b" " * 2**21)
    with pytest.raises(DataError, match="unpacks to more than 1 MB"):
        custom(tmp_path, bomb, "mine.csv.gz")


# The floor's surface


def test_the_surface_is_sorted_complete_and_lazy() -> None:
    assert sorted(calibration.__all__) == calibration.__all__
    assert all(getattr(calibration, name) is not None for name in calibration.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        calibration.nothing  # noqa: B018
    heavy = "import sys, calibration; print({'numpy', 'pydantic', 'sklearn'} & set(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", heavy], capture_output=True, check=True)
    assert loaded.stdout.strip() == b"set()"
