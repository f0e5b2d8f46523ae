"""Proving: verdicts, disputes, forks, backups."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.shell import HERE, ChartsOption, GameOption, JsonOption, MeantOption, OwnOption, app, say


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

    syncing.check_one(join, leave, other is not None)
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
    yes: MeantOption = False,
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
        say(*healing.command(game, file, Wanted(keep, at, note), anew, sure=yes), as_json)


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
