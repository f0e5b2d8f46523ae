"""Many games: the arena of bots, forecasts by them, the league of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pbem.cli import completion
from pbem.cli.shell import HERE, GameOption, JsonOption, LanguageOption, SystemArgument, app, say

ClusterOption = Annotated[str, typer.Option(help="address of a Dask scheduler, tcp://HOST:8786 (extra `cluster`)")]
ProcessesOption = Annotated[int, typer.Option("--processes", min=0, help="of this machine; 0: one for each core")]


@app.command()
def arena(
    system: SystemArgument,
    scenario: Annotated[str, typer.Argument(help="one of `pbem scenarios`, or a file", autocompletion=completion.scenarios)],
    players: Annotated[str, typer.Option(help="two of bot, easy, random, bot+ORDERS.yaml, random+ORDERS.yaml")] = "bot,random",
    number: Annotated[int, typer.Option("--games", min=1, help="at most so many; fewer where they decide it")] = 200,
    to: Annotated[Path, typer.Option(help="the file of results; what it holds is not played again")] = Path("results.jsonl"),
    option: Annotated[list[str] | None, typer.Option(help="name=value, repeatable", autocompletion=completion.options)] = None,
    seeds: Annotated[
        str, typer.Option(help="train, choose or report", autocompletion=completion.one_of("train", "choose", "report"))
    ] = "train",
    to_the_end: Annotated[bool, typer.Option("--all", help="play all games, decided or not")] = False,
    processes: ProcessesOption = 0,
    cluster: ClusterOption = "",
    as_json: JsonOption = False,
) -> None:
    """Bots and standing orders against each other, seats swapped: pbem arena next-war training --players bot,random"""
    from pbem.cli import arena as matches

    wanted = matches.Wanted(
        system, scenario, players, number, to, option or [], seeds, to_the_end, processes=processes, cluster=cluster
    )
    say(*matches.play(wanted), as_json)


@app.command()
def league(
    folder: Annotated[Path, typer.Argument(help="a folder of game folders")],
    to: Annotated[Path, typer.Option(help="the folder of the site")] = Path("site"),
    title: Annotated[str, typer.Option(help="of the site  [default: the folder's name]", show_default=False)] = "",
    address: Annotated[str, typer.Option(help="where the site will be found, for its feed")] = "",
    processes: ProcessesOption = 0,
    cluster: ClusterOption = "",
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Every game of a folder judged, and a site of standings, reports, maps and replays: pbem league games --to site"""
    from pbem.cli import league as site

    say(*site.make(site.Wanted(folder, to, title, address, processes, cluster)), as_json)


@app.command()
def forecast(
    game: GameOption = HERE,
    to: Annotated[Path | None, typer.Option(help="the page to be written, such as forecast.html")] = None,
    number: Annotated[int, typer.Option("--games", min=1, max=100_000, help="so many runs")] = 200,
    turns: Annotated[int, typer.Option(min=0, help="leave off after so many more turns; 0: play to the end")] = 0,
    seed: Annotated[int, typer.Option(min=1, help="of the first run; the next ones follow")] = 1,
    mine: Annotated[bool, typer.Option("--mine", help="with your own hand as it is: keep that page to yourself")] = False,
    results: Annotated[Path | None, typer.Option(help="keep every run in this file; what it holds is not played again")] = None,
    processes: ProcessesOption = 0,
    cluster: ClusterOption = "",
    lang: LanguageOption = "",
    as_json: JsonOption = False,
) -> None:
    """Bots play on from here, many times: who wins by when, what moves it: pbem forecast -g japan --to forecast.html"""
    from pbem.batch.forecast import Plan
    from pbem.cli import forecast as runs

    plan = Plan(number, seed, turns)
    say(*runs.make(runs.Wanted(game, to, plan, mine, results, processes, cluster)), as_json)
