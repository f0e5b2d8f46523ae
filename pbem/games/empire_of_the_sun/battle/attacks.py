"""[5.32] Reaction cards that strike: submarines, kamikazes, skip bombing, and those that send a unit back."""

from __future__ import annotations

from typing import Any

from pbem.games.empire_of_the_sun.battle.participants import firing_units
from pbem.games.empire_of_the_sun.board import TOKYO, distance
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.battles import BattleEnded
from pbem.games.empire_of_the_sun.events.offensives import Withdrawn
from pbem.games.empire_of_the_sun.events.strategy import ShippingSet
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place, choose_unit
from pbem.kernel.wording import die_for, msg

KAMIKAZE_RANGE = 11


def before_battles(g: State) -> Flow[None]:
    """[7.2] O-9, O-10: cards that act before the battles, in the order in which they were played."""
    for card in list(offensive(g).reaction_cards):
        data = g.board.cards[card].data
        if data.get("submarine", {}).get("when") == "before":
            yield from _submarine(g, card, data["submarine"])
        if "skip_bombing" in data:
            yield from _skip_bombing(g)
        if "wingate" in data:
            yield from _wingate(g)
    yield from _kamikazes(g)


def after_battles(g: State) -> Flow[None]:
    """[7.2] O-12: cards that act after the battles."""
    for card in list(offensive(g).reaction_cards):
        data = g.board.cards[card].data
        if data.get("submarine", {}).get("when") == "after":
            yield from _submarine(g, card, data["submarine"])


def _submarine(g: State, card: str, data: dict[str, Any]) -> Flow[None]:
    """d10: up to `one` a step, up to `two` two steps, of active ships; or of an inactive ship in a port [A78]."""
    o = offensive(g)
    foe = o.side
    owner = FOE[foe]
    targets = _submarine_targets(g, foe, bool(data.get("in_port")))
    if not targets:
        return
    label = die_for("{card}", card=str(g.board.cards[card]))
    die = yield from throw(label, "5.32", foe)
    steps = submarine_steps(g, card, die)
    emit(g, Rolled(label, die, "steps", "5.32", steps))
    for _ in range(steps):
        chooser = data.get("chooser", owner)
        left = _submarine_targets(g, foe, bool(data.get("in_port")))
        unit = yield from choose_unit(g.board.unit_index, chooser, "target", "5.32", msg("the ship that loses a step"), left)
        if unit:
            lose_step(g, unit, "5.32")


def submarine_steps(g: State, card: str, die: int) -> int:
    """[5.32] The steps that a submarine card costs by its die of 0 to 9."""
    data = g.board.cards[card].data["submarine"]
    if card == "J27" and die == 5 and not g.second:
        return 0  # erratum of the first edition
    return 1 if die <= data["one"] else 2 if die <= data.get("two", -1) else 0


def _submarine_targets(g: State, side: str, in_port: bool) -> list[str]:
    o = offensive(g)
    if in_port:
        ships = [u for u in g.on_map(side) if g.counter(u).kind == "naval" and u not in o.units]
        return [u for u in ships if g.board.hexes[g.pieces[u].at].port and g.board.hexes[g.pieces[u].at].region != "Japan"]
    return [u for u in o.units if g.counter(u).kind == "naval" and g.pieces[u].box == "map"]


def _skip_bombing(g: State) -> Flow[None]:
    """[A24] A shipping point for good; a CA, CL or APD that came near US aircraft loses a step, Japan's choice."""
    if g.asp[JAPAN] > 1:
        emit(g, ShippingSet(JAPAN, g.asp[JAPAN] - 1, "5.32"))
    o = offensive(g)
    planes = [
        u for u in g.on_map(ALLIES) if g.counter(u).kind == "air" and g.counter(u).nation == "us" and not g.counter(u).lrb
    ]
    ships = [
        u
        for u, a in o.units.items()
        if g.counter(u).type in ("ca", "cl", "apd")
        and g.pieces[u].box == "map"
        and a.mode
        and any(distance(g.pieces[p].at, g.pieces[u].at) <= g.counter(p).leg for p in planes)
    ]
    unit = yield from choose_unit(g.board.unit_index, JAPAN, "target", "5.32", msg("the ship that loses a step"), ships)
    if unit:
        lose_step(g, unit, "5.32")


def _wingate(g: State) -> Flow[None]:
    """[A22] A Japanese ground unit activated in Burma or Northern India stays where it was; the 77th Brigade is on its way."""
    o = offensive(g)
    theatre = [
        u
        for u, a in o.units.items()
        if g.counter(u).kind == "ground" and a.start and g.board.hexes[a.start].region in ("Burma", "NIndia")
    ]
    unit = yield from choose_unit(
        g.board.unit_index, ALLIES, "target", "5.32", msg("the unit whose activation is cancelled"), theatre
    )
    if unit:
        at = g.pieces[unit].at
        emit(g, Withdrawn(unit, "5.32"))
        _empty_battle(g, at)
    if g.pieces["77th-brigade"].box == "event":
        emit(g, Placed("77th-brigade", 0, "track", "5.32", due=g.turn + 1, undelayable=True))


def _empty_battle(g: State, place: int) -> None:
    """A battle hex that nobody attacks any more."""
    o = offensive(g)
    if place in o.battles and not firing_units(g, o.side, place) and not g.mine_at(o.side, place):
        emit(g, BattleEnded(place, "battle", FOE[o.side], "5.32"))


def _kamikazes(g: State) -> Flow[None]:
    """[J61] Each card: two steps of ships in one battle near Tokyo, spread so that none sinks if possible; a wing pays."""
    o = offensive(g)
    cards = [c for c in o.reaction_cards if "kamikaze" in g.board.cards[c].data]
    extra = any("sho_go" in g.board.cards[c].data for c in o.reaction_cards)
    used: list[int] = []
    for card in cards:
        places = [
            h for h in o.battles if h not in used and h not in o.fought and _kamikaze_targets(g, h) and _kamikaze_wings(g, h)
        ]
        place = yield from choose_place(
            g.board.place_index, JAPAN, "kamikaze", "5.32", msg("the battle that the kamikazes strike"), places
        )
        if not place:
            return
        used.append(place)
        wing = yield from choose_unit(
            g.board.unit_index,
            JAPAN,
            "wing",
            "5.32",
            msg("the air unit that pays for the kamikazes with a step"),
            _kamikaze_wings(g, place),
        )
        for _ in range(g.board.cards[card].data["kamikaze"] + (extra and len(used) == 1)):
            unit = yield from choose_unit(
                g.board.unit_index, JAPAN, "target", "5.32", msg("the ship that loses a step"), _kamikaze_targets(g, place)
            )
            if unit:
                lose_step(g, unit, "5.32")
        lose_step(g, wing, "5.32")


def _kamikaze_targets(g: State, place: int) -> list[str]:
    ships = [u for u in firing_units(g, ALLIES, place) if g.counter(u).kind == "naval"]
    whole = [u for u in ships if not g.weak(u)]
    return whole or ships


def _kamikaze_wings(g: State, place: int) -> list[str]:
    if distance(place, TOKYO) > KAMIKAZE_RANGE:
        return []
    return [u for u in g.on_map(JAPAN) if g.counter(u).kind == "air" and distance(g.pieces[u].at, place) <= g.counter(u).leg]
