"""[9.2 to 9.6] What a combat is worth: strengths, odds, column, shifts, modifiers. Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.games.next_war.board import FLAT, HIGH, NEVER, PEAKS, Hex
from pbem.games.next_war.obstacles import bridge_key
from pbem.games.next_war.stacking import efficiency, nations_apart
from pbem.games.next_war.state import ALLIED, FOE, Fight, State
from pbem.kernel.wording import Message, msg

HALVING = (*PEAKS, *HIGH)


class Odds(Struct, frozen=True):
    """[9.2.2] Totals, printed ratio, column before shifts, and the modifier for what is left over."""

    attack: int
    defense: int
    ratio: str
    column: int
    drm: int


class Part(Struct, frozen=True):
    """One shift or modifier with its section."""

    value: int
    why: Message
    rule: str


def attack_strength(g: State, unit: str, target: int, amphibious: bool, soft: bool) -> int:
    """[9.4] Attack strength of one unit; `soft`: the defenders have neither armor nor mechanized units."""
    counter, place, there = g.counter(unit), g.pieces[unit].at, g.board.hexes[target]
    strength = g.values(unit).attack
    river = not amphibious and bool(g.board.side(place, target).river)
    heavy = counter.klass in ("armor", "mechanized")
    if unit in g.unsupplied:
        strength = max(min(strength, 1), (strength + 1) // 2 if g.newer else strength // 2)
    elif river or amphibious or (heavy and (there.jungle or halves_heavy(g, there.terrain))):
        strength = (strength + 1) // 2
    if heavy and soft and open_ground(g, target):
        strength = _overmatch(g, counter.klass, strength, river or amphibious)
    return strength


def _overmatch(g: State, klass: str, strength: int, hindered: bool) -> int:
    """[9.4.2, 9.4.3] Armor twice, not over a river or from the sea; mechanized half as much again (newer rules: neither)."""
    if klass == "armor":
        return strength if hindered else 2 * strength
    return strength if hindered and g.newer else (3 * strength + 1) // 2


def halves_heavy(g: State, terrain: str) -> bool:
    """[9.4.4] Terrain that halves armor and mechanized attackers."""
    return terrain in HALVING or (terrain == "marsh" and not g.p["season_is_winter"])


def open_ground(g: State, target: int) -> bool:
    """[9.4.2] Flat or Rough without Fortification, City, woods or jungle."""
    hex_ = g.board.hexes[target]
    flat = hex_.terrain in ("flat", "rough") or (hex_.terrain == "marsh" and bool(g.p["season_is_winter"]))
    return flat and not hex_.city and not hex_.jungle and not g.works_fort(target, g.control.get(target, ALLIED))


def is_soft(g: State, defenders: Sequence[str]) -> bool:
    """[9.4.2] No armor and no mechanized unit."""
    return not any(g.counter(u).klass in ("armor", "mechanized") for u in defenders)


def defense_strength(g: State, side: str, target: int, defenders: Sequence[str]) -> int:
    """[2.3.2.1, 9.4.5, 8.5.8.4] Defense of all who fight, doubled in Urban and jungle for men on foot, with a Beachhead."""
    alone = all(g.values(u).paren for u in defenders)
    hex_ = g.board.hexes[target]
    close = (hex_.terrain == "urban" or hex_.jungle) and not g.under_marker(target, side)
    total = 0
    for unit in defenders:
        values = g.values(unit)
        if values.paren and not alone:
            continue
        on_foot = g.counter(unit).klass not in ("armor", "mechanized")
        total += values.defense * (2 if close and on_foot else 1)
    if target in g.beachheads and g.beachheads[target].side == side:
        total += int(g.p["beachhead_strength"]["ds"])
    return total


def row_of(g: State, target: int) -> dict[str, Any]:
    """[9.2.2.2] The odds row of the defender's terrain: marsh is flat in winter, high mountain mountain, jungle highland."""
    terrain = g.board.hexes[target].terrain
    if g.board.hexes[target].jungle and terrain not in (*PEAKS, "urban"):
        terrain = "highland"
    elif terrain == "marsh" and g.p["season_is_winter"]:
        terrain = "flat"
    rows: list[dict[str, Any]] = g.p["crt"]["rows"]
    for row in rows:
        if terrain in row["terrain"]:
            return row
    return next(row for row in rows if "mountain" in row["terrain"])


