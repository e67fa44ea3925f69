"""What the local library reports: hits, progress, what was added, removed, and what it holds."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import Field

from retrieval.models import Model


@dataclass(frozen=True, slots=True)
class LibraryHit:
    """A paper that was found; `score` (higher is better) is comparable within one search only."""

    paper_id: str
    score: float


@dataclass(frozen=True, slots=True)
class AddProgress:
    """How far adding has come; `path` is the file being read."""

    path: str
    files_done: int
    files_total: int
    bytes_done: int
    bytes_total: int
    papers: int


class Problem(Model):
    """A file, or a line of one (counted from 1), that couldn't be used, and why."""

    path: str
    line: int | None = None
    reason: str

    def __str__(self) -> str:
        return f"{self.path}{f', line {self.line}' if self.line else ''}: {self.reason}"


class AddReport(Model):
    """What became of the files given to `Library.add`.

    `added`, `updated` and `present` count records: works new to the library, works that a record
    added something to, and records that brought nothing new. `files_known` were read completely
    before and weren't opened again. `failed` counts every file or line that couldn't be used;
    `problems` describes them (of one file at most the first 20).
    """

    added: int = 0
    updated: int = 0
    present: int = 0
    files: int = 0
    files_known: int = 0
    failed: int = 0
    problems: tuple[Problem, ...] = ()
    skipped: tuple[str, ...] = Field(default=(), description="files of kinds that aren't read")
    warnings: tuple[str, ...] = ()

    @property
    def readable(self) -> bool:
        """True if anything at all was added or is there already."""
        return bool(self.added or self.updated or self.present or self.files_known)


class RemoveReport(Model):
    """The ids of the papers removed, and the identifiers given that name no paper."""

    removed: tuple[str, ...]
    unknown: tuple[str, ...]


class LibraryInfo(Model):
    """What a library holds; `bytes` is the size of its file, years are of publication."""

    path: str
    schema_version: int
    bytes: int
    papers: int
    passages: int
    full_texts: int
    abstracts: int = Field(description="papers of which only the abstract is held")
    titles: int = Field(description="papers of which only the title is held")
    retracted: int
    notices: int
    synopses: int
    first_year: int | None
    last_year: int | None
