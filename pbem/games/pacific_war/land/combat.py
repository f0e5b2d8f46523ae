"""[PW-LND-01] [PW-LND-02] Ground combat: who attacks, quality against quality, the result."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pbem.games.pacific_war.clock import FreeBaseUsed, PhaseBegan
from pbem.games.pacific_war.dice import die, ground_result
from pbem.games.pacific_war.events import GroundFought, InstallationTaken, Remarked
from pbem.games.pacific_war.land.engineering import stop_works
from pbem.games.pacific_war.land.movement import clear_entries
from pbem.games.pacific_war.land.occupation import contested
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.land.raids import SMALLEST, end_raid, offer_raid
from pbem.games.pacific_war.land.retreat import resolve
from pbem.games.pacific_war.land.sieges import lift_sieges
from pbem.games.pacific_war.orders import hexes_named, read_places
from pbem.games.pacific_war.picks import hex_word, picker
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import deactivate, settle
from pbem.kernel.canon import Plain
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.picking import Field, Fields, Taken, Verbs
from pbem.kernel.questions import choose_unit, yes_or_no
from pbem.kernel.wording import msg


class Assault(Struct):
    """One ground combat: its sides, the units whose quality counts, what each side loses."""

    hex: int
    attacker: str
    leaders: dict[str, str] = field(default_factory=dict)
    halved: dict[str, bool] = field(default_factory=dict)
    losses: dict[str, int] = field(default_factory=dict)
    must_retreat: str = ""
    raid: bool = False


def ground_phase(g: State) -> Flow[None]:
    """[PW-LND-01] The operations player says in which order the hexes are fought for."""
    emit(g, PhaseBegan("ground", "PW-LND-01"))
    places = contested(g)
    if len(places) > 1:
        places = yield _order_ask(g, places)
    emit(g, Scheduled(tuple(("ground-combat", (p,)) for p in places), "PW-LND-01"))


def _order_ask(g: State, places: Sequence[int]) -> Ask:
    def read(plain: Plain) -> list[int]:
        _, body = split_order(plain, ("order",))
        wanted = read_places(g, body)
        if sorted(wanted) != sorted(places):
            raise illegal(msg("each contested hex is named once"), "PW-LND-01", hexes_named(g, places))
        return wanted

    def make(taken: Taken) -> Plain:
        return {"order": [int(h) for h in taken.all("to")]}

    def form() -> Form:
        field = Field("to", lambda _: picker(g).places("to", places), len(places), len(places), trusted=True)
        gesture = Fields((field,), make, lambda body: {"to": [hex_word(h) for h in read({"order": body})]}, read)
        return Verbs(read, verbs, {"order": gesture}, bare=verbs)

    prompt, verbs = msg("order of the ground combats"), ("order",)
    options: list[Plain] = [{"order": [*places]}, {"order": [*reversed(places)]}]
    return Ask(g.operator, "order", "PW-LND-01", prompt, read, verbs, default=options[0], options=lambda: options, form=form)


def ground_combat(g: State, place: int) -> Flow[None]:
    """[PW-LND-01] Who attacks in a hex, if anybody; then the combat."""
    lift_sieges(g)
    attacker = yield from _who_attacks(g, place)
    if not attacker:
        return
    a = Assault(place, attacker)
    a.raid = yield from offer_raid(g, attacker, place)
    for side in (attacker, FOE[attacker]):
        able = able_attackers(g, side, place) if side == attacker else g.ashore(side, place)
        best = max(able, key=lambda u: (quality(g, u), g.steps(u)))
        a.leaders[side] = yield from choose_unit(
            g.board.unit_index,
            side,
            "leader",
            "PW-LND-02",
            msg("whose quality counts in {place}", place=g.board.name(place)),
            able,
            default=best,
            reaction=True,
        )
    a.halved = {attacker: assaulting(g, attacker, place) and not a.raid, FOE[attacker]: False}
    yield from _roll(g, a)
    yield from resolve(g, a.hex, a.attacker, a.leaders, a.halved, a.losses, a.must_retreat)
    if a.halved[attacker] and g.ashore(attacker, place):
        yield from free_base(g, attacker, place)
    for side in (attacker, FOE[attacker]):
        for u in g.ashore(side, place):
            settle(g, u, "PW-AMP-05")
    if a.raid:
        yield from end_raid(g, attacker, place, a.leaders[attacker])
    clear_entries(g)
    lift_sieges(g)
    stop_works(g, place)


def free_base(g: State, side: str, place: int) -> Flow[None]:
    """[PW-OSB-01] After an assault that held, the operations player may set up his free support base in a named coast hex."""
    here = g.board.hex(place)
    if g.operation is None or g.script.get("free_osb") != side or place in g.osbs:
        return
    if not here.name or not g.board.coast(place):
        return
    yes = yield from yes_or_no(
        side, "free_base", "PW-OSB-01", msg("set up a support base in {place}", place=g.board.name(place))
    )
    if yes:
        emit(g, InstallationTaken("osb", place, side, "PW-OSB-01"))
        emit(g, FreeBaseUsed())


def able_attackers(g: State, side: str, place: int) -> list[str]:
    """Activated ground units that are not demoralized [PW-AMB-06]."""
    if g.in_penalty(side):
        return []
    return [u for u in g.ashore(side, place) if g.units[u].active and not g.units[u].demoralized]


def _who_attacks(g: State, place: int) -> Flow[str]:
    """[PW-LND-01] The side that attacks, or none; the operations player's troops that do not are deactivated."""
    for side in (g.operator, g.reactor):
        if not able_attackers(g, side, place):
            if side == g.operator and not g.in_penalty(side):
                _stand_down(g, side, place)
            continue
        if any(g.units[u].landed for u in g.ashore(side, place)):  # [PW-AMP-05]
            return side
        yes = yield from yes_or_no(
            side, "attack", "PW-LND-01", msg("attack in {place}", place=g.board.name(place)), reaction=side == g.reactor
        )
        if yes:
            return side
        if side == g.operator:
            _stand_down(g, side, place)
    return ""


