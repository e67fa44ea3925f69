"""The local library: your own papers in one SQLite file, searched by BM25."""

from retrieval.library.models import (
    AddProgress,
    AddReport,
    LibraryHit,
    LibraryInfo,
    Problem,
    RemoveReport,
)
from retrieval.library.store import Library, default_library_path

__all__ = [
    "AddProgress",
    "AddReport",
    "Library",
    "LibraryHit",
    "LibraryInfo",
    "Problem",
    "RemoveReport",
    "default_library_path",
]
