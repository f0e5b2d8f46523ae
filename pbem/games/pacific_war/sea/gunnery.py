"""[PW-NAV-03] Gunnery and torpedoes: strengths, aims, shots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.games.pacific_war.board import FORT, X
from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.forms import broadsides
from pbem.games.pacific_war.nouns import range_named
from pbem.games.pacific_war.orders import example, misread, read_unit
from pbem.games.pacific_war.postures import TorpedoesFired
from pbem.games.pacific_war.records import Sea
from pbem.games.pacific_war.state import FOE, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.world.initiative import lead
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.forms import Form
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.wording import msg, quoted, verbatim

RANGES = ("short", "medium", "long")
HOLD = "hold"
ROUNDS = {1: "PW-NAV-03", 2: "PW-NAV-04", 3: "PW-NAV-05"}
BATTERED = "bombard-installation"  # [PW-BAS-05] the line on which guns hit a fortification
WITH = ("guns", "torpedoes", "both")


class Aim(Struct, frozen=True):
    """What a ship fires at, and with what."""

    target: str
    guns: bool
    torpedoes: bool


def sea_of(g: State) -> Sea:
    """The naval combat that is being fought."""
    assert g.sea is not None
    return g.sea


def rule_of(g: State) -> str:
    """[PW-NAV-03] [PW-NAV-04] [PW-NAV-05] The rule of the round that is fought."""
    sea = sea_of(g)
    return ROUNDS[3 if sea.again else sea.phase]


def gun(g: State, ship: str, band: str) -> int:
    """[PW-NAV-03] Gunnery strength at a range; halved with troops aboard a DD or APD."""
    strength = g.strength(ship, g.counter(ship).gun[RANGES.index(band)])
    return at_night(g, ship, laden(g, ship, strength))


def salvo(g: State, ship: str, band: str) -> int:
    """Torpedo strength at a range, X when the salvoes are gone."""
    c = g.counter(ship)
    if g.units[ship].spent >= (2 if c.side == JAPAN else 1):
        return X
    return at_night(g, ship, laden(g, ship, g.strength(ship, c.torpedo[RANGES.index(band)])))


def at_night(g: State, ship: str, strength: int) -> int:
    """[PW-OPT-11] By option, at night and dusk in phases 2 and 3: the initiative makes crews better or worse."""
    if g.options.get("night-combat") != "yes" or g.light not in ("night", "dusk") or strength == X:
        return strength
    if sea_of(g).phase == 1 and not sea_of(g).again:
        return strength
    leads = assumed_initiative(g)
    if g.side(ship) == JAPAN:
        return strength + (1 if leads >= 0 else 0)
    return max(-1, strength + (1 if leads < 0 else 0 if leads == 0 else -1))


def assumed_initiative(g: State) -> int:
    """[PW-OPT-11] Without an initiative track the scenario says who leads: 1 Japan, 0 nobody, -1 the Allies."""
    return lead(g) if g.level == STRATEGIC else int(g.script.get("leads", 1))


def laden(g: State, ship: str, strength: int) -> int:
    """[PW-AMP-04] A strength other than flak, halved with troops aboard a DD or APD."""
    return halved(strength) if g.counter(ship).type in ("DD", "APD") and g.cargo(ship) else strength


SPREAD = "spread"  # of a standing order: everybody fires with all he has, no two at one as long as there are others


def can_fire(g: State, ship: str) -> bool:
    """Something aboard reaches at the range of the combat."""
    band = sea_of(g).range
    return gun(g, ship, band) != X or salvo(g, ship, band) != X


def shoot(g: State, ship: str, aim: Aim) -> Flow[int]:
    """The hits of a ship on what it aims at; torpedoes are spent."""
    band, foe, hits = sea_of(g).range, FOE[g.side(ship)], 0
    if aim.guns:
        line = BATTERED if g.counter(aim.target).type == FORT else band
        label = msg("{unit} fires at {target}", unit=ship, target=aim.target)
        shot = yield from fire(g, line, gun(g, ship, band), label, rule_of(g), foe)
        hits += shot.hits
    if aim.torpedoes:
        label = msg("{unit} torpedoes {target}", unit=ship, target=aim.target)
        shot = yield from fire(g, "torpedo", salvo(g, ship, band), label, rule_of(g), foe)
        hits += shot.hits
        emit(g, TorpedoesFired(ship))
    return hits


def fire_ask(g: State, side: str, shooters: Sequence[str], prey: Sequence[str]) -> Ask:
    """Who of a side fires at whom, with what."""
    first: Plain = {"fire": {s: prey[0] for s in shooters if gun(g, s, sea_of(g).range) != X}}

    def options() -> list[Plain]:
        found: list[Plain] = [_spread_fire(g, shooters, [*prey[i:], *prey[:i]]) for i in range(min(4, len(prey)))]
        return [*found, first]

    return Ask(
        side,
        "fire",
        rule_of(g),
        msg("fire; the range: {range}", range=range_named(sea_of(g).range)),
        lambda plain: read_fire(g, side, shooters, prey, plain),
        ("fire", HOLD),
        facts={"range": sea_of(g).range},
        default=first if first["fire"] else HOLD,  # type: ignore[index, call-overload]
        options=options,
        policy=lambda wanted: fire_policy(g, shooters, prey, wanted),
        form=lambda: _form(g, side, shooters, prey),
    )


def _form(g: State, side: str, shooters: Sequence[str], prey: Sequence[str]) -> Form:
    def read(plain: Plain) -> dict[str, Aim]:
        return read_fire(g, side, shooters, prey, plain)

    def able(ship: str, target: str) -> list[str]:
        return [how for how in ("both", "guns", "torpedoes") if _able(g, ship, target, how) == how]

    def aims(body: Plain) -> list[tuple[str, str]]:
        found = read({"fire": body}).items()
        return [
            (s, f"{a.target} with {'both' if a.guns and a.torpedoes else 'guns' if a.guns else 'torpedoes'}") for s, a in found
        ]

    return broadsides(g, ("fire", HOLD), shooters, prey, able, aims, read)


def fire_policy(g: State, shooters: Sequence[str], prey: Sequence[str], wanted: Plain) -> Plain:
    """A priority list of targets, `CA` or `CA with both`: everybody who can fires at the first that is there; `spread`: each
    at the next one."""
    if wanted == SPREAD:
        return _spread_fire(g, shooters, prey)
    for item in wanted if isinstance(wanted, list) else [wanted]:
        name, _, how = str(item).partition(" with ")
        for p in prey:
            if name.lower() in p.lower().split() or name in (p, g.counter(p).type):
                aims = {s: {"at": p, "with": how_able} for s in shooters if (how_able := _able(g, s, p, how or "guns"))}
                if aims:
                    return {"fire": aims}  # type: ignore[dict-item]
    return None


def _able(g: State, ship: str, target: str, how: str) -> str:
    """What a ship can use of `guns`, `torpedoes` or `both` against a target; "" for nothing."""
    guns = how in ("guns", "both") and gun(g, ship, sea_of(g).range) != X
    fish = how in ("torpedoes", "both") and salvo(g, ship, sea_of(g).range) != X and g.counter(target).type != FORT
    return "both" if guns and fish else "guns" if guns else "torpedoes" if fish else ""


def _spread_fire(g: State, shooters: Sequence[str], prey: Sequence[str]) -> Plain:
    aims: dict[str, Plain] = {}
    for i, s in enumerate(shooters):
        target = prey[i % len(prey)]
        how = _able(g, s, target, "both")
        if how:
            aims[s] = {"at": target, "with": how}
    return {"fire": aims} if aims else HOLD


def read_fire(g: State, side: str, shooters: Sequence[str], prey: Sequence[str], plain: Plain) -> dict[str, Aim]:
    """`fire: {CA1: CA2, DD1: {at: CA2, with: both}}` or hold. Raises Rejected."""
    verb, body = split_order(plain, ("fire", HOLD))
    if verb == HOLD:
        return {}
    if not isinstance(body, dict):
        raise misread("fire", body, "fire: {ship: target}")
    aims: dict[str, Aim] = {}
    for who, what in body.items():
        ship = read_unit(g, who, side)
        if ship not in shooters:
            raise illegal(msg("{ship} cannot fire now", ship=ship), rule_of(g), verbatim(*shooters))
        aims[ship] = _read_aim(g, side, ship, prey, what)
    return {ship: aims[ship] for ship in shooters if ship in aims}  # never in the order of the file's keys


def _read_aim(g: State, side: str, ship: str, prey: Sequence[str], what: Any) -> Aim:
    given = what if isinstance(what, dict) else {"at": what}
    how = given.get("with", "guns")
    if how not in WITH or not set(given) <= {"at", "with"}:
        raise unreadable(
            msg("{given} names no target", given=quoted(what)),
            example("{at: target, with: guns}", "{at: target, with: torpedoes}", "{at: target, with: both}"),
        )
    target = read_unit(g, given.get("at"), FOE[side])
    if target not in prey:
        raise illegal(msg("{target} is not in the combat", target=target), rule_of(g), verbatim(*prey))
    aim = Aim(target, how in ("guns", "both"), how in ("torpedoes", "both"))
    band = sea_of(g).range
    if aim.torpedoes and g.counter(target).type == FORT:
        raise illegal(msg("{target} is no target for torpedoes", target=target), "PW-BAS-05")
    if aim.guns and gun(g, ship, band) == X:
        raise illegal(msg("{ship} has no guns at this range: {range}", ship=ship, range=range_named(band)), "PW-NAV-03")
    if aim.torpedoes and salvo(g, ship, band) == X:
        raise illegal(msg("{ship} has no torpedoes at this range: {range}", ship=ship, range=range_named(band)), "PW-NAV-03")
    return aim
