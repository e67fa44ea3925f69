"""Numbers → decisions: labelled claims, metrics with intervals, calibrators. Knows no papers.

    from calibration import Outcomes, measure, read

    claims = read("scifact", Path("data/scifact"), "dev")
    outcomes = Outcomes.of([c.label for c in claims], called, probabilities,
                           groups=[c.group for c in claims])
    measure(outcomes)["agreement"]          # Estimate(value=…, low=…, high=…)

Nothing is imported until it is asked for, so that `import verify` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.bootstrap import Estimate, estimates
    from calibration.calibrators import Calibrator
    from calibration.errors import DataError
    from calibration.labels import read, read_scifact_open
    from calibration.metrics import (
        Outcomes,
        abstention_curve,
        likert_curve,
        measure,
        ndcg_at,
        recall_at,
    )
    from calibration.models import EvidenceText, Label, LabelledClaim, OpenClaim

__all__ = [
    "Calibrator",
    "DataError",
    "Estimate",
    "EvidenceText",
    "Label",
    "LabelledClaim",
    "OpenClaim",
    "Outcomes",
    "abstention_curve",
    "estimates",
    "likert_curve",
    "measure",
    "ndcg_at",
    "read",
    "read_scifact_open",
    "recall_at",
]

_HOME = {
    "bootstrap": ("Estimate", "estimates"),
    "calibrators": ("Calibrator",),
    "errors": ("DataError",),
    "labels": ("read", "read_scifact_open"),
    "metrics": (
        "Outcomes",
        "abstention_curve",
        "likert_curve",
        "measure",
        "ndcg_at",
        "recall_at",
    ),
    "models": ("EvidenceText", "Label", "LabelledClaim", "OpenClaim"),
}


def __getattr__(name: str) -> Any:
    """Import the module that holds `name` when it is first asked for."""
    for module, names in _HOME.items():
        if name in names:
            return getattr(import_module(f"calibration.{module}"), name)
    raise AttributeError(f"module 'calibration' has no attribute {name!r}")
