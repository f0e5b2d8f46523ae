"""The words of Pacific War, as the report asks for them: the situation, what is asked, and events (telling.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.nouns import SPOKEN
from pbem.games.pacific_war.picture import strengths
from pbem.games.pacific_war.records import Base, Work
from pbem.games.pacific_war.secret.points import public_points
from pbem.games.pacific_war.state import CAMPAIGN, STRATEGIC, State
from pbem.games.pacific_war.state import SIDES as BOTH
from pbem.games.pacific_war.terms import ASKED as ASKED
from pbem.games.pacific_war.terms import CONDITIONS, INSTALLATIONS, LANDS, LIGHT, PHASES, WORKS, month, place
from pbem.games.pacific_war.terms import SIDES as SIDES
from pbem.games.pacific_war.victory import LEVELS, Level, levels
from pbem.games.pacific_war.words.holdings import own as own
from pbem.games.pacific_war.words.telling import tell as tell
from pbem.kernel.canon import Plain
from pbem.kernel.wording import Argument, Message, Overview, counted, english, msg, verbatim

CATALOGUE = "pacific_war"
SEATS = SIDES
LATER = counted("{n} approach or battle cycle later", "{n} approaches or battle cycles later")
FIRST_MONTH = 44  # December 1941; months count down from it
MONTHS = {english(told): told for told in map(month, range(1, FIRST_MONTH + 1))}  # as orders name them


def scenario_names(scenario: Mapping[str, Any]) -> list[str]:
    """What a scenario asks of the sides: words that stand in no code."""
    return [str(goal["text"]) for level in levels(scenario["victory"]) for goal in level.goals]


def item(g: State, hidden: Plain) -> Argument | None:
    """What is behind a handle of one's own: a die rolled in secret, or the task forces of a hex."""
    if isinstance(hidden, list) and len(hidden) == 1 and isinstance(hidden[0], int):
        return msg("die {n}", n=hidden[0] % 10)
    forces = hidden.get("organize") if isinstance(hidden, dict) else None
    if isinstance(forces, dict):
        return "; ".join(f"{marker}: {_parts(row)}" for marker, row in forces.items())
    return None


def named(g: State, word: str) -> Message | None:
    """A hex by its number, a month, or what an order says with a word; units bear their printed names."""
    if word in SPOKEN or word in MONTHS:
        return SPOKEN.get(word) or MONTHS[word]
    return verbatim(place(g, int(word))) if word.isdecimal() and len(word) == 4 and g.board.on_map(int(word)) else None


def _parts(row: Plain) -> str:
    """Core and screen of a task force as the order gave them."""
    return ", ".join(f"{part} {ships}" for part, ships in row.items() if ships) if isinstance(row, dict) else str(row)


def turn(g: State) -> int:
    """The battle cycle; in campaigns the month, counted from December 1941."""
    return FIRST_MONTH + 1 - g.month if g.level in (CAMPAIGN, STRATEGIC) else g.cycle


def part(g: State, *, whole: bool = False) -> Message:
    """[PW-BID-01] What lies between two operations, or two cycles of one, is called; or the month."""
    months = g.level in (CAMPAIGN, STRATEGIC)
    if whole:
        return msg("This month") if months else msg("This battle cycle")
    return msg("Until the next operation") if months and g.operation is None else msg("Until the next battle cycle")


def heading(g: State) -> Message:
    """Where the game stands."""
    if g.level in (CAMPAIGN, STRATEGIC):
        return msg("{month}, day {day}: {phase}", month=month(g.month), day=g.day, phase=PHASES[g.phase])
    if g.cycle == 0:
        return msg("Before the first battle cycle: {phase}", phase=PHASES[g.phase])
    return msg("Battle cycle {n}, {light}: {phase}", n=g.cycle, light=LIGHT[g.light], phase=PHASES[g.phase])


# -- the situation -------------------------------------------------------------------------------------------------------


def overviews(g: State) -> Sequence[Overview]:
    """The two sides, what of them is out of sight, their task forces."""
    found = [_sides(g)]
    if any(u.box == "sealed" for u in g.units.values()) or any(g.forces.values()):
        found.append(_out_of_sight(g))
    if g.markers:
        found.append(_task_forces(g))
    return found


def _sides(g: State) -> Overview:
    rows: list[dict[str, Argument]] = [
        {
            "power": SIDES[s],
            **strengths(g, s, ("map", "sealed")),
            "lost": sum(u.box in ("sunk", "eliminated", "surrendered") and g.side(n) == s for n, u in g.units.items()),
            "points": public_points(g, s),
        }
        for s in BOTH
    ]
    sentence = msg(
        "{power}: ships {ships}, air steps {air}, ground steps {ground}, units lost {lost}, command points {points}."
    )
    columns = (
        ("power", msg("Side")),
        ("ships", msg("Ships")),
        ("air", msg("Air steps")),
        ("ground", msg("Ground steps")),
        ("lost", msg("Units lost")),
        ("points", msg("Command points")),
    )
    return Overview(msg("The sides"), columns, tuple(rows), sentence.id)


