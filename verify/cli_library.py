"""`countercite library add|list|remove|info`: your own papers in one file.

Results go to stdout, progress, warnings and problems to stderr. Exit status 1 if nothing that was
named could be used.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from retrieval.errors import InputError

if TYPE_CHECKING:
    from retrieval.library import AddProgress, AddReport, Library
    from retrieval.models import Paper

MOST_SHOWN = 20  # problems, skipped files or warnings printed one by one
LINE_EVERY_PERCENT = 10

library_app = typer.Typer(
    name="library", no_args_is_help=True, help="Your own papers: add, list, remove, info."
)

LibraryFile = Annotated[
    Path | None, typer.Option("--library", help="The library file; default: yours.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@library_app.command()
def add(
    paths: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE_OR_FOLDER...", help="JATS files, JSON Lines of abstracts, folders."
        ),
    ],
    library: LibraryFile = None,
    as_json: AsJson = False,
) -> None:
    """Add papers; what is there already is not added twice, and bad files don't stop the rest."""
    path = _path(library)
    existed = path.exists()
    with _open(library, create=True) as opened, _progress() as on_progress:
        report = opened.add(paths, on_progress=on_progress)
    _tell_problems(report)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        typer.echo(_summary(report, path))
    if not report.readable:
        if not existed:  # an empty library would hide the starter library
            path.unlink(missing_ok=True)
        raise InputError("Nothing could be added: none of the files named holds a readable paper.")


@library_app.command("list")
def list_papers(
    library: LibraryFile = None,
    limit: Annotated[int, typer.Option(min=1, help="Most papers to list.")] = 50,
    offset: Annotated[int, typer.Option(min=0, help="Papers to pass over first.")] = 0,
    as_json: AsJson = False,
) -> None:
    """List papers in the order in which they were added."""
    with _open(library) as opened:
        papers = opened.papers(limit=limit, offset=offset)
        total = opened.info().papers
    if as_json:
        shown = [paper.model_dump(mode="json") | {"url": paper.url} for paper in papers]
        _echo_json({"total": total, "offset": offset, "papers": shown})
        return
    for paper in papers:
        typer.echo(_line(paper))
    if offset + len(papers) < total:
        typer.echo(f"({len(papers)} of {total:,} papers; see --limit and --offset)", err=True)


@library_app.command()
def remove(
    ids: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Paper ids, DOIs, PMIDs or PMCIDs.")
    ],
    library: LibraryFile = None,
    as_json: AsJson = False,
) -> None:
    """Remove papers; unknown ids are reported and the others are removed."""
    with _open(library) as opened:
        report = opened.remove(ids)
    for unknown in report.unknown:
        typer.echo(f"no such paper: {unknown}", err=True)
    if as_json:
        typer.echo(report.model_dump_json(indent=2))
    else:
        typer.echo(f"removed {_count(len(report.removed), 'paper')}")
    if not report.removed:
        raise InputError("Nothing was removed: `countercite library list` shows the ids.")


@library_app.command()
def info(library: LibraryFile = None, as_json: AsJson = False) -> None:
    """Show what the library holds."""
    with _open(library) as opened:
        held = opened.info()
    if as_json:
        typer.echo(held.model_dump_json(indent=2))
        return
    years = f"{held.first_year} to {held.last_year}" if held.first_year else "unknown"
    rows = {
        "library": f"{held.path} ({held.bytes / 1e6:.1f} MB, schema {held.schema_version})",
        "papers": f"{held.papers:,}, of which {held.full_texts:,} with full text, "
        f"{held.abstracts:,} with an abstract only, {held.titles:,} with a title only",
        "passages": f"{held.passages:,}",
        "years": years,
        "retracted": f"{held.retracted:,} (shown, never counted as evidence)",
        "notices": f"{held.notices:,} of retraction, correction or concern (never evidence)",
        "synopses": f"{held.synopses:,} (not the papers' own words)",
    }
    for name, value in rows.items():
        typer.echo(f"{name:<10} {value}")


def _open(path: Path | None, *, create: bool = False) -> Library:
    from retrieval.library import Library

    return Library.open(_path(path), create=create)


def _path(path: Path | None) -> Path:
    from retrieval.library import default_library_path

    return path or default_library_path()


def _echo_json(value: dict[str, Any]) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


@contextmanager
def _progress() -> Iterator[Callable[[AddProgress], None]]:
    """A bar on a terminal, a plain line every tenth of the way elsewhere; both on stderr."""
    if not sys.stderr.isatty():
        yield _plain_lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    columns = (BarColumn(), TaskProgressColumn(), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("")

        def show(now: AddProgress) -> None:
            name = f"{now.papers:,} papers · {Path(now.path).name}"
            bar.update(task, completed=now.bytes_done, total=now.bytes_total, description=name)

        yield show


def _plain_lines() -> Callable[[AddProgress], None]:
    told = 0

    def show(now: AddProgress) -> None:
        nonlocal told
        percent = 100 * now.bytes_done // max(now.bytes_total, 1)
        if percent >= told + LINE_EVERY_PERCENT:
            told = percent - percent % LINE_EVERY_PERCENT
            typer.echo(f"{told}%: {now.papers:,} papers read", err=True)

    return show


def _tell_problems(report: AddReport) -> None:
    _tell("problem", [str(problem) for problem in report.problems], report.failed)
    kind = "skipped (not JATS or JSON Lines)"
    _tell(kind, list(report.skipped), len(report.skipped))
    _tell("note", list(report.warnings), len(report.warnings))


def _tell(kind: str, lines: list[str], total: int) -> None:
    shown = lines[:MOST_SHOWN]
    for line in shown:
        typer.echo(f"{kind}: {line}", err=True)
    if total > len(shown):
        typer.echo(f"{kind}: {total - len(shown):,} more", err=True)


def _summary(report: AddReport, path: Path) -> str:
    parts = [
        f"added {_count(report.added, 'paper')} to {path}",
        f"{report.updated:,} updated" if report.updated else "",
        f"{report.present:,} already there" if report.present else "",
        f"{_count(report.files_known, 'file')} already read" if report.files_known else "",
        f"{_count(report.failed, 'problem')} (see above)" if report.failed else "",
    ]
    return "; ".join(filter(None, parts))


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _line(paper: Paper) -> str:
    marks = [paper.standing.value] if paper.standing.value != "sound" else []
    marks += ["preprint"] * paper.preprint + ["synopsis"] * paper.synopsis
    mark = f" [{', '.join(marks)}]" if marks else ""
    title = " ".join(paper.title.split()) or "(no title)"
    return f"{paper.id}\t{paper.year or '-'}\t{title}{mark}"
