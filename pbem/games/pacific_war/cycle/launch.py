"""[PW-ACT-03] [PW-ACT-11] The activations that launch an operation and answer one: openly or in secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.games.pacific_war.clock import OperationBegan, ReactionTimed
from pbem.games.pacific_war.command.activation import (
    MULTIPLE,
    REACTION_LEVEL,
    Activation,
    carry_out,
    level_of,
    price_of,
    read_activation,
    read_length,
)
from pbem.games.pacific_war.command.callable import activation_form, activation_options, nobody_to_call
from pbem.games.pacific_war.command.muster import muster, take_muster
from pbem.games.pacific_war.cycle.calendar import next_claim
from pbem.games.pacific_war.events import Remarked
from pbem.games.pacific_war.operation_forms import Purse
from pbem.games.pacific_war.records import Operation
from pbem.games.pacific_war.secret.aircraft import show_cover
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.forces import concealed, stirring
from pbem.games.pacific_war.secret.points import afford, balance, hidden, pay, spend_bid, too_dear
from pbem.games.pacific_war.state import NOBODY, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Claim, Commit, Facts, Flow
from pbem.kernel.forms import Form, listed
from pbem.kernel.orders import illegal
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, recorded_as

SECRET = "secret"


def choose(
    g: State, side: str, kind: str, rule: str, prompt: Message, most: int, top: int, days: bool, facts: Facts
) -> Flow[Activation | None]:
    """An activation in the open, or the word `secret`, after which a sealed one follows; None for none."""
    able = concealed(g, side)

    def read(plain: Plain) -> Activation | str | None:
        if plain == SECRET:
            if not able:
                raise illegal(msg("nothing of yours is sealed"), "PW-FOG-01", msg("activate openly"))
            return SECRET
        return read_activation(g, side, plain, most, top, days)

    def options() -> list[Plain]:
        secret: list[Plain] = [SECRET] if able else []
        return [*activation_options(g, side, most, top, days and g.options["secrets"] == "open"), *secret]

    def form() -> Form:
        offered = ("activate", *([SECRET] if able else []), DONE)
        lengths = tuple(MULTIPLE) if days and g.options["secrets"] == "open" else ()

        def price(hq: str, units: Sequence[str], length: int) -> tuple[int, int]:
            return price_of(g, side, hq, units, length)

        return activation_form(g, side, offered, Purse(price, lambda hq: min(most, g.hqs[hq].points), lengths), read)

    verbs = ("activate", SECRET, DONE)
    idle = DONE if kind == "react" and not able and nobody_to_call(g, side, top) else None
    chosen: Any = yield Ask(side, kind, rule, prompt, read, verbs, facts=facts, options=options, form=form, idle=idle)
    if chosen != SECRET:
        found: Activation | None = chosen
        return found
    return (yield from muster(g, side, rule, most, top, days))


def take_up(g: State, side: str, a: Activation, rule: str) -> Flow[None]:
    """The activation takes place: what is activated openly is turned, what is sealed stays behind its markers."""
    if not a.handle:
        yield from carry_out(g, side, a, rule)
        return
    pay(g, a.hq, a.price, rule)
    yield from take_muster(g, side, a, rule)


def or_secret(g: State, side: str, prompt: Message) -> Message:
    """A prompt, and what it says besides where sealed units may be activated."""
    if not concealed(g, side):
        return prompt
    return msg("{prompt}; or secret: a sealed order for hidden units", prompt=prompt)


def activation(g: State, bid: int, claimed: bool = False) -> Flow[None]:
    """[PW-ACT-03] The operations player activates from one headquarters, for 14, 21 or 28 days.

    What of the bid is not spent is lost; `claimed`: there was no bid, only the price is paid [PW-BID-05].
    """
    side = g.operator
    secret = g.options["secrets"] != "open"
    if concealed(g, side):
        yield from offer_show(g, side, "PW-ACT-03")
    prompt = or_secret(g, side, msg("activate units for at most {points} command points", points=bid))
    a = yield from choose(g, side, "activate", "PW-ACT-03", prompt, bid, 3, True, facts={"bid": bid})
    longest = (yield from longest_length(g, side, a, bid)) if a is not None else 0
    if a is None or not longest:
        if g.claims_next != NOBODY:
            next_claim(g, g.reactor)
        if not claimed:
            forfeit(g, side, bid, "")
        return
    operation = Operation(a.hq, bid, g.day, a.days, level=level_of(a.points), spent=a.price)
    operation.month, operation.intelligence = g.month, g.secrets.get(f"strategic {g.reactor}", "")
    if secret and not a.named:
        yield from seal_length(g, side, operation, a, longest)
        if not claimed:  # the whole bid is gone, whatever the length
            operation.held = {}
    emit(g, OperationBegan(operation))
    next_claim(g, "")
    for hq, points in operation.held.items():
        pay(g, hq, points * (MULTIPLE[operation.longest] - 1), "PW-TIM-02")
    yield from take_up(g, side, a, "PW-ACT-03")
    if not claimed:
        forfeit(g, side, bid - a.price, a.hq)


def forfeit(g: State, side: str, points: int, hq: str) -> None:
    """[PW-ACT-03] Points of the bid that nobody spends are lost: first those of the operation, then of the richest."""
    if hidden(g):
        spend_bid(g, side, points, hq, "PW-ACT-03")
        return
    names = [n for n, h in g.hqs.items() if h.side == side and h.box == "map"]
    for name in sorted(names, key=lambda n: (n != hq, -g.hqs[n].points)):
        lost = min(points, g.hqs[name].points)
        if lost > 0:
            pay(g, name, lost, "PW-ACT-03")
            points -= lost


def longest_length(g: State, side: str, a: Activation, bid: int) -> Flow[int]:
    """[PW-TIM-02] The longest operation that the headquarters can pay from the bid; 0: none. Stated when points are sealed."""
    week = 0 if a.named else week_of(g, side, a)

    def within(points: int) -> int:
        most = min(bid, points)
        return max((d for d in MULTIPLE if a.price + week * (MULTIPLE[d] - 1) <= most), default=0)

    if not hidden(g):
        return within(g.hqs[a.hq].points)
    about = recorded_as(f"{a.price} points of {a.hq}", msg("longest operation that can be paid, in days"))
    stated = yield Claim(side, "longest", about, "PW-ACT-03", lambda reveal: within(balance(g, side, a.hq, reveal)))
    sound = isinstance(stated, int) and stated in MULTIPLE
    if not sound:
        emit(g, Remarked(too_dear(a.hq, a.price), "PW-ACT-03"))
    return stated if sound else 0


def week_of(g: State, side: str, a: Activation) -> int:
    """What each week more of an operation costs."""
    if a.handle:
        return a.week
    return price_of(g, side, a.hq, a.units, 21)[1] - price_of(g, side, a.hq, a.units, 14)[1]


def seal_length(g: State, side: str, o: Operation, a: Activation, longest: int) -> Flow[None]:
    """[PW-TIM-02] The length is bought in secret; [PW-RUL-42] the price of the longest that can be paid is held back."""
    week, o.longest = week_of(g, side, a), longest
    if o.longest == 14:
        return
    options: list[Plain] = [{"days": d} for d in MULTIPLE if d <= o.longest]
    prompt = msg("length of the operation in secret, up to {days} days", days=o.longest)
    o.length = yield Commit(
        side,
        "length",
        "PW-TIM-02",
        prompt,
        lambda plain: read_length(o, plain),
        default={"days": 14},
        options=lambda: options,
        form=lambda may_seal, _: listed(options, may_seal, ("days",), whole=True),
    )
    o.days, o.held = 0, {a.hq: week}


def reaction_activation(g: State) -> Flow[None]:
    """[PW-ACT-11] The reaction player activates, limited by the condition and the level of the operation."""
    o, side = g.operation, g.reactor
    sealed = any(m.side == g.operator and m.handle for m in g.markers.values()) or stirring(g, g.operator)
    if o is None or not (sealed or any(g.units[u].active for u in g.on_map(g.operator))):
        return
    yield from show_cover(g)
    top = REACTION_LEVEL[g.condition][o.level]
    if concealed(g, side):
        yield from offer_show(g, side, "PW-ACT-11")
    prompt = or_secret(g, side, msg("activate units up to level {level}", level=top))
    a = yield from choose(g, side, "react", "PW-ACT-11", prompt, 9999, top, False, facts={"level": top})
    if a is not None and (yield from afford(g, side, a.hq, a.price, "PW-ACT-11")):
        emit(g, ReactionTimed(14))
        yield from take_up(g, side, a, "PW-ACT-11")
