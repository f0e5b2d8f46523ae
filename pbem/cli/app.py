"""The command line. Commands import what they need when they run, so that every start feels instant."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from pbem.cli import completion

app = typer.Typer(
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Board wargames by mail: signed turn files, complete rules, dice that both players can verify.",
)
GameOption = Annotated[
    Path,
    typer.Option(
        "--game", "-g", help="the game folder", envvar="PBEM_GAME", autocompletion=completion.game_folders, is_eager=True
    ),
]
SystemArgument = Annotated[str, typer.Argument(autocompletion=completion.systems, is_eager=True)]
JsonOption = Annotated[bool, typer.Option("--json", help="for programs")]
OwnOption = Annotated[Path | None, typer.Option(help="the drafter's own scenario, where he has written one")]
ChartsOption = Annotated[Path | None, typer.Option(help="the drafter's own charts, where he plays with them")]
HERE = Path()
FORMATS = ("md", "bbcode", "html", "txt", "spoken")
LANGUAGES = ("en", "pl", "ru", "fr", "cs")
LanguageOption = Annotated[
    str,
    typer.Option(
        "--language", help="en, pl, ru, fr or cs", envvar="PBEM_LANGUAGE", autocompletion=completion.one_of(*LANGUAGES)
    ),
]
CONSEQUENCES = ("nothing", "stand-in", "substitute", "loss")


def main() -> None:
    """Run a command; errors come out as one plain sentence with an exit code from the list of outcomes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter
    try:
        app()
    except BrokenPipeError:
        os._exit(0)
    except Exception as error:
        explain(error)


def explain(error: Exception) -> NoReturn:
    """Say what went wrong, where, under which rule, and what would be legal; then leave with the outcome's code."""
    from pbem.cli import faults
    from pbem.store.disk import Disk
    from pbem.store.paths import home

    outcome, lines = faults.judged(error)
    if trace := faults.trace_of(error):
        lines.append(faults.please(faults.report(home() / "faults", Disk(), trace, "")))
    if os.environ.get("PBEM_DEBUG"):
        raise error
    if "--json" in sys.argv:
        say({"outcome": outcome.word, "problems": lines}, "", True)
    else:
        for line in lines:
            print(harmless(f"{outcome.word}: {line}"), file=sys.stderr)
    raise SystemExit(outcome.code)


def say(plain: Any, text: str, as_json: bool) -> None:
    """Print for people or for programs."""
    print(_for_programs(plain) if as_json else harmless(text))


def harmless(text: str) -> str:
    """Text for a terminal: nothing that others wrote moves the cursor, turns the direction of writing or hides."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


def _for_programs(plain: Any) -> str:
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def version(value: bool) -> None:
    """Print the version."""
    if value:
        from pbem import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def root(
    show: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="print the version")] = False,
) -> None:
    """Board wargames by mail: signed turn files, complete rules, dice that both players can verify."""


# -- keys, games, charters ----------------------------------------------------------------------------------------------


@app.command()
def key(
    name: str,
    generate: Annotated[bool, typer.Option("--new", help="make a new key")] = False,
    use: Annotated[
        Path | None, typer.Option(help="take a key that you have: an OpenSSH file, or a .pub whose key the ssh-agent holds")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show your public key, make one, or choose one: pbem key nowak --new; pbem key nowak --use ~/.ssh/id_ed25519.pub"""
    from pbem.cli import player_key

    if generate and use is not None:
        raise typer.BadParameter("either --new, or --use FILE")
    say(*player_key.show(name, generate, use), as_json)


