"""A forecast knows what everybody knows: hidden cards are dealt anew, what cannot be dealt is refused."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem import games
from pbem.batch import forecast, outlook
from pbem.batch.dealing import Dealer
from pbem.batch.forecast import Plan
from pbem.batch.redealing import Hidden, hidden_in
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.orders import Rejected
from pbem.protocol.outcomes import ProtocolError
from pbem.report.curves import BOTTOM, LEFT, RIGHT, TOP, Curve, Line, Point
from pbem.runtime.ledger import DrawMade, Ledger, Seal
from pbem.store.session import Session
from tests import manual
from tests.batch import played
from tests.commands import inside, must, run

pytestmark = pytest.mark.in_turn(2)

# -- dealing anew -------------------------------------------------------------------------------------------------------------


def table(draws: list[DrawMade], opened: dict[str, Plain], alive: Plain, seals: tuple[str, ...] = ()) -> Any:
    """A table of draws, and nothing else of a game."""
    engine = SimpleNamespace(checkpoint=lambda: SimpleNamespace(state={"hand": alive}, journal=[]), state=None)
    ledger = Ledger(draws=draws, opened=opened, seals={h: Seal("nowak", 1, 0, "", "commit") for h in seals})
    return SimpleNamespace(engine=engine, ledger=ledger, game=SimpleNamespace(may_hold=lambda g, seat, handle, item: True))


def drawn(j: int, count: int, base: str, *less: str, sides: int = 0) -> DrawMade:
    return DrawMade(j, "nowak", "red", "", 1, count, "deck", list(base), list(less), sides=sides)


def deals(hidden: Hidden, number: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(str(item) for item in hidden.deal(Dealer.of("a", n)).values()) for n in range(number))


def test_each_deal_that_agrees_with_what_was_shown_is_as_likely_as_any_other() -> None:
    """Two of a to d, then one more with both out, which was d: a, b, c in any order for the two."""
    draws = [drawn(0, 2, "abcd"), drawn(1, 1, "abcd", "red:draw0:0", "red:draw0:1")]
    found = deals(hidden_in(table(draws, {"red:draw1:0": "d"}, ["red:draw0:0", "red:draw0:1"]), {}), 3000)
    assert set(found) == {(x, y) for x in "abc" for y in "abc" if x != y}
    assert all(420 < n < 580 for n in found.values())


def test_a_card_drawn_after_a_new_shuffle_is_none_that_was_held() -> None:
    """The first hand holds a of a, b, c; b comes from the next draw, whose pile lacks the one that is held, and goes back."""
    draws = [drawn(0, 1, "abc"), drawn(1, 1, "abc", "red:draw0:0"), drawn(2, 1, "abc", "red:draw0:0")]
    found = deals(hidden_in(table(draws, {"red:draw1:0": "b"}, []), {}), 800)
    assert set(found) == {("a", "b"), ("a", "c"), ("c", "a"), ("c", "b")}
    assert all(150 < n < 250 for n in found.values())


def test_what_the_asker_knows_stays_and_the_rest_goes_around_it() -> None:
    hidden = hidden_in(table([drawn(0, 2, "abc")], {}, []), {"red:draw0:1": "b"})
    assert {deal["red:draw0:1"] for deal in (hidden.deal(Dealer.of(n)) for n in range(50))} == {"b"}
    assert {deal["red:draw0:0"] for deal in (hidden.deal(Dealer.of(n)) for n in range(50))} == {"a", "c"}


@pytest.mark.parametrize(
    ("draws", "seals", "words"),
    [
        ([drawn(0, 1, "", sides=6)], (), "dice that one player alone"),
        ([drawn(0, 1, "aab")], (), "alike"),
        ([], ("blue:1.1",), "1 sealed order"),
        ([drawn(0, 2, "a")], (), "no deal"),
    ],
)
def test_what_cannot_be_dealt_is_refused(draws: list[DrawMade], seals: tuple[str, ...], words: str) -> None:
    with pytest.raises(Rejected, match=words):
        hidden_in(table(draws, {}, ["red:draw0:0", "blue:1.1"], seals), {}).deal(Dealer.of("a"))


def test_a_seal_that_is_of_no_more_use_forbids_nothing() -> None:
    assert hidden_in(table([], {}, [], ("blue:1.1",)), {}).deal(Dealer.of("a")) == {}


# -- what the runs show -------------------------------------------------------------------------------------------------------


def ended(winner: str, turn: int, cities: int, rule: str = "4") -> dict[str, Any]:
    turns = [{"turn": t, "measured": [cities * t], "public": {"cities": cities, "same": 1}} for t in range(1, turn + 1)]
    return {"winner": winner, "rule": rule, "turn": turn, "turns": [*turns, turns[-1]]}


def test_who_wins_by_when_and_what_winning_goes_with() -> None:
    runs = [ended("blue", 4, 7)] * 30 + [ended("red", 3, 2)] * 18 + [ended("", 5, 2)] + [ended("", 2, 2, "")]
    told = outlook.outlook(["blue", "red"], runs)
    assert (told.runs, told.drawn, told.open) == (50, 1, 1)
    assert {side: (one.runs, one.part) for side, one in told.sides.items()} == {"blue": (30, 6000), "red": (18, 3600)}
    assert {t: (by["blue"].runs, by["red"].runs) for t, by in told.by.items()} == {3: (0, 18), 4: (30, 18), 5: (30, 18)}
    assert told.sides["blue"].low < 6000 < told.sides["blue"].high
    [mover] = told.movers
    assert (told.after, told.looked_at, mover.name, mover.bound) == (3, 1, "cities", 7)
    assert (mover.above.part, mover.below.part) == (10_000, 0)
    [course] = told.courses
    assert [(m.turn, m.low, m.middle, m.high, m.runs) for m in course][:2] == [(1, 2, 7, 7, 50), (2, 4, 14, 14, 50)]


def test_what_does_not_go_with_winning_is_not_told() -> None:
    runs = [ended(winner, 4, cities) for winner in ("blue", "red") for cities in (2, 7)] * 20
    told = outlook.outlook(["blue", "red"], runs)
    assert told.looked_at == 1 and not told.movers


def test_a_curve_stays_in_its_frame() -> None:
    curve = Curve.of([Line("a", [Point(1, 0, 5, 10), Point(3, 2, 10, 10)])], 0, 10, str)
    assert curve.drawn[0].line == f"{LEFT},{(BOTTOM + TOP) // 2} {RIGHT},{TOP}"
    assert curve.turns == ((LEFT, "1"), (RIGHT, "3")) and curve.values[0] == (BOTTOM, "0")


# -- games --------------------------------------------------------------------------------------------------------------------

TWO = {"nowak": ["japan"], "yamada": ["allies"]}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Empire of the Sun after the hands are dealt and before one can be played out, whatever the dice."""
    root = tmp_path_factory.mktemp("forecast")
    played.game(root, "war", "empire-of-the-sun", "south-pacific", TWO, most=4)
    return root


