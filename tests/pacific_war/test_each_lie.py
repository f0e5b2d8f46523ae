"""[PW-FOG-01] Every kind of statement: an honest one passes the audit, a false one is named, over signed files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.games import pacific_war
from pbem.games.pacific_war.air.exchange import exchange, spares
from pbem.games.pacific_war.command.activation import Activation
from pbem.games.pacific_war.cycle.calendar import _price_of_sealed, settle_seals, show_length
from pbem.games.pacific_war.cycle.contact import _stands
from pbem.games.pacific_war.cycle.launch import longest_length, seal_length
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.movement import land_phase
from pbem.games.pacific_war.land.retreat import resolve
from pbem.games.pacific_war.month.emergency_links import emergency_links
from pbem.games.pacific_war.month.merchants import _fighters_over, _stated_penalty, harassment
from pbem.games.pacific_war.month.reinforcements import _raised_in_secret
from pbem.games.pacific_war.month.replacements import replacements
from pbem.games.pacific_war.month.strategy import Month, _still_there
from pbem.games.pacific_war.month.upkeep import strategic_transport
from pbem.games.pacific_war.records import Base, Headquarters, Operation
from pbem.games.pacific_war.sea.barges import _cross, station_boats
from pbem.games.pacific_war.secret.forces import unveil_force
from pbem.games.pacific_war.secret.points import payer
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.dispersal import free_children, is_parent
from pbem.games.pacific_war.world.intelligence import operational_intelligence, strategic_intelligence
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim, Flow
from tests.pacific_war import table
from tests.pacific_war.hidden_play import play_on, two_people
from tests.pacific_war.staged_files import Rule, Scene, perform, then
from tests.pacific_war.test_hidden_hands import audited, lies, named
from tests.pacific_war.test_hidden_land import (
    BEACH,
    CABANATUAN,
    DIVISION,
    FIGHTERS,
    GUARDS,
    MANILA,
    OTHERS,
    REGIMENT,
    luzon,
    put,
)
from tests.pacific_war.test_hidden_months import BOMBERS, MARINES, hidden_flyers, lose, position

J, A, ISLAND, HQ = "japan", "allies", "guadalcanal", "South Seas"
Change = Callable[[Claim, Any], Plain]
ELSEWHERE = {  # kinds whose lies other tests tell
    "test_hidden_lies": {"muster", "forces", "lawful", "report"},
    "test_hidden_months": {"lanes", "force"},
    "test_hidden_hands": {"contents", "condition", "aircraft", "end marker", "common", "cover", "bid", "afford"},
}


def denied(claim: Claim, truth: Any) -> Plain:
    """Yes for no, no for yes."""
    return not truth


def one_more(claim: Claim, truth: Any) -> Plain:
    """A number that is too high."""
    return int(truth) + 1


def other_letter(claim: Claim, truth: Any) -> Plain:
    """Another letter of the harassment table."""
    return "A" if truth != "A" else "B"


def nowhere(claim: Claim, truth: Any) -> Plain:
    """Hexes that are kept back."""
    return []


# -- scenes ------------------------------------------------------------------------------------------------------------


def shown(side: str, place: int) -> Rule:
    return lambda g: unveil_force(g, side, place, "PW-FOG-01")


def marching_in(garrison: str, friends: bool = False) -> Scene:
    """Somebody marches into Manila, where others are hidden: enemies in a contact phase, or friends."""

    def at_cabanatuan() -> State:
        g = luzon()
        put(g, CABANATUAN, OTHERS if friends else REGIMENT)
        put(g, MANILA, garrison, hidden=True)
        g.moved = {}
        return g

    side, who = (A, OTHERS) if friends else (J, REGIMENT)
    return Scene(at_cabanatuan, lambda g: land_phase(g, side, not friends), {(side, "land"): [{"move": {who: [MANILA]}}]})


def retreating(*hidden: str) -> Scene:
    """Japanese troops retreat from Cabanatuan; these are hidden in Manila, the only way out."""

    def beaten() -> State:
        g = luzon()
        put(g, CABANATUAN, REGIMENT, OTHERS)
        put(g, MANILA, *hidden, hidden=True)
        g.entries = [f"allies {h} {CABANATUAN}" for h in g.board.near(CABANATUAN) if h != MANILA]
        g.entries += [f"japan {h} {CABANATUAN}" for h in g.board.near(CABANATUAN)]
        return g

    def fight(g: State) -> Flow[Any]:
        return resolve(g, CABANATUAN, A, {J: REGIMENT, A: OTHERS}, {J: False, A: False}, {J: 0, A: 0}, "")

    return Scene(beaten, fight)


def crowded() -> Scene:
    """The same, friends enough in Manila to fill it."""
    scene = retreating()
    board = scene.position().board
    big = [c.id for c in board.counters.values() if c.side == J and c.kind == "ground" and c.steps >= 9][:6]
    return retreating(*big)


def shipping() -> Scene:
    """Marines in sight are shipped past a hex in which Japanese fighters are hidden."""
    rule = then(shown(A, 135), strategic_transport)
    return Scene(lambda: hidden_flyers(922), rule, {(A, "transport"): [{"ship": {MARINES: 722}}]}, ISLAND)


def flying_supplies(place: int) -> Scene:
    order: Plain = {"link": {"from": 722, "to": 1426}}
    return Scene(lambda: hidden_flyers(place), lambda g: emergency_links(g, A), {(A, "links"): [order]}, ISLAND)


def manchuria() -> Scene:
    """Everything on the Soviet border is hidden."""

    def garrison() -> State:
        g = GAME.start(table.scenario("strategic-1941"), {"forces": "sealed", "land": "sealed"})
        for place in [h for h, x in g.board.listed.items() if "border" in x.features]:
            put(g, place, *[n for n in g.here(J, place, "ground", "air") if not g.units[n].aboard], hidden=True)
        return g

    return Scene(garrison, _stated_penalty)


def bombed() -> Scene:
    """Fighters, of a level that counts, are hidden where bombers come."""

    def over_a_city() -> State:
        g = luzon()
        put(g, MANILA, FIGHTERS, hidden=True)
        return g

    return Scene(over_a_city, lambda g: _fighters_over(g, [MANILA]))


def wanting_steps(*secret: Plain) -> Scene:
    """Bombers in sight want a step after these sealed replacements."""
    wish: Plain = {"replace": {"19th Bomb Group": {"steps": 1, "level": 1}}}
    orders: dict[tuple[str, str], list[Plain]] = {
        (A, "replacements"): ["secret", wish, "done"],
        (A, "sealed replacements"): [{"orders": [*secret]}],
    }
    return Scene(position, then(replacements, shown(A, 722), replacements), orders, ISLAND)


def instructing() -> Scene:
    """A step of a pool is to be given up after sealed replacements took from it, or not."""
    orders: dict[tuple[str, str], list[Plain]] = {
        (A, "replacements"): ["secret"],
        (A, "sealed replacements"): [{"orders": [{"replace": {BOMBERS: {"steps": 2, "level": 1}}}]}],
    }
    return Scene(position, then(replacements, lambda g: _still_there(g, Month(A), "air 1")), orders, ISLAND)


def divided() -> Scene:
    """A part of a division that has broken down in secret is due."""
    g = position("strategic-1941")
    hidden = [n for n, u in g.units.items() if u.box == "sealed" and u.at in g.forces[J] and g.side(n) == J]
    division = next(n for n in hidden if is_parent(g.counter(n)) and free_children(g, n))
    child = free_children(g, division)[0]
    order: Plain = {"break_down": {division: {"units": [child], "at": g.units[division].at}}}
    orders: dict[tuple[str, str], list[Plain]] = {
        (J, "replacements"): ["secret"],
        (J, "sealed replacements"): [{"orders": [order]}],
    }
    rule = then(replacements, lambda g: _raised_in_secret(g, J, child))
    return Scene(lambda: position("strategic-1941"), rule, orders)


def promoted() -> Scene:
    """A fighter becomes one of a higher level, whose counter may be in play unseen."""
    g = table.begin("strategic-1941").state
    pairs = [(n, other) for n in g.on_map(A, "air") for other in spares(g, n, g.counter(n).level + 1)]
    unit, other = next(p for p in pairs if not g.units[p[0]].aboard)
    place = g.units[unit].at

    def before() -> State:
        g = position("strategic-1941")
        lose(g, other)
        g.units[unit].box = "map"
        g.pools[A] = {**g.pools.get(A, {}), f"air {g.counter(other).level}": 6}
        return g

    rebuild: Plain = {"rebuild": {other: {"at": place, "steps": 1}}}
    orders: dict[tuple[str, str], list[Plain]] = {
        (A, "replacements"): ["secret"],
        (A, "sealed replacements"): [{"orders": [rebuild]}],
    }
    rule = then(replacements, lambda g: exchange(g, unit, g.counter(unit).level + 1, "PW-RPL-07"))
    return Scene(before, rule, orders)


def crossing() -> Scene:
    """A Japanese regiment goes by barge where PT boats wait."""

    def coast() -> State:
        g = luzon()
        g.options["barges"], g.month = "yes", 20
        put(g, MANILA, REGIMENT)
        put(g, BEACH, OTHERS)
        return g

    def boats_and_barges(g: State) -> Flow[None]:
        yield from station_boats(g)
        yield from _cross(g, REGIMENT, BEACH)

    return Scene(coast, boats_and_barges, {(A, "sealed PT boats"): [{"boats": [BEACH]}]})


def out_of_sight(rule: Rule) -> Scene:
    """An operation in which nobody active is in sight, and a regiment is behind a Force marker."""

    def stirring() -> State:
        g = luzon()
        g.operator, g.operation, g.stirring = J, Operation("South Seas", 10, 0, 14), {J: True}
        put(g, CABANATUAN, REGIMENT, GUARDS, hidden=True)
        g.airfields[MANILA] = Base(A, size=18)
        g.units[REGIMENT].active = True
        return g

    return Scene(stirring, rule)


def commanded(rule: Rule, orders: dict[tuple[str, str], list[Plain]] | None = None, **options: Plain) -> Scene:
    """A Japanese operation from one headquarters, with these options; intelligence is rolled in secret first."""

    def headquarters() -> State:
        g = luzon()
        g.options.update(options)
        g.operator, g.operation, g.condition = J, Operation(HQ, 10, 0, 14, level=1, month=g.month), "secret"
        g.hqs[HQ] = Headquarters(J, CABANATUAN, 20, 2, points=20)
        g.ledger.update(harassing=40, escorts=10, merchants=60)
        return g

    return Scene(headquarters, then(strategic_intelligence, operational_intelligence, rule), orders or {})


def measured() -> Scene:
    """An operation of 28 days at most; its sealed length is shown."""
    plan = Activation(HQ, (), 28, 1, 1, week=1, handle="sealed")

    def rule(g: State) -> Flow[None]:
        assert g.operation is not None
        yield from seal_length(g, J, g.operation, plan, 28)
        yield from show_length(g)

    return commanded(rule, {(J, "sealed length"): [{"days": 21}]})


def longest(g: State) -> Flow[int]:
    """To the headquarters nothing was allocated."""
    return longest_length(g, J, Activation(HQ, (), 14, 1, 1, week=1, handle="sealed"), 10)


@dataclass(frozen=True)
class Lie:
    """Who states what falsely, where."""

    liar: str
    change: Change
    scene: Callable[[], Scene]


TWO_STEPS: Plain = {"replace": {BOMBERS: {"steps": 2, "level": 1}}}
SCENES: dict[str, Lie] = {
    "behind: nobody there": Lie("nowak", denied, lambda: marching_in(DIVISION)),
    "behind: somebody there": Lie("nowak", denied, lambda: marching_in("DD1 Clemson")),
    "room: there is none": Lie("nowak", denied, lambda: marching_in(DIVISION, friends=True)),
    "hexes: the way is free": Lie("nowak", nowhere, lambda: retreating(DIVISION)),
    "full: nobody is there": Lie("yamada", nowhere, crowded),
    "lane: it is safe": Lie("yamada", denied, shipping),
    "fighters: there are none": Lie("yamada", denied, lambda: flying_supplies(1528)),
    "garrison: it lacks more": Lie("yamada", one_more, manchuria),
    "defended: nobody rises": Lie("yamada", denied, bombed),
    "pool: a step that is used up": Lie("nowak", lambda c, t: {"pool": "air 1", "steps": 1}, lambda: wanting_steps(TWO_STEPS)),
    "pool: a step kept back": Lie("nowak", lambda c, t: {}, lambda: wanting_steps({"replace": {BOMBERS: 1}})),
    "steps: one is left": Lie("nowak", denied, instructing),
    "in play: it is not": Lie("yamada", denied, divided),
    "spare: it is free": Lie("nowak", denied, promoted),
    "boats: none met": Lie("nowak", denied, crossing),
    "active: nobody stirs": Lie("yamada", denied, lambda: out_of_sight(lambda g: settle_seals(g, J))),
    "upkeep: it costs nothing": Lie(
        "yamada", lambda c, t: 0, lambda: out_of_sight(lambda g: _price_of_sealed(g, J, "PW-TIM-03"))
    ),
    "harassment: another letter": Lie("nowak", other_letter, lambda: commanded(harassment)),
    "stops: it may not": Lie("nowak", denied, lambda: commanded(lambda g: _stands(g, 0, False))),
    "length: a week less": Lie("yamada", lambda c, t: 14, measured),
    "longest: more than is there": Lie("yamada", lambda c, t: 28, lambda: commanded(longest, points="sealed")),
    "payer: who cannot pay": Lie(
        "yamada", lambda c, t: HQ, lambda: commanded(lambda g: payer(g, J, [HQ], 5, "PW-ENG-01"), points="sealed")
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_an_honest_statement_passes_the_audit(name: str) -> None:
    kind = name.partition(":")[0]
    party = perform(SCENES[name].scene())
    assert kind in {c.kind for c in party[0].table.ledger.claims}
    assert audited(party) is None


@pytest.mark.parametrize("name", SCENES)
def test_a_false_statement_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, lie = name.partition(":")[0], SCENES[name]
    lies(monkeypatch, lie.liar, **{kind: lie.change})
    named(perform(lie.scene()), lie.liar, kind)


# -- at the start of a game --------------------------------------------------------------------------------------------


def test_a_secret_arrangement_that_is_said_to_be_void(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "yamada", arranged=denied)
    party = two_people("savo-island", forces="sealed")
    play_on(party, 1, 6)
    named(party, "yamada", "arranged")


# -- all of them -------------------------------------------------------------------------------------------------------


def kinds_of_the_game() -> set[str]:
    """The kinds of statements that the rules ask for."""
    root = Path(pacific_war.__file__).parent
    found = {
        kind
        for path in root.rglob("*.py")
        for kind in re.findall(r"(?:\bClaim|\bstates)\(\s*[\w.,\s]*?\"([a-z ]+)\"", path.read_text("utf-8"))
    }
    return found


def test_every_kind_of_statement_has_a_lie() -> None:
    for module, kinds in ELSEWHERE.items():
        text = (Path(__file__).parent / f"{module}.py").read_text("utf-8")
        assert kinds <= {*re.findall(r'(?:named\(.*|caught\(monkeypatch, )"([a-z ]+)"', text)}, module
    told = {name.partition(":")[0] for name in SCENES} | {"arranged"} | {k for kinds in ELSEWHERE.values() for k in kinds}
    assert kinds_of_the_game() == told
