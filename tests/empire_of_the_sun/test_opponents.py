"""What the bot makes of the campaign: the opening line, the floors of its table, what it thinks of ground combats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.battle.strengths import hits_of
from pbem.games.empire_of_the_sun.bot import judgement, openings
from pbem.games.empire_of_the_sun.bot.judgement import Assault, ground_chance, leaving
from pbem.games.empire_of_the_sun.orders import read_unit
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import opponents, random_play, table
from tests.empire_of_the_sun.test_bot import orders, position

SEEDS = opponents.SEEDS["train"][:4]


@pytest.fixture(scope="module")
def games() -> list[opponents.Game]:
    return [opponents.played(seed, "campaign-1941", 3) for seed in SEEDS]


def test_the_first_conquests_of_the_campaign_are_made(games: list[opponents.Game]) -> None:
    """Of four games; the table of twenty is `python -m tests.empire_of_the_sun.opponents`."""
    for place, least in (("Manila", 3), ("Hong Kong", 4), ("Guam", 4), ("Wake", 3), ("Singapore", 3), ("Rabaul", 4)):
        assert sum(place in game.held[3] for game in games) >= least, (place, opponents.lines(games))
    assert sum(game.resources[3] for game in games) >= 4 * 11, opponents.lines(games)


def test_without_its_opening_the_bot_misses_some(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot, "drawn", lambda card, seed: None)
    game = opponents.played(SEEDS[0], "campaign-1941", 3)
    assert {"Manila", "Hong Kong", "Guam", "Wake", "Singapore", "Rabaul"} - game.held[3] or game.resources[3] < 11


def test_every_order_of_the_opening_lines_is_legal_where_its_card_is_played() -> None:
    """Operation Z sails, Operation No. 1 is activated, moved, declared as the line says; only then dice decide."""
    engine, others = table.begin("campaign-1941"), random_play.Player(Random(1))
    given: list[object] = []
    while engine.state.turn == 1 and engine.request is not None:
        request = engine.request
        if isinstance(request, Ask) and request.forced is None:
            answer = bot.choose(engine.state, request)
            given.append(answer)
            engine.reply(answer)
        else:
            engine.reply(others.answer(request))
    (line,) = openings.book()["J2"]
    for order in line.orders():
        assert order in given
    assert {"return": openings.book()["J1"][0].returns[0]} in given


def test_the_seed_draws_lines_by_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (openings.Line(name, "", weight, "", (), (), ()) for name, weight in (("one", 1), ("two", 3)))
    monkeypatch.setattr(openings, "book", lambda: {"J2": (one, other)})
    drawn = [openings.drawn("J2", seed) for seed in range(8)]
    assert [line.name for line in drawn if line] == ["one", "two", "two", "two"] * 2
    assert openings.drawn("J3", 1) is None


# -- ground combat --------------------------------------------------------------------------------------------------------


def faces(g: State, assault: Assault) -> Iterator[bool]:
    """By hand, both sides full single units: who wins at each pair of faces [9.4]."""
    (mine,), (theirs,) = assault.over_land, assault.defenders
    for attack, defence in product(range(10), repeat=2):
        give = hits_of(g.attack(mine), judgement.rating(judgement.GROUND_CRT, attack))
        take = hits_of(g.attack(theirs), judgement.rating(judgement.GROUND_CRT, defence))
        lost = min(g.steps(theirs), give // g.counter(theirs).defense)
        paid = min(g.steps(mine), take // g.counter(mine).defense)
        yield paid < g.steps(mine) and (lost == g.steps(theirs) or lost > paid)


def test_the_chance_of_a_march_is_that_of_all_pairs_of_dice() -> None:
    g = position("TURN 3", "UNITS Saigon: South HQ, 25th Army", "UNITS Kuantan: 3rd Indian Corps", "HAND japan: J14").state
    march = Assault(2115, (read_unit(g, "25th Army"),), (), (read_unit(g, "3rd Indian Corps"),))
    flat = Assault(next(h for h, x in g.board.hexes.items() if x.terrain == "open"), *[getattr(march, n) for n in
                   ("over_land", "from_sea", "defenders")])  # fmt: skip
    assert ground_chance(g, JAPAN, flat) == sum(faces(g, flat))
    assert 0 < ground_chance(g, JAPAN, flat) < 100
    landed = Assault(flat.place, (), flat.over_land, flat.defenders)
    assert ground_chance(g, JAPAN, landed) <= ground_chance(g, JAPAN, flat)
    helped = Assault(flat.place, flat.over_land, (), flat.defenders, ships=True, wings=True)
    assert ground_chance(g, JAPAN, helped) >= ground_chance(g, JAPAN, flat)


def test_an_empty_hex_falls_and_nobody_takes_nothing() -> None:
    g = position("TURN 3", "UNITS Saigon: South HQ, 25th Army", "UNITS Manila: R Corps", "HAND japan: J14").state
    army, corps = read_unit(g, "25th Army"), read_unit(g, "R Corps")
    assert ground_chance(g, JAPAN, Assault(2813, (army,), (), ())) == 100
    assert ground_chance(g, JAPAN, Assault(2813, (), (), (corps,))) == 0


# -- what is left open ------------------------------------------------------------------------------------------------------


def test_the_last_unit_of_a_dear_hex_costs_something_to_leave_where_the_enemy_may_come() -> None:
    near = position("TURN 3", "UNITS Manila: 14th Army", "UNITS Davao: M Corps", "OWN japan: Manila", "HAND japan: J14").state
    far = position("TURN 3", "UNITS Manila: 14th Army", "OWN japan: Manila", "HAND japan: J14").state
    two = position("TURN 3", "UNITS Manila: 14th Army, 16th Army", "UNITS Davao: M Corps", "OWN japan: Manila").state
    army = read_unit(near, "14th Army")
    assert leaving(near, JAPAN, army) > 0
    assert leaving(far, JAPAN, army) == leaving(two, JAPAN, army) == 0
    assert leaving(near, ALLIES, read_unit(near, "M Corps")) >= 0


def two_armies_near_miri() -> Engine:
    return position(
        "TURN 3",
        "UNITS Saigon: South HQ, 25th Army",
        "UNITS Manila: 14th Army",
        "UNITS Davao: M Corps",
        "OWN japan: Kuantan, Singapore, Medan, Palembang, Bangka, Balikpapan, Tarakan, Soerabaja, Manila, Rangoon",
        "OWN allies: Miri",
        "HAND japan: J14",
        "HAND allies: A59",
    )


def test_the_oil_is_garrisoned_and_the_other_army_goes_on() -> None:
    """Two armies can take Miri; the one that stands alone in Manila stays."""
    engine = two_armies_near_miri()
    orders(engine, "reaction")
    assert engine.state.pieces["25-army"].at == 2415 and engine.state.pieces["14-army"].at == 2813


def test_without_its_schedule_the_bot_leaves_manila_lightly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgement, "SCHEDULE", {})
    engine = two_armies_near_miri()
    orders(engine, "reaction")
    assert engine.state.pieces["14-army"].at != 2813
