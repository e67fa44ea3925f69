"""Readers of ProClaim's two sets.

Only the claim (and SIGNOR's evidence sentence) leaves this file. These columns give the label
away: `original_label` and `flip`; in `connectomedb.csv` also `id`, `evidence`, `species`, `pmid`.
"""

from __future__ import annotations

from pathlib import Path

from calibration.files import need, read_records
from calibration.models import EvidenceText, Label, LabelledClaim


def signor(folder: Path, _split: str) -> list[LabelledClaim]:
    """Claims "A directly activates B" with the sentence SIGNOR gives for the edge.

    A sign-flipped twin has the same SIGNOR id and evidence as its original: one group.
    """
    return [
        LabelledClaim(
            id=f"{row['id']}/{row['claim']}",
            text=row["claim"],
            label=Label(row["label"]),
            evidence=(EvidenceText.running(row["evidence"]),),
            group=row["id"],
            source="proclaim-signor",
        )
        for row in read_records(need(folder, "signor.csv"))
    ]


def connectomedb(folder: Path, _split: str) -> list[LabelledClaim]:
    """Claims "L as ligand directly interacts with R", without evidence; a group is a ligand."""
    return [
        LabelledClaim(
            id=row["claim"],
            text=row["claim"],
            label=Label(row["label"]),
            evidence=None,
            group=row["ligand"],
            source="proclaim-connectomedb",
        )
        for row in read_records(need(folder, "connectomedb.csv"))
    ]
