"""Players without a person: what they may know, when enough is played, and that a job gives the same everywhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.batch import arena, matches, players
from pbem.batch.dealing import Dealer
from pbem.batch.jobs import Job
from pbem.batch.sequential import ERROR, Score, decided, wilson
from pbem.kernel.flow import Ask, Draw, Open, Roll
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.knowledge import Unknown
from pbem.store.library import load_scenario
from tests.batch.cluster import cluster
from tests.commands import must, run

pytestmark = pytest.mark.in_turn(2)

BOT: dict[str, Any] = {"kind": "bot", "policy": {}}
LOT: dict[str, Any] = {"kind": "random", "policy": {}}
SEALED = {"forces": "sealed", "land": "sealed", "decoys": "yes", "points": "sealed"}


def contest(system: str, scenario: str, one: Any = BOT, other: Any = LOT, **options: Any) -> arena.Contest:
    game = games.load(system)
    return arena.Contest(game, scenario, load_scenario(game, scenario), options, (one, other))


TRAINING = contest("next-war", "training")
PACIFIC = contest("axis-and-allies-pacific", "spring-1940", BOT, BOT)


# -- how sure -----------------------------------------------------------------------------------------------------------------


def test_a_lead_of_eight_meetings_decides_and_one_of_seven_does_not() -> None:
    assert [decided(Score(7, 5, 0)), decided(Score(8, 0, 0)), decided(Score(3, 0, 11)), decided(Score(20, 9, 13))] == [
        0,
        1,
        -1,
        0,
    ]


def test_the_weaker_is_seldom_named_the_stronger() -> None:
    """Counted out over all courses of 400 meetings: a party that wins two fifths of them is named the stronger in 1 of 19."""
    p, named = Fraction(2, 5), Fraction(0)
    leads = {0: Fraction(1)}
    for _ in range(400):
        after: dict[int, Fraction] = {}
        for lead, chance in leads.items():
            for step, part in ((1, p), (-1, 1 - p)):
                after[lead + step] = after.get(lead + step, Fraction(0)) + chance * part
        ended = [lead for lead in after if decided(Score(max(lead, 0), 0, max(-lead, 0)))]
        named += sum((after[lead] for lead in ended if lead > 0), Fraction(0))
        leads = {lead: chance for lead, chance in after.items() if lead not in ended}
    assert 0 < named <= ERROR / (1 - ERROR)
    assert sum(leads.values()) < Fraction(1, 1000)


@pytest.mark.parametrize(
    ("score", "ends"),
    [  # from the formula with a pocket calculator: 5 of 10, 16 of 16, 0 of 1, half points
        (Score(5, 0, 5), (2365, 7635)),
        (Score(16, 0, 0), (8063, 10000)),
        (Score(0, 0, 1), (0, 7935)),
        (Score(0, 10, 0), (2365, 7635)),
        (Score(), (0, 10000)),
    ],
)
def test_the_interval_is_wilsons(score: Score, ends: tuple[int, int]) -> None:
    assert wilson(score) == ends


# -- which games --------------------------------------------------------------------------------------------------------------


def test_different_players_swap_seats_and_have_the_same_dice() -> None:
    jobs = arena.jobs(TRAINING, 3, "choose")
    assert [job.arguments["seed"] for job in jobs] == [10_000, 10_000, 10_001, 10_001]
    assert [job.arguments["players"]["allied"] for job in jobs[:2]] == [BOT, LOT]  # type: ignore[index,call-overload]
    one, other = Dealer.of("a", "b", 7), Dealer.of("a", "b", 7)
    request = Roll(msg("attack"), 3, 10, "9.4")
    other.lot(50)
    engine: Any = None
    assert [one.answer(engine, request) for _ in range(4)] == [other.answer(engine, request) for _ in range(4)]
    assert Dealer.of("a", "b", 8).answer(engine, request) != Dealer.of("a", "b", 7).answer(engine, request)


def test_equal_players_meet_once_and_the_sides_are_compared() -> None:
    equal = contest("next-war", "training", BOT, BOT)
    jobs = arena.jobs(equal, 3, "train")
    assert [job.arguments["seed"] for job in jobs] == [1, 2, 3]
    results: list[Any] = [{"winner": side, "rule": "12.2"} for side in ("allied", "non-allied", "allied")]
    standing = arena.judge(equal, zip(jobs, results, strict=True))
    assert standing.games == standing.meetings == Score(2, 0, 1)


def test_a_pair_is_one_meeting() -> None:
    jobs = arena.jobs(TRAINING, 8, "train")
    #     first player: wins twice; wins, loses; draws, wins as the other side; loses twice
    won = ["allied", "non-allied", "allied", "allied", "", "non-allied", "non-allied", "allied"]
    standing = arena.judge(
        TRAINING, ((job, {"winner": side, "rule": "12.2" if side else ""}) for job, side in zip(jobs, won, strict=True))
    )
    assert standing.games == Score(4, 1, 3) and standing.meetings == Score(2, 1, 1) and standing.unfinished == 1


def test_it_stops_when_it_is_decided() -> None:
    jobs = arena.jobs(TRAINING, 100, "train")
    won: list[tuple[Job, Any]] = [
        (job, {"winner": ("allied", "non-allied")[i % 2], "rule": "12"}) for i, job in enumerate(jobs)
    ]
    assert len(arena.judge(TRAINING, won).played) == 16 and arena.judge(TRAINING, won).verdict == 1
    assert len(arena.judge(TRAINING, won, to_the_end=True).played) == 100


@pytest.mark.parametrize(("number", "part"), [(0, "train"), (2001, "report"), (2, "judge")])
def test_seeds_are_divided_and_come_to_an_end(number: int, part: str) -> None:
    with pytest.raises(Rejected):
        arena.jobs(contest("next-war", "training", BOT, BOT), number, part)
    parts = [seed for seeds in arena.SEEDS.values() for seed in seeds]
    assert len(parts) == len(set(parts)) == 9999 + 10_000 + 1000


# -- what is known ------------------------------------------------------------------------------------------------------------


def test_a_hand_is_known_to_its_owner_alone_until_it_is_shown() -> None:
    dealer, engine = Dealer.of("x"), None
    handles = dealer.answer(engine, Draw("japan", "deck", ("a", "b", "c"), ("b",), 2, "5"))  # type: ignore[arg-type]
    assert isinstance(handles, list) and {*dealer.own["japan"]} == {"a", "c"}
    again = dealer.answer(engine, Draw("allies", "deck", ("a", "b", "c"), (str(handles[0]),), 2, "5"))  # type: ignore[arg-type]
    assert isinstance(again, list)
    taken = dealer.known_to("japan")(str(handles[0]))
    assert {*dealer.own["allies"]} == {"a", "b", "c"} - {taken}
    with pytest.raises(Unknown):
        dealer.known_to("allies")(str(handles[0]))
    assert dealer.answer(engine, Open("japan", str(handles[0]), "5")) == taken  # type: ignore[arg-type]
    assert dealer.known_to("allies")(str(handles[0])) == taken and taken not in dealer.own["japan"]
    with pytest.raises(Unknown):
        dealer.answer(engine, Open("japan", str(again[0]), "5"))  # type: ignore[arg-type]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    ("system", "scenario", "options"),
    [
        ("next-war", "training", {}),
        ("pacific-war", "coral-sea", SEALED),
        ("axis-and-allies-pacific", "spring-1940", {"round-limit": 1}),
        ("empire-of-the-sun", "south-pacific", {}),
    ],
)
def test_games_come_to_their_end(system: str, scenario: str, options: Any) -> None:
    """Hidden hands and forces too: whoever would look at what is not his would get Unknown."""
    job, other = arena.jobs(contest(system, scenario, **options), 2, "train")
    found: Any = matches.play(job.arguments)
    assert found["rule"] and found["decisions"] > 20 and found["rolls"] > 5
    assert matches.play(other.arguments) != found
    assert found["winner"] in ("", *games.load(system).seats.values())


@pytest.mark.parametrize(("match", "most"), [(TRAINING, arena.MOST), (PACIFIC, 60)], ids=["next-war", "pacific"])
def test_a_job_gives_the_same_in_every_process(match: arena.Contest, most: int) -> None:
    job = {**arena.jobs(match, 1, "train")[0].arguments, "most": most}
    program = "import json,sys; from pbem.batch import matches; print(json.dumps(matches.play(json.load(sys.stdin))))"
    for seed in "01":
        done = subprocess.run(
            [sys.executable, "-c", program],
            input=json.dumps(job),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(done.stdout) == matches.play(job)


def test_the_seed_of_a_job_draws_the_opening_of_its_bots() -> None:
    """Before any die: what differs are the orders. The same seed gives the same again, whatever was played between."""
    opened: list[Any] = [matches.play({**job.arguments, "most": 4}) for job in arena.jobs(PACIFIC, 6, "train")]
    assert [found["rolls"] for found in opened] == [0] * 6
    assert len({found["state"] for found in opened}) >= 3
    assert [matches.play({**job.arguments, "most": 4}) for job in arena.jobs(PACIFIC, 6, "train")] == opened


def test_a_worker_with_other_rules_plays_nothing() -> None:
    job = arena.jobs(TRAINING, 1, "train")[0]
    for change in ({"rules": 99}, {"hash": "0" * 64}):
        with pytest.raises(ProtocolError, match="not those of the job"):
            matches.play({**job.arguments, **change})


def test_standing_orders_answer_first() -> None:
    """A policy that never buys changes the game; one that does not apply changes nothing."""
    thrifty = {"kind": "bot", "policy": {"purchase": [{"do": "done"}]}}
    never = {"kind": "bot", "policy": {"purchase": [{"do": "done", "when": "nothing = 1"}]}}
    told = {}
    for name, one in (("plain", BOT), ("thrifty", thrifty), ("never", never)):
        match = contest("axis-and-allies-pacific", "spring-1940", one, LOT, **{"round-limit": 1})
        told[name] = matches.play(arena.jobs(match, 1, "train")[0].arguments)
    assert told["plain"] == told["never"] != told["thrifty"]


def test_a_clause_for_once_is_used_up() -> None:
    once = {"kind": "random", "policy": {"retreat": [{"do": "press", "life": "once"}]}}
    one = players.player(games.load("next-war"), once, Dealer(b""), 0)
    ask = Ask("allied", "retreat", "9.8", msg("retreat"), lambda order: order, options=lambda: ["stay", "again"])
    engine: Any = SimpleNamespace(state=None)
    assert [one.order(engine, ask, {}) for _ in range(3)] == ["press", "stay", "stay"]


def test_players_that_there_are_not() -> None:
    game = games.load("next-war")
    with pytest.raises(Rejected, match="there is no player 'genius'"):
        players.player(game, {"kind": "genius", "policy": {}}, Dealer(b""), 0)
    with pytest.raises(Rejected):
        players.player(game, {"kind": "bot", "policy": {"x": [{"do": 1, "when": "("}]}}, Dealer(b""), 0)


# -- the command --------------------------------------------------------------------------------------------------------------


def test_the_command_plays_and_goes_on(tmp_path: Path) -> None:
    words = ("arena", "next-war", "training", "--to", str(tmp_path / "r"), "--processes", "1")
    first = must(*words, "--games", "2")
    assert "bot against random" in first and "2 games, seeds 1 to 1" in first and "Not decided" in first
    lines = (tmp_path / "r").read_bytes()
    more: Any = json.loads(must(*words, "--games", "30", "--json"))
    assert more["stronger"] == "bot" and more["games"]["won"] >= 14 and (tmp_path / "r").read_bytes().startswith(lines)
    whole = (tmp_path / "r").read_bytes()
    (tmp_path / "r").unlink()
    must(*words, "--games", "4")
    assert whole.startswith((tmp_path / "r").read_bytes()), "gone on with as played at once"


def test_equal_seeds_give_equal_bytes_of_a_bot_that_plays_by_its_seed(tmp_path: Path) -> None:
    words = (
        "arena",
        "axis-and-allies-pacific",
        "spring-1940",
        "--players",
        "bot,bot",
        "--option",
        "round-limit=1",
        "--games",
        "2",
    )
    for name in ("one", "other"):
        must(*words, "--processes", "1", "--to", str(tmp_path / name))
    lines = (tmp_path / "one").read_bytes()
    assert (tmp_path / "other").read_bytes() == lines and lines.count(b"\n") == 2


def test_a_cluster_plays_the_same_games(tmp_path: Path) -> None:
    words = ("arena", "next-war", "training", "--games", "4", "--to")
    with cluster(tmp_path, 2) as (address, _):
        far = must(*words, str(tmp_path / "far"), "--cluster", address)
    near = must(*words, str(tmp_path / "near"), "--processes", "1")
    assert (tmp_path / "far").read_bytes() == (tmp_path / "near").read_bytes()
    assert far.replace("far", "near") == near


def test_what_is_typed_wrong_is_told(tmp_path: Path) -> None:
    (tmp_path / "o.yaml").write_text("orders: []\nstanding:\n  retreat: press\n")
    to = ("--to", str(tmp_path / "r"))
    for words, said in (
        (("next-war", "training", "--players", "bot"), "name two players"),
        (("next-war", "training", "--players", "bot,human"), "no player 'human'"),
        (("next-war", "training", "--players", f"bot,bot+{tmp_path}/o.yaml"), "nothing else is there"),
        (("next-war", "training", "--seeds", "mine"), "no part 'mine'"),
        (("next-war", "nowhere"), "no scenario"),
    ):
        done = run("arena", *words, *to)
        assert done.code in (1, 5) and said in done.err, done
    assert not (tmp_path / "r").exists()
