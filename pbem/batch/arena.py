"""Two parties without a person against each other: which games are to be played, and what they show.

Different players meet twice at every seed, with seats swapped and the same dice: such a pair is one meeting, won by who has the
more points of it. Equal players meet once at a seed; then the sides are compared, which tells how balanced a scenario is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from pbem import __version__
from pbem.batch.jobs import Job
from pbem.batch.matches import MATCH
from pbem.batch.sequential import Score, decided
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.protocol.ids import scenario_hash

SEEDS = {"train": range(1, 10_000), "choose": range(10_000, 20_000), "report": range(20_000, 21_000)}
MOST = 50_000  # decisions of a game that has not come to its end by then: it counts as drawn


class Contest(Struct, frozen=True):
    """Who plays what: both players as `players.player` reads them. `is_own`: no shipped scenario."""

    game: Module
    scenario: str
    plain: Plain
    options: Mapping[str, Plain]
    players: tuple[Plain, Plain]
    is_own: bool = False

    @property
    def sides(self) -> tuple[str, str]:
        """The two sides, in the order of the seats. Raises Rejected for a game of more or fewer."""
        sides = list(dict.fromkeys(self.game.seats.values()))
        if len(sides) != 2:
            raise unreadable(msg("{title} has other than two sides", title=self.game.title))
        return sides[0], sides[1]

    @property
    def is_of_equals(self) -> bool:
        """Both players are the same: sides are compared, not players."""
        return self.players[0] == self.players[1]

    @property
    def at_a_seed(self) -> int:
        """Games at a seed."""
        return 1 if self.is_of_equals else 2


def jobs(contest: Contest, number: int, part: str) -> list[Job]:
    """At least so many games, in whole meetings, from a part of SEEDS. Raises Rejected where it has not so many."""
    if part not in SEEDS:
        raise unreadable(msg("there is no part {part!r} of the seeds", part=part), verbatim(*SEEDS))
    seeds, meetings = SEEDS[part], -(-number // contest.at_a_seed)
    if not 1 <= meetings <= len(seeds):
        most = len(seeds) * contest.at_a_seed
        raise unreadable(msg("{part} has seeds for 1 to {most} games, not {number}", part=part, most=most, number=number))
    return [job for seed in seeds[:meetings] for job in _at(contest, seed)]


def _at(contest: Contest, seed: int) -> Iterator[Job]:
    first, second = contest.players
    for one, other in [(first, second), (second, first)][: contest.at_a_seed]:
        yield Job(
            MATCH,
            {
                "system": contest.game.name,
                "scenario": contest.scenario,
                "hash": scenario_hash(contest.plain),
                "own": contest.plain if contest.is_own else None,
                "options": dict(contest.options),
                "program": __version__,
                "rules": contest.game.rules_version,
                "seed": seed,
                "most": MOST,
                "players": dict(zip(contest.sides, (one, other), strict=True)),
            },
        )


class Standing(Struct):
    """What the games so far show. `games`: of the first player, or of the first side where the players are equal."""

    contest: Contest
    games: Score = field(default_factory=Score)
    meetings: Score = field(default_factory=Score)
    by_side: dict[str, int] = field(default_factory=dict)
    unfinished: int = 0
    verdict: int = 0
    played: list[Job] = field(default_factory=list)
    _meeting: int = 0

    def add(self, job: Job, result: Plain) -> None:
        """The next game, in the order of the jobs."""
        assert isinstance(result, dict)
        winner = str(result["winner"])
        self.unfinished += not result["rule"]
        self.by_side[winner] = self.by_side.get(winner, 0) + 1
        swapped = len(self.played) % self.contest.at_a_seed == 1
        mine = self.contest.sides[swapped]
        sign = 0 if not winner else 1 if winner == mine else -1
        self.games = self.games.plus(sign)
        self._meeting += sign
        self.played.append(job)
        if len(self.played) % self.contest.at_a_seed == 0:
            self.meetings, self._meeting = self.meetings.plus(self._meeting), 0
            self.verdict = decided(self.meetings)


def judge(contest: Contest, results: Iterable[tuple[Job, Plain]], to_the_end: bool = False) -> Standing:
    """The standing after as many games as it takes to decide, or after all of them."""
    standing = Standing(contest)
    for job, result in results:
        standing.add(job, result)
        if standing.verdict and not to_the_end:
            break
    return standing


def seeds_of(played: Sequence[Job]) -> tuple[int, int]:
    """The first and the last seed of games."""
    seeds = [int(str(job.arguments["seed"])) for job in played]
    return (seeds[0], seeds[-1]) if seeds else (0, 0)
