"""Dice in words: who fires at whom, at what strength and why, on which column, and what the die brings."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.dice import column, halved
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.sea.searching import SHORE, best_die, level_of, reach
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import LINES, block_of, hex_in
from pbem.games.pacific_war.world.weather import hides_aircraft
from pbem.kernel.wording import Argument, Message, Told, counted, msg, signed

# labels that are spelled otherwise in a report; all others are sentences as they stand
SENTENCES = {
    "submarines against crippled {unit}": msg("submarines against the crippled {unit}"),
    "{unit} searches for {marker}": msg("search by {unit} for {marker}"),  # a unit may be called in the plural
    "shore searches for {marker}": msg("search from the shore for {marker}"),
    "sweep in {place}": msg("sweep for submarines in {place}"),
    "{unit} at {target}": msg("{unit} attacks {target}"),
    "troop quality of {unit}, {about}": msg("troop quality of {unit} ({about})"),
    "weather of {zone}": msg("weather, {zone}"),
}
SHOOTERS = {  # labels -> which strength of the unit fires
    "{unit} fires at {target}": "gun",
    "{unit} torpedoes {target}": "torpedo",
    "{unit} attacks {target}": "strike",
    "{unit} bombards {target}": "bombard",
    "CAP {unit}": "air",
    "escort {unit}": "air",
    "{unit} intercepts": "air",
    "{unit} strafes": "air",
}
RANGES = ("short", "medium", "long")
NOTHING, NO_HIT, NO_MORE = msg("nothing is found"), msg("no hit"), msg("nothing more")


def sentence(label: Message) -> Message:
    """What a die is about."""
    known = SENTENCES.get(label.id)
    return Message(known.id, label.args) if known else label


def face(die: int) -> int:
    """A die of 0 to 9 as the protocol rolls it: 0 comes as 10."""
    return die or 10


def thrown(g: State, x: e.Rolled) -> Told:
    """A die that is not on the air and naval chart: what it is about, what was needed where that is known, the outcome."""
    needed, outcome = _threshold(g, x)
    label = sentence(x.label)
    text = msg("{label} ({needed})", label=label, needed=needed) if needed else msg("{label}", label=label)
    return _told(g, x.label, x.die, x.rule, text, outcome)


def fired(g: State, x: e.Fired) -> Told:
    """An attack on the air and naval chart: line, strength and what it is made of, column, hits."""
    args: dict[str, Argument] = {"label": sentence(x.label), "line": LINES.get(x.line, x.line)}
    if x.strength < 0:
        outcome = NO_HIT if x.die else msg("a second die decides")
        return _told(g, x.label, x.die, x.rule, msg("{label} ({line}, strength zero-four)", **args), outcome)
    args |= {"strength": x.strength}
    parts = makeup(g, x)
    text = msg("{label} ({line}, strength {strength})", **args)
    if parts:
        text = msg("{label} ({line}, strength {strength}: {parts})", parts=parts, **args)
    at = column(x.strength, x.die)
    if x.result == "T":
        outcome = msg("column {column}, troop quality test", column=at)
    elif x.result == "0":
        outcome = NO_HIT
    else:
        outcome = counted("column {column}, {n} hit", "column {column}, {n} hits", int(x.result), column=at)
    return _told(g, x.label, x.die, x.rule, text, outcome)


def _told(g: State, label: Message, die: int, rule: str, text: Message, outcome: Message | None) -> Told:
    """`text` says what was needed or is made of what; a short report is content with what the die is about."""
    short, dice = sentence(label), (face(die),)
    return Told("dice", text, rule, block_of(g), label=str(label), dice=dice, ten_is_zero=True, outcome=outcome, short=short)


# -- what a strength is made of --------------------------------------------------------------------------------------------


def makeup(g: State, x: e.Fired) -> tuple[Message, ...]:
    """What changed the strength that is printed on the counter, that first; nothing where it is the printed one."""
    shooter = str(x.label.args.get("unit", ""))
    printed = _printed(g, x, shooter)
    if printed is None or printed == X or printed < 0 or printed == x.strength:
        return ()
    found = [msg("printed {n}", n=printed)]
    hits = g.units[shooter].hits
    if hits:
        found.append(msg("steps lost −{n}", n=hits) if g.counter(shooter).kind == "air" else msg("hits −{n}", n=hits))
    left = g.strength(shooter, printed)
    return (*found, *_change(g, shooter, left, x))


def _printed(g: State, x: e.Fired, shooter: str) -> int | None:
    """The strength on the counter of who fires; None where nobody fires alone."""
    weapon = SHOOTERS.get(x.label.id)
    if weapon is None or shooter not in g.units:
        return None
    c = g.counter(shooter)
    band = RANGES.index(g.sea.range) if g.sea is not None and g.sea.range in RANGES else 0
    strike = c.an if x.line.endswith("-naval") else c.ag
    return {"gun": c.gun[band], "torpedo": c.torpedo[band], "strike": strike, "bombard": c.bombard, "air": c.aa}[weapon]


def _change(g: State, shooter: str, left: int, x: e.Fired) -> Sequence[Message]:
    """From the strength after hits to the one that fired."""
    if left == x.strength:
        return ()
    flies = g.counter(shooter).kind == "air"
    if x.strength == halved(left):
        return (msg("halved at night") if flies else msg("halved by the troops aboard"),)
    more = x.strength - max(left, 0)
    if flies and more > 0 and g.night and x.strength > halved(left):
        return (msg("halved at night"), msg("other fighters +{n}", n=x.strength - halved(left)))
    if flies:
        return (msg("other fighters +{n}", n=more) if more > 0 else msg("better pilots −{n}", n=-more),)
    return (msg("night fighting {n}", n=signed(more)),)


# -- what other dice need ------------------------------------------------------------------------------------------------------


def _threshold(g: State, x: e.Rolled) -> tuple[tuple[Message, ...], Message | None]:
    """What was needed and what came of it; nothing for a die whose table the report does not read."""
    args = x.label.args
    match x.label.id:
        case "{unit} searches for {marker}":
            return _search(g, str(args["unit"]), str(args["marker"]), x.die)
        case "shore searches for {marker}":
            return _search(g, SHORE, str(args["marker"]), x.die)
        case "search for the mission over {place}":
            return _mission_search(g, hex_in(x.label), x.die)
        case "coordination of the strike on {place}" if g.mission is not None:
            best = 3 * min(g.counter(u).level for f in g.mission.flights for u in f.units if g.units[u].box == "map")
            return _at_most(best), None
        case "troop quality of {unit}, {about}":
            return _test(g, str(args["unit"]), str(args["about"]), x.die)
        case "{about}, second die":
            return _at_most(4), msg("column {column} counts", column=1) if x.die <= 4 else NO_HIT
        case "{about}, critical hit":
            more = g.board.charts.critical[x.die]
            return (), counted("{n} more hit", "{n} more hits", more) if more else NO_MORE
    return (), None


def _at_most(n: int) -> tuple[Message, ...]:
    return (msg("{n} or less is needed", n=n),)


def _levels(levels: Sequence[int]) -> tuple[Message, ...]:
    able = [(level, most) for level, most in zip((3, 2, 1), levels, strict=True) if most >= 0]
    return tuple(msg("level {level} at {n} or less", level=level, n=min(most, 9)) for level, most in able)


def _search(g: State, who: str, marker: str, die: int) -> tuple[tuple[Message, ...], Message | None]:
    if marker not in g.markers:
        return (), None
    m = g.markers[marker]
    away = reach(g, who, m.at)
    levels = best_die(g, FOE[m.side], who, m.at, away)
    level = level_of(die, levels)
    outcome = msg("level {level}", level=level) if level else NOTHING
    return (msg("distance {n}", n=away), *_levels(levels)), outcome


def _mission_search(g: State, place: int, die: int) -> tuple[tuple[Message, ...], Message | None]:
    if g.mission is None:
        return (), None
    side = FOE[g.mission.side]
    worse = hides_aircraft(g, side, place)
    levels = [n - worse for n in g.board.charts.search[side][f"mission-{'night' if g.night else 'day'}"]]
    return _at_most(max(levels)), None if level_of(die, levels) else NOTHING


def _test(g: State, unit: str, why: str, die: int) -> tuple[tuple[Message, ...], Message | None]:
    """[PW-UNT-01] A test against troop quality; some are halved by the rules that ask for them: those are not judged here."""
    if unit not in g.units or why not in ("under bombardment", "under air attack"):
        return (), None
    best = quality(g, unit)
    return _at_most(best), msg("passed") if die <= best else msg("failed")
