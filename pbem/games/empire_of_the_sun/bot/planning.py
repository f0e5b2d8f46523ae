"""Plans for one offensive: blows against hexes, tried out on a copy of the position before anything is ordered."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.activation import (
    efficiency,
    eligible,
    eligible_first_strike,
    logistics,
)
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.bot.blows import Blows
from pbem.games.empire_of_the_sun.bot.plans import Plan, tried
from pbem.games.empire_of_the_sun.bot.reach import Reach
from pbem.games.empire_of_the_sun.bot.shifting import shift_forward
from pbem.games.empire_of_the_sun.events.offensives import OffensiveBegan
from pbem.games.empire_of_the_sun.operations.battle_hexes import must_fight
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import State, offensive

TRIES = 16  # blows tried out on a copy


def best_plan(g: State, hq: str, card: Card, event: bool) -> Plan:
    """The best offensive of one HQ with a card; `g` has no offensive yet."""
    copy = rehearse(g)
    base = logistics(card, hq) if event else card.ops
    bonus = int(card.data.get("asp", 0)) if event else 0
    OffensiveBegan(card.side, card.id, event, hq, card.ops, base, bonus, "7.1").apply(copy)
    return plan_offensive(copy, hq, card if event else None, base)


def plan_offensive(g: State, hq: str, event: Card | None, base: int) -> Plan:
    """The blows of an offensive that has begun: of all units of the HQ, or of the activated ones that have not moved.

    `g` is left as it is. While Army and Navy do not sail together [14.0], each is planned for alone.
    """
    o = offensive(g)
    if o.units:
        able = [u for u, a in o.units.items() if not a.mode and g.pieces[u].box == "map"]
        return _planned(g, hq, event, base, able, len(able))
    able = eligible(g, hq, event) if hq else eligible_first_strike(g)
    limit = max(0, base + (efficiency(g, hq, able) if hq else 0))
    parties = [_without(g, able, service) for service in ("army", "navy")] if o.side in g.rivalry and hq else [able]
    if event is not None and "one_navy_unit" in event.data:
        parties.append(able)
    return max((_planned(g, hq, event, base, party, limit) for party in parties), key=lambda plan: plan.gain)


def _without(g: State, units: Sequence[str], service: str) -> list[str]:
    """Those that may be activated beside the other service."""
    return [u for u in units if g.counter(u).service != service or g.counter(u).nation not in ("us", "japan")]


def _planned(g: State, hq: str, event: Card | None, base: int, able: Sequence[str], limit: int) -> Plan:
    """The blows of these units, as many of them as may be activated."""
    o = offensive(g)
    found = Plan(g, hq)
    reach = Reach(g, o.side, able)
    blows = Blows(reach)
    tries = 0
    for place in blows.ranked(limit):
        room = limit - len(found.units)
        if room <= 0 or tries >= TRIES:
            break
        battle_free = o.event or (not any(b.battle for b in found.blows) and not must_fight(g))
        for blow in blows.blows(place, room, found, battle_free):
            tries += 1
            copy = tried(g, found, blow, event, base)
            if copy is not None:
                found.copy = copy
                found.blows.append(blow)
                break
    if hq:
        shift_forward(g, found, reach, limit, event, base)
    return found
