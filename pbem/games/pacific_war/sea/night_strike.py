"""[PW-OPT-09] By option an Allied LRA that finds Japanese ships at night may strike one of them at once."""

from __future__ import annotations

from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.secret.fleets import unveil
from pbem.games.pacific_war.state import ALLIES, FOE, State
from pbem.games.pacific_war.units.damage import hit_ship, hit_steps
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit, yes_or_no
from pbem.kernel.wording import msg


def night_attack(g: State, unit: str, marker: str) -> Flow[None]:
    """The ship that is attacked fires alone; a hit is the end of the LRA, else it attacks with strength 0 on the line of 1E."""
    if not _may(g, unit):
        return
    side = g.side(unit)
    yes = yield from yes_or_no(
        side, "night_attack", "PW-OPT-09", msg("{unit} attacks {marker} at night", unit=unit, marker=marker)
    )
    if not yes:
        return
    yield from unveil(g, marker, "PW-OPT-09")
    ships = g.members(marker)
    ship = yield from choose_unit(
        g.board.unit_index, side, "ship", "PW-OPT-09", msg("which ship of {marker} is attacked", marker=marker), ships
    )
    flak = halved(g.strength(ship, g.counter(ship).aa))
    shot = yield from fire(g, "flak", flak, msg("flak of {unit}", unit=ship), "PW-OPT-09", side)
    if shot.hits:
        hit_steps(g, unit, g.steps(unit), "PW-OPT-09")
        return
    label = msg("{unit} attacks {target}", unit=unit, target=ship)
    shot = yield from fire(g, "1E-naval", 0, label, "PW-OPT-09", FOE[side])
    yield from hit_ship(g, ship, shot.hits, "PW-OPT-09")


def _may(g: State, unit: str) -> bool:
    if g.options.get("lra-night-attack") != "yes" or unit not in g.units:
        return False
    return g.night and g.phase != "contact" and g.side(unit) == ALLIES and g.counter(unit).type == "LRA"
