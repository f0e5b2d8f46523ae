"""The reacting side: weather, intelligence, counteroffensive, attack cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.empire_of_the_sun.battle.participants import firing_units
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.bot.judgement import air_naval_edge, points, worth
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

GRAVE = 45  # a threat that is worth a Weather card
SAFE_ROLL = 6  # an intelligence value, zone included, at which the die is preferred to a card


def threat(g: State, side: str) -> int:
    """What the offensive may take: hexes in battle or landed on, and units there."""
    o = offensive(g)
    places = {*o.battles, *(g.pieces[u].at for u, a in o.units.items() if a.asp or a.mode in ("organic", "barge"))}
    held = [h for h in sorted(places) if g.holds(side, h)]
    return sum(worth(g, FOE[side], h) for h in held) + sum(points(g, g.mine_at(side, h)) for h in o.battles) // 3


def reaction(g: State, ask: Ask, cards: Sequence[Card]) -> list[Plain]:
    """Cancel what threatens much; otherwise react."""
    danger = threat(g, ask.seat)
    stops: list[Plain] = []
    if danger >= GRAVE:
        stops += [{"cancel": c.id} for c in cards if c.data.get("cancel")]
        stops += [{"weather": c.id} for c in cards if c.data.get("weather")]
    return [*stops, "react"]


def intelligence(g: State, ask: Ask, cards: Sequence[Card]) -> list[Plain]:
    """Roll when the chance is good, else a card when the battle is worth one, else roll."""
    facts: dict[str, Any] = dict(ask.facts)
    chance = int(facts["value"]) + 2 * bool(facts["zone"])
    roll: Plain = {"intelligence": "roll"}
    worthy = threat(g, ask.seat) >= 12
    usable = [c for c in cards if c.type == "reaction" and c.data.get("intel")]
    ranked = sorted(usable, key=lambda c: (c.data["intel"] != "ambush", c.kind != "counteroffensive", c.id))
    orders: list[Plain] = [{"intelligence": c.id} for c in ranked]
    if chance >= SAFE_ROLL or not worthy:
        return [roll, *orders, {"intelligence": "none"}] if worthy else [roll, {"intelligence": "none"}]
    return [*orders, roll, {"intelligence": "none"}]


def reaction_cards(g: State, ask: Ask, cards: Sequence[Card]) -> list[Plain]:
    """Submarines, kamikazes and the like strike whenever they can."""
    able = [c for c in cards if c.kind in ("attack", "personage") and not c.data.get("cancel") and _strikes(g, c)]
    left = 3 - len(offensive(g).reaction_cards)
    names = [c.id for c in able[: max(0, left)]]
    orders: list[Plain] = [{"cards": ", ".join(names[:n])} for n in range(len(names), 0, -1)]
    return [*orders, {"cards": "none"}]


def _strikes(g: State, card: Card) -> bool:
    o = offensive(g)
    ships = [u for u in o.units if g.counter(u).kind == "naval"]
    if "submarine" in card.data:
        return bool(ships) or bool(card.data["submarine"].get("in_port"))
    if "kamikaze" in card.data:
        return any(g.counter(u).kind == "naval" for h in o.battles for u in firing_units(g, o.side, h))
    if "wingate" in card.data:
        return any(g.counter(u).kind == "ground" for u in o.units)
    return bool(ships)


def counter(g: State, ask: Ask) -> list[Plain]:
    """The counter-blow after which the battles look best, if it does not only add losses."""
    side, o = ask.seat, offensive(g)
    best: list[tuple[int, Plain]] = []
    for order in ask.options():
        body: Any = order["counter"] if isinstance(order, dict) else "none"
        units = list(body["activate"]) if isinstance(body, dict) else []
        best.append((_outlook(g, side, o.battles, units), order))
    return [order for _, order in sorted(best, key=lambda x: -x[0])]


def _outlook(g: State, side: str, battles: Sequence[int], units: Sequence[str]) -> int:
    """Edge over the attackers with these units thrown in, all battles taken as one; a hopeless one is not joined."""
    mine = [u for h in battles for u in firing_units(g, side, h)]
    theirs = [u for h in battles for u in firing_units(g, FOE[side], h)]
    if not units:
        return air_naval_edge(g, side, mine, theirs, False) if mine and theirs else -20
    joined = [*mine, *(u for u in units if u not in mine)]
    return air_naval_edge(g, side, joined, theirs, False) if theirs else -30
