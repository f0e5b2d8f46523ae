"""[9.0] The battles of an offensive: air-naval round, ground round, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem.games.empire_of_the_sun import combat, phase_forms
from pbem.games.empire_of_the_sun.attacks import before_battles
from pbem.games.empire_of_the_sun.choice_forms import transfers
from pbem.games.empire_of_the_sun.combat import GARRISON, Salvo
from pbem.games.empire_of_the_sun.deployment import out_box
from pbem.games.empire_of_the_sun.events.battles import BattleBegan, BattleEnded, Fired, GarrisonLost, Restored, RoundBegan
from pbem.games.empire_of_the_sun.events.offensives import TurnedBack
from pbem.games.empire_of_the_sun.events.politics import CasualtiesCounted, WillChanged
from pbem.games.empire_of_the_sun.events.units import Controlled, Eliminated, StepLost
from pbem.games.empire_of_the_sun.labels import ASKED, possible, unread, written
from pbem.games.empire_of_the_sun.orders import read_unit, split_order
from pbem.games.empire_of_the_sun.retreats import attacker_retreats, defender_retreats
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, fighting, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow, Roll, Simultaneous
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.questions import NONE, choose_place, choose_unit
from pbem.kernel.wording import Argument, die_for, msg, signed

RULE = {"air-naval": "9.2", "ground": "9.4"}


def battles(g: State) -> Flow[None]:
    """[9.0] Attack cards first; then every battle, in the order that the active player chooses [A-14]."""
    yield from before_battles(g)
    o = offensive(g)
    while True:
        left = [h for h in o.battles if h not in o.fought]
        if not left:
            return
        place = yield from choose_place(g.board.place_index, o.side, "fight", "9.0", ASKED["fight"], left)
        yield from battle(g, place)


def battle(g: State, place: int) -> Flow[None]:
    """One battle hex."""
    o = offensive(g)
    emit(g, BattleBegan(place))
    if turn_back(g, place):
        attacker_retreats(g, place)  # first edition: those who came by land lose the battle with the landing
        emit(g, BattleEnded(place, "battle", FOE[o.side], "8.45"))
        return
    if o.side == JAPAN and o.card == "J1" and o.event:
        yield from _fire_one(g, o.side, place, "air-naval")
        emit(g, BattleEnded(place, "battle", o.side, "17.11"))
        return
    at_sea = yield from air_naval(g, place)
    if at_sea != o.side:
        for unit in combat.ground_units(g, o.side, place):
            if combat.landed(g, unit):
                emit(g, TurnedBack(unit, True, "9.32"))
    ashore = yield from ground(g, place)
    _drowned_brigades(g)
    emit(g, BattleEnded(place, "battle", ashore or at_sea, "9.4" if ashore else "9.3"))


def turn_back(g: State, place: int) -> bool:
    """[8.45] B: a landing without escort meets ships that reacted: each unit loses a step and takes no part.

    True when the battle is lost and not fought: second edition, when nobody else is left to fight it.
    """
    o = offensive(g)
    foe = FOE[o.side]
    came = [u for u in g.mine_at(foe, place, "naval") if u in o.reactors]
    landing = [u for u in combat.ground_units(g, o.side, place) if combat.landed(g, u)]
    if not came or not landing or g.mine_at(o.side, place, "naval"):
        return False
    for unit in landing:
        _lose(g, unit, 1, "8.45")
        if g.pieces[unit].box == "map":
            emit(g, TurnedBack(unit, False, "8.45"))
    return not g.second or not (combat.firing_units(g, o.side, place) or combat.ground_units(g, o.side, place))


# -- air-naval round -------------------------------------------------------------------------------------------------


def air_naval(g: State, place: int) -> Flow[str]:
    """[9.2] Who fires when depends on the intelligence condition; returns the winner [9.3]."""
    o = offensive(g)
    foe = FOE[o.side]
    if not combat.firing_units(g, o.side, place) and not combat.firing_units(g, foe, place):
        return o.side  # [9.34]
    emit(g, RoundBegan(place, "air-naval", "9.2"))
    if o.condition == "intercept":
        yield from _fire_both(g, place, "air-naval")
    else:
        first = o.side if o.condition == "surprise" else foe
        yield from _fire_one(g, first, place, "air-naval")
        yield from _fire_one(g, FOE[first], place, "air-naval")
    yield from _carrier_transfer(g, place)
    winner = combat.air_naval_winner(g, place)
    emit(g, BattleEnded(place, "air-naval", winner, "9.3"))
    return winner


def _fire_one(g: State, side: str, place: int, kind: str) -> Flow[None]:
    salvo = yield from _shoot(g, side, place, kind)
    if salvo is not None:
        losses = yield from _assign(g, salvo)
        yield from _suffer(g, salvo, losses)


def _fire_both(g: State, place: int, kind: str) -> Flow[None]:
    """[9.2] C, [9.4] A: both fire and both assign against the starting forces; the losses come together."""
    o = offensive(g)
    salvoes = []
    for side in (o.side, FOE[o.side]):
        salvo = yield from _shoot(g, side, place, kind)
        if salvo is not None:
            salvoes.append(salvo)
    if g.options.get("simultaneous-hits") == "sealed" and len(salvoes) == 2:
        chosen = yield from _assign_sealed(g, salvoes)
    else:
        chosen = []
        for salvo in salvoes:
            losses = yield from _assign(g, salvo)
            chosen.append(losses)
    for salvo, losses in zip(salvoes, chosen, strict=True):
        yield from _suffer(g, salvo, losses)


def _shoot(g: State, side: str, place: int, kind: str) -> Flow[Salvo | None]:
    """Strength, die, modifier, rating; None when the side has nothing that fires or nothing to fire at."""
    if kind == "air-naval":
        points = sum(combat.strength(g, u, place) for u in combat.firing_units(g, side, place))
        drm = combat.air_naval_drm(g, side, place)
    else:
        points = combat.ground_strength(g, side, place)
        drm = combat.ground_drm(g, side, place)
    if points == 0 or not combat.has_targets(g, side, place, kind):
        return None
    args: dict[str, Argument] = {"kind": kind, "side": side, "place": g.board.name(place), "points": points, "drm": signed(drm)}
    label = die_for("{kind} fire of {side} in {place}, {points} points, {drm}", **args)
    (die,) = yield Roll(label, 1, 10, RULE[kind], against=FOE[side])
    die %= 10
    quarters = combat.rating(combat.AIR_NAVAL_CRT if kind == "air-naval" else combat.GROUND_CRT, die + drm)
    critical = kind == "air-naval" and combat.is_critical(g, side, die, drm)
    hits = combat.hits_of(points, quarters)
    emit(g, Fired(label, side, place, kind, points, die, drm, combat.RATING_WORDS[quarters], hits, critical, RULE[kind]))
    if kind == "air-naval":
        salvo = combat.air_naval_salvo(g, side, place, hits, critical)
        return (yield from _last_step(g, salvo))
    return combat.ground_salvo(g, side, place, hits)


def _last_step(g: State, salvo: Salvo) -> Flow[Salvo]:
    """[9.2] F5: hits of the active side for every ground unit: the reacting player names the one whose step stays."""
    cost = sum(combat.defense(g, u, salvo.kind) * g.steps(u) for u in salvo.targets)
    if not salvo.spare_last or len(salvo.targets) < 2 or salvo.firer != offensive(g).side or cost > salvo.hits:
        return salvo
    prompt = msg("the ground unit in {place} that keeps its last step", place=g.board.name(salvo.place))
    last = yield from choose_unit(g.board.unit_index, FOE[salvo.firer], "last step", "9.2", prompt, salvo.targets)
    return replace(salvo, last=last)


# -- assignment of hits ----------------------------------------------------------------------------------------------


def _assign(g: State, salvo: Salvo) -> Flow[dict[str, int]]:
    if not combat.best(g, salvo, ()):
        return {}
    losses: dict[str, int] = yield _ask_hits(g, salvo)
    return losses


def _assign_sealed(g: State, salvoes: Sequence[Salvo]) -> Flow[list[dict[str, int]]]:
    able = [s for s in salvoes if combat.best(g, s, ())]
    if len(able) < 2:
        found: list[dict[str, int]] = []
        for salvo in salvoes:
            losses = yield from _assign(g, salvo)
            found.append(losses)
        return found
    answers = yield Simultaneous(tuple(_ask_hits(g, s) for s in salvoes), "9.2")
    return [answers[s.firer] for s in salvoes]


def _ask_hits(g: State, salvo: Salvo) -> Ask:
    def read(plain: Plain) -> dict[str, int]:
        _, body = split_order(plain, ("hits",))
        losses = _read_losses(g, body)
        reason, rule = combat.problem(g, salvo, losses)
        if reason:
            example = combat.best(g, salvo, combat.cheapest_targets(g, salvo))
            raise illegal(reason, rule, msg("for example {example}", example=f"`hits: {losses_in_words(g, example)}`"))
        return losses

    def by_order(order: Sequence[str]) -> Plain:
        return {"hits": dict(combat.best(g, salvo, order)) or NONE}

    def policy(wanted: Plain) -> Plain:
        return by_order(_ranking(g, salvo, wanted))

    cheapest = by_order(combat.cheapest_targets(g, salvo))
    only = combat.only_assignment(g, salvo)
    return Ask(
        salvo.firer,
        "hits",
        RULE[salvo.kind],
        msg("hits to be assigned in {place}: {n}", place=g.board.name(salvo.place), n=salvo.hits),
        read,
        ("hits",),
        scope=f"hex:{salvo.place}",
        facts={"hex": salvo.place, "hits": salvo.hits, "round": salvo.kind, "critical": salvo.critical},
        forced={"hits": dict(only)} if only is not None else None,
        default=cheapest if g.options.get("simultaneous-hits") == "sealed" else None,
        options=lambda: _hit_options(g, salvo, by_order),
        policy=policy,
        form=lambda: phase_forms.hits(g, salvo, lambda body: _read_losses(g, body), read),
    )


def _hit_options(g: State, salvo: Salvo, by_order: Callable[[Sequence[str]], Plain]) -> list[Plain]:
    found: list[Plain] = []
    cheap = combat.cheapest_targets(g, salvo)
    for order in (cheap, list(reversed(cheap)), sorted(salvo.targets, key=lambda u: (-g.attack(u), u))):
        plain = by_order(order)
        if plain not in found:
            found.append(plain)
    return found


def _ranking(g: State, salvo: Salvo, wanted: Plain) -> list[str]:
    """A policy: `cheapest`, `strongest`, unit names and kinds (`cv`, `air`), first things first."""
    ranked: list[str] = []
    for item in wanted if isinstance(wanted, list) else [wanted]:
        word = str(item).lower()
        if word == "cheapest":
            ranked += combat.cheapest_targets(g, salvo)
        elif word == "strongest":
            ranked += sorted(salvo.targets, key=lambda u: (-g.attack(u), u))
        else:
            same = [u for u in salvo.targets if word in (g.counter(u).type, g.counter(u).kind, g.counter(u).nation)]
            ranked += same or [u for u in (_unit_or_none(g, item),) if u in salvo.targets]
    return list(dict.fromkeys([*ranked, *combat.cheapest_targets(g, salvo)]))


def _unit_or_none(g: State, item: Plain) -> str:
    try:
        return read_unit(g, item)
    except Rejected:
        return ""


def _read_losses(g: State, body: Plain) -> dict[str, int]:
    """`{CV Akagi: 1, 7 AF: 2}`, `CV Akagi, 7 AF 2`, or `none`."""
    if body == NONE:
        return {}
    if isinstance(body, str):
        body = dict(_one_loss(part.strip()) for part in body.split(","))
    if not isinstance(body, dict):
        raise unreadable(unread("hits", body), written("hits: UNIT, UNIT x2", "hits: none"))
    found: dict[str, int] = {}
    for name, steps in body.items():
        if not isinstance(steps, int) or isinstance(steps, bool):
            raise unreadable(msg("{given} is no number of steps", given=repr(steps)), possible(("1", "2")))
        unit = GARRISON if name == GARRISON else read_unit(g, name)
        if unit in found:
            raise illegal(msg("{name} is named twice", name=name), "9.2")
        found[unit] = steps
    return found


def _one_loss(part: str) -> tuple[str, int]:
    name, _, number = part.rpartition(" x")
    return (name.strip(), int(number)) if name and number.isdigit() else (part, 1)


def losses_in_words(g: State, losses: dict[str, int]) -> str:
    """An assignment as an order would write it."""
    names = [f"{u if u == GARRISON else g.counter(u).name}" + (f" x{n}" if n > 1 else "") for u, n in losses.items()]
    return ", ".join(names) or NONE


def _suffer(g: State, salvo: Salvo, losses: dict[str, int]) -> Flow[None]:
    rule = RULE[salvo.kind]
    for unit, steps in losses.items():
        if unit == GARRISON:
            emit(g, GarrisonLost(steps, rule))
        else:
            _lose(g, unit, steps, rule)
    if salvo.critical and not losses and not salvo.targets and salvo.garrison:
        emit(g, GarrisonLost(1, rule))
    weakest = combat.minimum_critical(g, salvo, losses)
    unit = yield from choose_unit(
        g.board.unit_index,
        combat.defender(g),
        "critical hit",
        "9.2",
        msg("the unit that loses the step of the critical hit"),
        weakest,
    )
    if unit:
        _lose(g, unit, 1, rule)


def _lose(g: State, unit: str, steps: int, rule: str) -> None:
    if steps >= g.steps(unit):
        if not g.weak(unit):
            emit(g, StepLost(unit, rule))
        emit(g, Eliminated(unit, out_box(g, unit), rule))
    else:
        emit(g, StepLost(unit, rule))


# -- carriers --------------------------------------------------------------------------------------------------------


def _carrier_transfer(g: State, place: int) -> Flow[None]:
    """[9.2] F7: one Japanese carrier takes a step that another lost in this battle, unless the Allies scored a critical hit."""
    fight = fighting(g)
    if ALLIES in fight.critical:
        return
    decks = [u for u in combat.firing_units(g, JAPAN, place) if g.counter(u).carrier]
    lost = [u for u in fight.losses if g.counter(u).carrier and g.counter(u).side == JAPAN]
    pairs = [(take, save) for save in lost for take in decks if take != save]
    if not pairs:
        return
    pair = yield _ask_transfer(g, pairs)
    if pair is None:
        return
    take, save = pair
    emit(g, Restored(save, "9.2"))
    _lose(g, take, 1, "9.2")


def _ask_transfer(g: State, pairs: list[tuple[str, str]]) -> Ask:
    def read(plain: Plain) -> tuple[str, str] | None:
        _, body = split_order(plain, ("transfer",))
        if body == NONE:
            return None
        take, word, save = str(body).partition(" for ")
        if not word:
            raise unreadable(
                unread("transfer", body), written("transfer: CARRIER THAT LOSES for CARRIER SAVED", "transfer: none")
            )
        pair = read_unit(g, take.strip()), read_unit(g, save.strip())
        if pair not in pairs:
            raise illegal(msg("these carriers cannot exchange a step"), "9.2")
        return pair

    def policy(wanted: Plain) -> Plain:
        return {"transfer": NONE} if wanted in (NONE, "never") else None

    orders: list[Plain] = [{"transfer": NONE}]
    orders += [{"transfer": f"{take} for {save}"} for take, save in pairs]
    return Ask(
        JAPAN,
        "transfer",
        "9.2",
        ASKED["transfer"],
        read,
        ("transfer",),
        options=lambda: orders,
        policy=policy,
        form=lambda: transfers(g, pairs, read),
    )


def _drowned_brigades(g: State) -> None:
    """[8.46] A brigade dies with the ship that carries it."""
    o = offensive(g)
    for unit, entry in list(o.units.items()) + list(o.reactors.items()):
        if entry.ship and g.pieces[unit].box == "map" and g.pieces[entry.ship].box != "map":
            emit(g, Eliminated(unit, out_box(g, unit), "8.46"))


# -- ground round ----------------------------------------------------------------------------------------------------


def ground(g: State, place: int) -> Flow[str]:
    """[9.33] [9.4] Ground battle if both sides still have ground units that fight.

    Returns who holds the ground in the end; "" when the active side has nobody there who fights for it.
    """
    o = offensive(g)
    foe = FOE[o.side]
    attackers = combat.ground_units(g, o.side, place)
    if attackers and combat.ground_strength(g, foe, place):
        emit(g, RoundBegan(place, "ground", "9.4"))
        yield from _fire_both(g, place, "ground")
        return (yield from _ground_result(g, place))
    take_if_overland(g, place)
    return o.side if attackers else ""


def _ground_result(g: State, place: int) -> Flow[str]:
    """[9.4] C: who is left; else more steps lost; a tie for the defender."""
    o = offensive(g)
    fight = fighting(g)
    foe = FOE[o.side]
    mine = bool(combat.ground_units(g, o.side, place))
    theirs = bool(g.mine_at(foe, place, "ground")) or g.intrinsic(place) > fight.garrison
    winner = combat.ground_winner(g, mine, theirs)
    emit(g, BattleEnded(place, "ground", winner, "9.4"))
    casualties(g, place)
    if winner == foe:
        if mine:
            attacker_retreats(g, place)
        return winner
    if theirs:
        yield from defender_retreats(g, place)
    take_if_overland(g, place)
    return winner


def casualties(g: State, place: int) -> None:
    """[16.45] Every attacking unit of an Allied ground battle eliminated, a replaceable US corps or division among them."""
    o = offensive(g)
    fight = fighting(g)
    if o.side != ALLIES or combat.ground_units(g, ALLIES, place):
        return
    dead = [u for u in fight.losses if u != GARRISON and g.counter(u).side == ALLIES and g.pieces[u].box != "map"]
    large = [u for u in dead if g.counter(u).nation == "us" and g.counter(u).kind == "ground" and g.counter(u).size >= 2]
    if any(not g.counter(u).prewar for u in large) and g.casualties != g.turn:
        emit(g, CasualtiesCounted())
        emit(g, WillChanged(-1, msg("US casualties"), "16.45"))


def take_if_overland(g: State, place: int) -> None:
    """[9.33] Overland winners control the hex; those from the sea do so when all battles are over [6.5]."""
    o = offensive(g)
    if g.holds(o.side, place) or not g.board.hexes[place].is_land or g.mine_at(FOE[o.side], place, "ground"):
        return
    if any(not combat.landed(g, u) for u in combat.ground_units(g, o.side, place)):
        emit(g, Controlled(place, o.side, "6.5"))
