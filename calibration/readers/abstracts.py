"""Readers of the sets whose claims point into a corpus of abstracts given as sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibration.errors import DataError
from calibration.files import need, read_jsonl
from calibration.models import EvidenceText, Label, LabelledClaim, OpenClaim, components, text_tie

_SCIFACT = {"SUPPORT": Label.SUPPORT, "CONTRADICT": Label.REFUTE, "REFUTE": Label.REFUTE}
_CHECKCOVID = {**_SCIFACT, "NOTENOUGHINFO": Label.UNCERTAIN}
_MARK = r"<\|\w+\|>"
_FILLING = rf"(?:[\s\d,;.–-]|{_MARK})*"
_BRACKETED_MARKS = re.compile(rf"\s*[\[(]{_FILLING}{_MARK}{_FILLING}[\])]")
_LONE_MARK = re.compile(rf"\s*{_MARK}")
_BLANK_BEFORE_STOP = re.compile(r"\s+([.,;:])(?=\s|$)")


def scifact(folder: Path, split: str) -> list[LabelledClaim]:
    """Claim and cited abstract; UNCERTAIN where the abstract has no evidence on the claim."""
    return _pairs(folder, split, "scifact", "cited_doc_ids")


def healthver_claims(folder: Path, split: str) -> list[LabelledClaim]:
    """HealthVer's claims form: claim and whole abstract."""
    return _pairs(folder, split, "healthver-claims", "doc_ids")


def citint(folder: Path, split: str) -> list[LabelledClaim]:
    """Citing sentence (citation marks cut out) and sentences of the cited paper.

    Document ids count up within a cited article, in steps of 1,000 between articles; claims
    that cite the same article share a group.
    """
    pairs = _pairs(folder, split, "citint", "cited_doc_ids")
    return [
        pair.model_copy(
            update={
                "text": without_citations(pair.text),
                "group": f"article {int(document.doc_id) // 1000}",
            }
        )
        for pair in pairs
        for document in pair.evidence or ()
    ]


def checkcovid(folder: Path, split: str) -> list[LabelledClaim]:
    """News claim and abstract. Claims composed from one another share the stem of their id."""
    corpus = _corpus(need(folder, "corpus.json"), "cord_id")
    paths = sorted(folder.glob(f"covidCheck_{split}_*.json*"))
    if not paths:
        need(folder, f"covidCheck_{split}_composed+extracted.json")
    return [
        LabelledClaim(
            id=row["id"],
            text=row["claim"],
            label=_CHECKCOVID[row["label"]],
            evidence=(_document(corpus, row["cord_id"]),),
            group=row["id"].split("_")[0],
            source="checkcovid",
        )
        for path in paths
        for row in read_jsonl(path)
    ]


def scifact_open(folder: Path, split: str) -> tuple[list[OpenClaim], Path]:
    """Claims with the gold label of each abstract, and the path of the corpus."""
    rows = list(read_jsonl(need(folder, f"claims_{split}.jsonl")))
    ties = [
        [text_tie(row["claim"]), *(("document", str(doc)) for doc in row["cited_doc_ids"])]
        for row in rows
    ]
    claims = [
        OpenClaim(
            id=str(row["id"]),
            text=row["claim"],
            cited=tuple(map(str, row["cited_doc_ids"])),
            gold={doc: _label(sets) for doc, sets in row["evidence"].items()},
            rationales={
                doc: tuple(tuple(s["sentences"]) for s in sets)
                for doc, sets in row["evidence"].items()
            },
            group=str(rows[first]["id"]),
        )
        for row, first in zip(rows, components(ties), strict=True)
    ]
    return claims, need(folder, "corpus.jsonl")


def without_citations(text: str) -> str:
    """The text without `<|cit|>` and its like, nor the brackets that held nothing else."""
    bare = _LONE_MARK.sub("", _BRACKETED_MARKS.sub("", text))
    return _BLANK_BEFORE_STOP.sub(r"\1", bare).strip()


def _pairs(folder: Path, split: str, source: str, documents: str) -> list[LabelledClaim]:
    """Pairs in SciFact's format, where a document without an entry in `evidence` is UNCERTAIN."""
    path = need(folder, f"claims_{split}.jsonl")
    corpus = _corpus(need(folder, "corpus.jsonl"), "doc_id")
    return [
        LabelledClaim(
            id=f"{row['id']}.{place}/{doc}",
            text=row["claim"],
            label=_label(row["evidence"].get(str(doc))),
            evidence=(_document(corpus, str(doc)),),
            group="",
            source=source,
        )
        for row in read_jsonl(path)
        for place, doc in enumerate(row[documents])  # one SciFact claim cites a paper twice
    ]


def _label(rationales: list[dict[str, Any]] | None) -> Label:
    return _SCIFACT[rationales[0]["label"]] if rationales else Label.UNCERTAIN


def _corpus(path: Path, key: str) -> dict[str, EvidenceText]:
    return {
        str(row[key]): EvidenceText(
            doc_id=str(row[key]),
            title=row["title"].strip(),
            sentences=tuple(s.strip() for s in row["abstract"] if s.strip()),
        )
        for row in read_jsonl(path)
    }


def _document(corpus: Mapping[str, EvidenceText], doc_id: str) -> EvidenceText:
    if doc_id not in corpus:
        raise DataError(f"the corpus has no abstract {doc_id}, which a claim points to")
    return corpus[doc_id]
