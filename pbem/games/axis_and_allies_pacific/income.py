"""[INC] [CONV] Phase 6: production, convoy losses, national objectives; the United States' late entry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.games.axis_and_allies_pacific.events.economy import ConvoyLost, Earned, ObjectivePaid, Production
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.orders import split_order
from pbem.games.axis_and_allies_pacific.politics import declare, read_powers
from pbem.games.axis_and_allies_pacific.purchase import burma_road_open
from pbem.games.axis_and_allies_pacific.state import SIDES, State, Unit, at_war, enemies_of, side_of
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of
from pbem.games.axis_and_allies_pacific.terms import place as place_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg, verbatim

WAR_ECONOMY = 40  # [POL-US-03]
BURMA_ROAD = 6  # [CHN-08]


def collect_income(g: State, power: str) -> Flow[None]:
    """[INC-01] The level of production, less convoy losses, plus bonus income."""
    emit(g, PhaseBegan(power, "collect-income"))
    if power == "united-states" and not at_war(g, power, "japan") and may_enter_late(g):
        yield from late_entry(g)
    level = production(g, power)
    lost = yield from convoy_losses(g, power)
    emit(g, Production(power, level, lost))
    if power == "united-states" and at_war(g, power, "japan"):
        emit(g, Earned(power, WAR_ECONOMY, "war economy", "POL-US-03"))
    if power == "china" and burma_road_open(g):
        emit(g, Earned(power, BURMA_ROAD, "Burma Road", "CHN-08"))
    for objective in g.board.objectives:
        pay_objective(g, power, objective)


def production(g: State, power: str) -> int:
    """[INC-01] [INC-02] The values of the territories a power controls."""
    return sum(g.board.territories[t].ipc for t, holder in g.control.items() if holder == power)


# -- late entry --------------------------------------------------------------------------------------------------------


def may_enter_late(g: State) -> bool:
    """[POL-US-02] [AMB-US-LATE] In its third turn, and by the usual reading in any later one."""
    taken = g.turns_taken.get("united-states", 0)
    return taken == 2 or (taken > 2 and g.options["late-american-entry"] == "from-third-turn")


def late_entry(g: State) -> Flow[None]:
    """[POL-US-02] In Collect Income of its third turn (or later) the United States may declare war."""
    choice = yield Ask(
        "united-states",
        "us-entry",
        "POL-US-02",
        msg("The United States may declare war on Japan now"),
        _read_entry,
        ("declare war", "none"),
        options=lambda: [{"declare war": "japan"}, "none"],
    )
    if choice == "japan":
        declare(g, "united-states", ["japan"], "POL-US-02")


def _read_entry(plain: Plain) -> str:
    verb, body = split_order(plain, ("declare war", "none"))
    if verb == "none":
        return verb
    if read_powers(body) != ["japan"]:
        raise illegal(msg("only on Japan"), "POL-US-02")
    return "japan"


# -- convoys -----------------------------------------------------------------------------------------------------------


def convoy_losses(g: State, power: str) -> Flow[int]:
    """[CONV-01] Enemy warships in convoy zones beside this power's land cost it money. Not China's [CONV-04]."""
    lost = 0
    if power == "china":
        return lost
    for zone, place in g.board.zones.items():
        cap = _exposed(g, power, zone) if place.convoy else 0
        for raider in enemies_of(g, power) if cap else []:
            ships = _raiders(g, raider, zone)
            if ships and (yield _ask_raid(g, power, raider, zone, ships)) == "raid":
                hit = min(cap, sum(g.board.types[s.type].raid for s in ships))  # [CONV-03]
                cap, lost = cap - hit, lost + hit
                emit(g, ConvoyLost(power, zone, hit, raider))
    return lost


def _exposed(g: State, power: str, zone: str) -> int:
    """[CONV-03] The value of this power's territories beside a zone."""
    shores = (t for t in g.board.neighbours[zone] if t in g.board.territories)
    return sum(g.board.territories[t].ipc for t in shores if g.control[t] == power)


def _raiders(g: State, raider: str, zone: str) -> list[Unit]:
    return [u for u in g.at(zone) if u.owner == raider and g.board.types[u.type].raid]


def _ask_raid(g: State, power: str, raider: str, zone: str, ships: list[Unit]) -> Ask:
    prompt = msg(
        "{raider}: convoy attack in {place}, {power}? Ships: {n}",
        raider=OWNERS[raider],
        place=place_of(g, zone),
        power=OWNERS[power],
        n=len(ships),
    )
    return Ask(
        raider,
        "raid-convoy",
        "CONV-05",
        prompt,
        _read_raid,
        ("convoy",),
        scope=f"zone:{zone}",
        default={"convoy": "raid"},
        options=lambda: [{"convoy": "raid"}, {"convoy": "none"}],
        facts={"zone": zone, "ships": len(ships)},
        policy=lambda p: p if isinstance(p, dict) else {"convoy": p},
    )


def _read_raid(plain: Plain) -> str:
    _, body = split_order(plain, ("convoy",))
    if body not in ("raid", "none"):
        raise unreadable(verbatim(repr(body)), one_of("raid, none"))
    return str(body)


# -- objectives --------------------------------------------------------------------------------------------------------


def pay_objective(g: State, power: str, objective: Mapping[str, Any]) -> None:
    """[INC-03] Bonus income of this power that is due now."""
    if objective["power"] != power or objective["id"] in g.objectives_taken:
        return
    times = _times_met(g, power, objective)
    if times:
        emit(g, ObjectivePaid(power, objective["id"], times * objective["ipc"], int(objective["test"] == "unit-once")))


def _times_met(g: State, power: str, objective: Mapping[str, Any]) -> int:
    spaces = objective["spaces"]
    match objective["test"]:
        case "side-all":
            return int(all(side_of(g, g.control[s]) == SIDES[power] for s in spaces))
        case "side-each":
            return sum(side_of(g, g.control[s]) == SIDES[power] for s in spaces)
        case "power-all":
            return int(all(g.control[s] == power for s in spaces))
        case "trio-all":
            return int(all(g.control[s] in ("united-kingdom", "united-states", "anzac") for s in spaces))
        case _:
            return int(any(u.at in spaces for u in g.of(power)))
