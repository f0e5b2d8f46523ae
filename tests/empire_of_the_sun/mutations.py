"""Orders made illegal by construction; none may be accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun.random_play import play
from tests.empire_of_the_sun.table import SCENARIOS
from tests.spoiling import Spoiler, Spoilt

FAR = 30  # hexes: more than any unit moves or any air unit flies in one offensive, without strategic movement


def spoil(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """Illegal orders for a question."""
    yield "another phase", {"replace": "3rd-marine-division"} if ask.kind != "replacements" else {"move": "nothing"}
    yield "no verb of this game", {"surrender": "now"}
    yield "nonsense", dice.choice([17, None, [], {}, {"a": 1, "b": 2}, True])
    for verb in ask.verbs:
        if verb not in ("done", "again", "pass", "react", "discard", "china", "rivalry", "none"):
            yield "no sense in the body", {verb: "xyzzy plugh"}
    more = _BY_KIND.get(ask.kind)
    if more is not None:
        yield from more(g, ask, dice)


def _units(g: State, side: str, dice: random.Random, number: int = 3) -> list[str]:
    found = [u for u in g.on_map(side) if g.counter(u).kind != "hq"]
    return dice.sample(found, min(number, len(found)))


def _away(g: State, side: str) -> list[str]:
    boxes = ("eliminated", "removed", "schedule", "track")
    return [u for u, p in g.pieces.items() if g.counter(u).side == side and p.box in boxes]


def _cards(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """Cards that are not held, of the other side, by a handle of the other hand."""
    side, foe = ask.seat, FOE[ask.seat]
    held = {*g.hands[side], g.future[side]}
    others = [c for c, card in g.board.cards.items() if card.side == side and c not in held]
    theirs = [c for c, card in g.board.cards.items() if card.side == foe]
    for verb in ask.verbs:
        if verb in ("play", "discard", "future", "weather", "cancel", "intelligence", "cards"):
            yield "a card that is not held", {verb: dice.choice(others)}
            yield "a card of the other side", {verb: dice.choice(theirs)}
            yield "a handle of the other hand", {verb: f"{dice.choice(others)} {foe}:draw0:1"}
            yield "a handle that was never drawn", {verb: f"{dice.choice(others)} {side}:draw99:9"}
    if ask.kind == "card" and not g.passes[side]:
        yield "no pass left", "pass"
    if ask.kind == "card" and g.future[side]:
        yield "a second future offensive", {"future": dice.choice(sorted(c for c in held if c))}
    if ask.kind == "reaction":
        calm = [c for c in g.hands[side] if not g.board.cards[c].data.get("weather")] if not _hidden(g, side) else []
        yield from (("a card that is no weather", {"weather": c}) for c in calm[:2])


def _hidden(g: State, side: str) -> bool:
    return any(":" in c for c in g.hands[side])


def _use(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    foes = [u for u in g.on_map(FOE[ask.seat]) if g.counter(u).kind == "hq"]
    away = [u for u, p in g.pieces.items() if g.counter(u).kind == "hq" and p.box != "map" and g.counter(u).side == ask.seat]
    here = [u for u in g.on_map(ask.seat) if g.counter(u).kind == "hq"]
    for hq in (*foes, *away, *_units(g, ask.seat, dice, 1)):
        yield "an HQ of the enemy, away, or none", {"operations": hq}
        yield "an HQ that cannot withdraw", {"withdraw": hq}
    for hq in here[:1]:
        yield "an HQ returns that is here", {"return": f"{hq} at {g.pieces[hq].at:04}"}


def _activate(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    mine, theirs = _units(g, ask.seat, dice, 40), _units(g, FOE[ask.seat], dice)
    most = ask.facts["allowance"]
    assert isinstance(most, int)
    special = str(ask.facts["card"]) in ("J1", "J2")
    if theirs:
        yield "units of the enemy", {"activate": theirs}
    if mine:
        yield "a unit twice", {"activate": [mine[0], mine[0]]}
        away = _away(g, ask.seat)
        if away:
            yield "a unit that is away", {"activate": [dice.choice(away)]}
    if len(mine) > most + 4 and not special:
        yield "more than the allowance", {"activate": mine[: most + 4]}
    commanders = [u for u in g.on_map(ask.seat) if g.counter(u).kind == "hq"]
    if commanders:
        yield "an HQ", {"activate": [dice.choice(commanders)]}


def _move(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    o = g.offensive
    assert o is not None
    ready = [u for u, a in o.units.items() if not a.mode and g.pieces[u].box == "map"]
    moved = [u for u, a in o.units.items() if a.mode not in ("", "land")]
    idle = [u for u in _units(g, o.side, dice, 6) if u not in o.units]
    unit = dice.choice(ready or idle or _units(g, o.side, dice, 1))
    at = g.pieces[unit].at
    far = dice.choice([h for h in g.board.hexes if distance(h, at) >= FAR] or [0])
    near = dice.choice(g.board.within(at, 3))
    for verb in ("move", "assault", "strategic"):
        yield "enemy unit", {verb: f"{dice.choice(_units(g, FOE[o.side], dice))} to {near:04}"}
        if idle:
            yield "not activated", {verb: f"{dice.choice(idle)} to {near:04}"}
        if moved:
            yield "moved before", {verb: f"{dice.choice(moved)} to {near:04}"}
        away = _away(g, o.side)
        if away:
            yield "a unit that is away", {verb: f"{dice.choice(away)} to {near:04}"}
        yield "a unit twice", {verb: f"{unit}, {unit} to {near:04}"}
        if far and verb != "strategic":
            yield "too far", {verb: f"{unit} to {far:04}"}
        yield "no such hex", {verb: f"{unit} to 9999"}
        yield "no such way", {verb: f"{unit} to {near:04} by balloon"}
        yield "not from there", {verb: f"{unit} from {dice.choice(sorted(set(g.board.hexes) - {at})):04} to {near:04}"}
    kind = g.counter(unit).kind
    inland = [h for h in g.board.within(at, 9) if not any("W" in s for s in g.board.hexes[h].sides)]
    waters = [h for h in g.board.within(at, 9) if not g.board.hexes[h].is_land]
    if kind == "naval" and inland and g.board.hexes[at].is_land:
        yield "a ship inland", {"move": f"{unit} to {dice.choice(inland):04}"}
    if kind in ("ground", "air") and waters:
        yield "land unit to sea", {"move": f"{unit} to {dice.choice(waters):04}"}
        yield "landing at sea", {"assault": f"{unit} to {dice.choice(waters):04}"}
    coasts = [h for h in g.board.within(at, 5) if g.board.hexes[h].coastal and h != at]
    if kind == "ground" and coasts and _no_shipping(g, o.side):
        yield "no shipping points", {"assault": f"{unit} to {dice.choice(coasts):04}"}
    yield "a number of units", {"move": {"units": 3, "to": near}}
    yield "an extra key", {"move": {"units": [unit], "to": near, "speed": 30}}


def _no_shipping(g: State, side: str) -> bool:
    o = g.offensive
    total = g.asp[side] + (o.asp_bonus if o is not None and o.side == side else 0)
    return g.asp_used[side] >= total


def _battle(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    o = g.offensive
    assert o is not None
    flyers = [u for u in o.units if g.counter(u).flies and g.pieces[u].box == "map"]
    foes = {g.pieces[u].at for u in g.on_map(FOE[o.side])}
    for unit in flyers[:2]:
        far = [h for h in foes if distance(h, g.pieces[unit].at) > 12]
        if far:
            yield "out of range", {"battle": f"{dice.choice(sorted(far)):04} with {unit}"}
    for place in sorted(foes)[:2]:
        yield "enemy unit fights for me", {"battle": f"{place:04} with {dice.choice(_units(g, FOE[o.side], dice))}"}
        idle = [u for u in _units(g, o.side, dice, 6) if u not in o.units]
        if idle:
            yield "not activated", {"battle": f"{place:04} with {idle[0]}"}
        ships = [u for u in o.units if not g.counter(u).flies and g.pieces[u].at != place]
        if ships:
            yield "no flyer from outside", {"battle": f"{place:04} with {ships[0]}"}
    empty = [h for h in g.board.hexes if not g.by_hex().get(h) and not g.intrinsic(h)]
    if flyers:
        yield "nobody to fight", {"battle": f"{dice.choice(empty):04} with {flyers[0]}"}


def _counter(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    side = ask.seat
    mine, theirs = _units(g, side, dice, 60), _units(g, FOE[side], dice)
    own = [u for u in g.on_map(side) if g.counter(u).kind == "hq"]
    foes = [u for u in g.on_map(FOE[side]) if g.counter(u).kind == "hq"]
    for hq in foes[:1]:
        yield "an HQ of the enemy", {"counter": {"hq": hq, "activate": mine[:1], "moves": []}}
    for hq in own[:2]:
        yield "units of the enemy", {"counter": {"hq": hq, "activate": theirs, "moves": []}}
        yield "a unit twice", {"counter": {"hq": hq, "activate": [mine[0], mine[0]], "moves": []}}
        if len(mine) >= 25:
            yield "more than the allowance", {"counter": {"hq": hq, "activate": mine[:25], "moves": []}}
        idle = f"{mine[0]} to {g.pieces[mine[0]].at:04}"
        yield "not activated", {"counter": {"hq": hq, "activate": [], "moves": [{"move": idle}]}}
        yield "an extra key", {"counter": {"hq": hq, "activate": [], "moves": [], "retreat": "yes"}}


def _hits(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    order = next(iter(ask.options()), None)
    if not isinstance(order, dict):
        return
    body = next(iter(order.values()))
    if not isinstance(body, dict):
        return
    for unit in body:
        yield "more steps than it has", {"hits": {**body, unit: 3}}
        yield "less than no step", {"hits": {**body, unit: -1}}
    away = _away(g, JAPAN) + _away(g, ALLIES)
    yield "a unit that is away", {"hits": {**body, dice.choice(away): 1}}
    elsewhere = [u for u in _units(g, JAPAN, dice, 9) + _units(g, ALLIES, dice, 9) if _takes_no_part(g, u)]
    if elsewhere:
        yield "a unit elsewhere", {"hits": {**body, elsewhere[0]: 1}}


def _takes_no_part(g: State, unit: str) -> bool:
    o, fight = g.offensive, g.fight
    assert o is not None and fight is not None
    return unit not in o.units and unit not in o.reactors and g.pieces[unit].at != fight.hex


def _return(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    o = g.offensive
    assert o is not None
    theirs = _units(g, FOE[ask.seat], dice, 1)
    idle = [u for u in _units(g, ask.seat, dice, 6) if u not in o.units and u not in o.reactors]
    waters = [h for h in g.board.hexes if not g.board.hexes[h].is_land]
    yield from (("enemy unit", {"return": f"{u} to {g.pieces[u].at:04}"}) for u in theirs)
    yield from (("not activated", {"return": f"{u} to {dice.choice(waters):04}"}) for u in idle[:1])
    active = [u for u in (*o.units, *o.reactors) if g.counter(u).side == ask.seat and g.pieces[u].box == "map"]
    if active:
        unit = dice.choice(active)
        yield "stays at sea", {"return": f"{unit} to {dice.choice(waters):04}"}
        foreign = [h for h, side in g.control.items() if side != ask.seat and distance(h, g.pieces[unit].at) > 2]
        if g.counter(unit).kind != "ground":
            yield "to a base of the enemy", {"return": f"{unit} to {dice.choice(foreign):04}"}


def _fresh(g: State, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """Reinforcements and replacements: enemy units, units on the map, places of the enemy and at sea."""
    present, theirs = _units(g, ask.seat, dice), _away(g, FOE[ask.seat])
    waters = [h for h in g.board.hexes if not g.board.hexes[h].is_land]
    foreign = [h for h, side in g.control.items() if side != ask.seat]
    for unit in present[:2]:
        yield "on the map already", {"place": f"{unit} at {g.pieces[unit].at:04}"}
        yield "not eliminated", {"rebuild": f"{unit} at {g.pieces[unit].at:04}"}
        if not g.pieces[unit].reduced:
            yield "not reduced", {"replace": unit}
    if theirs:
        yield "enemy unit", {"place": f"{dice.choice(theirs)} at {dice.choice(sorted(g.control)):04}"}
        yield "enemy unit", {"replace": dice.choice(theirs)}
    offered = [o for o in ask.options() if isinstance(o, dict) and "place" in o]
    for order in offered[:1]:
        unit = str(next(iter(order.values()))).partition(" ")[0]
        yield "placed at sea", {"place": f"{unit} at {dice.choice(waters):04}"}
        yield "placed with the enemy", {"place": f"{unit} at {dice.choice(foreign):04}"}


_BY_KIND: dict[str, Callable[[State, Ask, random.Random], Iterator[Spoilt]]] = {
    "card": _cards,
    "reaction": _cards,
    "intelligence": _cards,
    "cards": _cards,
    "use": _use,
    "activate": _activate,
    "move": _move,
    "battle": _battle,
    "counter": _counter,
    "hits": _hits,
    "return": _return,
    "reinforcements": _fresh,
    "replacements": _fresh,
}


def run(seed: int, wanted: int, every: float = 0.3) -> Counter[str]:
    """Spoil orders along random games until `wanted` were refused; how many of each kind."""

    def game(number: int, watch: Spoiler) -> None:
        play(SCENARIOS[number % len(SCENARIOS)], number, watch, rules=("2nd-2015", "1st-2005")[number % 2])

    return Spoiler(spoil, seed, wanted, every=every, most=6).along(game)
