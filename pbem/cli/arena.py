"""The arena: bots and standing orders against each other, or a scenario's sides."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from pbem import games
from pbem.batch import arena, matches, players
from pbem.batch.dealing import Dealer
from pbem.batch.jobs import Lines
from pbem.batch.pools import pool
from pbem.batch.running import run
from pbem.batch.sequential import WHOLE, wilson
from pbem.cli import progress
from pbem.cli.choosing import chosen_options, named_scenario
from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg
from pbem.protocol import strict_yaml
from pbem.store import own

WORK = {matches.MATCH: matches.play}


class Wanted(Struct, frozen=True):
    """What the command says: `scenario` a shipped one or a file, `players` two words, `part` of the seeds."""

    system: str
    scenario: str
    players: str
    number: int
    to: Path
    options: Sequence[str] = ()
    part: str = "train"
    to_the_end: bool = False
    processes: int = 0
    cluster: str = ""


def play(wanted: Wanted) -> tuple[Plain, str]:
    """The games played, as far as they are not in the file of results, and what they show.

    Raises Rejected, ProtocolError for what was typed; what a game raises.
    """
    words, contest = _contest(wanted)
    jobs = arena.jobs(contest, wanted.number, wanted.part)
    kept = Lines(wanted.to)
    workers = pool(wanted.processes, wanted.cluster)
    with progress.shown(speak("games")) as tell, closing(run(jobs, WORK, workers, kept, tell)) as results:
        standing = arena.judge(contest, results, wanted.to_the_end)
    kept.put_in_order(jobs, standing.played)
    return _plain(words, standing), "\n".join([*_told(words, standing), speak("{to} written", to=str(wanted.to))])


# -- what was typed -----------------------------------------------------------------------------------------------------------


def _contest(wanted: Wanted) -> tuple[list[str], arena.Contest]:
    words = wanted.players.split(",")
    if len(words) != 2:
        raise unreadable(msg("name two players: {example}", example="--players bot,random"))
    system, scenario, plain = named_scenario(wanted.system, wanted.scenario)
    game = games.load(system)
    options, (one, other) = chosen_options(game.options, [*wanted.options]), map(_player, words)
    contest = arena.Contest(game, scenario, plain, options, (one, other), own.is_file(wanted.scenario))
    for one in contest.players:
        players.player(game, one, Dealer(b""), 0)
    return words, contest


def _player(word: str) -> Plain:
    """`bot`, `random`, or one of them with standing orders of a file: `bot+orders.yaml`. Raises ProtocolError, OSError."""
    kind, _, file = word.strip().partition("+")
    if not file:
        return {"kind": kind, "policy": {}}
    document, _ = strict_yaml.read_document(Path(file).read_bytes())
    policy = document.get("standing")
    if document.keys() != {"standing"} or not isinstance(policy, dict):
        raise unreadable(
            msg("{file} holds no standing orders: they are under `standing:`, and nothing else is there", file=file)
        )
    return {"kind": kind, "policy": policy}


# -- what it shows ------------------------------------------------------------------------------------------------------------


def _plain(words: Sequence[str], standing: arena.Standing) -> Plain:
    contest, games_, meetings = standing.contest, standing.games, standing.meetings
    low, high = wilson(games_)
    first, last = arena.seeds_of(standing.played)
    winner = _parties(words, standing.contest)[standing.verdict < 0] if standing.verdict else None
    return {
        "system": contest.game.name,
        "scenario": contest.scenario,
        "options": dict(contest.options),
        "players": [*words],
        "parties": [*_parties(words, contest)],
        "seeds": [first, last],
        "games": {"won": games_.won, "drawn": games_.drawn, "lost": games_.lost, "unfinished": standing.unfinished},
        "meetings": {"won": meetings.won, "drawn": meetings.drawn, "lost": meetings.lost},
        "interval": [low, high],
        "of": WHOLE,
        "by_side": {side: standing.by_side.get(side, 0) for side in contest.sides},
        "stronger": winner,
    }


def _parties(words: Sequence[str], contest: arena.Contest) -> tuple[str, str]:
    """Who is compared: the players, or the sides where both are the same."""
    return contest.sides if contest.is_of_equals else (words[0], words[1])


def _told(words: Sequence[str], standing: arena.Standing) -> list[str]:
    contest, score = standing.contest, standing.games
    low, high = wilson(score)
    first, last = arena.seeds_of(standing.played)
    one, other = (_name(contest, party) for party in _parties(words, contest))
    lines = [
        speak(
            "{one} against {other}, {system} {scenario}: {games} games, seeds {first} to {last}",
            one=one,
            other=other,
            system=contest.game.name,
            scenario=contest.scenario,
            games=score.number,
            first=first,
            last=last,
        ),
        speak(
            "{one}: {won} won, {drawn} drawn, {lost} lost, {share} of the points (95 %: {low} to {high})",
            one=one,
            won=score.won,
            drawn=score.drawn,
            lost=score.lost,
            share=_percent(int(score.points * WHOLE / score.number)),
            low=_percent(low),
            high=_percent(high),
        ),
    ]
    lines += [_sides(standing)] if not contest.is_of_equals else []
    if standing.unfinished:
        lines.append(speak("{number} of them came to no end and count as drawn", number=standing.unfinished))
    return [*lines, _verdict(standing, one, other)]


def _sides(standing: arena.Standing) -> str:
    won = [f"{_name(standing.contest, side)} {standing.by_side.get(side, 0)}" for side in standing.contest.sides]
    score = standing.meetings
    return speak(
        "pairs with seats swapped: {won} won, {drawn} drawn, {lost} lost; won by side: {sides}",
        won=score.won,
        drawn=score.drawn,
        lost=score.lost,
        sides=", ".join(won),
    )


def _verdict(standing: arena.Standing, one: str, other: str) -> str:
    if not standing.verdict:
        return speak("Not decided: play more games.")
    name = one if standing.verdict > 0 else other
    return speak("Decided: {name} is the stronger (sequential test, at most one error in 19).", name=name)


def _name(contest: arena.Contest, party: str) -> str:
    """A player by the word that was typed, a side by its name."""
    return text(contest.game.words().SIDES[party]) if party in contest.sides else party


def _percent(part: int) -> str:
    """Parts of WHOLE as a percentage with one place."""
    return f"{part // 100}.{part // 10 % 10} %"
