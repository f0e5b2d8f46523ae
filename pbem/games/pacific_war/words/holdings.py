"""[PW-FOG-01] What the owner of sealed units knows of them, hex by hex and marker by marker: for his eyes alone."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.records import Unit
from pbem.games.pacific_war.secret.fleets import sealing
from pbem.games.pacific_war.secret.forces import ashore_of, concealing, roster, whole
from pbem.games.pacific_war.secret.marches import WANTED, boarding_ideas
from pbem.games.pacific_war.secret.orders import MARCH, WHETHER
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import place
from pbem.games.pacific_war.words.prices import PAYING, prices
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Reveal
from pbem.kernel.wording import Argument, Message, Overview, msg

FORCE = "Force"


def unasked(g: State) -> dict[str, Message]:
    """Questions that pass as declined unless a standing order says `ask me`, in games that hide something: kind -> offer."""
    found = {"hide": msg("rearrange in secret what the enemy has lost sight of")} if sealing(g) else {}
    if sealing(g) or concealing(g):
        found["show"] = msg("show task forces, and Forces of a hex, that are to act")
    if concealing(g):
        found |= {name: WANTED[kind] for kind, name in WHETHER.items()}
    return found


def holdings(g: State, side: str, reveal: Reveal) -> list[dict[str, Plain]]:
    """One row for each sealed task force and each Force marker of a side: hex, marker, its units; a decoy has none.

    A unit: its name, steps left, whether it is activated or has been, what it is aboard; ships of task forces: their part.
    """
    units = roster(g, side, reveal)
    rows: list[tuple[int, str, list[str]]] = []
    for marker, m in g.markers.items():
        if m.side == side and m.handle:
            ships = [n for n, u in units.items() if u.tf == marker]
            rows.append((m.at, marker, [n for n, u in units.items() if n in ships or u.aboard in ships]))
    rows += [(h, FORCE, ashore_of(units, h)) for h in sorted({u.at for u in units.values()}) if ashore_of(units, h)]
    return [
        {"hex": place(g, at), "marker": marker, "units": [_unit(g, n, units[n]) for n in names]}
        for at, marker, names in sorted(rows, key=lambda row: row[:2])
    ]


def _unit(g: State, name: str, u: Unit) -> Plain:
    found: dict[str, Plain] = {"unit": name, "steps": g.counter(name).steps - u.hits, "hits": u.hits}
    found["state"] = "activated" if u.active else "used" if u.closed else "rests"
    if u.tf:
        found["part"] = "screen" if u.screen else "core"
    if u.aboard:
        found["aboard"] = u.aboard
    if u.demoralized:
        found["demoralized"] = True
    return found


def own(g: State, side: str, reveal: Reveal, asked: str = "") -> Sequence[Overview]:
    """The same as a table for the owner, and what his units cost when he is asked to spend command points."""
    rows = holdings(g, side, reveal)
    costs = prices(g, side, reveal) if asked in PAYING else ()
    if not rows:
        return (*costs,)
    told: list[dict[str, Argument]] = []
    for row in rows:
        listed = row["units"]
        assert isinstance(listed, list)
        marker = msg("Force") if row["marker"] == FORCE else str(row["marker"])
        shown: Argument = tuple(_in_words(u) for u in listed if isinstance(u, dict)) or msg("decoy, no ships")
        told.append({"place": str(row["hex"]), "marker": marker, "units": shown})
    sentence = msg("{place}, {marker}: {units}.")
    columns = (("place", msg("Hex")), ("marker", msg("Marker")), ("units", msg("Units")))
    sealed = Overview(msg("For you alone: what you have out of sight"), columns, tuple(told), sentence.id)
    return (sealed, *costs)


STATES = {"activated": msg("activated"), "used": msg("was activated this month"), "rests": None}


def _in_words(row: dict[str, Plain]) -> Message | str:
    words: list[Message | str] = [msg("steps {n}", n=row["steps"]) if row["hits"] else ""]  # type: ignore[arg-type]
    if row.get("part") == "screen":
        words.append(msg("screen"))
    words.append(STATES[str(row["state"])] or "")
    if "aboard" in row:
        words.append(msg("aboard {ship}", ship=str(row["aboard"])))
    if "demoralized" in row:
        words.append(msg("demoralized"))
    words = [w for w in words if w]
    name = str(row["unit"])
    return msg("{unit} ({state})", unit=name, state=tuple(words)) if words else name


def own_options(g: State, ask: Commit, reveal: Reveal) -> list[Plain]:
    """[PW-FOG-02] The task forces of each hex as they are, to change: legal where a hex with several is arranged. [PW-AMP-01]
    Troops that can go aboard or ashore."""
    if ask.kind == MARCH:
        return [*boarding_ideas(g, whole(g, ask.seat, reveal), ask.seat)]
    if ask.kind != "task forces":
        return []
    units = roster(g, ask.seat, reveal)
    places = sorted({m.at for m in g.markers.values() if m.side == ask.seat})
    return [{"organize": {m: _parts(g, units, m) for m in g.forces_at(ask.seat, place)}} for place in places]


def _parts(g: State, units: dict[str, Unit], marker: str) -> Plain:
    both = {**g.units, **units}
    ships = [n for n, u in both.items() if u.tf == marker and g.counter(n).kind == "naval"]
    return {part: [s for s in ships if both[s].screen == (part == "screen")] for part in ("core", "screen")}


def seen_by(g: State, side: str, reveal: Reveal) -> State:
    """The game as the owner of these seals sees it, for his maps: his own Force markers are turned up."""
    seen = whole(g, side, reveal)
    seen.forces = {s: places for s, places in g.forces.items() if s != side}
    return seen
