"""Talk: notes between the players, pins for oneself."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.shell import HERE, GameOption, JsonOption, app, say


@app.command(name="say")
def say_it(
    to: Annotated[str, typer.Argument(help="a player, who alone reads it, or all", autocompletion=completion.players)],
    words: Annotated[str, typer.Argument(help="what you say; - takes it from standard input")],
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Say something beside the game, signed; to one player it is sealed: pbem say nowak "Sunday as usual?" -g pacific"""
    from pbem.cli import talking

    say(*talking.say(game, to, words), as_json)


@app.command()
def notes(
    last: Annotated[int, typer.Option(help="only so many of the newest; 0: all")] = 0,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """What the players have said to each other, your sealed notes opened: pbem notes --last 5"""
    from pbem.cli import talking

    say(*talking.notes(game, max(last, 0)), as_json)


@app.command()
def pin(
    place: Annotated[str, typer.Argument(help="a space or a hex; without it, what hangs there")] = "",
    text: Annotated[str, typer.Argument(help="what you want to remember there")] = "",
    off: Annotated[bool, typer.Option("--off", help="take it down")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Pin a note on the map for yourself; nobody else gets it: pbem pin Yunnan "3 fighters next turn" -g pacific"""
    from pbem.cli import talking

    say(*talking.pin(game, place, text, off), as_json)
