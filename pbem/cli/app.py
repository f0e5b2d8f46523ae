"""The command line. Commands import what they need when they run, so that every start feels instant."""

from __future__ import annotations

import io
import os
import sys
from functools import cache, partial
from typing import Annotated, NoReturn

import typer

from pbem.cli import completion, speech
from pbem.cli.lazy import Command, program
from pbem.cli.shell import app as app
from pbem.cli.shell import harmless, say
from pbem.report.offered import LANGUAGES

# --help lists the commands in this order
# isort: off
from pbem.cli.commands import starting as starting
from pbem.cli.commands import turns as turns
from pbem.cli.commands import talk as talk
from pbem.cli.commands import seats as seats
from pbem.cli.commands import mail as mail
from pbem.cli.commands import looking as looking
from pbem.cli.commands import proving as proving
from pbem.cli.commands import alone as alone
from pbem.cli.commands import many as many
# isort: on


def main() -> None:
    """Run a command; errors come out as one plain sentence with an exit code from the list of outcomes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter
    code = speech.of_words(sys.argv[1:])
    try:
        sys.exit(_program(code)(standalone_mode=False))
    except BrokenPipeError:
        os._exit(0)
    except (typer.exceptions.TyperException, typer.Abort) as error:
        misused(code, error)
    except Exception as error:
        explain(error)


@cache
def _program(code: str) -> Command:
    if code == "en":
        return program(app)
    from pbem.cli import helping

    return program(app, partial(helping.told, code))


def misused(code: str, error: Exception) -> NoReturn:
    """Say what is wrong with the words of the command, or that it was left; then leave."""
    from pbem.cli import helping

    if isinstance(error, typer.exceptions.TyperException):
        helping.show(code, error)
        raise SystemExit(error.exit_code)
    print(helping.words_of(code)("Aborted!"), file=sys.stderr)
    raise SystemExit(1)


def explain(error: Exception) -> NoReturn:
    """Say what went wrong, where, under which rule, and what would be legal; then leave with the outcome's code."""
    from pbem.cli import faults
    from pbem.store.disk import Disk
    from pbem.store.paths import home

    speech.check()
    outcome, lines = faults.judged(error)
    if trace := faults.trace_of(error):
        lines.append(faults.please(faults.report(home() / "faults", Disk(), trace, "")))
    if os.environ.get("PBEM_DEBUG"):
        raise error
    plain, offered = faults.offered(error)
    if "--json" in sys.argv:
        say({"outcome": outcome.word, "problems": lines, **plain}, "", True)
    else:
        for line in lines:
            print(harmless(speech.labelled(outcome.told, line)), file=sys.stderr)
        for line in offered:
            print(harmless(line), file=sys.stderr)
    raise SystemExit(outcome.code)


def version(value: bool) -> None:
    """Print the version."""
    if value:
        from pbem import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def root(
    show: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="print the version")] = False,
    lang: Annotated[
        str, typer.Option("--language", help=", ".join(LANGUAGES), autocompletion=completion.one_of(*LANGUAGES))
    ] = "",
) -> None:
    """Board wargames by mail: signed turn files, complete rules, dice that both players can verify."""
    speech.begin(lang)
