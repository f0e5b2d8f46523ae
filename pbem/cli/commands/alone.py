"""On one machine: the board, play, the tutorial, a demonstration."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.shell import HERE, GameOption, LanguageOption, app

LevelOption = Annotated[
    str, typer.Option(help="how well the bot plays: easy, normal", autocompletion=completion.one_of("easy", "normal"))
]


@app.command()
def board(
    folder: Annotated[
        Path | None, typer.Argument(help="a folder of games, or of `pbem play`, in the place of one game folder")
    ] = None,
    game: GameOption = HERE,
    file: Annotated[Path | None, typer.Option(help="the order file  [default: unsent.yaml in the game folder]")] = None,
    browser: Annotated[bool, typer.Option(help="open the page in the browser")] = True,
    lang: LanguageOption = "",
) -> None:
    """Orders by clicking, on a page that is served to this machine alone: pbem board -g pacific"""
    from pbem.cli import board as clicking

    clicking.run(clicking.Wanted(folder or game, file, browser))


@app.command()
def play(
    folder: Annotated[Path, typer.Argument(help="a new folder, or the game to go on with")],
    bot: Annotated[bool, typer.Option("--bot", help="the bot plays the other sides")] = False,
    side: Annotated[str, typer.Option(help="your side against the bot")] = "",
    level: LevelOption = "normal",
    system: Annotated[
        str, typer.Option(help="the rules module", autocompletion=completion.systems, is_eager=True)
    ] = "axis-and-allies-pacific",
    scenario: Annotated[
        str, typer.Option(help="one of `pbem scenarios`; needed where there are several", autocompletion=completion.scenarios)
    ] = "",
    option: Annotated[list[str] | None, typer.Option(help="name=value, repeatable", autocompletion=completion.options)] = None,
    lang: LanguageOption = "",
) -> None:
    """Play in the terminal, hot-seat or against the bot, through real game folders: pbem play pacific --bot"""
    from pbem.cli import playing

    playing.play(folder, playing.Wanted(system, scenario, option or [], side, bot, level))


@app.command()
def tutorial(
    folder: Annotated[Path, typer.Argument(help="a new folder, or the tutorial's")] = Path("pbem-tutorial"),
    system: Annotated[
        str, typer.Option(help="the game to learn", autocompletion=completion.systems)
    ] = "axis-and-allies-pacific",
    level: LevelOption = "normal",
) -> None:
    """A first game against a prepared opponent, step by step; start it again after each step: pbem tutorial"""
    from pbem.cli import tutorial as lesson

    lesson.tutorial(lesson.here_or(folder), system, level)


@app.command()
def demo(
    to: Annotated[Path, typer.Option(help="a new folder")] = Path("pbem-demo"),
    rounds: Annotated[int, typer.Option(help="how many rounds")] = 1,
) -> None:
    """A real opening round of Pacific 1940, played by two parties through signed files: pbem demo"""
    from pbem.cli import demonstration

    demonstration.run(to, rounds)
