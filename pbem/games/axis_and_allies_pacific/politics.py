"""[POL] [NEUT] [CHN] Who may declare war on whom, and who may enter, attack or fly over what."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events.turns import WarDeclared
from pbem.games.axis_and_allies_pacific.state import (
    POWERS,
    SIDES,
    State,
    at_war,
    controller_side,
    friends,
    is_closed,
    is_friendly,
    is_hostile,
    is_neutral,
    war_key,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS
from pbem.games.axis_and_allies_pacific.terms import place as place_of
from pbem.kernel.events import emit
from pbem.kernel.orders import Rejected, illegal, nearest, unreadable
from pbem.kernel.wording import Message, msg, quoted

GROUP = ("united-kingdom", "anzac")  # [POL-UK-01] one entity for every declaration of war


def read_powers(plain: object) -> list[str]:
    """The powers that a declaration of war names. Raises Rejected."""
    words = plain if isinstance(plain, list) else str(plain).replace(" and ", ",").split(",")
    names = {"uk": "united-kingdom", "us": "united-states", "usa": "united-states"}
    powers = [names.get(w, w) for w in (str(w).strip().lower().replace(" ", "-") for w in words)]
    for power in powers:
        if power not in POWERS:
            raise unreadable(msg("there is no power {given}", given=quoted(power)), nearest(power, POWERS))
    return powers


def declaring(power: str) -> str:
    """The rule by which a power declares war."""
    return {"japan": "POL-JP-03", "united-states": "POL-US-01"}.get(power, "POL-UK-01")


def check_declaration(g: State, power: str, targets: list[str]) -> None:
    """[POL-JP-03] [POL-UK-01] [POL-US-01] Raises Rejected when this power may not declare war on these now."""
    for target in targets:
        if friends(power, target):
            raise illegal(msg("on one side: {one}, {other}", one=OWNERS[power], other=OWNERS[target]), declaring(power))
        if at_war(g, power, target):
            raise illegal(msg("at war already: {one}, {other}", one=OWNERS[power], other=OWNERS[target]), "POL-JP-01")
        if power == "china" or target == "china":
            raise illegal(msg("China and Japan are at war from the start"), "POL-JP-01")
    if power == "united-states" and not may_declare_as_united_states(g):
        reason = msg("the United States waits until Japan declares war, opens war on the UK and ANZAC, or its third turn ends")
        raise illegal(reason, "POL-US-01", msg("from Collect Income of its third turn on it may declare"))


def may_declare_as_united_states(g: State) -> bool:
    """[POL-US-01] [POL-US-02] War was opened on UK and ANZAC unprovoked, or three US turns have passed."""
    provoked_by = g.war_opened_by.get(war_key("japan", "united-kingdom"))
    late = g.options["late-american-entry"] == "from-third-turn" and g.turns_taken.get("united-states", 0) >= 3
    return provoked_by == "axis" or late


def declare(g: State, power: str, targets: list[str], rule: str) -> None:
    """[POL-UK-01] Open war; the United Kingdom and ANZAC always together."""
    pairs = [(a, b) for a in _entity(power) for t in targets for b in _entity(t)]
    for one, other in pairs:
        if not at_war(g, one, other):
            emit(g, WarDeclared(one, other, SIDES[power], rule))


def _entity(power: str) -> tuple[str, ...]:
    return GROUP if power in GROUP else (power,)


Refusal = tuple[Message, str] | None  # why not, and the rule


def why_not_enter(g: State, power: str, territory: str) -> Refusal:
    """Why land units of a power may not go into a territory, attacking or not; None when they may."""
    if is_closed(g, territory):
        return msg("nobody enters {place}", place=place_of(g, territory)), "POL-SU-01"
    return (
        _china_stays_home(g, power, territory)
        or _peace_with_china(g, power, territory)
        or _peace_with_owner(g, power, territory)
    )


def _china_stays_home(g: State, power: str, territory: str) -> Refusal:
    place = g.board.territories[territory]
    if power == "china" and not (place.chinese or place.chinese_may_enter):
        return msg("Chinese units do not go to {place}", place=place_of(g, territory)), "CHN-05"
    return None


def _peace_with_china(g: State, power: str, territory: str) -> Refusal:
    """[POL-JP-02] [POL-UK-02] [AMB-US-CHINA] Entering China is an act of war."""
    place = g.board.territories[territory]
    outsider = SIDES[power] == "allies" and power != "china"
    if place.chinese and outsider and not at_war(g, power, "japan"):
        rule = "POL-UK-02" if power in GROUP else "AMB-US-CHINA"
        return msg("{power} may not enter China before it is at war with Japan", power=OWNERS[power]), rule
    return None


def _peace_with_owner(g: State, power: str, territory: str) -> Refusal:
    owner, where = g.control[territory], place_of(g, territory)
    if is_neutral(g, territory) or is_hostile(g, power, territory):
        return None
    if owner == "netherlands" and power == "japan":
        return msg("{place} is Dutch: Japan must be at war with the UK and ANZAC first", place=where), "POL-JP-04"
    if owner in ("netherlands", "france") and power == "united-states" and not at_war(g, power, "japan"):
        return msg("the United States enters {place} only when it is at war", place=where), "AMB-DUTCH-OTHERS"
    if not is_friendly(g, power, territory):
        return msg(
            "{power} is not at war with {owner}: declare war first", power=OWNERS[power], owner=OWNERS[owner]
        ), declaring(power)
    return None


def why_not_fly(g: State, power: str, space: str, target: str) -> Refusal:
    """[NEUT-06] [CHN-06] Why aircraft of a power may not fly through a space on the way to `target`."""
    if space in g.board.zones:
        return (msg("the Flying Tigers stay over Chinese land"), "CHN-06") if power == "china" else None
    where = place_of(g, space)
    if is_closed(g, space):
        return msg("nobody flies over {place}", place=where), "POL-SU-01"
    if is_neutral(g, space) and space != target:
        return msg("{place} is neutral", place=where), "NEUT-06"
    return _china_stays_home(g, power, space) or _peace_with_china(g, power, space)


def check_enter(g: State, power: str, territory: str) -> None:
    """Raises Rejected when land units of a power may not go into a territory."""
    why = why_not_enter(g, power, territory)
    if why is not None:
        raise illegal(*why)


def check_attack(g: State, power: str, territory: str) -> None:
    """Raises Rejected when a power may not attack a territory now."""
    check_enter(g, power, territory)
    if not (is_hostile(g, power, territory) or is_neutral(g, territory)):
        raise illegal(msg("{place} is friendly", place=place_of(g, territory)), "CM-01")
    why = why_not_attack(g, power, territory)
    if why is not None:
        raise illegal(*why)


def why_not_attack(g: State, power: str, territory: str) -> Refusal:
    """[AMB-ATTACK-IS-DOW] Units of a power at peace with the attacker stand there: an attack without a declaration."""
    strangers = {u.owner for u in g.at(territory) if u.owner in POWERS and not friends(u.owner, power)}
    for owner in [p for p in POWERS if p in strangers and not at_war(g, power, p)]:
        return msg(
            "units of {owner} are in {place}, and {power} is not at war with it: declare war first",
            owner=OWNERS[owner],
            place=place_of(g, territory),
            power=OWNERS[power],
        ), declaring(power)
    return None


def leans_against(side: str) -> str:
    """[NEUT-03] The side opposed to an attacker."""
    return "axis" if side == "allies" else "allies"


__all__ = [
    "Rejected",
    "check_attack",
    "check_declaration",
    "check_enter",
    "controller_side",
    "declare",
    "declaring",
    "leans_against",
    "may_declare_as_united_states",
    "read_powers",
    "why_not_attack",
    "why_not_enter",
    "why_not_fly",
]
