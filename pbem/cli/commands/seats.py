"""Keys and seats that change hands, the umpire."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.shell import HERE, ChartsOption, GameOption, JsonOption, OwnOption, app, say

seat = typer.Typer(no_args_is_help=True, help="A new key for your seat; a seat that another player takes over: pbem seat renew")
umpire = typer.Typer(no_args_is_help=True, help="The umpire, as witness or with the escrow: pbem umpire join")
app.add_typer(seat, name="seat")
app.add_typer(umpire, name="umpire")


@seat.command(name="renew")
def seat_renew(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Change your key, chain and draw keys when all others agree: pbem seat renew"""
    from pbem.cli import seats

    say(*seats.renew(game), as_json)


@seat.command(name="take")
def seat_take(
    player: Annotated[str, typer.Argument(help="whose seat", autocompletion=completion.players)],
    to: Annotated[Path, typer.Option(help="file to write, for whoever signs the change")] = Path("seat.yaml"),
    holder: Annotated[str, typer.Option(help="your name")] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Make new keys for a seat, in a folder that watches the game: pbem seat take nowak --holder Jones --to seat.yaml"""
    from pbem.cli import seats

    say(*seats.take(game, player, holder, to), as_json)


@seat.command(name="give")
def seat_give(
    file: Annotated[Path, typer.Argument(help="what `pbem seat take` wrote")],
    secrets: Annotated[Path | None, typer.Option(help="also write your hidden things, for the new holder alone")] = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Sign that a seat goes to new keys: your own, or one whose key is lost: pbem seat give seat.yaml"""
    from pbem.cli import seats

    say(*seats.give(game, file, secrets), as_json)


@seat.command(name="secrets")
def seat_secrets(file: Path, game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Take over the hidden things of the seat's last holder: pbem seat secrets hidden.json"""
    from pbem.cli import seats

    say(*seats.secrets(game, file), as_json)


@umpire.command(name="join")
def umpire_join(
    name: Annotated[str, typer.Option("--as", help="your name")],
    role: Annotated[str, typer.Option(help="witness or escrow")],
    charter: Annotated[Path | None, typer.Argument(help="the draft that was sent to you")] = None,
    lost_keys: Annotated[bool, typer.Option("--lost-keys", help="the umpire may replace a lost key")] = False,
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask, though the terms are not those of your draft")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Stand in a charter draft as umpire, before the players join: pbem umpire join draft.yaml --as smith --role escrow"""
    from pbem.cli import umpire
    from pbem.cli.scenario import OwnFiles

    say(*umpire.join(game, charter, name, role, lost_keys, OwnFiles(scenario, charts), not as_json, sure=yes), as_json)


@umpire.command(name="check")
def umpire_check(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Open every chain in escrow and compare it with its tip: pbem umpire check"""
    from pbem.cli import umpire

    say(*umpire.check(game), as_json)


@umpire.command(name="stand-in")
def umpire_stand_in(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Show the link of a player who stalls, from the escrow; decisions stay with him: pbem umpire stand-in"""
    from pbem.cli import umpire

    say(*umpire.stand_in(game), as_json)
