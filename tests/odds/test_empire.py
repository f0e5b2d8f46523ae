"""Odds of Empire of the Sun against the engine itself, which is played for every face of every die."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from pbem.games.empire_of_the_sun.chances import forecasts, imagine, throw
from pbem.games.empire_of_the_sun.events.battles import BattleEnded, Fired, GarrisonLost
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.game import GAME, build_board
from pbem.games.empire_of_the_sun.odds.endings import odds_of, participants
from pbem.games.empire_of_the_sun.odds.imagined import battle_of
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, Piece, State, offensive
from pbem.kernel import standing
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.records import to_plain
from pbem.kernel.standing import Clause, read_clauses
from pbem.kernel.wording import die_for, english
from pbem.odds.forecast import Imagined, in_words
from tests.commands import must, run
from tests.empire_of_the_sun import table
from tests.manual import page

NEARLY = 1e-12
SCENARIO = "campaign-1941"
Left = tuple[tuple[str, bool], ...]  # unit, reduced
Ending = tuple[
    str, Left, int, str, bool
]  # winner, units on the map, garrison steps lost, winner at sea, hex held by the attacker


def nobody(seat: str, kind: str) -> Sequence[Clause]:
    return ()


@dataclass(frozen=True)
class Case:
    """`city`: a Japanese hex with troops of its own where the battle is moved to."""

    attack: str
    defence: str
    place: str = "sea"
    order: Any = "cheapest"
    city: int = 0
    card: str = ""

    def __str__(self) -> str:
        return f"{self.attack} v. {self.defence}, {self.place}, {self.order}"


def position(case: Case) -> tuple[State, int]:
    board = build_board(table.scenario(SCENARIO))
    g, place = battle_of(board, case.attack, case.defence, case.place)
    if case.city:
        g.pieces.update({u: Piece(case.city, "map", p.reduced) for u, p in g.pieces.items() if p.box == "map"})
        offensive(g).battles, offensive(g).card = [case.city], ""
        g.control[case.city], place = JAPAN, case.city
    if case.card:
        offensive(g).reaction_cards.append(case.card)
    g.stack = [Cursor("return", []), Cursor("battles", [])]
    g.forget()
    return g, place


# -- every face of every die ---------------------------------------------------------------------------------------------


def every_face(case: Case) -> tuple[dict[Ending, float], int]:
    """The endings of the battle, played by the engine for each of the ten faces; and how many dice it took."""
    g, place = position(case)
    units = [u for side in FOE for u in participants(g, side, place)]
    found: dict[Ending, float] = defaultdict(float)
    level: dict[Any, tuple[Engine, float]] = {0: (on(Engine(GAME, table.scenario(SCENARIO), g), case.order), 1.0)}
    dice = 0
    while level:
        following: dict[Any, tuple[Engine, float]] = {}
        for engine, chance in level.values():
            if (end := ending(engine, place, units)) is not None:
                found[end] += chance
                continue
            for face in range(1, 11):
                branch = engine.fork()
                branch.reply([face])
                key = tuple((e.side, e.kind, e.hits, e.critical) for e in branch.state.events if isinstance(e, Fired))
                if key in following:
                    following[key] = (following[key][0], following[key][1] + chance / 10)
                else:
                    following[key] = (on(branch, case.order), chance / 10)
        dice += bool(following)
        level = following
    return dict(found), dice


def on(engine: Engine, order_of_hits: Any) -> Engine:
    """Answers up to the next die or the end of the battle."""
    wanted = {"hits": order_of_hits, "transfer": "never"}
    while isinstance(engine.request, Ask) and not over(engine):
        ask = engine.request
        order = ask.forced
        if order is None:
            given = standing.answer(ask, read_clauses(ask.kind, wanted[ask.kind])) if ask.kind in wanted else None
            order = given.order if isinstance(given, standing.Answered) else ask.options()[0]
        engine.reply(order)
    return engine


def over(engine: Engine) -> bool:
    return any(isinstance(e, BattleEnded) and e.kind == "battle" for e in engine.state.events)


def ending(engine: Engine, place: int, units: Sequence[str]) -> Ending | None:
    if not over(engine):
        return None
    g: State = engine.state
    (won,) = (e.winner for e in g.events if isinstance(e, BattleEnded) and e.kind == "battle")
    garrison = sum(e.steps for e in g.events if isinstance(e, GarrisonLost))
    at_sea = "".join(e.winner for e in g.events if isinstance(e, BattleEnded) and e.kind == "air-naval")
    left = tuple((u, g.pieces[u].reduced) for u in units if g.pieces[u].box == "map")
    return won, left, garrison, at_sea, g.control.get(place) == offensive(g).side


CASES = [
    Case("CV Akagi, CV Soryu, intercept", "CV Lexington reduced, CA Exeter"),
    Case("CV Akagi, CV Soryu, surprise", "CV Lexington reduced, CA Exeter", order="strongest"),
    Case("BB Nagato, CA Takao, CA Mogami, ambush", "CA Exeter, CA Kent, CL Dutch"),
    Case("CV Lexington, CV Enterprise, ambush, 1944", "CV Akagi, CVL Zuiho, CA Aoba"),
    Case("14th Army, 25th Army", "R Corps, jungle", "land"),
    Case("14th Army reduced, 16th Army", "R Corps, SL Corps reduced, mountain, 1st-2005", "land", "strongest"),
    Case("14th Army, CA Takao, surprise", "R Corps, P Brigade, CL Dutch, island", "amphibious"),
    Case("X Corps, CV Enterprise, intercept, 1943", "South Seas Brigade, Tainan Air Unit, island", "amphibious"),
    Case("X Corps, CV Enterprise, intercept, 1943, 1st-2005", "South Seas Brigade, Tainan Air Unit, island", "amphibious"),
    Case("X Corps, XIV Corps, BB MD, CA New Orleans", "3rd SN Brigade", "amphibious", city=2609),
    Case("X Corps", "3rd SN Brigade reduced", "land", city=3706),
    Case("14th Army, 1st SN Brigade, 5th Air Division, intercept", "R Corps, M Corps, Far East Air Force (US)", "land"),
    Case("CV Shokaku, CV Soryu, intercept", "CV Enterprise, BB MD, 1944", card="A12"),
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_equal_to_every_face_of_every_die(case: Case) -> None:
    wanted, dice = every_face(case)
    g, place = position(case)
    before = to_plain(g)
    clauses = read_clauses("hits", case.order)
    odds = odds_of(g, place, lambda seat, kind: clauses if kind == "hits" else ())
    assert to_plain(g) == before, "the position stays as it is"
    assert odds.dice == dice > 0
    assert sum(odds.chances.values()) == pytest.approx(1, abs=NEARLY)
    side = offensive(g).side
    steps = {u: g.steps(u) for units in (participants(g, s, place) for s in FOE) for u in units}
    found: dict[Any, float] = defaultdict(float)
    for e, p in odds.chances.items():
        held = e.taken and case.place == "land"  # who landed takes control when all battles are over
        found[e.won, e.at_sea, held, e.attacker_lost, e.defender_lost, e.attacker_left, e.defender_left] += p
    told: dict[Any, float] = defaultdict(float)
    for (won, left, garrison, at_sea, held), p in wanted.items():
        lost: dict[str, int] = {JAPAN: garrison, ALLIES: 0}
        names: dict[str, list[str]] = {JAPAN: [], ALLIES: []}
        standing_now = dict(left)
        for u, n in steps.items():
            owner = g.counter(u).side
            now = (2 if g.counter(u).steps == 2 and not standing_now[u] else 1) if u in standing_now else 0
            lost[owner] += n - now
            if now:
                names[owner].append(g.counter(u).name + (" reduced" if standing_now[u] else ""))
        texts = [", ".join(names[s]) or "nothing" for s in (side, FOE[side])]
        told[won == side, at_sea == side, held and case.place == "land", lost[side], lost[FOE[side]], *texts] += p
    assert found == pytest.approx(told, abs=NEARLY)


def test_the_cases_see_what_they_are_for() -> None:
    endings = [e for case in CASES for e in odds_of(*position(case), nobody).chances]
    assert any(e.attacker_retreats for e in endings) and any(e.defender_retreats for e in endings)
    assert any(e.critical for e in endings) and any(e.at_sea and not e.won for e in endings)
    for city in (case for case in CASES if case.city):
        ended, _ = every_face(city)
        assert len({garrison for _, _, garrison, _, _ in ended}) > 1


def test_without_a_standing_order_the_weakest_are_hit_and_no_carrier_is_saved() -> None:
    def of(case: Case, hits: str) -> Any:
        orders = {"hits": hits, "transfer": "never"}
        return odds_of(*position(case), lambda seat, kind: read_clauses(kind, orders[kind]) if kind in orders else ()).chances

    for case in CASES:
        assert odds_of(*position(case), nobody).chances == of(case, "cheapest")
    assert of(CASES[1], "cheapest") != of(CASES[1], "strongest")


def test_sealed_hits_are_those_of_the_standing_orders_too() -> None:
    """Both assign against the starting forces, so that it makes no difference who knows what."""
    g, place = position(CASES[0])
    in_order = odds_of(g, place, nobody)
    g.options["simultaneous-hits"] = "sealed"
    assert odds_of(g, place, nobody).chances == in_order.chances


# -- forecasts -----------------------------------------------------------------------------------------------------------


def test_forecasts_are_of_the_battles_that_have_not_begun() -> None:
    g, place = position(CASES[0])
    (told,) = forecasts(g, nobody)
    text = in_words(told)
    assert "Intercept: Japan with CV Akagi, CV Soryu against CV Lexington reduced, CA Exeter" in text and "(exact)" in text
    supposed = "has no standing order; supposed the weakest or the first choice"
    assert [english(n) for n in told.notes] == [
        "reactions, the intelligence condition and cards may still change this",
        f"Japan {supposed}: allocation of hits, transfer of a loss between carriers",
        f"Allies {supposed}: allocation of hits",
    ]
    g.running = Cursor("battles", [])
    assert len(forecasts(g, nobody)[0].notes) == 2, "reactions are over"
    offensive(g).fought.append(place)
    assert forecasts(g, nobody) == []
    g.offensive = None
    assert forecasts(g, nobody) == []


def test_a_battle_without_a_die_is_none() -> None:
    g, place = position(CASES[4])
    for unit in g.mine_at(ALLIES, place):
        g.pieces[unit] = Piece(0, "eliminated")
    g.forget()
    assert forecasts(g, nobody) == []


def test_standing_orders_count() -> None:
    """Five hits on two carriers and a cruiser: which of them suffers is the firing player's choice."""
    g, place = position(CASES[0])

    def cruisers(seat: str, kind: str) -> Sequence[Clause]:
        return read_clauses("hits", ["ca"]) if (seat, kind) == (JAPAN, "hits") else ()

    def carriers(seat: str, kind: str) -> Sequence[Clause]:
        return read_clauses("hits", ["cv"]) if (seat, kind) == (JAPAN, "hits") else ()

    left = [{e.defender_left: p for e, p in odds_of(g, place, plan).chances.items()} for plan in (cruisers, carriers)]
    assert left[0] != left[1]


