"""Keys, games, scenarios, charters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion, speech
from pbem.cli.shell import CONSEQUENCES, HERE, ChartsOption, GameOption, JsonOption, OwnOption, SystemArgument, app, say


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
        raise typer.BadParameter(speech.speak("either --new, or --use FILE"))
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
        raise typer.BadParameter(speech.speak("either --file FILE, or --keyring"))
    say(*player_key.change_passphrase(game, file, keyring), as_json)


@app.command()
def games(as_json: JsonOption = False) -> None:
    """The rules modules: pbem games"""
    from pbem import games

    rows = games.titles()
    say(rows, "\n".join(f"{s}  {t}" for s, t in rows.items()), as_json)


@app.command()
def scenarios(system: SystemArgument = "", as_json: JsonOption = False) -> None:
    """What each scenario of a system is, its seats and options: pbem scenarios axis-and-allies-pacific

    Without a system: the names of all.
    """
    from pbem.cli import choosing

    plain, text = choosing.scenarios(system) if system else choosing.systems_with_scenarios()
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
    hints: Annotated[bool, typer.Option("--hints/--no-hints", help="whether `pbem hint` may help the players")] = True,
    slots: Annotated[
        str, typer.Option(help="times of the day, UTC, by commas, at which files with decisions leave: 06:00,18:00")
    ] = "",
    as_json: JsonOption = False,
) -> None:
    """Draft a charter in a new game folder: pbem new pacific --option bid=6"""
    from pbem.cli import setup

    made = setup.new(
        folder, system, scenario, option or [], deadline, lost_keys, charts, grace, then, not as_json, hints, slots
    )
    say(*made, as_json)


@app.command()
def join(
    name: Annotated[str, typer.Option("--as", help="your player name")],
    seats: Annotated[str, typer.Option(help="seats, by commas", autocompletion=completion.seats)],
    charter: Annotated[Path | None, typer.Argument(help="the draft that was sent to you")] = None,
    answers: Annotated[bool, typer.Option("--answers", help="you answer the reactions of your whole side")] = False,
    first: Annotated[str, typer.Option("--set", help="standing orders that your first file brings: usual, careful, bold")] = "",
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask, though the terms are not those of your draft")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Take seats in a charter draft: pbem join draft.yaml --as nowak --seats japan -g pacific"""
    from pbem.cli import setup
    from pbem.cli.scenario import OwnFiles

    taken = [s.strip() for s in seats.split(",") if s.strip()]
    say(*setup.join(game, charter, name, taken, answers, OwnFiles(scenario, charts), not as_json, first, sure=yes), as_json)


@app.command()
def accept(
    charter: Annotated[Path | None, typer.Argument(help="the charter that was sent to you")] = None,
    scenario: OwnOption = None,
    charts: ChartsOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="do not ask, though the terms are not those of your draft")] = False,
    game: GameOption = HERE,
    as_json: JsonOption = False,
) -> None:
    """Compare and sign the charter; with all signatures the game begins: pbem accept charter.yaml -g pacific

    In a folder that is not there yet, a charter that all have signed makes one that watches: pbem accept charter.yaml -g watch
    """
    from pbem.cli import play, setup, watching
    from pbem.cli.scenario import OwnFiles

    own = OwnFiles(scenario, charts)
    play.check_no_offer(game)
    if charter is not None and not (game / "pbem.json").exists():
        say(*watching.begin(game, charter, own), as_json)
        return
    watching.refuse_own_files(own)
    say(*setup.accept(game, charter, sure=yes), as_json)


scenario = typer.Typer(no_args_is_help=True, help="Scenarios of your own: pbem scenario check mine.yaml")
app.add_typer(scenario, name="scenario")


@scenario.command(name="check")
def scenario_check(file: Path, as_json: JsonOption = False) -> None:
    """Every fault of a scenario of your own, with file, line and column: pbem scenario check mine.yaml"""
    from pbem.cli import scenario as judging

    plain, text, code = judging.check(file)
    say(plain, text, as_json)
    raise typer.Exit(code)
