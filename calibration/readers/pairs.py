"""Readers of the sets that hold each claim's evidence beside it, and of NLI4CT's trial reports.

Every reader picks the few columns that are safe to show; the others may give the label away.
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

from calibration.errors import DataError
from calibration.files import LARGEST_FILE, need, read_json, read_jsonl, read_records, read_table
from calibration.models import EvidenceText, Label, LabelledClaim

_HEALTHVER = {"Supports": Label.SUPPORT, "Refutes": Label.REFUTE, "Neutral": Label.UNCERTAIN}
_COVIDFACT = {"entailment": Label.SUPPORT, "not_entailment": Label.REFUTE}
_CLINIFACT = {"1": Label.SUPPORT, "0": Label.REFUTE, "2": Label.UNCERTAIN}
_CLIMATEFEVER = {
    "SUPPORTS": Label.SUPPORT,
    "REFUTES": Label.REFUTE,
    "NOT_ENOUGH_INFO": Label.UNCERTAIN,
    "DISPUTED": Label.UNCERTAIN,
}
_PUBMEDQA = {"yes": Label.SUPPORT, "no": Label.REFUTE, "maybe": Label.UNCERTAIN}
_NLI4CT = {"Entailment": Label.SUPPORT, "Contradiction": Label.REFUTE}
_NLI4CT_FILES = {"train": "train.json", "dev": "dev.json", "test": "Gold_test.json"}


def healthver(folder: Path, split: str) -> list[LabelledClaim]:
    """HealthVer's CSV form: claim and snippet."""
    if split == "train":
        raise DataError(
            "HealthVer's train split comes in the claims form only; use the name healthver-claims"
        )
    return [
        LabelledClaim(
            id=row["id"],
            text=row["claim"],
            label=_HEALTHVER[row["label"]],
            evidence=(EvidenceText.running(row["evidence"]),),
            group="",
            source="healthver",
        )
        for row in read_records(need(folder, f"healthver_{split}.csv"))
    ]


def covidfact(folder: Path, split: str) -> list[LabelledClaim]:
    """Claim and web sentences, two classes. The columns go by place: headers differ by file."""
    names = ["rte_test.tsv", "rte_test1.tsv"] if split == "test" else [f"rte_{split}.tsv"]
    rows = read_table(need(folder, *names), "\t", quoted=False)
    next(rows, None)
    return [
        LabelledClaim(
            id=index,
            text=claim,
            label=_COVIDFACT[label],
            evidence=(EvidenceText.running(evidence),),
            group="",
            source="covidfact",
        )
        for index, evidence, claim, label in rows
    ]


def clinifact(folder: Path, split: str) -> list[LabelledClaim]:
    """Trial-outcome claim and abstract; claims on one trial share a group.

    Label 0 (the trial's result was inconclusive) is read as REFUTE, though a weak one.
    """
    name = {"dev": "validation"}.get(split, split)
    return [
        LabelledClaim(
            id=row["index"],
            text=row["claim"],
            label=_CLINIFACT[row["label"]],
            evidence=(
                EvidenceText.running(
                    row["article_abstract"], title=row["article_title"].strip(), doc_id=row["PMID"]
                ),
            ),
            group=row["nctId"],
            source="clinifact",
        )
        for row in read_records(need(folder, f"{name}_set.csv"))
    ]


def climatefever(folder: Path, _split: str) -> list[LabelledClaim]:
    """Climate claim and five Wikipedia sentences, each a document under its article's title.

    Documents are named per claim: sentences that recur would link two thirds of the set into
    one group.
    """
    return [
        LabelledClaim(
            id=row["claim_id"],
            text=row["claim"],
            label=_CLIMATEFEVER[row["claim_label"]],
            evidence=tuple(
                EvidenceText(
                    doc_id=f"{row['claim_id']}/{e['evidence_id']}",
                    title=e["article"],
                    sentences=(e["evidence"].strip(),),
                )
                for e in row["evidences"]
            ),
            group="",
            source="climatefever",
        )
        for row in read_jsonl(need(folder, "climate-fever.jsonl"))
    ]


def pubmedqa(folder: Path, split: str) -> list[LabelledClaim]:
    """Research question and abstract without its conclusion, which would give the answer away."""
    questions: dict[str, dict[str, Any]] = read_json(need(folder, "ori_pqal.json"))
    test = set(read_json(need(folder, "test_ground_truth.json")))
    return [
        LabelledClaim(
            id=pmid,
            text=row["QUESTION"],
            label=_PUBMEDQA[row["final_decision"]],
            evidence=(EvidenceText.running(*row["CONTEXTS"], doc_id=pmid),),
            group="",
            source="pubmedqa",
        )
        for pmid, row in questions.items()
        if (pmid in test) == (split == "test")
    ]


def nli4ct(folder: Path, split: str) -> list[LabelledClaim]:
    """Statement and the section it is about of one or two trial reports, line by line."""
    path = need(folder, "Complete_dataset.zip")
    try:
        with zipfile.ZipFile(path) as archive:
            return [
                _statement(archive, key, row)
                for key, row in _member(archive, _NLI4CT_FILES[split]).items()
            ]
    except (zipfile.BadZipFile, OSError) as error:
        raise DataError(f"{path} can't be read: {error}; copy it again") from error


def _statement(archive: zipfile.ZipFile, key: str, row: dict[str, Any]) -> LabelledClaim:
    trials = {"the primary trial": row["Primary_id"]}
    if row["Type"] == "Comparison":
        trials["the secondary trial"] = row["Secondary_id"]
    section = row["Section_id"]
    return LabelledClaim(
        id=key,
        text=row["Statement"],
        label=_NLI4CT[row["Label"]],
        evidence=tuple(
            EvidenceText(
                doc_id=f"{trial}/{section}",
                title=f"{name} ({trial})",
                sentences=tuple(
                    line.strip()
                    for line in _member(archive, f"CT json/{trial}.json")[section]
                    if line.strip()
                ),
            )
            for name, trial in trials.items()
        ),
        group=row["Primary_id"],
        source="nli4ct",
    )


def _member(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    info = archive.getinfo(f"Complete_dataset/{name}")
    if info.file_size > LARGEST_FILE:
        raise DataError(f"{name} in the archive unpacks to more than {LARGEST_FILE // 2**20} MB")
    content: dict[str, Any] = json.loads(archive.read(info))
    return content
