"""[PW-CMD-02] [PW-MER] [PW-STB] [PW-NAT] The strategic game: resources, merchant shipping, bombing, surrender."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.dice import column, die
from pbem.games.pacific_war.month.forms import raids
from pbem.games.pacific_war.month.raid_escorts import escort_raid
from pbem.games.pacific_war.orders import PASS, misread, read_places
from pbem.games.pacific_war.secret.forces import whole
from pbem.games.pacific_war.secret.meeting import has_force
from pbem.games.pacific_war.secret.points import pay, payer
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.strategic import BomberPointsSet, HarassersSet, PriorityChosen, RaidMade
from pbem.games.pacific_war.terms import SHIPPING
from pbem.games.pacific_war.units.changes import set_escorts, set_merchants
from pbem.games.pacific_war.world.intelligence import level, shown
from pbem.games.pacific_war.world.links import linked, reach
from pbem.games.pacific_war.world.resources import bomb, home_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Flow, Reveal
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import choose_term, choose_unit
from pbem.kernel.wording import Message, msg, recorded_as, verbatim

BOMBER_RANGE = 15  # [PW-STB-02]
FIRST_RAIDS = 10  # [PW-STB-03]
GARRISON = ((44, 12), (31, 15), (19, 20), (7, 34))  # [PW-NAT-01] divisions from a month on
GARRISON_AIR = 30
FULL_INDEX_UNTIL = 38  # [PW-CMD-02] June 1942


def co_prosperity(g: State) -> int:
    """[PW-RES-01] Points of the hexes that Japan controls and nobody has demolished."""
    total = 0
    for key, points in g.ledger.items():
        if key.startswith("resource "):
            place = int(key[9:])
            if g.control.get(place) == JAPAN and not g.ledger.get(f"demolished {place:04d}"):
                total += points
    return total


def japanese_points(g: State) -> Flow[int]:
    """[PW-CMD-02] The lower of both resource totals against merchant shipping, less the garrison's penalty [PW-NAT-01]."""
    penalty = yield from _stated_penalty(g)
    chart = g.board.charts.plain["japanese_points"]
    home = sum(n for h, n in home_hexes(g).items() if g.control.get(h, JAPAN) == JAPAN)
    index = 100 if g.month >= FULL_INDEX_UNTIL else min(home, co_prosperity(g))
    row = next(r for least, r in reversed(chart["resources"]) if index >= least)
    column = max(i for i, least in enumerate(chart["shipping"]) if g.ledger.get("merchants", 0) >= least)
    return max(0, int(row[column]) - penalty)


def _border(g: State) -> list[int]:
    return [h for h, x in g.board.listed.items() if "border" in x.features]


def _stated_penalty(g: State) -> Flow[int]:
    """[PW-NAT-01] [PW-FOG-01] With Forces on the Soviet border Japan says what its garrison lacks."""
    if not any(has_force(g, JAPAN, h) for h in _border(g)):
        return garrison_penalty(g)
    about = recorded_as("of Manchuria", msg("command points that the garrison of Manchuria costs"))
    stated = yield Claim(JAPAN, "garrison", about, "PW-NAT-01", lambda reveal: garrison_penalty(whole(g, JAPAN, reveal)))
    return stated if isinstance(stated, int) else garrison_penalty(g)


