"""Which library a command searches: the one named, else the user's own, else the starter library."""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path

from retrieval.library import Library, default_library_path

STARTER = Path(__file__).parent / "data" / "starter.jsonl"


def open_library(path: Path | None) -> Library:
    """Open the library to search; the starter library is built once into the cache folder.

    Raises LibraryFileError when the file named is missing or isn't a library.
    """
    if path is not None:
        return Library.open(path)
    own = default_library_path()
    return Library.open(own) if own.exists() else Library.open(_starter())


def _starter() -> Path:
    from platformdirs import user_cache_path

    digest = hashlib.sha256(STARTER.read_bytes()).hexdigest()[:12]
    folder = user_cache_path("countercite")
    built = folder / f"starter-{digest}.sqlite"
    if built.exists():
        return built
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as draft_folder:
        draft = Path(draft_folder) / "starter library"
        with Library.open(draft, create=True) as library:
            library.add([STARTER])
        draft.replace(built)
    return built
