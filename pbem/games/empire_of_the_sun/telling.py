"""Every event of Empire of the Sun in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from pbem.games.empire_of_the_sun.battle.modifiers import air_naval_modifiers, ground_modifiers
from pbem.games.empire_of_the_sun.events.battles import BattleBegan, BattleEnded, Fired, GarrisonLost, Restored
from pbem.games.empire_of_the_sun.events.cards import CardFiled, CardPlayed, CardTaken, DealLossSet, FutureSet, Reshuffled
from pbem.games.empire_of_the_sun.events.markers import BargesSet, ExpressPlaced, InForce, RouteBuilt
from pbem.games.empire_of_the_sun.events.offensives import (
    BargesUsed,
    BattleDeclared,
    Committed,
    ConditionSet,
    Moved,
    OffensiveBegan,
    OffensiveEnded,
    ReactionLed,
    TurnedBack,
    UnitsActivated,
    Withdrawn,
)
from pbem.games.empire_of_the_sun.events.politics import (
    ChinaMoved,
    ChinaRolled,
    EuropeMoved,
    IndiaMoved,
    RivalryBegan,
    RivalryEnded,
    Surrendered,
    WillChanged,
)
from pbem.games.empire_of_the_sun.events.strategy import (
    Bombed,
    DivisionsSet,
    EscortSet,
    EscortsStopped,
    PointsSaved,
    ShippingSet,
)
from pbem.games.empire_of_the_sun.events.turns import Passed, PassesSet, PhaseBegan, Rolled, Won
from pbem.games.empire_of_the_sun.events.units import Controlled, Eliminated, Placed, Rebuilt, Recovered, Returned, StepLost
from pbem.games.empire_of_the_sun.labels import (
    BOXES,
    CHINA,
    CONDITIONS,
    HOW,
    INDIA,
    NATIONS,
    PHASES,
    POINTS,
    ROUNDS,
    ROUTES,
    SIDES,
    battle,
    block_of,
    card,
    place,
    units,
    where_is,
)
from pbem.games.empire_of_the_sun.numbering import section
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, YEARS, State, europe_level, offensive, side_of
from pbem.games.empire_of_the_sun.victory import why_it_ended
from pbem.kernel.events import Rewound
from pbem.kernel.wording import Argument, Message, Told, counted, msg, signed


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    told = words(g, event) if words else None
    return replace(told, rule=section(g, told.rule)) if told else None


def _hexes(*places: int) -> tuple[str, ...]:
    return tuple(f"{p:04}" for p in places if p)


# -- the turn ----------------------------------------------------------------------------------------------------------


def _phase(g: State, x: PhaseBegan) -> Told:
    if x.phase.endswith("Phase"):
        return Told("turn", msg("Turn {turn}, {year}: {phase}", turn=x.turn, year=YEARS[x.turn], phase=PHASES[x.phase]), x.rule)
    return Told("phase", PHASES[x.phase], x.rule)


def _passed(g: State, x: Passed) -> Told:
    left = g.passes[x.side] - 1
    return Told("orders", msg("{power}: pass; passes left: {left}", power=SIDES[x.side], left=left), x.rule)


def _won(g: State, x: Won) -> Told:
    return Told("end", msg("The game is won by: {side}. {reason}", side=SIDES[x.side], reason=why_it_ended(x.reason)), x.rule)


# -- cards -------------------------------------------------------------------------------------------------------------


USES = {
    "play": msg("Played by {power}: {card}"),
    "discard": msg("Discarded by {power}: {card}"),
    "reaction": msg("Reaction card of {power}: {card}"),
}


def _card_played(g: State, x: CardPlayed) -> Told:
    text = Message(USES[x.use].id, {"power": SIDES[x.side], "card": card(g, x.card)})
    return Told("orders", text, x.rule, block_of(g))


def _card_filed(g: State, x: CardFiled) -> Told | None:
    if x.pile != "out_of_play":
        return None
    return Told("orders", msg("{card} leaves the game", card=card(g, x.card)), x.rule, block_of(g))


def _card_taken(g: State, x: CardTaken) -> Told:
    text = msg("Taken from the discard pile by {power}: {card}", power=SIDES[x.side], card=card(g, x.card))
    return Told("orders", text, x.rule)


def _future(g: State, x: FutureSet) -> Told:
    return Told("orders", msg("{power}: a card is set face down for a future offensive", power=SIDES[x.side]), x.rule)


def _reshuffled(g: State, x: Reshuffled) -> Told:
    return Told("orders", msg("{power}: the discard pile is shuffled into the deck again", power=SIDES[x.side]), x.rule)


# -- offensives ----------------------------------------------------------------------------------------------------------


def _offensive(g: State, x: OffensiveBegan) -> Told:
    args: dict[str, Argument] = {"power": SIDES[x.side], "card": card(g, x.card)}
    args["n"] = x.allowance + (g.counter(x.hq).efficiency if x.hq else 0)
    args["hq"] = g.counter(x.hq).name if x.hq else "–"
    if x.event:
        text = msg("Offensive of {power}: {card}, as event; headquarters: {hq}, units: up to {n}", **args)
    else:
        text = msg(
            "Offensive of {power}: {card}, as operations card ({ops}); headquarters: {hq}, units: up to {n}", ops=x.ops, **args
        )
    return Told("phase", text, x.rule)


def _activated(g: State, x: UnitsActivated) -> Told | None:
    if not x.units:
        return None
    o = g.offensive
    args: dict[str, Argument] = {"power": SIDES[x.side], "things": units(g, x.units)}
    text = msg("Activated by {power}: {things}", **args)
    if o is not None and o.side != x.side:
        text = msg("Reaction of {power} with: {things}", **args)
    return Told("orders", text, x.rule, spaces=_hexes(*(g.pieces[u].at for u in x.units)))


def _moved(g: State, x: Moved) -> Told:
    start = g.pieces[x.unit].at
    args: dict[str, Argument] = {
        "power": SIDES[side_of(g, x.unit)],
        "how": HOW[x.mode],
        "origin": place(g, start) if start else BOXES["china"],
        "place": place(g, x.path[-1]),
        "things": units(g, (x.unit,)),
    }
    text = msg("{power}, {how}, from {origin} to {place}: {things}", **args)
    if len(x.path) > 2:
        text = msg("{power}, {how}, from {origin} via {way} to {place}: {things}", way=_way(x.path), **args)
    return Told("move", text, x.rule, spaces=_hexes(start, x.path[-1]))


def _way(path: tuple[int, ...]) -> tuple[str, ...]:
    """The hexes between start and end."""
    return tuple(f"{h:04}" for h in path[1:-1])


def _returned(g: State, x: Returned) -> Told | None:
    start = g.pieces[x.unit].at
    if start == x.path[-1]:
        return None
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "origin": place(g, start), "place": place(g, x.path[-1])}
    args["things"] = units(g, (x.unit,))
    text = msg("Withdrawal of {power} from {origin} to {place}: {things}", **args)
    if x.rule == "9.6":
        text = msg("Post-battle movement of {power} from {origin} to {place}: {things}", **args)
    return Told("move", text, x.rule, block_of(g), _hexes(start, x.path[-1]))


def _committed(g: State, x: Committed) -> Told:
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "place": place(g, x.hex), "things": units(g, (x.unit,))}
    if x.cover:
        return Told("battle", msg("Landing in {place}, covered by {power}: {things}", **args), x.rule, spaces=_hexes(x.hex))
    return Told("battle", msg("{power}, into the battle of {place}: {things}", **args), x.rule, spaces=_hexes(x.hex))


def _declared(g: State, x: BattleDeclared) -> Told:
    text = msg("Battle hex: {place}", place=place(g, x.hex))
    if x.special:
        text = msg("Battle hex by special reaction: {place}", place=place(g, x.hex))
    return Told("battle", text, x.rule, spaces=_hexes(x.hex))


def _withdrawn(g: State, x: Withdrawn) -> Told:
    text = msg("The activation is cancelled of: {things}", things=units(g, (x.unit,)))
    return Told("orders", text, x.rule, spaces=_hexes(g.pieces[x.unit].at))


def _turned_back(g: State, x: TurnedBack) -> Told:
    where = g.pieces[x.unit].at
    args: dict[str, Argument] = {"place": place(g, where), "things": units(g, (x.unit,))}
    text = msg("Back to sea from {place}: {things}", **args) if x.beaten else msg("Turned back off {place}: {things}", **args)
    return Told("battle", text, x.rule, block_of(g), _hexes(where))


def _offensive_ended(g: State, x: OffensiveEnded) -> Told:
    return Told("orders", msg("The offensive is over: {power}", power=SIDES[x.side]), x.rule)


def _rewound(g: State, x: Rewound) -> Told:
    text = msg("The offensive is called off: everything goes back to where it began")
    if x.name == "moves":
        text = msg("The moves of this offensive are taken back and begin anew")
    return Told("orders", text, x.rule)


def _condition(g: State, x: ConditionSet) -> Told:
    return Told("battle", msg("Intelligence condition: {condition}", condition=CONDITIONS[x.condition]), x.rule)


def _reaction_led(g: State, x: ReactionLed) -> Told | None:
    args: dict[str, Argument] = {"power": SIDES[FOE[offensive(g).side]], "hq": g.counter(x.hq).name}
    return Told("orders", msg("Headquarters of the reaction of {power}: {hq}", **args), x.rule)


def _barges_used(g: State, x: BargesUsed) -> Told:
    return Told("move", msg("Japanese barges are used"), x.rule)


# -- battles -------------------------------------------------------------------------------------------------------------


def _battle(g: State, x: BattleBegan) -> Told:
    present = {side: units(g, g.mine_at(side, x.hex)) for side in (JAPAN, ALLIES)}
    o = g.offensive
    if o is not None:
        for entries in (o.units, o.reactors):
            for name, entry in entries.items():
                if entry.battle == x.hex and g.pieces[name].at != x.hex:
                    present[side_of(g, name)] += units(g, (name,))
    nobody = msg("nobody")
    text = msg("Forces of Japan: {japan}; of the Allies: {allies}", **{s: there or nobody for s, there in present.items()})
    return Told("battle", text, x.rule, battle(g, x.hex), _hexes(x.hex))


MODIFIERS = {
    "surprise": msg("Surprise Attack"),
    "ambush": msg("Ambush"),
    "year": msg("year"),
    "events": msg("events"),
    "event, final": msg("event, final"),
    "ships": msg("ships"),
    "air": msg("air superiority"),
    "terrain": msg("terrain"),
    "landing": msg("landing against a garrison"),
    "armour": msg("armour"),
}


def _fired(g: State, x: Fired) -> Told:
    modifiers = air_naval_modifiers if x.kind == "air-naval" else ground_modifiers
    parts = tuple(
        Message("{by} {what}", {"by": signed(by), "what": MODIFIERS[name]}) for name, by in modifiers(g, x.side, x.hex)
    )
    args: dict[str, Argument] = {
        "power": SIDES[x.side],
        "round": ROUNDS[x.kind],
        "strength": x.strength,
        "die": x.die,
        "modifiers": parts or msg("no modifier"),
        "total": x.die + x.modifier,
        "rating": x.rating,
        "hits": msg("{n}, critical", n=x.hits) if x.critical else x.hits,
    }
    text = msg(
        "{power}, {round}: strength {strength}; die {die}, {modifiers}, gives {total}; "
        "effectiveness {rating}; hits: {hits}; rolled",
        **args,
    )
    return Told("dice", text, x.rule, battle(g, x.hex), _hexes(x.hex), str(x.label), (_face(x.die),), ten_is_zero=True)


def _face(die: int) -> int:
    """A die of 0 to 9 as the protocol rolls it: 0 comes as 10."""
    return die or 10


def _round_ended(g: State, x: BattleEnded) -> Told:
    if x.kind == "battle":  # its last round has told who won
        return Told("battle", msg("The battle is over"), x.rule, battle(g, x.hex), _hexes(x.hex))
    args: dict[str, Argument] = {"round": ROUNDS[x.kind], "power": SIDES[x.winner]}
    return Told("battle", msg("Winner of the {round}: {power}", **args), x.rule, battle(g, x.hex), _hexes(x.hex))


def _step_lost(g: State, x: StepLost) -> Told:
    side, where = side_of(g, x.unit), g.pieces[x.unit].at
    things = (Message(f"{g.counter(x.unit).name} (–1)", {"n": 1}),)
    args: dict[str, Argument] = {"power": SIDES[side], "place": where_is(g, x.unit), "things": things}
    return Told("loss", msg("Reduced, {power}, in {place}: {things}", **args), x.rule, block_of(g), _hexes(where), loser=side)


def _eliminated(g: State, x: Eliminated) -> Told:
    side, where = side_of(g, x.unit), g.pieces[x.unit].at
    args: dict[str, Argument] = {"power": SIDES[side], "place": where_is(g, x.unit), "things": units(g, (x.unit,))}
    return Told(
        "loss", msg("Eliminated, {power}, in {place}: {things}", **args), x.rule, block_of(g), _hexes(where), loser=side
    )


def _garrison(g: State, x: GarrisonLost) -> Told:
    text = counted("The garrison loses {n} step", "The garrison loses {n} steps", x.steps)
    return Told("loss", text, x.rule, block_of(g))


def _restored(g: State, x: Restored) -> Told:
    text = msg("Kept by a transfer of losses, {power}: {things}", power=SIDES[side_of(g, x.unit)], things=units(g, (x.unit,)))
    return Told("battle", text, x.rule, block_of(g))


# -- units ---------------------------------------------------------------------------------------------------------------


def _placed(g: State, x: Placed) -> Told | None:
    piece = g.pieces[x.unit]
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "things": units(g, (x.unit,))}
    if x.box in ("track", "schedule"):
        text = msg("{power}, due in turn {turn}: {things}", turn=x.due, **args)
    elif x.box == "map" and piece.box == "map" and piece.at == x.at:
        return None
    else:
        to: Argument = place(g, x.at) if x.box == "map" else BOXES[x.box]
        if piece.box == "map":
            text = msg("{power}, from {origin} to {place}: {things}", origin=place(g, piece.at), place=to, **args)
        else:
            text = msg("{power}, placed in {place}: {things}", place=to, **args)
    return Told("build", text, x.rule, block_of(g), _hexes(x.at if x.box == "map" else 0))


def _recovered(g: State, x: Recovered) -> Told:
    args: dict[str, Argument] = {
        "power": SIDES[side_of(g, x.unit)],
        "place": where_is(g, x.unit),
        "things": units(g, (x.unit,)),
    }
    return Told("build", msg("Full strength again, {power}, in {place}: {things}", **args), x.rule)


def _rebuilt(g: State, x: Rebuilt) -> Told:
    args: dict[str, Argument] = {"power": SIDES[side_of(g, x.unit)], "place": place(g, x.at), "things": units(g, (x.unit,))}
    return Told("build", msg("Rebuilt, {power}, in {place}: {things}", **args), x.rule, spaces=_hexes(x.at))


# -- dice outside battle -------------------------------------------------------------------------------------------------


RESULTS = {
    "success": msg("success"),
    "failure": msg("failure"),
    "hit": msg("hit"),
    "miss": msg("miss"),
    "sent to Europe": msg("sent to Europe"),
    "stays": msg("stays"),
}
DICE = {  # what a die was thrown for -> its sentence
    "intelligence, {value} or less with {modifier}": msg(
        "Intelligence die roll: die {die} {modifier}, {value} or less is needed: {result}; rolled"
    ),
    "special reaction at {place}, {value} or less with {modifier}": msg(
        "Special reaction in {place}: die {die} {modifier}, {value} or less is needed: {result}; rolled"
    ),
    "Europe: {unit}": msg("Europe, {unit}: die {die}, {result}; rolled"),
    "raid on the B-29 airfields": msg("Raid on the B-29 airfields: die {die}, {result}; rolled"),
    "{card}": msg("{what}: die {die}, {result}; rolled"),
}


def _rolled(g: State, x: Rolled) -> Told:
    if x.label.id not in DICE:
        return _submarines(g, x)
    result: Argument = RESULTS.get(x.result, x.result) if x.steps is None else counted("{n} step", "{n} steps", x.steps)
    text = Message(DICE[x.label.id].id, {**x.label.args, "what": str(x.label), "die": x.die, "result": result})
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


def _china_rolled(g: State, x: ChinaRolled) -> Told:
    text = msg(
        "China offensive: die {die} + {wings} for air support against {value}, {result}; rolled",
        die=x.die,
        wings=x.wings,
        value=x.value,
        result=RESULTS["success" if x.success else "failure"],
    )
    return Told("dice", text, x.rule, block_of(g), label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


def _submarines(g: State, x: Rolled) -> Told:
    first_year = int(g.year == 1942)
    text = msg(
        "Submarine warfare: die {die}, turn -{turn}, escorts +{escorts}, 1942 +{year}, gives {total}; "
        "0 or less is needed: {result}; rolled",
        die=x.die,
        turn=g.turn,
        escorts=g.escort,
        year=first_year,
        total=x.die - g.turn + g.escort + first_year,
        result=RESULTS[x.result],
    )
    return Told("dice", text, x.rule, label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


def _bombed(g: State, x: Bombed) -> Told:
    name = g.counter(x.unit).name
    result = RESULTS["success" if x.success else "failure"]
    text = msg("Strategic bombing by {unit}: die {die}, {result}; rolled", unit=name, die=x.die, result=result)
    return Told("dice", text, x.rule, label=str(x.label), dice=(_face(x.die),), ten_is_zero=True)


# -- politics, control, markers --------------------------------------------------------------------------------------------


def _controlled(g: State, x: Controlled) -> Told | None:
    before = g.control.get(x.hex, "")
    if before == x.side:
        return None
    args: dict[str, Argument] = {"place": place(g, x.hex), "before": SIDES[before], "after": SIDES[x.side]}
    text = msg("{place}: held by {before} before, by {after} now", **args)
    return Told("control", text, x.rule, block_of(g), _hexes(x.hex))


def _surrendered(g: State, x: Surrendered) -> Told:
    nation = NATIONS.get(x.nation, x.nation)
    text = msg("Liberated: {nation}", nation=nation) if x.liberated else msg("Surrenders: {nation}", nation=nation)
    return Told("politics", text, x.rule)


def _will(g: State, x: WillChanged) -> Told:
    now = max(0, min(g.will + x.by, 10))
    text = msg("US Political Will {by}, now {now}: {why}", by=signed(x.by), now=now, why=x.why)
    return Told("politics", text, x.rule, block_of(g))


def _told(topic: str, text: Message, rule: str, changed: bool = True) -> Told | None:
    return Told(topic, text, rule) if changed else None


def _shipping(g: State, x: ShippingSet) -> Told | None:
    text = msg("Amphibious shipping points of {power}: {n}", power=SIDES[x.side], n=x.points)
    return _told("income", text, x.rule, g.asp.get(x.side) != x.points)


def _passes(g: State, x: PassesSet) -> Told | None:
    text = msg("Passes of {power}: {n}", power=SIDES[x.side], n=x.passes)
    return _told("income", text, x.rule, g.passes.get(x.side) != x.passes)


def _points(g: State, x: PointsSaved) -> Told | None:
    text = msg("Japan has {what}: {n}", what=POINTS[x.pool], n=x.points)
    return _told("income", text, x.rule, g.points.get(x.pool) != x.points)


def _rivalry_began(g: State, x: RivalryBegan) -> Told | None:
    return _told("politics", msg("Inter-Service Rivalry begins: {sides}", sides=SIDES[x.side]), x.rule)


def _rivalry_ended(g: State, x: RivalryEnded) -> Told | None:
    text = msg("Strategic Agreement, the Inter-Service Rivalry ends: {sides}", sides=SIDES[x.side])
    return _told("politics", text, x.rule, x.side in g.rivalry)


def _europe(g: State, x: EuropeMoved) -> Told | None:
    args: dict[str, Argument] = {"points": signed(x.points), "level": europe_level(x.points)}
    return _told("politics", msg("War in Europe: {points} points, level {level}", **args), x.rule, g.europe != x.points)


def _china(g: State, x: ChinaMoved) -> Told | None:
    return _told("politics", msg("China front: {box}", box=CHINA[x.box]), x.rule, g.china != x.box)


def _india(g: State, x: IndiaMoved) -> Told | None:
    return _told("politics", msg("India: {box}", box=INDIA[x.box]), x.rule, g.india != x.box)


def _divisions(g: State, x: DivisionsSet) -> Told | None:
    changed = bool(x.divisions) and x.divisions != g.divisions
    return _told("politics", msg("Japanese divisions in China: {n}", n=x.divisions), x.rule, changed)


def _deal_loss(g: State, x: DealLossSet) -> Told | None:
    changed = bool(x.cards) and x.cards != g.deal_loss
    return _told("income", msg("Cards that Japan loses in the next deal: {n}", n=x.cards), x.rule, changed)


def _escort(g: State, x: EscortSet) -> Told | None:
    changed = bool(x.escort) and x.escort != g.escort
    return _told("build", msg("Japanese escort modifier: {n}", n=x.escort), x.rule, changed)


def _escorts_stopped(g: State, x: EscortsStopped) -> Told | None:
    return _told("politics", msg("Japanese escorts cannot be improved any more"), x.rule, not g.no_escort)


def _barges(g: State, x: BargesSet) -> Told | None:
    text = msg("Japanese barges are available") if x.state == "on" else msg("Japanese barges are stopped")
    return _told("build", text, x.rule, g.barges != x.state)


IN_FORCE: dict[str, tuple[str, Message]] = {
    "interceptors": ("build", msg("Japanese interceptors are in service")),
    "doctrine": ("politics", msg("Japan has a new defence doctrine for islands")),
    "kwai": ("build", msg("The bridge over the River Kwai is built")),
    "hump": ("build", msg("The Hump airlift is open")),
    "doolittle": ("politics", msg("The Doolittle raid has struck Tokyo")),
    "tojo": ("politics", msg("Tojo has resigned")),
    "soviets": ("politics", msg("The Soviets invade Manchuria")),
    "delayed_next": ("politics", msg("Allied reinforcements of the next turn are delayed")),
}


def _in_force(g: State, x: InForce) -> Told | None:
    topic, text = IN_FORCE[x.marker]
    return _told(topic, text, x.rule, not g.has(x.marker))


def _express(g: State, x: ExpressPlaced) -> Told | None:
    return _told("move", msg("Tokyo Express: {place}", place=place(g, x.place)), x.rule)


def _route(g: State, x: RouteBuilt) -> Told | None:
    return _told("build", msg("Transport route built: {route}", route=ROUTES[x.route]), x.rule)


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    PhaseBegan: _phase,
    Passed: _passed,
    Won: _won,
    CardPlayed: _card_played,
    CardFiled: _card_filed,
    CardTaken: _card_taken,
    FutureSet: _future,
    Reshuffled: _reshuffled,
    OffensiveBegan: _offensive,
    UnitsActivated: _activated,
    Moved: _moved,
    Returned: _returned,
    Committed: _committed,
    BattleDeclared: _declared,
    Withdrawn: _withdrawn,
    TurnedBack: _turned_back,
    OffensiveEnded: _offensive_ended,
    Rewound: _rewound,
    ConditionSet: _condition,
    ReactionLed: _reaction_led,
    BargesUsed: _barges_used,
    BattleBegan: _battle,
    Fired: _fired,
    BattleEnded: _round_ended,
    StepLost: _step_lost,
    Eliminated: _eliminated,
    GarrisonLost: _garrison,
    Restored: _restored,
    Placed: _placed,
    Recovered: _recovered,
    Rebuilt: _rebuilt,
    Rolled: _rolled,
    ChinaRolled: _china_rolled,
    Bombed: _bombed,
    Controlled: _controlled,
    Surrendered: _surrendered,
    WillChanged: _will,
    ShippingSet: _shipping,
    PassesSet: _passes,
    PointsSaved: _points,
    RivalryBegan: _rivalry_began,
    RivalryEnded: _rivalry_ended,
    EuropeMoved: _europe,
    ChinaMoved: _china,
    IndiaMoved: _india,
    DivisionsSet: _divisions,
    DealLossSet: _deal_loss,
    EscortSet: _escort,
    EscortsStopped: _escorts_stopped,
    BargesSet: _barges,
    InForce: _in_force,
    ExpressPlaced: _express,
    RouteBuilt: _route,
}