def odds(g: State, target: int, attack: int, defense: int) -> Odds:
    """[9.2.2] The ratio rounded down to a printed one; -1 for a remainder or a ratio beyond the row [9.2.2.1]."""
    defense = max(1, defense)
    columns: dict[str, int] = row_of(g, target)["columns"]
    best, ratio = "", None
    for text in sorted(columns, key=lambda c: columns[c]):
        left, right = text.split(":")
        tenths, whole = int(left.replace(".", "")) * (1 if "." in left else 10), int(right) * 10
        if not best or attack * whole >= defense * tenths:
            best, ratio = text, (tenths, whole)
    assert ratio is not None
    rest = attack > defense and attack * ratio[1] != defense * ratio[0]
    return Odds(attack, defense, best, int(columns[best]), -1 if rest else 0)


def odds_of(g: State, fight: Fight) -> Odds:
    """[9.2.2] The odds of a combat, before shifts."""
    soft = is_soft(g, fight.defenders)
    attack = sum(attack_strength(g, u, fight.target, u in fight.amphibious, soft) for u in fight.units)
    return odds(g, fight.target, attack, defense_strength(g, FOE[fight.side], fight.target, fight.defenders))


def shifts(g: State, fight: Fight) -> list[Part]:
    """[9.5] Column shifts of a combat, right positive."""
    side, foe, target = fight.side, FOE[fight.side], fight.target
    hex_, marked = g.board.hexes[target], g.under_marker(target, FOE[fight.side])
    found = []
    lead = rating(g, fight.lead) - defender_rating(g, fight)
    found.append(Part(max(-3, min(4, lead)) if g.newer else lead, msg("efficiency of the lead units"), "9.5.1"))
    if hex_.city and not marked:
        found.append(Part(-2, msg("City"), "9.5.2"))
    if g.works_fort(target, foe):
        found.append(Part(-2, msg("Fortification"), "9.5.2"))
    if fight.shift:
        found.append(Part(fight.shift, msg("exploitation"), "9.5.3"))
    for entry in g.p["surprise_shifts"]:
        if int(entry["turn"]) == g.turn and entry["side"] == side:
            found.append(Part(int(entry["columns"]), msg("surprise"), "9.5.4"))
    if fight.amphibious and _mostly_amphibious(g, fight):
        found.append(Part(-1, msg("amphibious assault"), "9.5.5"))
    return [p for p in found if p.value]


def rating(g: State, unit: str) -> int:
    """Efficiency of a lead unit."""
    return efficiency(g, unit)


def defender_rating(g: State, fight: Fight) -> int:
    """[9.5.1] Efficiency of the defender's lead; a Beachhead alone has the game's rating."""
    if fight.defender_lead:
        return efficiency(g, fight.defender_lead)
    return int(g.p["beachhead_strength"]["er"])


def _mostly_amphibious(g: State, fight: Fight) -> bool:
    soft = is_soft(g, fight.defenders)
    values = {u: attack_strength(g, u, fight.target, u in fight.amphibious, soft) for u in fight.units}
    whole, other = sum(values.values()), sum(v for u, v in values.items() if u not in fight.amphibious)
    return 2 * other <= whole if g.newer else 2 * other < whole


def shifted(g: State, fight: Fight, column: int, parts: Sequence[Part]) -> int:
    """[9.2.3] The column after all shifts, held inside the table (or inside the terrain's row, by option)."""
    low, high = 1, 13
    if g.options["shift-clamp"] == "row":
        printed = [int(c) for c in row_of(g, fight.target)["columns"].values()]
        low, high = min(printed), max(printed)
    return max(low, min(high, column + sum(p.value for p in parts)))


