"""[PW-AIR-08] [PW-AIR-11] [PW-AIR-12] Over the target: alert, CAP, escort, air combat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.air.flight import alertable, bonus, combat_aa, mission_hits, rises, with_bonus
from pbem.games.pacific_war.air.patrols import patrol_over
from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.dice import Shot, fire
from pbem.games.pacific_war.engagements import Alerted, ExperienceGained
from pbem.games.pacific_war.orders import read_units
from pbem.games.pacific_war.picks import some_units
from pbem.games.pacific_war.records import Mission
from pbem.games.pacific_war.state import ALLIES, CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.units.damage import hit_steps
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import msg, verbatim


def air_clash(g: State) -> Flow[None]:
    """[PW-AIR-12] The defender alerts, may name CAP; the mission names an escort; they fight at once."""
    m = g.mission
    assert m is not None
    foe = FOE[m.side]
    yield from _alert(g, m, foe)
    alerted = [u for u in m.alerted if g.units[u].box == "map"]
    fighters = [u for u in alerted if rises(g, u)]
    cap = yield from choose_unit(
        g.board.unit_index, foe, "cap", "PW-AIR-12", msg("which alerted unit flies CAP"), fighters, none=True, reaction=True
    )
    escort = yield from _escort(g, m, cap, alerted)
    if cap or escort:
        others = [] if not cap or _carrier_ambush(g, cap) else [u for u in fighters if u != cap]
        yield from _fight(g, m, cap, escort, others, alerted)


def patrol_clash(g: State) -> Flow[None]:
    """[PW-OPT-17] A patrol over the target flies CAP before anything else, whether the mission is detected or not."""
    m = g.mission
    assert m is not None
    cap = patrol_over(g, FOE[m.side], m.target)
    if cap and combat_aa(g, cap) != X:
        escort = yield from _escort(g, m, cap, [])
        yield from _fight(g, m, cap, escort, [], [cap])


def _fight(g: State, m: Mission, cap: str, escort: str, others: Sequence[str], alerted: Sequence[str]) -> Flow[None]:
    """[PW-AIR-11] CAP and escort fire at once; `others` help the CAP, the hits of the escort fall on `alerted`."""
    foe = FOE[m.side]
    together = "coordinated" if m.coordinated else "uncoordinated"
    attack, answer = Shot(0), Shot(0)
    if cap:
        strength = with_bonus(combat_aa(g, cap), bonus(g, others))
        strength = against_skill(g, cap, escort, strength)
        attack = yield from fire(g, f"cap-{together}", strength, msg("CAP {unit}", unit=cap), "PW-AIR-11", m.side)
    if escort:
        flying = [u for u in _over(g, m) if u != escort and u not in m.aborted and g.counter(u).type == "1E"]
        strength = with_bonus(combat_aa(g, escort), bonus(g, flying))
        strength = against_skill(g, escort, cap, strength)
        answer = yield from fire(g, f"{together}-cap", strength, msg("escort {unit}", unit=escort), "PW-AIR-11", foe)
    _note_zeros(g, m, {cap: attack, escort: answer})
    mission = _over(g, m)
    room = {u: g.steps(u) for u in alerted}
    if attack.hits:
        yield from mission_hits(g, foe, mission, attack.hits, "PW-AIR-11", escort)
    losses = yield from distribute(
        g, m.side, "hits", "PW-AIR-11", msg("hits on the alerted units"), room, answer.hits, first=cap, reaction=True
    )
    for unit, n in losses.items():
        hit_steps(g, unit, n, "PW-AIR-11")


def _note_zeros(g: State, m: Mission, shots: Mapping[str, Shot]) -> None:
    """[PW-RPL-07] In campaigns a zero in air combat is experience."""
    new = [u for u, shot in shots.items() if u and shot.die == 0 and g.counter(u).level < 2]
    if new and g.level in (CAMPAIGN, STRATEGIC):
        emit(g, ExperienceGained(tuple(new)))


def _over(g: State, m: Mission) -> list[str]:
    return [u for f in m.flights for u in f.units if g.units[u].box == "map" and u not in m.landed]


def against_skill(g: State, attacker: str, defender: str, strength: int) -> int:
    """[PW-OPT-05] [PW-OPT-07] By option a defender's higher level is taken off the attacker's strength."""
    if g.options.get("pilot-skill") != "yes" or strength < 0 or not attacker or not defender:
        return strength
    target = g.counter(defender)
    tough = g.options.get("tough-bombers") == "yes" and target.type == "4E" and target.side == ALLIES
    level = 2 if tough else target.level
    return max(-1, strength - max(0, level - g.counter(attacker).level))


def _carrier_ambush(g: State, cap: str) -> bool:
    """[PW-OIN-02] CV ambush, first cycle: carrier fighters get no help from the others."""
    m = g.mission
    assert m is not None
    first = g.condition == "cv-ambush" and g.cycle == 1 and m.side == g.advantage
    return first and bool(g.units[cap].aboard)


def _escort(g: State, m: Mission, cap: str, alerted: Sequence[str]) -> Flow[str]:
    """[PW-AIR-12] Against CAP an escort must be named, a 1E if there is one; without CAP a 1E may attack the alerted."""
    able = [u for u in _over(g, m) if u not in m.aborted and combat_aa(g, u) != X and m.type in ("strike", "superiority")]
    single = [u for u in able if g.counter(u).type == "1E"]
    prompt = msg("which unit is the escort")
    if cap:
        found: str = yield from choose_unit(
            g.board.unit_index, m.side, "escort", "PW-AIR-12", prompt, single or able, reaction=True
        )
        return found
    if alerted:
        found = yield from choose_unit(
            g.board.unit_index, m.side, "escort", "PW-AIR-12", prompt, single, none=True, reaction=True
        )
        return found
    return ""


def _alert(g: State, m: Mission, foe: str) -> Flow[None]:
    """[PW-AIR-08] Whole units are alerted up to the launch capacity of each base in the hex."""
    able = alertable(g, foe, m.target)
    aboard = [u for u in able if g.units[u].aboard]
    ashore = [u for u in able if not g.units[u].aboard]
    chosen = ashore
    if ashore and sum(g.steps(u) for u in ashore) > g.airfields[m.target].size:
        chosen = yield _ask(g, foe, m.target, ashore)
    emit(g, Alerted((*aboard, *chosen)))


def _ask(g: State, foe: str, place: int, ashore: Sequence[str]) -> Ask:
    size = g.airfields[place].size

    def read(plain: Plain) -> list[str]:
        _, body = split_order(plain, ("alert",))
        units = read_units(g, body, foe)
        for u in units:
            if u not in ashore:
                raise illegal(msg("{unit} is not on the airfield", unit=u), "PW-AIR-08", verbatim(*ashore))
        steps = sum(g.steps(u) for u in units)
        if steps > size:
            raise illegal(
                msg("the airfield does not launch so many steps: {n}", n=steps), "PW-AIR-08", msg("at most: {most}", most=size)
            )
        left = [u for u in ashore if u not in units and steps + g.steps(u) <= size]
        if left:
            raise illegal(msg("{unit} can be alerted too", unit=left[0]), "PW-AIR-12")
        return units

    def fill(names: Sequence[str]) -> list[Plain]:
        found: list[Plain] = []
        steps = 0
        for u in names:
            if steps + g.steps(u) <= size:
                found.append(u)
                steps += g.steps(u)
        return found

    fighters = sorted(ashore, key=lambda u: (g.counter(u).type != "1E", -g.steps(u)))
    options: list[Plain] = [{"alert": fill(fighters)}, {"alert": fill(fighters[::-1])}]
    return Ask(
        foe,
        "alert",
        "PW-AIR-08",
        msg("which units on the airfield are alerted; steps at most: {most}", most=size),
        read,
        ("alert",),
        default=options[0],
        options=lambda: options,
        form=lambda: some_units(g, foe, ("alert",), ashore, read),
        policy=lambda names: {"alert": fill([u for u in read_units(g, names, foe) if u in ashore])},
        reaction=True,
    )
