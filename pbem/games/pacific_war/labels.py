"""Terms of Pacific War as messages: sides, phases, light, conditions, installations, what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.kernel.wording import Argument, Message, msg

SIDES = {JAPAN: msg("Japan"), ALLIES: msg("Allies"), "": msg("nobody"), "draw": msg("nobody, a draw")}
PHASES = {
    "": msg("Set-up"),
    "contact": msg("Contact Phase"),
    "movement": msg("Movement Phase"),
    "air": msg("Air Mission Phase"),
    "naval": msg("Naval Combat Phase"),
    "bombardment": msg("Bombardment Phase"),
    "ground": msg("Ground Combat Phase"),
}
LIGHT = {
    "am": msg("Day A.M."),
    "pm": msg("Day P.M."),
    "dusk": msg("Dusk"),
    "night": msg("Night"),
    "random": msg("Random Determination"),
}
CONDITIONS = {
    "surprise": msg("Surprise Attack"),
    "intercept": msg("Intercept"),
    "ambush": msg("Ambush"),
    "cv-ambush": msg("CV Ambush"),
    "secret": msg("rolled in secret"),
}
INSTALLATIONS = {"airfields": msg("airfield"), "ports": msg("port"), "osbs": msg("supply base")}
WORKS = {"port": msg("port"), "airfield": msg("airfield"), "upgrade": msg("large airfield")}
MISSIONS = {
    "strike": msg("air strike"),
    "superiority": msg("air superiority"),
    "transfer": msg("transfer"),
    "paradrop": msg("paradrop"),
}
RANGES = {"long": msg("long"), "medium": msg("medium"), "short": msg("short"), "": msg("none")}
BOXES = {
    "sunk": msg("sunk"),
    "eliminated": msg("eliminated"),
    "surrendered": msg("surrendered"),
    "stranded": msg("stranded"),
    "escorts": msg("escorts of the merchant ships"),
    "due": msg("due later"),
    "reserve": msg("out of play"),
    "removed": msg("out of the game"),
}
ASKED = {
    "activate": msg("activation of units"),
    "alert": msg("units on the airfield that are alerted"),
    "allocate": msg("command points for the headquarters"),
    "arrange": msg("task forces of a hex"),
    "besiege": msg("sieges at the start of the operation"),
    "bid": msg("range bid, or withdrawal"),
    "bombard": msg("bombardment"),
    "cap": msg("combat air patrol"),
    "common": msg("deactivation, disengagement"),
    "contact": msg("approach of the task forces"),
    "counter": msg("the counter that takes a unit's place"),
    "escort": msg("escorts"),
    "fire": msg("targets of the ships"),
    "join": msg("units that join the operation"),
    "kinds": msg("kinds of units that move in the approach"),
    "land": msg("movement of ground units"),
    "landing": msg("where the aircraft land"),
    "line": msg("ships that enter the combat"),
    "mend": msg("airfields that are repaired"),
    "mission": msg("an air mission, or none"),
    "operation-bid": msg("bid for the operation"),
    "order": msg("order of the ground combats"),
    "organize": msg("task forces of a hex"),
    "raid": msg("strategic bombing"),
    "react": msg("activation in reaction"),
    "rebase": msg("air units that change their base"),
    "sail": msg("movement of task forces"),
    "search": msg("search, or none"),
    "take_airfield": msg("use of an overrun airfield"),
    "targets": msg("targets of the air strike"),
}


def place(g: State, hex: int) -> str:
    """A hex as players name it: `1630 Rabaul`. Names of the map stay as they are printed."""
    return g.board.name(hex)


def side_of(g: State, unit: str) -> Message:
    """Whose unit."""
    return SIDES[g.side(unit)]


def things(ids: Iterable[str]) -> tuple[Message, ...]:
    """Units by name: every one is a single piece."""
    return tuple(Message(name, {"n": 1}) for name in ids)


def where(g: State, unit: str) -> Argument:
    """The hex in which a unit is, or the box."""
    u = g.units[unit]
    return place(g, u.at) if u.at else BOXES.get(u.box, msg("out of sight"))


def block_of(g: State) -> Message | None:
    """Heading of the mission or naval combat that is going on."""
    if g.mission is not None:
        m = g.mission
        return msg("{power}, {type}: {place}", power=SIDES[m.side], type=MISSIONS[m.type], place=place(g, m.target))
    if g.sea is not None:
        return msg("Naval combat: {place}", place=place(g, g.sea.hex))
    return None
