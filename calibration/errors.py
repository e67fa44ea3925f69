"""The one error that calibration raises on purpose."""

from __future__ import annotations


class DataError(ValueError):
    """Labelled data or a calibrator can't be used; the message is one sentence with the mend."""