def test_conditions_of_standing_orders_see_the_facts_of_the_game() -> None:
    g, place = position(CASES[0])

    def by_turn(turn: int) -> Any:
        clauses = read_clauses("hits", [{"do": ["ca"], "when": f"turn = {turn}"}, {"do": ["cv"]}])
        return lambda seat, kind: clauses if (seat, kind) == (JAPAN, "hits") else ()

    def plainly(kind_of_ship: str) -> Any:
        return lambda seat, kind: read_clauses("hits", [kind_of_ship]) if (seat, kind) == (JAPAN, "hits") else ()

    left = [odds_of(g, place, plan).chances for plan in (by_turn(g.turn), by_turn(g.turn + 1), plainly("ca"), plainly("cv"))]
    assert left[0] == left[2] != left[3] == left[1]


# -- battles in words ----------------------------------------------------------------------------------------------------


def told(*words: str) -> dict[str, Any]:
    plain = json.loads(must("odds", "empire-of-the-sun", *words, "--json"))
    assert isinstance(plain, dict)
    return plain


def test_points_against_points() -> None:
    """[9.2] B: 0 to 2 a quarter, 3 to 5 a half, above that all; [9.4] A: 1/2, 1, 1 1/2, 2."""
    plain = told("24", "18 +3", "--sea")
    assert plain["means"] == pytest.approx({"the attacker": 0.3 * 6 + 0.3 * 12 + 0.4 * 24, "the defender": 0.3 * 9 + 0.7 * 18})
    assert plain["outcomes"]["attacker scores more"] == pytest.approx(0.4 + 0.3 * 0.3)
    assert told("10", "10")["means"]["the attacker"] == pytest.approx(0.3 * 5 + 0.4 * 10 + 0.2 * 15 + 0.1 * 20)