def modifiers(g: State, fight: Fight) -> list[Part]:
    """[9.6] Die roll modifiers other than that of the odds; a defender's is positive."""
    side, foe, target = fight.side, FOE[fight.side], fight.target
    hex_, marked = g.board.hexes[target], g.under_marker(target, FOE[fight.side])
    support = fight.support.get(foe, 0) - fight.support.get(side, 0)
    found = [Part(max(-6, min(6, support)), msg("combat support"), "9.6.1")]
    if g.holds(foe, target) if g.newer else not marked:
        found.append(_places(g, hex_))
    hexes = len({g.pieces[u].at for u in fight.units if u not in fight.amphibious})
    found.append(Part(-2 if hexes >= 5 else -1 if hexes >= 3 else 0, msg("attack from {n} hexes", n=hexes), "9.6.3"))
    found += _border(g, fight)
    found += _special(g, fight)
    nations = nations_apart(g, fight.units, g.p["multinational_drm"])
    if len(nations) > 1:
        found.append(Part(int(g.p["multinational_drm"].get("each", 0)), msg("several nations"), "9.6.5"))
    found.append(_formations(g, fight))
    light = int(g.p["light_infantry_drm"])
    if not fight.amphibious:
        if any(_at_home(g, u, hex_) for u in fight.units):
            found.append(Part(-light, msg("attacking light infantry"), "9.6.7"))
        if (g.newer or not marked) and any(_at_home(g, u, hex_) for u in fight.defenders):
            found.append(Part(light, msg("defending light infantry"), "9.6.7"))
    return [p for p in found if p.value]


def total_drm(g: State, fight: Fight) -> int:
    """[9.2.2, 9.6] The modifier of a combat's die, that of the odds with it."""
    return odds_of(g, fight).drm + sum(p.value for p in modifiers(g, fight))


def _places(g: State, hex_: Hex) -> Part:
    """[9.6.2, A-30] Airfield, Town and Installations; by option a City for the Town."""
    others = int(hex_.airfield) + hex_.installations
    if g.options["place-modifier"] == "city":
        return Part(others + int(hex_.city), msg("airfield, city, installations"), "9.6.2")
    return Part(others + int(hex_.town), msg("airfield, town, installations"), "9.6.2")


def _at_home(g: State, unit: str, there: Hex) -> bool:
    """[9.6.7] Light Infantry off Flat and Flat Woods (newer rules: in a City too, and mountain infantry in its mountains)."""
    counter = g.counter(unit)
    rough = there.terrain not in FLAT or there.jungle or (g.newer and there.city)
    return (counter.yellow and rough) or (g.newer and counter.mountain and (there.terrain in (*HIGH, *PEAKS) or there.jungle))


def _border(g: State, fight: Fight) -> list[Part]:
    """[KOREA-DMZ, KOREA-TUNNELS] The defender's own DMZ hex; an attack from or on a hex where its tunnels come up."""
    dmz = int(g.in_dmz(fight.target, FOE[fight.side]))
    tunnels = g.board.tunnels if g.p["tunnels"]["side"] == fight.side else frozenset()
    below = any(not tunnels.isdisjoint((g.pieces[u].at, fight.target)) for u in fight.units if u not in fight.amphibious)
    return [Part(dmz, msg("DMZ"), "KOREA-DMZ"), Part(-2 if below else 0, msg("tunnel"), "KOREA-TUNNELS")]


def _special(g: State, fight: Fight) -> list[Part]:
    """[9.6.4] Special units of the game: once for each side, the best that it has there."""
    chart = g.p["special_unit_drms"]
    attack = min((int(chart[c.type]["attack"]) for c in map(g.counter, fight.units) if c.type in chart), default=0)
    defend = max((int(chart[c.type]["defend"]) for c in map(g.counter, fight.defenders) if c.type in chart), default=0)
    return [Part(value, msg("special units"), "9.6.4") for value in (attack, defend)]


def _formations(g: State, fight: Fight) -> Part:
    """[9.6.6] Each Formation beyond the first; independent units and exempt nations do not count."""
    chart = g.p["multi_formation_drm"]
    found = {
        (c.nation, c.formation) for c in map(g.counter, fight.units) if c.formation and c.nation not in chart.get("exempt", ())
    }
    extra = max(0, len(found) - 1) * int(chart["each"])
    return Part(min(extra, int(chart["most"])), msg("several formations"), "9.6.6")


def can_attack_into(g: State, unit: str, target: int) -> bool:
    """[9.1] The unit can attack the hex from where it is."""
    return can_attack_from(g, unit, g.pieces[unit].at, target)


def can_attack_from(g: State, unit: str, place: int, target: int) -> bool:
    """[9.1] Not across water, over a Major River only by a bridge, not into terrain that the unit cannot enter."""
    if target not in g.board.land_near[place]:
        return False
    side = g.board.side(place, target)
    bridge = bool(side.road) and bridge_key(place, target) not in g.bridges_down
    if side.river == "major" and not bridge:
        return False
    edge = g.board.edge(g.values(unit).mobility, 0, place, target)
    return edge is not None and (edge.off != NEVER or bridge)