def garrison_penalty(g: State) -> int:
    """[PW-NAT-01] Three points for each division and each full six air steps missing on the Soviet border."""
    border = _border(g)
    if not border:
        return 0
    needed = next(n for month, n in reversed(GARRISON) if g.month <= month)
    units = [u for h in border for u in g.ashore(JAPAN, h)]
    divisions = sum(g.counter(u).size == "division" and g.units[u].hits <= 5 for u in units)
    small = sum(g.steps(u) for u in units if g.counter(u).size != "division")
    air = sum(g.steps(u) for h in border for u in g.here(JAPAN, h, "air"))
    return 3 * max(0, needed - divisions - small // 15) + 3 * (max(0, GARRISON_AIR - air) // 6)


# -- escorts, submarines, harassment -----------------------------------------------------------------------------------


def submarine_priority(g: State) -> Flow[None]:
    """[PW-MER-02] Merchants or escorts."""
    prompt = msg("priority of the submarines")
    word = yield from choose_term(ALLIES, "priority", "PW-MER-02", prompt, SHIPPING, default="merchants")
    emit(g, PriorityChosen(word == "escorts"))


def harassment(g: State) -> Flow[None]:
    """[PW-MER-03] One die, the Allied intelligence level and the ratio of escorts to submarines give the losses."""
    boats, escorts = g.ledger.get("harassing", 0), g.ledger.get("escorts", 0)
    if not boats:
        return
    rolled = yield from die(g, msg("merchant shipping harassment"), "PW-MER-03", JAPAN)
    handle = g.secrets.get(f"strategic {ALLIES}", "")

    def truth(reveal: Reveal) -> Plain:
        return harassment_letter(g, level(g, ALLIES, shown(handle, reveal)), rolled, escorts, boats)

    stated = yield Claim(ALLIES, "harassment", Message("month {n}", {"n": g.month}), "PW-MER-03", truth)
    letters = [*g.board.charts.plain["harassment"]["letters"]]
    merchants, lost, sunk = harassment_losses(g, stated if stated in letters else letters[-1], boats)
    set_merchants(g, max(0, g.ledger.get("merchants", 0) - merchants), "PW-MER-03")
    set_escorts(g, max(0, escorts - lost), "PW-MER-03")
    emit(g, HarassersSet(max(0, boats - sunk), "PW-MER-03"))


def harassment_letter(g: State, intelligence: int, rolled: int, escorts: int, boats: int) -> str:
    """The letter code of the first harassment table."""
    chart = g.board.charts.plain["harassment"]
    percent = 100 * escorts // boats if boats else 0
    column = next((i for i, most in enumerate(chart["ratios"]) if percent <= most), len(chart["ratios"]) - 1)
    index = max(0, min(4, (rolled + 2 * column - intelligence) // 3 + 1))
    return str(chart["letters"][index])


def harassment_losses(g: State, letter: str, boats: int) -> tuple[int, int, int]:
    """Merchant points, escort steps and submarine steps lost."""
    chart = g.board.charts.plain["harassment"]
    by_boats, escorts, sunk = chart["losses"][letter]
    column = next(i for i, most in enumerate(chart["submarines"]) if boats <= most)
    merchants = int(by_boats[column])
    if g.ledger.get("priority escorts"):
        merchants, escorts = merchants // 2, 2 * escorts
    return merchants, escorts, sunk


# -- strategic bombing ---------------------------------------------------------------------------------------------------


def raid_groups(g: State) -> dict[str, int]:
    """[PW-STB-03] Bomber groups that can fly: name -> points. A group stands on a working, linked Allied airfield."""
    found = {}
    for group in ("20th", "21st"):
        at, points = g.ledger.get(f"{group} at", 0), g.ledger.get(f"{group} points", 0)
        base = g.airfield(ALLIES, at)
        if at and points and base is not None and not base.interdicted and linked(g, ALLIES, at):
            found[group] = points
    return found


def strategic_bombing(g: State) -> Flow[None]:
    """[PW-STB-03] One raid a month by one group or both."""
    groups = raid_groups(g)
    targets = [h for h, n in home_hexes(g).items() if n and any(in_reach(g, x, h) for x in groups)]
    if not targets:
        return
    order: tuple[dict[str, int], list[int]] | None = yield Ask(
        ALLIES,
        "raid",
        "PW-STB-03",
        msg("a raid on the home resource hexes, or pass"),
        lambda plain: read_raid(g, groups, plain),
        ("raid", PASS),
        options=lambda: _raid_options(g, groups, targets),
        form=lambda: raids(g, ("raid", PASS), groups, targets, lambda plain: read_raid(g, groups, plain)),
    )
    if order is not None:
        yield from _raid(g, *order)


def in_reach(g: State, group: str, place: int) -> bool:
    """[PW-STB-02] Within 15 hexes of the group."""
    return distance(g.ledger.get(f"{group} at", 0), place) <= BOMBER_RANGE


def read_raid(g: State, groups: dict[str, int], plain: Plain) -> tuple[dict[str, int], list[int]] | None:
    """`raid: {20th: 5, 21st: 2, targets: [4533]}`, or a pass. Raises Rejected."""
    verb, body = split_order(plain, ("raid", PASS))
    if verb == PASS:
        return None
    if not isinstance(body, dict) or "targets" not in body:
        raise misread("raid", body, "raid: {20th: 5, targets: [4533]}")
    targets = read_places(g, body["targets"])
    used: dict[str, int] = {}
    for key, value in body.items():
        if key == "targets":
            continue
        if key not in groups:
            raise illegal(msg("the {group} group cannot fly", group=key), "PW-STB-03", verbatim(*groups))
        used[key] = read_number(value, 1, groups[key], "PW-STB-03")
    homes = home_hexes(g)
    for h in targets:
        if h not in homes or not used or not all(in_reach(g, x, h) for x in used):
            raise illegal(msg("{place} is not in reach of every group", place=g.board.name(h)), "PW-STB-03")
    spent: dict[str, int] = {}
    for group, points in used.items():
        hq, price = _payer(g, group), 2 * points
        spent[hq] = spent.get(hq, 0) + price
        if not hq or g.hqs[hq].points < spent[hq]:
            raise illegal(
                msg("the headquarters of the {group} group cannot pay {price} command points", group=group, price=price),
                "PW-STB-03",
            )
    return used, targets


def _payer(g: State, group: str) -> str:
    """[PW-STB-03] The headquarters that pays for a group: of those to which it is linked the one with the most points."""
    names = [(-g.hqs[n].points, n) for n in _linked_to(g, group) if g.hqs[n].points]
    return min(names)[1] if names else ""


def _linked_to(g: State, group: str) -> list[str]:
    """The headquarters to which a group of bombers is linked."""
    at = g.ledger.get(f"{group} at", 0)
    return sorted(n for n, places in reach(g, ALLIES).items() if at in places)


def _raid_options(g: State, groups: dict[str, int], targets: Sequence[int]) -> list[Plain]:
    found: list[Plain] = [PASS]
    for group, points in groups.items():
        hq = _payer(g, group)
        able = min(points, g.hqs[hq].points // 2) if hq else 0
        near = [h for h in targets if in_reach(g, group, h)]
        if able and near:
            found.append({"raid": {group: able, "targets": [near[0]]}})
    return found


def _raid(g: State, used: dict[str, int], targets: list[int]) -> Flow[None]:
    flown: dict[str, int] = {}
    for group, points in used.items():
        price = 2 * points
        hq = yield from payer(g, ALLIES, _linked_to(g, group), price, "PW-STB-03", richest=True)
        if hq:
            pay(g, hq, price, "PW-STB-03")
            flown[group] = points
    if not flown:
        return
    raids = g.ledger.get("raids", 0) + 1
    emit(g, RaidMade(raids))
    line = "normal-bombing" if raids <= FIRST_RAIDS else "incendiary-bombing"
    rolled = yield from die(g, msg("strategic bombing"), "PW-STB-03", JAPAN)
    hits = int(g.board.charts.air_naval[line][column(sum(flown.values()), rolled)])
    yield from bomb(g, targets, hits)
    yield from escort_raid(g, targets)
    if rolled == 9 and not _covered(g, targets) and (yield from _fighters_over(g, targets)):
        group = yield from choose_unit(
            g.board.unit_index, ALLIES, "lose", "PW-STB-05", msg("which group loses a point"), list(flown)
        )
        emit(g, BomberPointsSet(group, g.ledger[f"{group} points"] - 1, "PW-STB-05"))


def _fighters_over(g: State, targets: Sequence[int]) -> Flow[bool]:
    """[PW-STB-05] Fighters that everybody sees, or hidden ones as Japan states."""
    if _defended(g, targets) or not any(has_force(g, JAPAN, h) for h in targets):
        return _defended(g, targets)
    about = recorded_as(", ".join(f"{h:04d}" for h in targets), msg("fighters rise against the bombers"))
    stated = yield Claim(JAPAN, "defended", about, "PW-STB-05", lambda reveal: _defended(whole(g, JAPAN, reveal), targets))
    return stated is True


def _defended(g: State, targets: Sequence[int]) -> bool:
    return any(g.counter(u).type == "1E" and g.counter(u).level > 0 for h in targets for u in g.here(JAPAN, h, "air"))


def _covered(g: State, targets: Sequence[int]) -> bool:
    fields = [h for h, b in g.airfields.items() if b.side == ALLIES and not b.interdicted and linked(g, ALLIES, h)]
    return any(distance(f, h) <= 7 for f in fields for h in targets)
