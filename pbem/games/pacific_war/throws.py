"""Records of the rules in the words of a report: what a die is about, what is stated beside the events."""

from __future__ import annotations

import re

from pbem.games.pacific_war.labels import RECORDS, SIDES, WEATHER_ZONES
from pbem.games.pacific_war.state import State
from pbem.kernel.wording import Argument, Message, msg

DICE: tuple[tuple[str, Message], ...] = (
    (r"(?P<about>.+), second die", msg("{about}, second die")),
    (r"(?P<about>.+), critical hit", msg("{about}, critical hit")),
    (r"(?P<unit>.+) bombards (?P<target>.+)", msg("{unit} bombards {target}")),
    (r"CAP (?P<unit>.+)", msg("CAP {unit}")),
    (r"escort (?P<unit>.+)", msg("escort {unit}")),
    (r"submarines against crippled (?P<unit>.+)", msg("submarines against the crippled {unit}")),
    (r"(?P<unit>.+) intercepts", msg("{unit} intercepts")),
    (r"ground combat in (?P<place>\d{4})", msg("ground combat in {place}")),
    (r"strategic intelligence, (?P<side>\w+)", msg("strategic intelligence, {side}")),
    (r"operational intelligence", msg("operational intelligence")),
    (r"(?P<unit>.+) lands at dusk", msg("{unit} lands at dusk")),
    (r"light", msg("light")),
    (r"advantage, (?P<side>\w+)", msg("advantage, {side}")),
    (r"merchant shipping harassment", msg("merchant shipping harassment")),
    (r"strategic bombing", msg("strategic bombing")),
    (r"coordination of the strike on (?P<place>\d{4})", msg("coordination of the strike on {place}")),
    (r"(?P<unit>.+) fires at (?P<target>.+)", msg("{unit} fires at {target}")),
    (r"(?P<unit>.+) torpedoes (?P<target>.+)", msg("{unit} torpedoes {target}")),
    (r"flak of (?P<unit>.+)", msg("flak of {unit}")),
    (r"flak over (?P<place>\d{4})", msg("flak over {place}")),
    (r"Allied command points", msg("Allied command points")),
    (r"search for the mission over (?P<place>\d{4})", msg("search for the mission over {place}")),
    (r"shore searches for (?P<marker>.+)", msg("search from the shore for {marker}")),
    (r"(?P<unit>.+) searches for (?P<marker>.+)", msg("{unit} searches for {marker}")),
    (r"operations player", msg("operations player")),
    (r"Doolittle raid", msg("Doolittle raid")),
    (r"(?P<unit>.+) strafes", msg("{unit} strafes")),
    (r"(?P<unit>.+) attacks (?P<target>.+)", msg("{unit} attacks {target}")),
    (r"submarine attacks in (?P<place>\d{4})", msg("submarine attacks in {place}")),
    (r"sweep in (?P<place>\d{4})", msg("sweep for submarines in {place}")),
    (r"sweep against (?P<unit>.+)", msg("sweep against {unit}")),
    (r"hunt for (?P<unit>.+)", msg("hunt for {unit}")),
    (r"(?P<unit>.+) at (?P<target>.+)", msg("{unit} attacks {target}")),
    (r"troop quality of (?P<unit>.+), (?P<about>[^,]+)", msg("troop quality of {unit} ({about})")),
    (r"bombardment of the Panama Canal, die (?P<n>\d+)", msg("bombardment of the Panama Canal, die {n}")),
    (r"submarines against (?P<unit>.+) on its way", msg("submarines against {unit} on its way")),
    (r"weather of (?P<zone>[\w-]+)", msg("weather, {zone}")),
    (r"weather over (?P<place>\d{4})", msg("weather over {place}")),
    (r"(?P<unit>.+) over (?P<place>\d{4})", msg("{unit} over {place}")),
)
STATED: tuple[tuple[str, Message], ...] = (
    (
        r"attack in (?P<place>\d{4}): (?P<unit>.+) \((?P<tq>\d+), (?P<steps>\d+)\) "
        r"against (?P<other>.+) \((?P<their>\d+), (?P<n>\d+)\)"
        r"; terrain (?P<terrain>-?\d+), armour (?P<armour>-?\d+), steps (?P<more>-?\d+); column (?P<column>-?\d+)",
        msg(
            "Attack in {place}: {unit} (quality {tq}, all steps {steps}) against {other} (quality {their}, all steps {n}); "
            "terrain {terrain}, armour {armour}: column {column}; for the steps {more}"
        ),
    ),
    (
        r"result (?P<n>-?\d+) of [^:]+: attacker (?P<lost>\d+), defender (?P<killed>\d+), retreat (?P<side>\w+)",
        msg("Result {n}: steps lost by the attacker {lost}, by the defender {killed}; must retreat: {side}"),
    ),
    (r"(?P<hq>.+) could not pay for (?P<units>.+)", msg("{hq} could not pay for: {units}")),
    (r"the operation is over", msg("The operation is over")),
    (r"surprise attack: no reaction movement", msg("Surprise Attack: no reaction movement")),
    (r"(?P<unit>.+) meets enemy aircraft and turns back", msg("{unit} meets enemy aircraft and turns back")),
    (r"(?P<marker>.+) was a decoy", msg("{marker} was a decoy")),
    (r"the secret order of (?P<side>\w+) does not hold", msg("{side}: the order given in secret is void")),
    (r"(?P<nation>\w+) surrenders", msg("{nation} surrenders")),
    (
        r"the Panama Canal is closed: .+",
        msg("The Panama Canal is closed: US reinforcements of 1942 come a month later"),
    ),
    (
        r"the weather over (?P<place>.+) keeps (?P<units>.+) on the ground",
        msg("The weather over {place} keeps on the ground: {units}"),
    ),
)


def about(g: State, label: str) -> Argument:
    """What a die is about, from the label under which it was rolled."""
    return _worded(g, DICE, label) or label


def stated(g: State, text: str) -> Message | None:
    """A remark of the rules beside the events; None for one that is not known."""
    return _worded(g, STATED, text)


def _worded(g: State, table: tuple[tuple[str, Message], ...], text: str) -> Message | None:
    for pattern, message in table:
        found = re.fullmatch(pattern, text)
        if found:
            return Message(message.id, {name: _argument(g, name, value) for name, value in found.groupdict().items()})
    return None


def _argument(g: State, name: str, value: str) -> Argument:
    """A part of a record: hexes with their names, sides and terms in words."""
    if name == "place" and value.isdigit():
        return g.board.name(int(value))
    if name == "about":
        return RECORDS.get(value) or about(g, value)
    if name == "target":
        return tuple(RECORDS.get(one, one) for one in value.split(", "))
    if name == "zone":
        return WEATHER_ZONES[value]
    if name == "nation":
        return RECORDS[value]
    if name == "side":
        return SIDES.get("" if value == "nobody" else value, value)
    return value
