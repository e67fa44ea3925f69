"""The command `countercite`. Data goes to stdout, everything else to stderr.

Exit status: 0 for any verdict, 1 for input that can't be used, 2 for a failure.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from retrieval.errors import CounterciteError, InputError
from verify.cli_evaluate import evaluate
from verify.cli_library import library_app

BAD_INPUT, FAILURE, INTERRUPTED = 1, 2, 130

app = typer.Typer(
    name="countercite",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Is a scientific claim supported, contradicted or unsettled by the literature?",
)
app.add_typer(library_app, name="library")
app.command()(evaluate)


@app.command()
def verify(
    claim: Annotated[str, typer.Argument(help="One statement, in quotes.")],
    library: Annotated[
        Path | None,
        typer.Option(
            help="Library file to search; default: yours if there is one, else the starter library."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every paper looked at and the trace.")
    ] = False,
) -> None:
    """Verify one claim: a verdict, and the exact sentences that carry it."""
    from verify.render import as_text
    from verify.starter import open_library
    from verify.verifier import Verifier

    with open_library(library) as source:
        verdict = Verifier(source).verify(claim)
    typer.echo(verdict.model_dump_json(indent=2) if as_json else as_text(verdict, explain=explain))


def main() -> None:
    """Run the command line; no traceback reaches a user."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run with these arguments and return the exit status."""
    try:
        status = app(arguments, standalone_mode=False, prog_name="countercite")
    except (KeyboardInterrupt, typer.Abort):
        return _told("interrupted", INTERRUPTED)
    except InputError as error:
        return _told(str(error), BAD_INPUT)
    except (CounterciteError, OSError) as error:
        return _told(str(error), FAILURE)
    except Exception as error:  # the last line of defence: no traceback reaches a user
        usage = getattr(error, "format_message", None)  # a click error, whichever copy typer uses
        if usage is not None:
            return _told(usage(), BAD_INPUT) if usage() else 0
        kind = type(error).__name__
        return _told(f"a fault in Countercite itself ({kind}: {error}); please report it", FAILURE)
    return status if isinstance(status, int) else 0


def _told(sentence: str, status: int) -> int:
    typer.echo(f"countercite: {' '.join(sentence.split())}", err=True)
    return status


if __name__ == "__main__":
    main()
