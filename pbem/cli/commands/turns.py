"""Turns: what is asked, orders, offers, deadlines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion, speech
from pbem.cli.shell import CONSEQUENCES, HERE, GameOption, JsonOption, LanguageOption, MeantOption, app, say

ForecastOption = Annotated[bool, typer.Option("--forecast", help="how many files by hand this turn still takes")]


@app.command()
def status(game: GameOption = HERE, forecast: ForecastOption = False, as_json: JsonOption = False) -> None:
    """Whose turn it is, what is asked, messages so far; for one game or a folder of games: pbem status"""
    from pbem.cli import play

    say(*play.status(game, forecast=forecast), as_json)


@app.command()
def hand(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """What you hold and nobody else sees, cards and units behind markers: pbem hand"""
    from pbem.cli import play

    say(*play.hand(game), as_json)


@app.command()
def orders(
    game: GameOption = HERE,
    to: Annotated[Path | None, typer.Option(help="file to write  [default: orders.yaml]")] = None,
    more: Annotated[
        Path | None, typer.Option("--continue", help="add what is asked next under the orders of this file")
    ] = None,
    standing: Annotated[str, typer.Option("--set", help="standing orders: usual, careful, bold, or a set of your own")] = "",
    as_json: JsonOption = False,
) -> None:
    """Draft an order file for what is asked now; what you have edited is not overwritten: pbem orders"""
    from pbem.cli import drafting

    if more and (to or standing):
        raise typer.BadParameter(speech.speak("--continue writes into the file that it names: without --to and --set"))
    say(*(drafting.more(game, more) if more else drafting.draft(game, to or Path("orders.yaml"), standing)), as_json)


@app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="a file of orders  [default: orders.yaml]")] = None,
    order: Annotated[
        list[str] | None, typer.Option(help="an order without a file, repeatable", autocompletion=completion.orders)
    ] = None,
    forecast: ForecastOption = False,
    to_plan: Annotated[
        bool, typer.Option("--to-plan", help="write orders that come behind a die or another's answer into the file's plan")
    ] = False,
    game: GameOption = HERE,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Try orders out, up to the first die; nothing is signed: pbem check orders.yaml --forecast"""
    from pbem.cli import behind, sending

    if order and (file is not None or to_plan):
        raise typer.BadParameter(speech.speak("either a file of orders, or --order"))
    drafted = file or Path("orders.yaml")
    moved = behind.to_plan(game, drafted) if to_plan else ""
    tried = sending.check_orders(game, order, forecast=forecast) if order else sending.check(game, drafted, forecast=forecast)
    say(tried[0], "\n".join(filter(None, [moved, tried[1]])), as_json)


@app.command()
def send(
    file: Path,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask, whatever the file gives up")] = False,
    game: GameOption = HERE,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Sign orders and write the file and the mail: pbem send orders.yaml"""
    from pbem.cli import sending

    plain, text = sending.send(game, file, sure=yes)
    say(plain, text, as_json)


@app.command()
def unsend(
    yes: Annotated[bool, typer.Option("--yes", help="do not ask: it has not left this machine in any way")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take back your newest file as long as nothing of it has left this machine: pbem unsend -g pacific"""
    from pbem.cli import unsending

    say(*unsending.unsend(game, sure=yes), as_json)


@app.command()
def receive(
    source: Annotated[str, typer.Argument(help="file, folder, or - for standard input")],
    wait: Annotated[
        bool | None, typer.Option("--wait/--no-wait", help="dice before a question to you wait for your orders")
    ] = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take files, mails or pasted text; answers by itself what holds no decision: pbem receive mail.eml"""
    from pbem.cli import receiving

    plain, text, code = receiving.receive(game, source, wait)
    say(plain, text, as_json)
    raise typer.Exit(code)


@app.command()
def wait(
    what: Annotated[
        str, typer.Argument(help="on or off; without it, how the folder is set", autocompletion=completion.one_of("on", "off"))
    ] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Whether dice before a question to you wait for your orders; off sends what waits: pbem wait on -g pacific"""
    from pbem.cli import waiting

    if what not in ("", waiting.ON, waiting.OFF):
        raise typer.BadParameter(speech.speak("{given}: the words are {known}", given=what, known="on, off"))
    say(*waiting.setting(game, what), as_json)


@app.command()
def hold(
    what: Annotated[
        str,
        typer.Argument(
            help="a file of holds, usual or off; without it, what is held",
            autocompletion=completion.one_of("usual", "off"),
        ),
    ] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """What your program answers for you, by what you alone know; nobody is sent it: pbem hold holds.yaml -g pacific"""
    from pbem.cli import holding

    say(*(holding.put(game, what) if what else holding.show(game)), as_json)


@app.command()
def inbox(
    source: Annotated[
        list[Path] | None, typer.Argument(metavar="FOLDER...", help="download folders, mboxes, mails, files")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="also files that were looked at before")] = False,
    mail: Annotated[bool, typer.Option(help="fetch the mail of the games that have a mail.yaml")] = True,
    game: GameOption = HERE,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Take what is new for all your games, and say whose turn it is since when: pbem inbox ~/Downloads"""
    from pbem.cli import inbox as letters

    plain, text, code = letters.inbox(letters.Wanted([*(source or [])], game, again, mail))
    say(plain, text, as_json)
    raise typer.Exit(code)


@app.command()
def undo(to: int, game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Offer to take back file TO and all that followed (only when you are to act): pbem undo 17"""
    from pbem.cli import play

    say(*play.offer(game, "undo", {"to": to}), as_json)


@app.command()
def offer(
    what: Annotated[str, typer.Argument(help="draw or rules")],
    version: Annotated[int | None, typer.Argument(help="the rules version")] = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Offer a draw, or another version of the rules: pbem offer draw; pbem offer rules 2"""
    from pbem.cli import play

    say(*play.offer(game, "offer", {"offer": play.offered(what, version)}), as_json)


@app.command()
def agree(yes: MeantOption = False, game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Accept the offer on the table: pbem agree"""
    from pbem.cli import play

    say(*play.agree(game, sure=yes), as_json)


@app.command()
def refuse(
    file: Annotated[Path | None, typer.Argument(help="the file that was refused; without it, the offer is declined")] = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Decline the offer on the table, or sign a refusal of a file that breaks the rules: pbem refuse 0005-nowak.yaml"""
    from pbem.cli import play

    say(*play.refuse(game, file), as_json)


@app.command()
def resign(yes: MeantOption = False, game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Resign your seats with a signed slip: pbem resign"""
    from pbem.cli import play

    say(*play.resign(game, sure=yes), as_json)


@app.command()
def claim(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Sign that the file due from another side is overdue; nothing ends by that alone: pbem claim -g pacific"""
    from pbem.cli import deadlines

    say(*deadlines.claim(game), as_json)


@app.command()
def rule(
    then: Annotated[str, typer.Argument(help=", ".join(CONSEQUENCES), autocompletion=completion.one_of(*CONSEQUENCES))],
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """The umpire: ask for an overdue file, then say what follows. Without one the late side confirms: pbem rule loss"""
    from pbem.cli import deadlines

    say(*deadlines.rule(game, then), as_json)