def _out_of_sight(g: State) -> Overview:
    """[PW-FOG-01] What is sealed as everybody last saw it; what of it is where, its owner alone knows."""
    rows: list[dict[str, Argument]] = []
    for s in BOTH:
        fleets = tuple(name for name, m in g.markers.items() if m.side == s and m.handle)
        places = tuple(place(g, h) for h in g.forces.get(s, ()))
        markers: dict[str, Argument] = {"fleets": fleets or msg("none"), "places": places or msg("none")}
        rows.append({"power": SIDES[s], **strengths(g, s, ("sealed",)), **markers})
    sentence = msg(
        "{power}, out of sight: ships {ships}, air steps {air}, ground steps {ground}; "
        "task forces: {fleets}; Force markers: {places}."
    )
    columns = (
        ("power", msg("Side")),
        ("ships", msg("Ships")),
        ("air", msg("Air steps")),
        ("ground", msg("Ground steps")),
        ("fleets", msg("Task forces")),
        ("places", msg("Force markers")),
    )
    return Overview(msg("Out of sight, as last seen"), columns, tuple(rows), sentence.id)


def _task_forces(g: State) -> Overview:
    rows: list[dict[str, Argument]] = []
    for name, m in g.markers.items():
        core = tuple(s for s in g.members(name) if not g.units[s].screen)
        screen = tuple(s for s in g.members(name) if g.units[s].screen)
        state = msg("detected, level {n}", n=m.level) if m.detected else msg("undetected")
        shown: Argument = core or (msg("sealed") if m.handle else msg("none"))
        if screen:
            shown = msg("{core}; screen: {screen}", core=core, screen=screen)
        rows.append({"marker": name, "power": SIDES[m.side], "place": place(g, m.at), "state": state, "ships": shown})
    sentence = msg("{marker}, {power}, in {place}, {state}: {ships}.")
    columns = (
        ("marker", msg("Task force")),
        ("power", msg("Side")),
        ("place", msg("Hex")),
        ("state", msg("State")),
        ("ships", msg("Ships")),
    )
    return Overview(msg("Task forces"), columns, tuple(rows), sentence.id)


def remarks(g: State) -> Sequence[Message]:
    """Light, advantage, condition; what the scenario asks of each side."""
    found = [
        msg(
            "Operations player: {operator}; advantaged player: {advantage}; intelligence condition: {condition}.",
            operator=SIDES[g.operator],
            advantage=SIDES[g.advantage],
            condition=CONDITIONS.get(g.condition, g.condition),
        )
    ]
    return [*found, *goals(g.victory)]


def goals(victory: Mapping[str, Any]) -> list[Message]:
    """What a scenario asks of each side, level by level, and who wins without."""
    found = [_goal(level) for level in levels(victory) if level.goals]
    if victory.get("otherwise"):
        found.append(msg("Otherwise the winner is: {power}.", power=SIDES[victory["otherwise"]]))
    return found


def _goal(level: Level) -> Message:
    """What a level of victory asks for."""
    goals = tuple(Message(str(goal["text"])) for goal in level.goals)
    if not level.name:
        return msg("Victory ({power}): {goals}.", power=SIDES[level.side], goals=goals)
    if level.side not in BOTH:
        return msg("{level}: {goals}.", level=LEVELS[level.name], goals=goals)
    return msg("{level} ({power}): {goals}.", level=LEVELS[level.name], power=SIDES[level.side], goals=goals)


def board(g: State) -> Mapping[str, Message]:
    """Every hex with units, task forces or installations, in sentences."""
    used = {u.at for u in g.units.values() if u.box == "map"} | {m.at for m in g.markers.values()}
    used |= {h for places in g.forces.values() for h in places}
    worth = sorted({*used, *g.airfields, *g.ports, *g.osbs, *g.works, *g.control})
    return {f"{h:04d}": _hex(g, h) for h in worth}


def _hex(g: State, h: int) -> Message:
    bases = []
    for kind in INSTALLATIONS:
        base = g.bases(kind).get(h)
        if base is not None:
            bases.append(_base(kind, base))
    if h in g.works:
        bases.append(_work(g.works[h]))
    here = [_unit(g, u) for s in BOTH for u in g.here(s, h)]
    here += [msg("{marker} (sealed)", marker=n) for n, m in g.markers.items() if m.at == h and m.handle]
    here += [msg("Force of {power} (sealed)", power=SIDES[s]) for s in BOTH if h in g.forces.get(s, ())]
    args: dict[str, Argument] = {
        "place": place(g, h),
        "terrain": LANDS[g.board.hex(h).land],
        "bases": tuple(bases) or msg("no installation"),
        "here": tuple(here) or msg("nobody"),
    }
    return msg("{place} ({terrain}); {bases}. Here: {here}.", **args)


def _base(kind: str, base: Base) -> Message:
    text = msg("{what} of {power}, size {size}, hits {hits}") if base.size else msg("{what} of {power}, hits {hits}")
    args: dict[str, Argument] = {
        "what": INSTALLATIONS[kind],
        "power": SIDES[base.side],
        "size": base.size,
        "hits": base.hits,
    }
    found = Message(text.id, args)
    return msg("{base}, interdicted", base=found) if base.interdicted else found


def _work(work: Work) -> Message:
    args: dict[str, Argument] = {"power": SIDES[work.side], "what": WORKS[work.kind], "n": work.left, "hits": work.hits}
    return msg("construction of {power}, {what}: months left {n}, hits {hits}", **args)


def _unit(g: State, name: str) -> Message | str:
    u = g.units[name]
    words: list[Message | str] = []
    if u.tf:
        words.append(u.tf)
    if u.aboard:
        words.append(msg("aboard {ship}", ship=u.aboard))
    if u.hits:
        words.append(msg("hits {n}", n=u.hits))
    if not u.active:
        words.append(msg("inactive"))
    if u.demoralized:
        words.append(msg("demoralized"))
    return msg("{unit} ({state})", unit=name, state=tuple(words)) if words else name
