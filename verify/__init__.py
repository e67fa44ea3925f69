"""Countercite: is a scientific claim supported, contradicted or unsettled by the literature?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verify.models import Citation, Label, Status, Verdict

if TYPE_CHECKING:
    from verify.verifier import Verifier

__all__ = ["Citation", "Label", "Status", "Verdict", "Verifier"]


def __getattr__(name: str) -> Any:
    """Import the pipeline only when it is asked for: `import verify` stays light."""
    if name == "Verifier":
        from verify.verifier import Verifier

        return Verifier
    raise AttributeError(f"module 'verify' has no attribute {name!r}")
