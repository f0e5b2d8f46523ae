"""[PW-FOG-01] A player with a changed program against the honest one, everything sealed: what he gains, the audit names."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from pbem.games.pacific_war.cycle.calendar import refresh
from pbem.games.pacific_war.cycle.common_phase import _no_way
from pbem.games.pacific_war.cycle.contact import contact_land
from pbem.games.pacific_war.records import Marker, Secret
from pbem.games.pacific_war.secret.fleets import unveil
from pbem.games.pacific_war.secret.forces import roster, sound_rows, stirring
from pbem.games.pacific_war.secret.orders import FLY
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Simultaneous, same
from tests.pacific_war import random_play, table
from tests.pacific_war.hidden_play import two_people
from tests.pacific_war.test_hidden_hands import lies, named
from tests.pacific_war.test_hidden_land import CABANATUAN, NORTH, luzon, put
from tests.pacific_war.test_hidden_lies import SEALED, caught, play
from tests.pacific_war.test_hidden_months import BOMBERS, Phase, lose, position, replace, show
from tests.pacific_war.test_hidden_moves import LILLE, judged, stirring_at_noumea
from tests.pacific_war.test_muster import MARINES

# -- statements that look true and are not -----------------------------------------------------------------------------


def as_number(claim: Any, truth: Any) -> Plain:
    """1 instead of true: equal in many a language, but the rules take it for no."""
    return 1 if truth is True else truth


def test_a_number_in_place_of_a_yes(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "yamada", lawful=as_number)
    party = two_people("guadalcanal", None, **SEALED)
    play(party, random.Random(1), 10)
    assert any(c.kind == "lawful" and c.value is not False for c in party[0].table.ledger.claims), "it was stated"
    named(party, "yamada", "lawful")


def test_fewer_task_forces_than_were_activated(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_less(claim: Any, truth: Any) -> Plain:
        return {**truth, "fleets": truth["fleets"][1:]} if truth else truth

    caught(monkeypatch, "muster", one_less)


# -- statements that make no sense -------------------------------------------------------------------------------------

JUNK: tuple[Plain, ...] = (
    None,
    True,
    -1,
    99,
    10**9,
    "x",
    [],
    {},
    [[]],
    [{}],
    {"x": []},
    {"units": {"x": {}}},
    {"hq": []},
    1630,
)


def nonsense(truth: Any, dice: random.Random) -> Plain:
    """What no honest program would state, often in the form of what one would."""
    if isinstance(truth, dict) and truth and dice.random() < 0.7:
        key = dice.choice(sorted(truth))
        return {**truth, key: nonsense(truth[key], dice)}
    if isinstance(truth, list) and truth and dice.random() < 0.7:
        return [*truth[1:], nonsense(truth[0], dice)]
    return dice.choice(JUNK)


def answer(engine: Engine, dice: random.Random) -> Plain:
    """As in random play, but every eighth statement is nonsense; what then is true nobody can say."""
    request = engine.request
    if isinstance(request, Ask):
        return request.forced if request.forced is not None else random_play.choose(request, dice)
    if isinstance(request, Simultaneous):
        return {a.seat: random_play.choose(a, dice) for a in request.asks}
    if not isinstance(request, Claim):
        assert request is not None
        return table.chance(request, dice)
    try:
        truth = request.truth(table.behind)
    except (LookupError, TypeError, ValueError, AttributeError):
        return dice.choice(JUNK)
    said = nonsense(truth, dice) if dice.random() < 0.125 else truth
    assert same(said, truth) or request.kind == "report" or not request.allowed(truth, said), "the audit names it"
    return said


@pytest.mark.parametrize("seed", [8, 14, 35])
def test_nonsense_stops_no_program(seed: int) -> None:
    dice = random.Random(seed)
    engine = table.begin("guadalcanal", None, **SEALED)
    for _ in range(400):
        if engine.request is None:
            break
        engine.reply(answer(engine, dice))


@pytest.mark.parametrize(
    "row",
    [
        {"hits": -1},
        {"hits": 99},
        {"hits": True},
        {"aboard": "CV9 Nobody"},
        {"aboard": BOMBERS},
        {"aboard": "CV5 Shokaku"},
        {"active": 1},
        {"shore": 1},
    ],
)
def test_a_unit_is_shown_as_it_can_be(row: dict[str, Plain]) -> None:
    assert sound_rows(position(), "allies", {BOMBERS: row}) == {BOMBERS: {}}


# -- operations without anybody ----------------------------------------------------------------------------------------


def test_nothing_stirs_once_every_force_has_been_shown() -> None:
    """Next month's Force markers do not start with what stirred behind others."""
    g = position()
    g.stirring["allies"] = True
    for at in [*g.forces["allies"]]:
        show(g, "allies", at)
    g.forces["allies"] = [135]
    assert not stirring(g, "allies")


