"""The command `countercite evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from retrieval.errors import InputError

if TYPE_CHECKING:
    from retrieval.library import Library
    from verify.verifier import Verifier


def evaluate(
    name: Annotated[
        str,
        typer.Argument(
            help="Data set: scifact, healthver, healthver-claims, checkcovid, citint, clinifact, "
            "covidfact, nli4ct, pubmedqa, climatefever, proclaim-signor, proclaim-connectomedb, "
            "or custom (a CSV, TSV or JSON Lines file with columns claim, evidence, label)."
        ),
    ],
    data: Annotated[
        Path, typer.Option(help="Folder of the data set, or its parent; for custom the file.")
    ],
    split: Annotated[
        str | None, typer.Option(help="train, dev or test; default: dev where there is one.")
    ] = None,
    find: Annotated[
        bool,
        typer.Option("--open", help="Give the claim only: evidence must be found in a library."),
    ] = False,
    library: Annotated[
        Path | None,
        typer.Option(help="With --open: search this library (scifact brings its own corpus)."),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Judge only this many claims, evenly spaced.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure verdicts on a labelled data set, with intervals and trivial baselines."""
    from calibration.errors import DataError
    from verify.evaluate import check_open, evaluate_open
    from verify.evaluate import evaluate as evaluate_pairs
    from verify.evaluation_text import as_text

    if library is not None and not find:
        raise InputError("--library is searched with --open only; add --open or leave it out")
    run = evaluate_open if find else evaluate_pairs
    try:
        if find:
            check_open(name)
            if library is None and name != "scifact":
                raise InputError(
                    f"{name} brings no corpus to search; give --library FILE with --open"
                )
        with _verifier(data, split, find, library) as verifier:
            report = run(name, data, split, verifier=verifier, limit=limit, track=_progress)
    except DataError as error:
        raise InputError(str(error)) from error
    typer.echo(report.model_dump_json(indent=2) if as_json else as_text(report))


@contextmanager
def _verifier(
    data: Path, split: str | None, find: bool, library: Path | None
) -> Iterator[Verifier]:
    """The real pipeline: without a library, on the one given, or on SciFact's own corpus."""
    from retrieval.library import Library
    from verify.verifier import Verifier

    if not find:
        yield Verifier()
    elif library is not None:
        with Library.open(library) as searched:
            yield Verifier(searched)
    else:
        with TemporaryDirectory() as folder, _scifact_library(Path(folder), data, split) as corpus:
            yield Verifier(corpus)


@contextmanager
def _scifact_library(folder: Path, data: Path, split: str | None) -> Iterator[Library]:
    from calibration.labels import read_scifact_open
    from retrieval.library import Library

    _, corpus = read_scifact_open(data, split)
    typer.echo(f"indexing {corpus.name}", err=True)
    with Library.open(folder / "scifact.sqlite", create=True) as library:
        library.add([corpus])
        yield library


def _progress(rows: Sequence[int]) -> Iterable[int]:
    from rich.console import Console
    from rich.progress import track

    typer.echo(f"judging {len(rows)} claims", err=True)
    console = Console(stderr=True)
    return track(rows, "judging", console=console, transient=True, disable=not sys.stderr.isatty())
