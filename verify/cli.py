"""The command `countercite`. Data goes to stdout, everything else to stderr.

Exit status: 0 for any verdict, 1 for input that can't be used, 2 for a failure.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import click
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
    except click.exceptions.NoArgsIsHelpError as error:
        typer.echo(error.format_message())
        return 0
    except click.ClickException as error:
        typer.echo(f"countercite: {error.format_message()}", err=True)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        typer.echo("countercite: interrupted", err=True)
        return INTERRUPTED
    except (InputError, ValueError) as error:
        typer.echo(f"countercite: {error}", err=True)
        return BAD_INPUT if isinstance(error, InputError) else FAILURE
    except (CounterciteError, OSError) as error:
        typer.echo(f"countercite: {error}", err=True)
        return FAILURE
    return status if isinstance(status, int) else 0


if __name__ == "__main__":
    main()
