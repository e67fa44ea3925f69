"""Labelled claim sets: `read(name, path, split)` gives LabelledClaims, whatever the file format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from calibration.errors import DataError
from calibration.files import folder_of
from calibration.models import EvidenceText, Label, LabelledClaim, OpenClaim, linked
from calibration.readers import abstracts, custom, pairs, proclaim

__all__ = [
    "DATA_SETS",
    "DataSet",
    "EvidenceText",
    "Label",
    "LabelledClaim",
    "OpenClaim",
    "read",
    "read_scifact_open",
    "split_of",
]


T = TypeVar("T")


class DataSet(NamedTuple):
    """How a public set is read: folder name, splits (none: the set is undivided), reader."""

    folder: str
    splits: tuple[str, ...]
    reader: Callable[[Path, str], list[LabelledClaim]]


_ALL = ("train", "dev", "test")
DATA_SETS: Mapping[str, DataSet] = MappingProxyType(
    {
        "scifact": DataSet("scifact", ("train", "dev"), abstracts.scifact),
        "healthver": DataSet("healthver", _ALL, pairs.healthver),
        "healthver-claims": DataSet("healthver", _ALL, abstracts.healthver_claims),
        "checkcovid": DataSet("checkcovid", _ALL, abstracts.checkcovid),
        "citint": DataSet("citint", _ALL, abstracts.citint),
        "clinifact": DataSet("clinifact", _ALL, pairs.clinifact),
        "covidfact": DataSet("covidfact", _ALL, pairs.covidfact),
        "nli4ct": DataSet("nli4ct", _ALL, pairs.nli4ct),
        "pubmedqa": DataSet("pubmedqa", ("train", "test"), pairs.pubmedqa),
        "climatefever": DataSet("climatefever", (), pairs.climatefever),
        "proclaim-signor": DataSet("proclaim", (), proclaim.signor),
        "proclaim-connectomedb": DataSet("proclaim", (), proclaim.connectomedb),
    }
)
CUSTOM = "custom"


def split_of(name: str, split: str | None) -> str:
    """The split to read: the one asked for, by default dev (else train); "all" for undivided sets.

    Raises DataError for an unknown set, or a split that the set doesn't have.
    """
    if name == CUSTOM:
        return "all"
    if name not in DATA_SETS:
        known = ", ".join(sorted([*DATA_SETS, CUSTOM]))
        raise DataError(f"unknown data set {name!r}; choose one of {known}")
    splits = DATA_SETS[name].splits
    if not splits:
        return "all"
    if split is None:
        return "dev" if "dev" in splits else "train"
    if split not in splits:
        raise DataError(f"{name} has no split {split!r}; it has {', '.join(splits)}")
    return split


def read(name: str, path: Path, split: str | None = None) -> list[LabelledClaim]:
    """Read a labelled set in the order of its file, with groups that may not be torn apart.

    Parameters
    ----------
    name : str
        A key of `DATA_SETS`, or "custom" for a CSV, TSV or JSON Lines file of your own.
    path : Path
        The folder of the data set or its parent; for "custom" the file.
    split : {"train", "dev", "test"}, optional
        Default as in `split_of`. Undivided sets give all their rows whatever is asked.

    Raises
    ------
    DataError
        For a missing, damaged or unexpected file; one sentence that names it and the mend.
    """
    chosen = split_of(name, split)
    if name == CUSTOM:
        return linked(custom.custom(path))
    folder = folder_of(path, DATA_SETS[name].folder)
    claims = _guarded(name, folder, lambda: DATA_SETS[name].reader(folder, chosen))
    if not claims:
        raise DataError(
            f"{name} in {folder} has no rows for split {chosen!r}; copy the files again"
        )
    return linked(claims)


def read_scifact_open(path: Path, split: str | None = None) -> tuple[list[OpenClaim], Path]:
    """SciFact's claims with the gold label of each abstract, and the path of the corpus.

    Parameters and errors as for `read`.
    """
    chosen = split_of("scifact", split)
    folder = folder_of(path, DATA_SETS["scifact"].folder)
    return _guarded("scifact", folder, lambda: abstracts.scifact_open(folder, chosen))


def _guarded(name: str, folder: Path, reading: Callable[[], T]) -> T:
    """What a reader stumbles over in a file of another layout, as one DataError."""
    try:
        return reading()
    except DataError:
        raise
    except KeyError as error:
        reason = f"no field or value {error.args[0]!r}"
    except ValidationError as error:
        reason = f"{error.errors()[0]['loc'][0]}: {error.errors()[0]['msg']}"
    except (AttributeError, IndexError, TypeError, ValueError, RecursionError) as error:
        reason = str(error)
    raise DataError(f"the files in {folder} aren't laid out as {name} is: {reason}")
