"""[PW-RPL] [PW-STR-01] What comes between operations pick by pick: shipping from port to port, steps, divisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from pbem.games.pacific_war.orders import misread, read_unit, read_units
from pbem.games.pacific_war.picks import base_picks, base_value, base_word, each, place_pick, place_word, unit_picks
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.units.dispersal import free_children, is_parent, present_children
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.picking import MANY, Field, Fields, Gesture, Said, Taken, Verbs
from pbem.kernel.wording import verbatim

ONE_CARRIER_STEP = 1


def shipments(
    g: State,
    side: str,
    units: Callable[[], Iterable[str]],
    ports: Callable[[], Sequence[int]],
    verbs: Sequence[str],
    read: Read,
) -> Form:
    """[PW-STR-01] A unit in a port, and the port where it goes."""

    def ends(unit: str) -> list[Pick]:
        return [place_pick(g, "to", h, leads=("base",)) for h in ports() if h != g.units[unit].at]

    ship = each(g, side, "ship", units, ends, read, word=lambda what: place_word(g, what))
    return Verbs(read, verbs, {"ship": ship} if "ship" in verbs else {}, bare=("ship",) if "ship" in verbs else ())


def refits(
    g: State,
    side: str,
    verbs: Sequence[str],
    short: Callable[[], Sequence[str]],
    lost: Callable[[], Mapping[str, Sequence[str]]],
    most: int,
    read: Read,
) -> Form:
    """[PW-RPL-02] [PW-RPL-03] [PW-DSP-01] Steps for units that are `short`, up to `most`; units that come back and their bases;
    divisions.
    """

    def numbers(_: str) -> list[Pick]:
        return [Pick("to", str(n), verbatim(str(n))) for n in range(1, most + 1)]

    def back(taken: str) -> Plain:
        base = base_value(taken)
        return base if isinstance(base, int) else {"at": base, "steps": ONE_CARRIER_STEP}

    def base(what: Plain) -> str:
        return base_word(g, side, what["at"] if isinstance(what, dict) and what.get("steps") == ONE_CARRIER_STEP else what)

    rebuild = each(g, side, "rebuild", lost, lambda unit: base_picks(g, lost()[unit]), read, back, base, met=False)
    found: dict[str, Gesture] = {
        "replace": each(g, side, "replace", short, numbers, read),
        "rebuild": rebuild,
        "break_down": _division(g, side, "break_down", free_children, read),
        "recombine": _division(g, side, "recombine", present_children, read),
    }
    return Verbs(read, verbs, {v: found[v] for v in verbs if v in found})


def _division(g: State, side: str, verb: str, parts: Callable[[State, str], Sequence[str]], read: Read) -> Fields:
    """A division where it stands, and the units that leave or join it."""

    def able() -> list[str]:
        return [u for u in g.on_map(side, "ground") if is_parent(g.counter(u)) and not g.units[u].aboard and parts(g, u)]

    def said(body: Plain) -> Said:
        if not isinstance(body, dict) or len(body) != 1:
            raise misread(verb, body, f"{verb}: {{division: [units]}}")
        (who, what), *_ = body.items()
        return {"unit": [read_unit(g, who, side)], "with": read_units(g, what, side)}

    fields = (
        Field("unit", lambda _: unit_picks(g, "unit", able())),
        Field("with", lambda taken: unit_picks(g, "with", parts(g, taken.one("unit"))), most=MANY),
    )

    def make(taken: Taken) -> Plain:
        return {verb: {taken.one("unit"): [*taken.all("with")]}}

    return Fields(fields, make, said, read)