def told(folder: Path, *words: str) -> Any:
    return json.loads(must("forecast", "-g", str(folder), "--games", "2", "--turns", "1", "--processes", "1", "--json", *words))


def test_both_players_and_a_stranger_get_the_same(campaign: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Three folders that differ in nothing but the secrets that they hold."""
    monkeypatch.setenv("PBEM_HOME", str(campaign / "home"))
    last = min(Session.open(campaign / "war" / name).table.last for name in TWO)
    tables = [Session.open(campaign / "war" / name).replayed(last) for name in TWO]
    jobs = [forecast.jobs(at, Plan(3), {}) for at in tables]
    assert [job.id for job in jobs[0]] == [job.id for job in jobs[1]]
    page, alone = tmp_path / "a.html", tmp_path / "b.html"
    mine = told(campaign / "war" / "nowak", "--to", str(page))
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "nobody"))
    shutil.copytree(campaign / "war" / "nowak", tmp_path / "stranger", ignore=shutil.ignore_patterns("private", "backups"))
    assert told(tmp_path / "stranger", "--to", str(alone)) == mine
    assert alone.read_bytes() == page.read_bytes()


def test_hidden_hands_are_dealt_anew_in_each_run_and_ones_own_stays_when_it_is_wanted(
    campaign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(campaign / "home"))
    session = Session.open(campaign / "war" / "nowak")
    own = {handle: item for item, handle in session.knowledge().hand("japan").items()}
    assert own
    dealt: list[Any] = [job.arguments["dealt"] for job in forecast.jobs(session.table, Plan(40), {})]
    assert all(len({deal[handle] for deal in dealt}) > 5 for handle in own)
    assert all(len(set(deal.values())) == len(deal) for deal in dealt)
    with_mine: list[Any] = [job.arguments["dealt"] for job in forecast.jobs(session.table, Plan(40), own)]
    assert all(deal[handle] == item for deal in with_mine for handle, item in own.items())
    assert all(len({deal[handle] for deal in with_mine}) > 5 for handle in with_mine[0] if handle not in own)


def test_a_special_card_is_no_future_offensives_card(campaign: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(campaign / "home"))
    at = Session.open(campaign / "war" / "nowak").table
    handle = next(h for h in at.engine.state.hands["japan"] if ":" in h)
    special = "J43"
    assert at.game.may_hold(at.engine.state, "japan", handle, special)
    at.engine.state.future["japan"] = handle
    assert not at.game.may_hold(at.engine.state, "japan", handle, special)
    assert special not in hidden_in(at, {}).may_be[handle]


def test_the_first_turns_of_the_pacific(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a few decisions: a whole game takes minutes. The same job gives the same, another seed another."""
    game = games.load("axis-and-allies-pacific")
    from pbem.store.library import load_scenario

    scenario = load_scenario(game, "spring-1940")
    engine = Engine(game, scenario, game.start(scenario, {}))
    at: Any = SimpleNamespace(
        engine=engine, ledger=Ledger(), game=game, result=None, charter=SimpleNamespace(scenario="spring-1940")
    )
    monkeypatch.setattr(forecast, "MOST", 12)
    one, other = (job.arguments for job in forecast.jobs(at, Plan(2), {}))
    told, again, else_told = (forecast.play(job) for job in (one, one, other))
    assert isinstance(told, dict) and isinstance(told["turns"], list) and isinstance(else_told, dict)
    assert told == again and told["state"] != else_told["state"]
    first: Any = told["turns"][0]
    assert first["measured"] == [n for _, n in game.measured(engine.state)] and first["measured"][0] == 2
    assert first["public"]["Victory cities, Axis"] == first["measured"][0]


# -- the command --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exercise(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Next War's training game after its first files."""
    root = tmp_path_factory.mktemp("exercise")
    sides = {"nowak": ["allied"], "yamada": ["non-allied"]}
    return played.game(root, "war", "next-war", "training", sides, most=4)


def test_a_page_in_every_language_without_scripts(exercise: Path, tmp_path: Path) -> None:
    kept, words = str(tmp_path / "runs.jsonl"), ("--games", "6", "--processes", "1")
    pages = {}
    for code in ("en", "cs", "fr", "pl", "ru"):
        page = tmp_path / f"{code}.html"
        must("forecast", "-g", str(exercise), *words, "--results", kept, "--to", str(page), "--language", code)
        pages[code] = page.read_text()
        assert f'<html lang="{code}">' in pages[code] and "<script" not in pages[code] and "</html>" in pages[code]
    assert len(set(pages.values())) == 5 and "Who wins" in pages["en"]
    assert not any("Who wins" in pages[code] or "What this rests on" in pages[code] for code in ("cs", "fr", "pl", "ru"))
    assert len(Path(kept).read_text().splitlines()) == 6


def test_the_line_of_the_manual_runs_as_it_stands(exercise: Path, tmp_path: Path) -> None:
    [words] = [words for words in manual.told(manual.page("many-games")) if words[0] == "forecast"]
    (tmp_path / "japan").symlink_to(exercise)
    with inside(tmp_path):
        assert must(*words)
    assert (tmp_path / "forecast.html").exists()


def test_equal_seeds_give_equal_bytes_and_runs_that_are_kept_are_not_played_again(exercise: Path, tmp_path: Path) -> None:
    words = ("forecast", "-g", str(exercise), "--turns", "1", "--json", "--results", str(tmp_path / "runs.jsonl"))
    one = must(*words, "--games", "3", "--processes", "1")
    before = (tmp_path / "runs.jsonl").read_bytes()
    more = must(*words, "--games", "5", "--processes", "2")
    assert (tmp_path / "runs.jsonl").read_bytes().startswith(before)
    assert must(*words, "--games", "3", "--processes", "1") == one != more
    plain = json.loads(one)
    assert (
        plain["runs"] == 3
        and plain["seeds"] == [1, 3]
        and plain["measures"]
        == [
            "Victory Points, Allied",
            "Victory Points, Non-Allied",
        ]
    )
    assert max(m["turn"] for m in plain["courses"][0]) == plain["courses"][0][0]["turn"] + 1


@pytest.mark.parametrize(("words", "reason"), [(("--mine",), "sees no hand"), (("--results", "x"), "no result of a job")])
def test_what_is_typed_wrongly_is_said(
    exercise: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "nobody"))
    Path("x").write_text("no line of a result\n")
    shutil.copytree(exercise, tmp_path / "stranger", ignore=shutil.ignore_patterns("private", "backups"))
    done = run("forecast", "-g", "stranger", "--games", "1", "--turns", "1", *words)
    assert done.code and reason in done.out + done.err


def test_a_worker_with_another_scenario_does_not_play(exercise: Path) -> None:
    job = forecast.jobs(Session.open(exercise).table, Plan(1), {})[0]
    with pytest.raises(ProtocolError, match="not that of the job"):
        forecast.play({**job.arguments, "hash": "0" * 64})