# -- one unit, two places ----------------------------------------------------------------------------------------------


def sealed(order: Plain) -> str:
    return f"seal 1 {json.dumps(order)}"


def test_aircraft_that_have_left_a_carrier_unseen_are_not_shown_aboard() -> None:
    g = position()
    carrier, group = "CV3 Yorktown", "Yorktown air group"
    assert g.units[group].aboard == carrier
    sail: Plain = {"activate": {"hq": "South Pacific", "units": [carrier], "fleets": [{"core": [carrier]}]}}
    g.in_secret["allies"] = [
        Secret(FLY, sealed({"fly": {group: 722}})),
        Secret("activate", sealed(sail), {"markers": ["A1"]}),
    ]
    g.markers["A1"] = Marker("allies", g.units[carrier].at, handle="seal 1 {}")
    Phase(unveil(g, "A1", "PW-FOG-01"), {})
    assert (g.units[carrier].box, g.units[group].box) == ("map", "sealed")
    assert roster(g, "allies", table.behind)[group].at == 722


def test_a_new_month_reaches_a_unit_that_nobody_has_seen() -> None:
    """Rebuilt in secret, it is all that its side hides; what it did last month is over."""
    g, unit = position(), "3rd Bomb Group"
    lose(g, unit)
    for at in [*g.forces["allies"]]:
        show(g, "allies", at)
    replace(g, "allies", {"rebuild": {unit: {"at": 135, "steps": 2}}})
    act: Plain = {"activate": {"hq": "South Pacific", "units": [unit]}}
    g.in_secret["allies"] += [Secret("activate", sealed(act), {"markers": []}), Secret("rest")]
    assert roster(g, "allies", table.behind)[unit].closed
    refresh(g)
    assert not roster(g, "allies", table.behind)[unit].closed


def test_units_that_disengage_together_find_room_together() -> None:
    """[PW-MOV-05] Two of three steps each, beside 45 that are hidden: one has room, both have not."""
    g = luzon()
    ground = [c for c in g.board.counters.values() if c.side == "allies" and c.kind == "ground"]
    one, other, *small = [c.id for c in ground if c.steps == 3]
    put(g, NORTH, one, other)
    put(g, CABANATUAN, *small[:15], hidden=True)
    hidden_steps = sum(g.steps(u) for u in small[:15])
    assert hidden_steps == 45

    def room(*units: str) -> Plain:
        request = next(_no_way(g, "allies", units, CABANATUAN))
        assert isinstance(request, Claim)
        return request.truth(table.behind)

    assert room(one) is True and room(one, other) is False


def test_nobody_marches_unseen_over_an_enemy_headquarters() -> None:
    """[PW-HQ-01] It would be dispersed: that is seen."""
    g = stirring_at_noumea()
    g.hqs["South Seas"].at = LILLE
    assert "the enemy's" in judged(g, contact_land(g, False), {"march": {MARINES: [LILLE]}})