def test_the_condition_the_year_and_the_edition_are_words_among_the_units() -> None:
    seen = {
        word: told(f"CV Lexington, CV Enterprise, {word}", "CV Akagi, CVL Zuiho, CA Aoba", "--sea")["means"]["defender loses"]
        for word in ("surprise", "intercept", "1944")
    }
    assert seen["surprise"] > seen["intercept"] and seen["1944"] > seen["surprise"]
    second = told("South Seas Brigade, 4th SN Brigade, CA Aoba", "X Corps, mixed", "--amphibious")
    overland = told("South Seas Brigade, 4th SN Brigade, CA Aoba", "X Corps, mixed", "--land")
    assert second["means"]["attacker loses"] > overland["means"]["attacker loses"], "a landing meets a garrison"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("14th Army", "R Corps", "--sea"), "does not fight at sea"),
        (("14th Army", "25th Army"), "one side against units of the other"),
        (("14th Army, 14th Army", "R Corps"), "named twice"),
        (("14th Army, South HQ", "R Corps"), "does not fight"),
        (("14th Army", "R Corps, moon"), "moon"),
        (("14th Army", "R Corps", "--retreat", "round > 1"), "nobody retreats at will"),
    ],
)
def test_mistakes_are_named(words: tuple[str, ...], said: str) -> None:
    done = run("odds", "empire-of-the-sun", *words)
    assert done.code != 0 and said in done.err


