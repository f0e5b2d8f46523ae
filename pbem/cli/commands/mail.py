"""Mail, and what goes in its place while all are there."""

from __future__ import annotations

from typing import Annotated

import typer

from pbem.cli.shell import HERE, GameOption, JsonOption, LanguageOption, app, say

mail = typer.Typer(rich_markup_mode=None, no_args_is_help=True)
app.add_typer(mail, name="mail", help="Send and fetch the files by mail: pbem mail run -g pacific")


@mail.command(name="setup")
def mail_setup(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Write mail.yaml to fill in, servers and addresses, never a password: pbem mail setup -g pacific"""
    from pbem.cli import mailing

    say(*mailing.setup(game), as_json)


@mail.command(name="send")
def mail_send(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Send what the outbox holds and a reader does not have yet: pbem mail send -g pacific"""
    from pbem.cli import mailing

    plain, text = mailing.send(game)
    say(plain, text, as_json)


@mail.command(name="fetch")
def mail_fetch(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Take this game's files out of the mailbox; other mail stays as it is: pbem mail fetch -g pacific"""
    from pbem.cli import mailing

    plain, text, code = mailing.fetch(game)
    say(plain, text, as_json)
    raise typer.Exit(code)


@mail.command(name="run")
def mail_run(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Fetch, answer what holds no decision, send; for cron: pbem mail run -g pacific"""
    from pbem.cli import mailing

    plain, text, code = mailing.run(game)
    say(plain, text, as_json)
    raise typer.Exit(code)


@mail.command(name="remind")
def mail_remind(
    game: GameOption = HERE,
    after: Annotated[int, typer.Option(help="hours of waiting before the first reminder", min=0, max=10_000)] = 24,
    as_json: JsonOption = False,
) -> None:
    """Remind whoever's turn it is, at most once a day: pbem mail remind --after 48 -g pacific"""
    from pbem.cli import mailing

    plain, text = mailing.remind(game, after)
    say(plain, text, as_json)


@app.command()
def live(
    target: Annotated[str, typer.Argument(metavar="FOLDER|HOST:PORT", help="a folder that all see, or an address")],
    listen: Annotated[bool, typer.Option("--listen", help="wait there for the others; PORT alone: this machine only")] = False,
    game: GameOption = HERE,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Exchange the same files at once while you play, until Ctrl-C: pbem live 192.168.1.7:47000 -g pacific"""
    from pbem.cli import live as exchange

    exchange.run(game, exchange.Wanted(target, listen, as_json))
