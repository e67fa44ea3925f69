"""Reader of a user's own labelled claims: CSV, TSV or JSON Lines, optionally gzipped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from calibration.errors import DataError
from calibration.files import read_jsonl, read_table, read_text
from calibration.models import EvidenceText, Label, LabelledClaim

SPELLINGS: dict[Label, tuple[str, ...]] = {
    Label.SUPPORT: (
        "support", "supports", "supported", "entailment", "entails", "entailed", "true", "yes"
    ),
    Label.REFUTE: (
        "refute", "refutes", "refuted", "contradict", "contradicts", "contradicted",
        "contradiction", "false", "no",
    ),
    Label.UNCERTAIN: (
        "uncertain", "neutral", "nei", "not enough info", "not enough information",
        "notenoughinfo", "no evidence", "unknown", "unsettled", "maybe",
    ),
}  # fmt: skip
_LABEL_OF = {spelling: label for label, known in SPELLINGS.items() for spelling in known}
_COLUMNS = frozenset({"claim", "evidence", "label", "id", "group"})


def custom(path: Path) -> list[LabelledClaim]:
    """Read columns claim, evidence, label, and id and group if there (names in any case).

    Other columns are left alone and never shown to a judge. Without an `evidence` column the
    claims have no evidence. Numbers are no labels here: 0 and 1 mean opposite things in public
    sets. Raises DataError, naming the row, for whatever can't be used.
    """
    if path.is_dir() or not path.exists():
        state = "is a folder" if path.is_dir() else "does not exist"
        raise DataError(f"{path} {state}; give a CSV, TSV or JSON Lines file")
    rows = list(_rows(path))
    if not rows:
        raise DataError(f"{path.name} has no rows; it needs columns claim, evidence, label")
    claims = [_claim(path.name, number, row) for number, row in enumerate(rows, start=1)]
    _check(path.name, claims)
    return claims


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    """Rows with the known columns only, by lower-case name."""
    kind = Path(path.name.removesuffix(".gz")).suffix.lower()
    if kind in {".jsonl", ".ndjson"}:
        for number, row in enumerate(read_jsonl(path), start=1):
            known = _known(path.name, list(row), f"row {number}")
            yield {name: row[key] for name, key in known.items()}
    elif kind in {".csv", ".tsv", ".tab"}:
        first_line = read_text(path).partition("\n")[0]
        delimiter = "\t" if kind != ".csv" else max(",;\t", key=first_line.count)
        table = read_table(path, delimiter)
        header = next(table, None)
        if header is not None:
            known = _known(path.name, header, "the header")
            yield from (
                {name: row[header.index(key)] for name, key in known.items()} for row in table
            )
    else:
        raise DataError(
            f"{path.name}: its name should end in .csv, .tsv or .jsonl (or so with .gz)"
        )


def _known(name: str, columns: list[str], where: str) -> dict[str, str]:
    """Known column by its spelling in the file."""
    spelled = Counter(column.strip().lower() for column in columns)
    if missing := sorted({"claim", "label"} - set(spelled)):
        raise DataError(
            f"{name}, {where}: no column {' and no column '.join(missing)} (there are "
            f"{', '.join(columns[:8])}); it needs claim, evidence, label, optionally id and group"
        )
    if doubled := sorted(c for c in _COLUMNS if spelled[c] > 1):
        raise DataError(f"{name}, {where}: the column {doubled[0]} is there twice; keep one")
    return {c.strip().lower(): c for c in columns if c.strip().lower() in _COLUMNS}


def _claim(name: str, number: int, row: dict[str, Any]) -> LabelledClaim:
    where = f"{name}, row {number}"
    text = _text(row["claim"], where, "claim")
    if not text:
        raise DataError(f"{where}: the claim is empty; fill it in or delete the row")
    return LabelledClaim(
        id=_text(row.get("id", ""), where, "id") or f"row {number}",
        text=text,
        label=_label(row["label"], where),
        evidence=(_evidence(row["evidence"], where),) if "evidence" in row else None,
        group=_text(row.get("group", ""), where, "group"),
        source="custom",
    )


def _evidence(value: Any, where: str) -> EvidenceText:
    """Running text, or a list of sentences (JSON Lines only)."""
    if isinstance(value, list):
        sentences = tuple(_text(s, where, "evidence") for s in value)
        kept = tuple(s for s in sentences if s)
        running = EvidenceText.running(*kept)
        return running.model_copy(update={"split": True})
    return EvidenceText.running(_text(value, where, "evidence"))


def _text(value: Any, where: str, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, str | int | float):
        return str(value).strip()
    raise DataError(f"{where}: {column} should be text, got {value!r:.40}")


def _label(value: Any, where: str) -> Label:
    spelling = " ".join(str(value).casefold().replace("_", " ").replace("-", " ").split())
    if spelling in _LABEL_OF:
        return _LABEL_OF[spelling]
    raise DataError(
        f"{where}: unknown label {value!r:.40}; write SUPPORT, REFUTE or UNCERTAIN "
        f"(or {', '.join(sorted(s for s in _LABEL_OF if s.upper() not in set(Label)))})"
    )


def _check(name: str, claims: list[LabelledClaim]) -> None:
    seen: dict[str, int] = {}
    for number, claim in enumerate(claims, start=1):
        if claim.id in seen:
            raise DataError(
                f"{name}: rows {seen[claim.id]} and {number} have the same id {claim.id!r}; "
                "make ids unique or leave the column out"
            )
        seen[claim.id] = number
    if len({claim.label for claim in claims}) == 1:
        raise DataError(
            f"{name}: all {len(claims)} rows are labelled {claims[0].label}; "
            "measuring needs at least two different labels"
        )