def test_places_and_orders_of_loss() -> None:
    with pytest.raises(Rejected, match="no place"):
        imagine(table.scenario(SCENARIO), Imagined("24", "18", "moon"))
    cheap = told("CV Akagi, intercept", "CV Lexington, CA Exeter", "--sea")
    carrier = told("CV Akagi, intercept", "CV Lexington, CA Exeter", "--sea", "--defence-losses", "cv")
    assert cheap["survivors"]["the defender"] != carrier["survivors"]["the defender"]
    assert cheap["survivors"]["the attacker"] == carrier["survivors"]["the attacker"]


def test_the_examples_of_the_manual_run() -> None:
    lines = [x.partition("#")[0].strip() for x in page("odds").splitlines() if x.startswith("pbem odds empire")]
    assert len(lines) >= 3
    for line in lines:
        words = [w.strip('"') for w in re.findall(r'"[^"]*"|\S+', line)]
        assert "(exact)" in must(*words[1:])


# -- luck ----------------------------------------------------------------------------------------------------------------


WORTH = [
    CASES[1],
    CASES[6],
    Case("CL Tenyru", "CA Exeter"),  # only a critical hit costs anything
    Case("CA Nachi, CVL Ryujo", "CV Lexington, CA Exeter, CA Kent"),  # two cruisers for the price of a carrier
]


@pytest.mark.parametrize("case", WORTH, ids=str)
def test_a_die_is_worth_the_steps_that_it_costs(case: Case) -> None:
    """The first fire of a surprise: what the engine takes off, hits to the weakest first, is what the throw scores."""
    surprise = Case(case.attack, case.defence, case.place)
    scores, steps = [], []
    for face in range(1, 11):
        g, place = position(surprise)
        engine = on(Engine(GAME, table.scenario(SCENARIO), g), "cheapest")
        before = engine.fork()
        units = participants(g, ALLIES, place)
        engine.reply([face])
        fired = next(e for e in engine.state.events if isinstance(e, Fired))
        on(engine, "cheapest")
        thrown = throw(before.state, fired)
        assert thrown is not None and (thrown.gains, thrown.loses, thrown.worth) == (JAPAN, ALLIES, 1.0)
        lost = sum(before.state.steps(u) for u in units) - sum(
            engine.state.steps(u) for u in units if engine.state.pieces[u].box == "map"
        )
        assert thrown.score == lost
        steps.append(lost)
        scores.append((thrown.mean, thrown.chance, thrown.score))
    assert all(mean == pytest.approx(sum(steps) / 10) for mean, _, _ in scores) and len(set(steps)) > 1
    best = max(steps)
    assert all(chance == pytest.approx(steps.count(best) / 10) for _, chance, score in scores if score == best)


def test_submarines_are_worth_their_steps_and_other_dice_nothing() -> None:
    g, _ = position(CASES[0])
    o = offensive(g)
    card = next(c for c, x in g.board.cards.items() if "submarine" in x.data and "two" in x.data["submarine"])
    o.side = FOE[g.board.cards[card].side]
    o.reaction_cards.append(card)
    data = g.board.cards[card].data["submarine"]
    thrown = throw(g, Rolled(die_for("{card}", card=str(g.board.cards[card])), data["two"], "steps", "5.32", 2))
    mean = (data["one"] + 1 + 2 * (data["two"] - data["one"])) / 10
    assert thrown is not None and thrown.score == 2 and thrown.mean == pytest.approx(mean)
    assert (thrown.gains, thrown.loses) == (FOE[o.side], o.side)
    assert throw(g, Rolled(die_for("weather"), 3, "storm", "8.1")) is None
    assert throw(g, BattleEnded(1, "battle", JAPAN, "9.3")) is None