def _stand_down(g: State, side: str, place: int) -> None:
    for u in [u for u in g.ashore(side, place) if g.units[u].active]:
        deactivate(g, u, "PW-LND-01")


def assaulting(g: State, side: str, place: int) -> bool:
    """[PW-AMP-06] All attackers come from the sea or the air: their quality is halved."""
    return all(g.units[u].landed for u in g.ashore(side, place))


def ratio_modifier(g: State, attackers: int, defenders: int) -> int:
    """Die modifier for the steps of both sides."""
    for a, d, modifier in g.board.charts.plain["ratio"]:
        if attackers * d >= a * defenders:
            return int(modifier)
    return 0


def ground_column(g: State, place: int, attacking: int, defending: int) -> int:
    """[PW-LND-02] Column of the ground chart after terrain."""
    plain = g.board.charts.plain
    found: int = plain["ground"]["column_at_par"] + attacking - defending
    return found + terrain_shift(g, place)


def terrain_shift(g: State, place: int) -> int:
    """Columns that the terrain of a hex is worth to the attacker."""
    return int(g.board.charts.plain["terrain_shift"][g.board.hex(place).land])


def _roll(g: State, a: Assault) -> Flow[None]:
    foe = FOE[a.attacker]
    attacking = sum(g.steps(u) for u in able_attackers(g, a.attacker, a.hex))
    defending = sum(g.steps(u) for u in g.ashore(foe, a.hex))
    lead, against = (quality(g, a.leaders[s], a.halved[s]) for s in (a.attacker, foe))
    armour, more = armour_shift(g, a), ratio_modifier(g, attacking, defending)
    column = ground_column(g, a.hex, lead, against) + armour
    odds = msg(
        "Attack in {place}: {unit} (quality {tq}, all steps {steps}) against {other} (quality {their}, all steps {n}); "
        "terrain {terrain}, armour {armour}: column {column}; for the steps {more}",
        place=hex_term(g, a.hex),
        unit=a.leaders[a.attacker],
        tq=lead,
        steps=attacking,
        other=a.leaders[foe],
        their=against,
        n=defending,
        terrain=terrain_shift(g, a.hex),
        armour=armour,
        column=column,
        more=more,
    )
    emit(g, Remarked(odds, "PW-LND-02"))
    rolled = yield from die(g, msg("ground combat in {place}", place=hex_term(g, a.hex)), "PW-LND-02", foe)
    net = column - rolled + more
    size = SMALLEST if a.raid else attacking + defending
    lost, killed, retreat = ground_result(g, net, size)
    a.losses = {a.attacker: lost, foe: killed}
    a.must_retreat = {"A": a.attacker, "D": foe, "": ""}[retreat]
    fought = GroundFought(a.hex, a.attacker, column, rolled, net, size, lost, killed, a.must_retreat, "PW-LND-02")
    emit(g, fought)


def armour_shift(g: State, a: Assault) -> int:
    """[PW-OPT-16] By option: a column for the side that alone has armour; US units count as armour in defence, and against
    US troops Japanese armour is worth nothing."""
    if g.options.get("armour") != "yes":
        return 0
    foe = FOE[a.attacker]
    attack = any(g.counter(u).type == "armour" for u in able_attackers(g, a.attacker, a.hex))
    defence = any(g.counter(u).type == "armour" or g.counter(u).nation == "us" for u in g.ashore(foe, a.hex))
    real = any(g.counter(u).type == "armour" for u in g.ashore(foe, a.hex))
    american = any(g.counter(u).nation == "us" for u in able_attackers(g, a.attacker, a.hex))
    return 1 if attack and not defence else -1 if real and not attack and not american else 0
