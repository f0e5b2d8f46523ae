"""[SOP] Bridges at the end of a Movement Segment: an option, with the procedure of the newer rules (the older have none)."""

from __future__ import annotations

from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.events.moves import BridgeChanged
from pbem.games.next_war.events.turns import UsedUp
from pbem.games.next_war.obstacles import bridge_key
from pbem.games.next_war.orders import fields, read_own, read_place
from pbem.games.next_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import die_for, msg, quoted


def read_bridge(g: State, side: str, body: Plain) -> tuple[str, int, int]:
    """`bridge: destroy by 3/II at N2817 to N2818`: what is done, and the hexside. Raises Rejected."""
    f = fields(body, ("by", "at", "to"), ("units", "by", "at", "to"))
    action = str(f["units"]).lower()
    (unit, *_) = read_own(g, f["by"], side, "SOP")
    a, b = read_place(g, f["at"]), read_place(g, f["to"])
    if b not in g.board.near[a] or not (g.board.side(a, b).road and (g.board.side(a, b).river or g.board.side(a, b).water)):
        raise illegal(msg("there is no bridge"), "SOP")
    if g.pieces[unit].at not in (a, b) or g.pieces[unit].aboard or g.under_marker(g.pieces[unit].at, side):
        raise illegal(msg("{unit} does not stand at the bridge", unit=g.counter(unit).name), "SOP")
    down, key = bridge_key(a, b) in g.bridges_down, f"bridge {bridge_key(a, b)}"
    if action not in ("destroy", "repair") or down != (action == "repair"):
        raise illegal(
            msg("this cannot be done with the bridge: {given}", given=quoted(action)),
            "SOP",
            msg("a standing bridge can be destroyed, a broken one repaired"),
        )
    if key in g.fired:
        raise illegal(msg("there is one attempt a segment at a bridge"), "SOP")
    return action, a, b


def work_on_bridge(g: State, side: str, deed: tuple[str, int, int]) -> Flow[None]:
    """Destroyed or repaired on a low die (6 or less); an enemy at the bridge, and for repairs a Storm, make it harder."""
    action, a, b = deed
    key = bridge_key(a, b)
    emit(g, UsedUp((f"bridge {key}",), "SOP"))
    enemy = any(g.ground(FOE[side], h) for h in (a, b))
    drm = int(enemy) * (2 if action == "repair" else 1) + int(g.storm and action == "repair")
    label = die_for("bridge, repair") if action == "repair" else die_for("bridge, destroy")
    die = yield from throw(label, "SOP", FOE[side])
    done = die + drm <= int(g.p["bridge_rules"][action])
    told(g, label, die, drm, "done" if done else "no effect", "SOP")
    if done:
        emit(g, BridgeChanged(key, action == "destroy"))
