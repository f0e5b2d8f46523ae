"""What all commands share: the program that they are registered in, their options, how they print."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.cli import completion, speech
from pbem.report.offered import FORMATS, LANGUAGES
from pbem.store import known
from pbem.store.paths import keys_of
from pbem.store.telling import told_by

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Board wargames by mail: signed turn files, complete rules, dice that both players can verify.",
)


def _of_game(context: typer.Context, path: Path) -> Path:
    """What holds for a command about a game folder: its words, and the keys that are kept with it."""
    known.note(path)
    context.with_resource(keys_of(path))
    context.with_resource(told_by(_in_mail))
    return speech.of_game(path)


def _in_mail(session: Any, document: Any, before: Any) -> str:
    from pbem.cli import reporting

    return reporting.in_mail(session, document, before)


GameOption = Annotated[
    Path,
    typer.Option(
        "--game",
        "-g",
        help="the game folder",
        envvar="PBEM_GAME",
        autocompletion=completion.game_folders,
        is_eager=True,
        callback=_of_game,
    ),
]
SystemArgument = Annotated[str, typer.Argument(autocompletion=completion.systems, is_eager=True)]
MeantOption = Annotated[bool, typer.Option("--yes", help="do not ask: it is meant, though nothing takes it back")]
JsonOption = Annotated[bool, typer.Option("--json", help="for programs")]
OwnOption = Annotated[Path | None, typer.Option(help="the drafter's own scenario, where he has written one")]
ChartsOption = Annotated[Path | None, typer.Option(help="the drafter's own charts, where he plays with them")]
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language",
        help=f"{', '.join(LANGUAGES)}; else that of PBEM_LANGUAGE",
        autocompletion=completion.one_of(*LANGUAGES),
        callback=speech.use,
    ),
]
FormatOption = Annotated[
    str,
    typer.Option(
        "--format",
        help=", ".join(f"{name} ({what})" for name, what in FORMATS.items()),
        autocompletion=completion.one_of(*FORMATS),
    ),
]
HERE = Path()
CONSEQUENCES = ("nothing", "stand-in", "substitute", "loss")


def say(plain: Any, text: str, as_json: bool, at_once: bool = False) -> None:
    """Print for people or for programs; `at_once`: more will follow later."""
    print(_for_programs(plain) if as_json else harmless(text), flush=at_once)


def harmless(text: str) -> str:
    """Text for a terminal: nothing that others wrote moves the cursor, turns the direction of writing or hides."""
    text = text.replace("\N{NO-BREAK SPACE}", " ")  # lines are broken by whoever shows them
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def _for_programs(plain: Any) -> str:
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)
