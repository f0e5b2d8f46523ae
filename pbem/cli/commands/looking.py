"""Looking: reports, maps, dice, rules, chances."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion, speech
from pbem.cli.shell import HERE, FormatOption, GameOption, JsonOption, LanguageOption, SystemArgument, app, say
from pbem.report.offered import PLACES


def _file_number(word: str) -> int:
    """`report --to` is no file to write, as it is elsewhere: who means one is told so."""
    if not str(word).isdecimal():
        raise typer.BadParameter(
            speech.speak("{word} is no number of a file; `--out {word}` writes the report there", word=word)
        )
    return int(word)


@app.command()
def report(
    game: GameOption = HERE,
    first: Annotated[int, typer.Option("--from", help="number of the first file")] = 0,
    last: Annotated[
        int,
        typer.Option(
            "--to", parser=_file_number, metavar="<int>", help="number of the last file; --out names the file to write"
        ),
    ] = 0,
    since_mine: Annotated[bool, typer.Option("--since-mine", help="from your latest orders on")] = False,
    turn: Annotated[int, typer.Option(help="only this turn")] = 0,
    form: FormatOption = "",
    lang: LanguageOption = "",
    spectator: Annotated[bool, typer.Option("--spectator", help="leave out what you alone know")] = False,
    brief: Annotated[bool, typer.Option("--brief", help="some ten lines, of what everybody may know")] = False,
    board: Annotated[bool, typer.Option("--board", help="spoken: all spaces, not only those touched")] = False,
    refused: Annotated[Path | None, typer.Option(help="report why this file is refused")] = None,
    out: Annotated[Path | None, typer.Option(help="file to write; its suffix names the format")] = None,
) -> None:
    """What happened, every die explained: pbem report --since-mine --language pl --out report.html"""
    from pbem.cli import reporting

    if brief and (refused or board):
        raise typer.BadParameter(speech.speak("--brief is of what happened, without a board"))
    wanted = reporting.Wanted(first, last, since_mine, form, lang, spectator, board, turn, brief)
    print(reporting.refused(game, refused, wanted, out) if refused else reporting.report(game, wanted, out))


@app.command()
def post(
    game: GameOption = HERE,
    place: Annotated[
        str, typer.Option(help=", ".join(PLACES), autocompletion=completion.one_of(*PLACES), show_default=True)
    ] = "plain",
    out: Annotated[Path | None, typer.Option(help="file to write instead of printing the post")] = None,
    copy: Annotated[bool, typer.Option("--copy", help="to the clipboard instead (extra `clipboard`)")] = False,
    chart: Annotated[Path | None, typer.Option("--map", help="file.png or file.svg: draw the map to post with it")] = None,
    picture: Annotated[str, typer.Option(help="address of the uploaded picture")] = "",
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """What you last sent as a post for a forum, digest, picture, signed files: pbem post --place phpbb --copy -g pacific"""
    from pbem.cli import posting

    plain, text = posting.post(game, posting.Post(place, out, chart, picture, copy))
    if as_json:
        say(plain, text, as_json)
    else:
        print(text)  # escaped for its place; what breaks mark-up there is invisible, and has to stay


@app.command(name="map")
def draw_map(
    game: GameOption = HERE,
    to: Annotated[Path, typer.Option("--to", "--out", help="file.svg, file.png, or file.txt (hex maps)")] = Path("map.svg"),
    file: Annotated[int, typer.Option(help="after this file; -1: the newest")] = -1,
    around: Annotated[
        str, typer.Option(help="a space, or `battles`: a map for each battle", autocompletion=completion.spaces)
    ] = "",
    arrows: Annotated[str, typer.Option(help="moves and battles of the turn, the round, the last file, or none")] = "turn",
    theme: Annotated[str, typer.Option(help="light or dark", autocompletion=completion.one_of("light", "dark"))] = "light",
    width: Annotated[int, typer.Option(help="pixels, 0: what suits the board; areas below 600 show totals")] = 0,
    changes: Annotated[bool, typer.Option("--changes", help="units gained and lost since the turn began")] = False,
    own: Annotated[bool, typer.Option("--own", help="with what you alone know: not for the other side's eyes")] = False,
    pins: Annotated[bool, typer.Option("--pins", help="with what you have pinned there: for your eyes alone")] = False,
) -> None:
    """Draw the map: pbem map --around "SZ 6" --theme dark --to map.png"""
    from pbem.cli import look

    print(look.draw(game, to, look.Chart(file, arrows, theme, width, around, changes, own, pinned=pins)))


@app.command()
def replay(
    game: GameOption = HERE,
    to: Annotated[Path, typer.Option("--to", "--out", help="file.html")] = Path("replay.html"),
    lang: LanguageOption = "",
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
def charts(
    system: SystemArgument,
    name: Annotated[
        str, typer.Argument(help="nothing: the list of charts", autocompletion=completion.charts, show_default=False)
    ] = "",
    charts: Annotated[Path | None, typer.Option(help="charts of your own copy: what differs is shown as yours")] = None,
    as_json: JsonOption = False,
) -> None:
    """The cells of a chart: which are printed, which reconstructed and what binds them: pbem charts pacific-war ground"""
    from pbem.cli import charts as looking

    say(*looking.charts(system, name, charts), as_json)


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
        raise typer.BadParameter(speech.speak("either one draft, or SYSTEM ATTACK DEFENCE"))
    else:
        plain, text = chances.odds(game, Path(words[0]) if words else None)
    say(plain, text, as_json)


@app.command()
def luck(
    game: GameOption = HERE,
    to: Annotated[Path | None, typer.Option(help="draw it into this .svg or .png file")] = None,
    as_json: JsonOption = False,
) -> None:
    """What the dice gave and took, and whether they may be fair: pbem luck --to luck.svg"""
    from pbem.cli import chances

    plain, text = chances.told_luck(game, to)
    say(plain, text, as_json)


@app.command()
def hint(
    file: Annotated[Path | None, typer.Argument(help="orders that come before the question")] = None,
    game: GameOption = HERE,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Three alternatives for what is asked of you, with odds, gain, risk and why: pbem hint -g pacific"""
    from pbem.cli import hinting

    say(*hinting.hint(game, file), as_json)


@app.command()
def review(
    game: GameOption = HERE,
    turn: Annotated[int, typer.Option(help="only this turn; else the whole game")] = 0,
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Your three largest losses by the bot's evaluation, your luckiest and unluckiest dice: pbem review --turn 2 -g pacific"""
    from pbem.cli import hinting

    say(*hinting.review(game, turn), as_json)