@app.command()
def passphrase(
    file: Annotated[Path | None, typer.Option(help="holds the new passphrase, mode 0600; else it is typed")] = None,
    keyring: Annotated[bool, typer.Option("--keyring", help="the system's keyring opens this folder from now on")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Encrypt what is private in a game folder, or change the passphrase: pbem passphrase -g pacific"""
    from pbem.cli import player_key

    if keyring and file is not None:
        raise typer.BadParameter("either --file FILE, or --keyring")
    say(*player_key.change_passphrase(game, file, keyring), as_json)


@app.command()
def games(as_json: JsonOption = False) -> None:
    """The rules modules: pbem games"""
    from pbem import games

    rows = games.titles()
    say(rows, "\n".join(f"{s}  {t}" for s, t in rows.items()), as_json)


@app.command()
def scenarios(system: SystemArgument, as_json: JsonOption = False) -> None:
    """The scenarios and options of a system: pbem scenarios axis-and-allies-pacific"""
    from pbem.cli import setup

    plain, text = setup.scenarios(system)
    say(plain, text, as_json)


@app.command()
def new(
    folder: Path,
    system: Annotated[
        str, typer.Option(help="the rules module", autocompletion=completion.systems, is_eager=True)
    ] = "axis-and-allies-pacific",
    scenario: Annotated[
        str,
        typer.Option(
            help="one of `pbem scenarios`, needed where there are several; or a YAML file of your own",
            autocompletion=completion.scenarios,
        ),
    ] = "",
    option: Annotated[list[str] | None, typer.Option(help="name=value, repeatable", autocompletion=completion.options)] = None,
    deadline: Annotated[str, typer.Option(help="for an answer, in hours or days (72h, 3d), or none")] = "72h",
    grace: Annotated[str, typer.Option(help="after a claim that a file is overdue")] = "48h",
    then: Annotated[
        str, typer.Option(help="what follows: " + ", ".join(CONSEQUENCES), autocompletion=completion.one_of(*CONSEQUENCES))
    ] = "nothing",
    lost_keys: Annotated[
        str,
        typer.Option(
            help="who may replace a lost key: others (an ally, when all others agree), umpire or nobody; else `new` asks",
            autocompletion=completion.one_of("others", "umpire", "nobody"),
        ),
    ] = "",
    charts: Annotated[Path | None, typer.Option(help="charts of your own copy of the game, for those not printed")] = None,
    as_json: JsonOption = False,
) -> None:
    """Draft a charter in a new game folder: pbem new pacific --option bid=6"""
    from pbem.cli import setup

    say(*setup.new(folder, system, scenario, option or [], deadline, lost_keys, charts, grace, then, not as_json), as_json)


@app.command()
def join(
    name: Annotated[str, typer.Option("--as", help="your player name")],
    seats: Annotated[str, typer.Option(help="seats, by commas", autocompletion=completion.seats)],
    charter: Annotated[Path | None, typer.Argument(help="the draft that was sent to you")] = None,
    answers: Annotated[bool, typer.Option("--answers", help="you answer the reactions of your whole side")] = False,
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take seats in a charter draft: pbem join draft.yaml --as nowak --seats japan -g pacific"""
    from pbem.cli import setup
    from pbem.cli.scenario import OwnFiles

    taken = [s.strip() for s in seats.split(",") if s.strip()]
    say(*setup.join(game, charter, name, taken, answers, OwnFiles(scenario, charts), not as_json), as_json)


@app.command()
def accept(
    charter: Annotated[Path | None, typer.Argument(help="the charter that was sent to you")] = None,
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Compare and sign the charter; with all signatures the game begins: pbem accept charter.yaml -g pacific

    In a folder that is not there yet, a charter that all have signed makes one that watches: pbem accept charter.yaml -g watch
    """
    from pbem.cli import setup, watching
    from pbem.cli.scenario import OwnFiles

    own = OwnFiles(scenario, charts)
    if charter is not None and not (game / "pbem.json").exists():
        say(*watching.begin(game, charter, own), as_json)
        return
    watching.refuse_own_files(own)
    say(*setup.accept(game, charter), as_json)


scenario = typer.Typer(no_args_is_help=True, help="Scenarios of your own: pbem scenario check mine.yaml")
app.add_typer(scenario, name="scenario")


@scenario.command(name="check")
def scenario_check(file: Path, as_json: JsonOption = False) -> None:
    """Every fault of a scenario of your own, with file, line and column: pbem scenario check mine.yaml"""
    from pbem.cli import scenario as judging

    plain, text, code = judging.check(file)
    say(plain, text, as_json)
    raise typer.Exit(code)


# -- playing --------------------------------------------------------------------------------------------------------------


@app.command()
def status(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Whose turn it is, what is asked, messages so far; for one game or a folder of games: pbem status"""
    from pbem.cli import play

    plain, text = play.status(game)
    say(plain, text, as_json)


@app.command()
def hand(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """What you hold and nobody else sees, cards and units behind markers: pbem hand"""
    from pbem.cli import play

    say(*play.hand(game), as_json)


@app.command()
def orders(
    game: GameOption = HERE,
    to: Annotated[Path, typer.Option(help="file to write")] = Path("orders.yaml"),
    more: Annotated[
        Path | None, typer.Option("--continue", help="add what is asked next under the orders of this file")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Draft an order file for what is asked now; what you have edited is not overwritten: pbem orders"""
    from pbem.cli import drafting

    say(*(drafting.more(game, more) if more else drafting.draft(game, to)), as_json)


@app.command()
def check(
    file: Annotated[Path | None, typer.Argument(help="a file of orders  [default: orders.yaml]")] = None,
    order: Annotated[
        list[str] | None, typer.Option(help="an order without a file, repeatable", autocompletion=completion.orders)
    ] = None,
    game: GameOption = HERE,
    lang: LanguageOption = "en",
    as_json: JsonOption = False,
) -> None:
    """Try orders out, up to the first die; nothing is signed: pbem check orders.yaml"""
    from pbem.cli import sending

    if file is not None and order:
        raise typer.BadParameter("either a file of orders, or --order")
    to = file or Path("orders.yaml")
    plain, text = sending.check_orders(game, order, lang) if order else sending.check(game, to, lang)
    say(plain, text, as_json)


@app.command()
def send(
    file: Path,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask, whatever the file gives up")] = False,
    game: GameOption = HERE,
    lang: LanguageOption = "en",
    as_json: JsonOption = False,
) -> None:
    """Sign orders and write the file and the mail: pbem send orders.yaml"""
    from pbem.cli import sending

    plain, text = sending.send(game, file, sure=yes, lang=lang)
    say(plain, text, as_json)


@app.command()
def receive(
    source: Annotated[str, typer.Argument(help="file, folder, or - for standard input")],
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take files, mails or pasted text; answers by itself what holds no decision: pbem receive mail.eml"""
    from pbem.cli import play

    plain, text, code = play.receive(game, source)
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
def agree(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Accept the offer on the table: pbem agree"""
    from pbem.cli import play

    say(*play.agree(game), as_json)


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
def resign(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Resign your seats with a signed slip: pbem resign"""
    from pbem.cli import play

    say(*play.resign(game), as_json)


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


# -- keys and seats that change hands, the umpire ---------------------------------------------------------------------------

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
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Stand in a charter draft as umpire, before the players join: pbem umpire join draft.yaml --as smith --role escrow"""
    from pbem.cli import umpire
    from pbem.cli.scenario import OwnFiles

    say(*umpire.join(game, charter, name, role, lost_keys, OwnFiles(scenario, charts), not as_json), as_json)


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


# -- mail -----------------------------------------------------------------------------------------------------------------

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


# -- looking ------------------------------------------------------------------------------------------------------------


@app.command()
def report(
    game: GameOption = HERE,
    first: Annotated[int, typer.Option("--from", help="number of the first file")] = 0,
    last: Annotated[int, typer.Option("--to", help="number of the last file; --out names the file to write")] = 0,
    since_mine: Annotated[bool, typer.Option("--since-mine", help="from your latest orders on")] = False,
    turn: Annotated[int, typer.Option(help="only this turn")] = 0,
    form: Annotated[
        str,
        typer.Option(
            "--format", help="md, bbcode, html, txt or spoken (for screen readers)", autocompletion=completion.one_of(*FORMATS)
        ),
    ] = "",
    lang: LanguageOption = "",
    spectator: Annotated[bool, typer.Option("--spectator", help="leave out what you alone know")] = False,
    board: Annotated[bool, typer.Option("--board", help="spoken: all spaces, not only those touched")] = False,
    refused: Annotated[Path | None, typer.Option(help="report why this file is refused")] = None,
    out: Annotated[Path | None, typer.Option(help="file to write; its suffix names the format")] = None,
) -> None:
    """What happened, every die explained: pbem report --since-mine --language pl --out report.html"""
    from pbem.cli import reporting

    wanted = reporting.Wanted(first, last, since_mine, form, lang, spectator, board, turn)
    print(reporting.refused(game, refused, wanted, out) if refused else reporting.report(game, wanted, out))


@app.command(name="map")
def draw_map(
    game: GameOption = HERE,
    to: Annotated[Path, typer.Option(help="file.svg, file.png, or file.txt (hex maps)")] = Path("map.svg"),
    file: Annotated[int, typer.Option(help="after this file; -1: the newest")] = -1,
    around: Annotated[
        str, typer.Option(help="a space, or `battles`: a map for each battle", autocompletion=completion.spaces)
    ] = "",
    arrows: Annotated[str, typer.Option(help="moves and battles of the turn, of the last file, or none")] = "turn",
    theme: Annotated[str, typer.Option(help="light or dark", autocompletion=completion.one_of("light", "dark"))] = "light",
    width: Annotated[int, typer.Option(help="pixels, 0: what suits the board; areas below 600 show totals")] = 0,
    changes: Annotated[bool, typer.Option("--changes", help="units gained and lost since the turn began")] = False,
    own: Annotated[bool, typer.Option("--own", help="with what you alone know: not for the other side's eyes")] = False,
) -> None:
    """Draw the map: pbem map --around "SZ 6" --theme dark --to map.png"""
    from pbem.cli import look

    print(look.draw(game, to, look.Chart(file, arrows, theme, width, around, changes, own)))


@app.command()
def replay(
    game: GameOption = HERE,
    to: Annotated[Path, typer.Option(help="file.html")] = Path("replay.html"),
    lang: Annotated[str, typer.Option("--language", help="en, pl, ru, fr or cs", envvar="PBEM_LANGUAGE")] = "",
) -> None:
    """One HTML file that steps through the game and verifies it anew in the browser: pbem replay --to replay.html"""
    from pbem.cli import replaying

    print(replaying.write(game, to, lang))


@app.command()
def log(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """The files of the game, one line each: pbem log"""
    from pbem.cli import look

    plain, text = look.log(game)
    say(plain, text, as_json)


@app.command()
def dice(
    source: Annotated[
        int | None, typer.Argument(help="the file whose orders led to the dice; nothing: lists the latest")
    ] = None,
    roll: Annotated[int, typer.Option(help="which roll of that file, from 0")] = 0,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Explain one roll: seed, label, words, numbers: pbem dice 3 --roll 1"""
    from pbem.cli import look

    plain, text = look.latest_dice(game) if source is None else look.dice(game, source, roll)
    say(plain, text, as_json)


@app.command()
def rules(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="the system where no game is at hand; then a section, or words", autocompletion=completion.sections
        ),
    ] = None,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Look a rule up: what it says, its place in the book, rulings, cases, code: pbem rules axis-and-allies-pacific GC-14"""
    from pbem.cli import rules

    say(*rules.rules(game, words or []), as_json)


@app.command()
def card(
    words: Annotated[list[str], typer.Argument(help="a card such as J16, or words of it")],
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Look a card up: what it does, and when it may be played: pbem card J16; pbem card weather"""
    from pbem.cli import rules

    say(*rules.card(game, words), as_json)


@app.command()
def manual(
    topic: Annotated[
        str, typer.Argument(help="nothing: the list of topics", autocompletion=completion.topics, show_default=False)
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """The manual: its topics, or one of them: pbem manual; pbem manual next-war"""
    from pbem.cli import manual

    say(*manual.show(topic), as_json)


@app.command()
def odds(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            help="nothing: the battles on the board; a draft: those it would start; or SYSTEM ATTACK DEFENCE",
            autocompletion=completion.forces,
        ),
    ] = None,
    land: Annotated[bool, typer.Option("--land", help="on land")] = False,
    sea: Annotated[bool, typer.Option("--sea", help="at sea")] = False,
    amphibious: Annotated[bool, typer.Option("--amphibious", help="a landing; ships bombard")] = False,
    losses: Annotated[str, typer.Option(help="the attacker's order of loss; else the cheapest first")] = "",
    defence_losses: Annotated[str, typer.Option(help="the defender's order of loss; else the cheapest first")] = "",
    retreat: Annotated[str, typer.Option(help="condition under which the attacker retreats")] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Exact odds of battles: pbem odds axis-and-allies-pacific "3 infantry, 1 artillery" "2 infantry, aaa" --land"""
    from pbem.cli import chances
    from pbem.odds.forecast import Imagined

    if words and len(words) == 3:
        flags = {"land": land, "sea": sea, "amphibious": amphibious}
        where = next((name for name, given in flags.items() if given), "land")
        asked = Imagined(words[1], words[2], where, losses, defence_losses, retreat)
        plain, text = chances.imagined(words[0], asked)
    elif words and len(words) > 1:
        raise typer.BadParameter("either one draft, or SYSTEM ATTACK DEFENCE")
    else:
        plain, text = chances.odds(game, Path(words[0]) if words else None)
    say(plain, text, as_json)


@app.command()
def luck(
    game: GameOption = HERE,
    to: Annotated[Path | None, typer.Option(help="draw it into this .svg file")] = None,
    as_json: JsonOption = False,
) -> None:
    """What the dice gave and took, and whether they may be fair: pbem luck --to luck.svg"""
    from pbem.cli import chances

    plain, text = chances.told_luck(game, to)
    say(plain, text, as_json)


# -- proving ------------------------------------------------------------------------------------------------------------


@app.command()
def verify(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Check everything from scratch: signatures, chain, dice, rules: pbem verify"""
    from pbem.cli import proof

    plain, text, code = proof.verify(game)
    say(plain, text, as_json)
    raise typer.Exit(code)


@app.command()
def audit(game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """After the game: disclose your secrets, check everybody's: pbem audit"""
    from pbem.cli import proof

    plain, text, code = proof.audit(game)
    say(plain, text, as_json)
    raise typer.Exit(code)


@app.command()
def dispute(
    to: Annotated[Path, typer.Option(help="file to write")] = Path("dispute.txt"),
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """The whole game as one text that a stranger can judge; no secret is in it: pbem dispute -g pacific --to dispute.txt"""
    from pbem.cli import dispute as disputes

    say(*disputes.write(game, to), as_json)


@app.command()
def judge(
    source: Annotated[str, typer.Argument(help="dispute text, mail, folder of files, game folder, or - for standard input")],
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    as_json: JsonOption = False,
) -> None:
    """One verdict on a whole game, without a game folder or a key: pbem judge dispute.txt"""
    from pbem.cli import dispute as disputes
    from pbem.cli.scenario import OwnFiles

    plain, text, code = disputes.judge(source, OwnFiles(scenario, charts))
    say(plain, text, as_json)
    raise typer.Exit(code)


@app.command()
def restored(
    on_my_word: Annotated[str, typer.Option("--on-my-word", help="sign without answers; the reason is shown to all")] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """After a lost disk or a backup: ask the others what they hold of you: pbem restored -g pacific"""
    from pbem.cli import restoring

    say(*restoring.ask(game, on_my_word), as_json)


@app.command()
def sync(
    other: Annotated[Path | None, typer.Argument(help="another folder of the same game, where one is at hand")] = None,
    join: Annotated[bool, typer.Option("--join", help="make this machine known to the folder")] = False,
    leave: Annotated[bool, typer.Option("--leave", help="leave the pen to another machine")] = False,
    name: Annotated[str, typer.Option(help="the machine meant")] = "",
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """One player, two machines in turn; the pen is left on one and taken on the other: pbem sync --leave"""
    from pbem.cli import syncing

    if join or leave:
        say(*(syncing.join(game, name) if join else syncing.leave(game, name)), as_json)
    else:
        say(*syncing.sync(game, other), as_json)


@app.command()
def heal(
    file: Annotated[Path | None, typer.Argument(help="a heal that came in; else one that lies here, or a new one")] = None,
    keep: Annotated[str, typer.Option(help="the version to go on from: the start of an id of one of its files")] = "",
    at: Annotated[int, typer.Option(help="the place where the versions part, where the log has parted at several")] = 0,
    anew: Annotated[bool, typer.Option("--anew", help="write another, though one waits for signatures")] = False,
    note: Annotated[str, typer.Option(help="a line for all who sign")] = "",
    silent: Annotated[str, typer.Option("--for", help="the umpire signs for this player, who does not answer")] = "",
    drop: Annotated[bool, typer.Option("--drop", help="wait no longer for a heal that you have signed")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """After a fork: all sign from which version the game goes on; write or sign that: pbem heal -g pacific"""
    from pbem.cli import healing
    from pbem.cli.heal_draft import Wanted

    if drop:
        say(*healing.drop(game), as_json)
    elif silent:
        say(*healing.sign_for(game, file, silent), as_json)
    else:
        say(*healing.command(game, file, Wanted(keep, at, note), anew), as_json)


@app.command()
def schema(
    kind: Annotated[str, typer.Argument(help="charter, file, slip, heal or seat-wanted")],
    as_json: JsonOption = False,
) -> None:
    """What documents look like, as JSON Schema, for whoever writes another program: pbem schema file"""
    from pbem.protocol import json_schema

    text = json_schema.text_of(kind)
    say(json.loads(text), text.rstrip(), as_json)


@app.command()
def prove(
    source: Annotated[int, typer.Argument(help="the file whose orders led to the dice; with --fork, the place")],
    to: Path,
    roll: int = 0,
    fork: Annotated[bool, typer.Option("--fork", help="prove two signed files at one place")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """A folder with which a stranger checks one roll, or a fork, with stock tools: pbem prove 3 proof"""
    from pbem.cli import proof

    say(*(proof.prove_fork(game, source, to) if fork else proof.prove(game, source, roll, to)), as_json)


@app.command()
def backup(to: Path, game: GameOption = HERE, as_json: JsonOption = False) -> None:
    """Log, key and secrets in one file; keep it safe: pbem backup pacific.zip"""
    from pbem.cli import proof

    say(*proof.backup(game, to), as_json)


@app.command()
def restore(source: Path, folder: Path, as_json: JsonOption = False) -> None:
    """A game folder from a backup: pbem restore pacific.zip pacific"""
    from pbem.cli import proof

    say(*proof.restore(source, folder), as_json)


@app.command()
def play(
    folder: Annotated[Path, typer.Argument(help="a new folder, or the game to go on with")],
    bot: Annotated[bool, typer.Option("--bot", help="the bot plays the other sides")] = False,
    side: Annotated[str, typer.Option(help="your side against the bot")] = "",
    system: Annotated[
        str, typer.Option(help="the rules module", autocompletion=completion.systems, is_eager=True)
    ] = "axis-and-allies-pacific",
    scenario: Annotated[
        str, typer.Option(help="one of `pbem scenarios`; needed where there are several", autocompletion=completion.scenarios)
    ] = "",
    option: Annotated[list[str] | None, typer.Option(help="name=value, repeatable", autocompletion=completion.options)] = None,
    lang: LanguageOption = "en",
) -> None:
    """Play in the terminal, hot-seat or against the bot, through real game folders: pbem play pacific --bot"""
    from pbem.cli import playing

    playing.play(folder, playing.Wanted(system, scenario, option or [], side, bot, lang))


@app.command()
def tutorial(folder: Annotated[Path, typer.Argument(help="a new folder, or the tutorial's")] = Path("pbem-tutorial")) -> None:
    """A first turn against a prepared opponent, step by step; start it again after each step: pbem tutorial"""
    from pbem.cli import tutorial as lesson

    lesson.tutorial(lesson.here_or(folder))


@app.command()
def demo(
    to: Annotated[Path, typer.Option(help="a new folder")] = Path("pbem-demo"),
    rounds: Annotated[int, typer.Option(help="how many rounds")] = 1,
) -> None:
    """A real opening round of Pacific 1940, played by two parties through signed files: pbem demo"""
    from pbem.cli import demonstration

    demonstration.run(to, rounds)
