"""[SBR] Strategic bombing raids: interceptors, one round in the air, the facilities' own guns, bombs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.axis_and_allies_pacific import rolls
from pbem.games.axis_and_allies_pacific.casualties import Hits, choose, chooser_of, mark_fought, remove
from pbem.games.axis_and_allies_pacific.events.combat import DiceRolled, FacilityDamaged, RaidEnded, RoleTaken
from pbem.games.axis_and_allies_pacific.orders import read_groups, read_type, split_order
from pbem.games.axis_and_allies_pacific.state import POWERS, State, Unit, at_war
from pbem.games.axis_and_allies_pacific.terms import OWNERS, example, one_of, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.forms import Form, Pick
from pbem.kernel.gathering import Counts
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.picking import sole
from pbem.kernel.wording import Message, msg, verbatim

MAX_DAMAGE = {"major-ic": 20, "minor-ic": 6, "air-base": 6, "naval-base": 6}  # [SBR-07]


def raid(g: State, power: str, territory: str) -> Flow[None]:
    """[SBR-03] Interceptors, air battle [SBR-04], allotment and guns [SBR-05] [SBR-06], bombs [SBR-07]."""
    yield from _interception(g, power, territory)
    if bombers(g, power, territory):
        groups = yield _ask_targets(g, power, territory)
        for facility, number in groups.items():
            yield from _bomb(g, power, territory, facility, bombers(g, power, territory)[:number])
    mark_fought(g, [u for u in g.at(territory) if u.owner == power and u.role in ("bomb", "bombed", "escort")])
    emit(g, RaidEnded(territory))


def bombers(g: State, power: str, territory: str) -> list[Unit]:
    """Bombers that have not dropped their bombs yet."""
    return [u for u in g.at(territory) if u.owner == power and u.role == "bomb"]


def _interception(g: State, power: str, territory: str) -> Flow[None]:
    for owner in [p for p in POWERS if at_war(g, power, p)]:
        ready = [u for u in g.at(territory) if u.owner == owner and u.type == "fighter" and u.role == ""]
        if ready:
            number = yield _ask_intercept(g, owner, territory, len(ready))
            for plane in ready[:number]:
                emit(g, RoleTaken(plane.id, "intercept", "SBR-03"))
    if any(u.role == "intercept" for u in g.at(territory)):
        yield from _air_battle(g, power, territory)


def _ask_intercept(g: State, owner: str, territory: str, ready: int) -> Ask:
    return Ask(
        owner,
        "intercept",
        "SBR-03",
        msg(
            "{power}: how many fighters intercept over {place}? Ready: {n}",
            power=OWNERS[owner],
            place=place(g, territory),
            n=ready,
        ),
        lambda plain: _read_intercept(ready, plain),
        ("intercept",),
        scope=f"space:{territory}",
        options=lambda: [{"intercept": n} for n in sorted({0, 1, ready})],
        facts={"fighters": ready, "space": territory},
        policy=lambda p: {"intercept": {"all": ready, "none": 0}.get(str(p), p)} if not isinstance(p, dict) else p,
        reaction=True,
    )


def _read_intercept(ready: int, plain: Plain) -> int:
    _, body = split_order(plain, ("intercept",))
    if body == "none":
        return 0
    number = body if isinstance(body, int) and not isinstance(body, bool) else None
    if number is None:
        groups = read_groups(body)
        number = groups[0].count if len(groups) == 1 and groups[0].type == "fighter" else -1
    if not 0 <= number <= ready:
        raise illegal(verbatim(repr(body)), "SBR-03", msg("{least} to {most}", least=0, most=some("fighter", ready)))
    return number


def _air_battle(g: State, power: str, territory: str) -> Flow[None]:
    """[SBR-04] [AMB-SBR-AIRBATTLE] Escorts hit on 1, interceptors on 2; both roll, then both lose."""
    escorts = [u for u in g.at(territory) if u.owner == power and u.role == "escort"]
    defenders = [u for u in g.at(territory) if u.role == "intercept"]
    fire, back = rolls.escorts(g, territory, power, len(escorts)), rolls.interceptors(g, territory, len(defenders))
    first = (yield from _shots(g, fire, len(escorts), defenders[0].owner)) if escorts else 0
    second = yield from _shots(g, back, len(defenders), power)
    scope = f"raid:{territory}"
    facts: dict[str, int | str | bool] = {"space": territory, "round": 1}
    attackers = [*escorts, *bombers(g, power, territory)]
    down = yield from choose(g, chooser_of(g, defenders, power), defenders, Hits(first), scope, facts, power)
    lost = yield from choose(g, power, attackers, Hits(second), scope, facts, power)
    remove(g, [*down, *lost], "SBR-04", power)


def _shots(g: State, label: Message, number: int, against: str) -> Flow[int]:
    dice = yield Roll(label, number, 6, "SBR-04", against if against in POWERS else None)
    hits: int = sum(d <= rolls.number_in(label, "at") for d in dice)
    emit(g, DiceRolled(label, dice, hits, "SBR-04"))
    return hits


def _ask_targets(g: State, power: str, territory: str) -> Ask:
    kinds, number = [f.type for f in g.facilities[territory]], len(bombers(g, power, territory))
    return Ask(
        power,
        "bomb-targets",
        "SBR-05",
        msg(
            "{power}: targets in {place} for: {things}",
            power=OWNERS[power],
            place=place(g, territory),
            things=some("strategic-bomber", number),
        ),
        lambda plain: _read_targets(kinds, number, plain),
        ("targets",),
        scope=f"space:{territory}",
        forced={"targets": {kinds[0]: number}} if len(kinds) == 1 else None,
        options=lambda: [{"targets": {k: number}} for k in kinds],
        form=lambda: _target_form(kinds, number),
        facts={"bombers": number, "space": territory},
        policy=lambda wanted: _policy(kinds, number, wanted),
    )


def _target_form(kinds: Sequence[str], number: int) -> Form:
    """[SBR-05] Bombers are counted over the facilities until each has one."""

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = number - sum(taken.values())
        return [Pick("unit", kind, some(kind), most=left) for kind in kinds] if left else []

    def told(taken: Mapping[str, int]) -> Message:
        return msg("bombers with targets: {n}", n=sum(taken.values()))

    def read(plain: Plain) -> dict[str, int]:
        return _read_targets(kinds, number, plain)

    counts = Counts(offers, lambda taken: {"targets": {**taken}}, lambda body: read({"targets": body}), read, told)
    return sole("targets", counts, read)


def _policy(kinds: Sequence[str], number: int, wanted: Plain) -> Plain:
    """A list of facilities in order of preference: all bombers on the first that is there."""
    listed = [read_type(str(w)) for w in (wanted if isinstance(wanted, list) else [wanted])]
    found = next((w for w in listed if w in kinds), None)
    return {"targets": {found: number}} if found else None


def _read_targets(kinds: Sequence[str], number: int, plain: Plain) -> dict[str, int]:
    _, body = split_order(plain, ("targets",))
    if not isinstance(body, dict):
        raise unreadable(verbatim(repr(body)), example("`targets: {major-ic: 2}`"))
    groups = {g.type: g.count for g in read_groups(body)}
    unknown = sorted(k for k in groups if k not in kinds)
    if unknown:
        raise illegal(
            msg("nothing there such as: {things}", things=some(unknown[0])),
            "SBR-01",
            one_of(tuple(map(some, kinds))),
        )
    if sum(groups.values()) != number:
        raise illegal(
            msg("bombers with targets: {n}", n=sum(groups.values())), "SBR-05", msg("bombers: {n}, one target each", n=number)
        )
    return {k: groups[k] for k in kinds if k in groups}


def _bomb(g: State, power: str, territory: str, facility: str, group: Sequence[Unit]) -> Flow[None]:
    """[SBR-06] One die for each bomber, a 1 brings it down; [SBR-07] survivors add their dice to the damage, up to the cap."""
    label = rolls.guns(g, territory, facility, len(group))
    guns = yield Roll(label, len(group), 6, "SBR-06", power)
    down = sum(d == 1 for d in guns)
    emit(g, DiceRolled(label, guns, down, "SBR-06"))
    remove(g, group[:down], "SBR-06", power)
    alive = [u for u in group if u.id in g.units]
    if not alive:
        return
    label = rolls.bombs(g, territory, facility, len(alive))
    dice = yield Roll(label, len(alive), 6, "SBR-07", g.control[territory] if g.control[territory] in POWERS else None)
    emit(g, DiceRolled(label, dice, len(dice), "SBR-07"))
    found = g.facility(territory, facility)
    assert found is not None
    points = min(sum(dice), MAX_DAMAGE[facility] - found.damage)
    emit(g, FacilityDamaged(territory, facility, points))
    for plane in alive:
        emit(g, RoleTaken(plane.id, "bombed", "SBR-08"))
