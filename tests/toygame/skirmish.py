"""Skirmish: a tiny game that uses every kind of request at once.

Two allied seats, `red` and `rust`, against `blue`. Each round is a month of days: red plays a card from a hidden hand or
passes, rust and blue bid for the hill with sealed bids, red marches and blue may stop him in the middle of the march,
blue rolls a private scouting die and claims whether it was high, a storm may take the march back, and the month may
end inside a battle. Rule sections are S1 to S9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.games.module import GameModule
from pbem.games.parts import Own
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Option, Result
from pbem.kernel.events import Cursor, Event, Marked, Rewound, Scheduled, emit
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Facts, Flow, Open, PrivateRoll, Roll, Simultaneous
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.records import Mark

DECK = ("charge", "feint", "flank", "ruse", "storm", "truce")
ROUNDS = 3


@dataclass(slots=True)
class SkirmishState:
    options: dict[str, Any]
    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    round: int = 1
    day: int = 0
    score: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allies": 0})
    hand: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    at: int = 0
    losses: list[str] = field(default_factory=list)
    scout: str = ""
    garrison: str = ""
    winner: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list, metadata={"cache": True})

    def forget(self) -> None:
        """It keeps nothing."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One field becomes one value."""

    name: str
    value: Any
    rule: str

    def apply(self, g: SkirmishState) -> None:
        setattr(g, self.name, self.value)


def word_of(*words: str) -> Any:
    def read(order: Plain) -> str:
        if not isinstance(order, str) or order not in words:
            raise unreadable(f"{order!r}", "one of " + ", ".join(words))
        return order

    return read


def number_to(limit: int, rule: str) -> Any:
    def read(order: Plain) -> int:
        if isinstance(order, bool) or not isinstance(order, int):
            raise unreadable(f"{order!r} is no number")
        if not 0 <= order <= limit:
            raise illegal(f"{order} is outside 0 to {limit}", rule, f"0 to {limit}")
        return order

    return read


def month(g: SkirmishState, number: int) -> Flow[None]:
    """[S1] A month: draw, card, bids, march, scouting, battle; then the next month."""
    following = [("month", (number + 1,))] if number < ROUNDS else [("finish", ())]
    emit(g, Scheduled((("draw", ()), ("card", ()), ("bids", ()), ("march", (0,)), ("scouting", ()), *following), "S1"))
    emit(g, Changed("round", number, "S1"))
    return
    yield


def draw(g: SkirmishState) -> Flow[None]:
    """[S2] Red draws up to two cards, unseen; blue hides a garrison in the first month."""
    handles = yield Draw("red", "deck", DECK, tuple(g.drawn), 2 - len(g.hand) if len(g.hand) < 2 else 1, "S2")
    emit(g, Changed("hand", [*g.hand, *handles], "S2"))
    emit(g, Changed("drawn", [*g.drawn, *handles], "S2"))
    if not g.garrison:
        handle = yield Commit("blue", "garrison", "S2", "hide 0 to 3 men on the hill", number_to(3, "S2"))
        emit(g, Changed("garrison", handle, "S2"))


def card(g: SkirmishState) -> Flow[None]:
    """[S3] Red plays one card of his hand, opening it, or passes; a pass claims that he holds no truce."""

    def read(order: Plain) -> str:
        if order == "pass":
            return "pass"
        if not isinstance(order, dict) or list(order) != ["play"]:
            raise unreadable(f"{order!r}", "pass, or play: <handle>")
        if order["play"] not in g.hand:
            raise illegal(f"{order['play']} is not in red's hand", "S3", "in hand: " + ", ".join(g.hand))
        return str(order["play"])

    def options() -> Sequence[Plain]:
        return ["pass", *({"play": h} for h in g.hand)]

    choice = yield Ask("red", "card", "S3", "play a card or pass", read, ("play", "pass"), options=options)
    if choice == "pass":
        held = tuple(g.hand)
        none = yield Claim("red", "no truce", f"month {g.round}", "S3", lambda r: all(r(h) != "truce" for h in held))
        emit(g, Changed("score", _plus(g, "axis", 0 if none else 1), "S3"))
        return
    item = yield Open("red", choice, "S3")
    emit(g, Changed("hand", [h for h in g.hand if h != choice], "S3"))
    emit(g, Changed("played", [*g.played, item], "S3"))


def bids(g: SkirmishState) -> Flow[None]:
    """[S4] Rust and blue bid 0 to 5 for the hill in secret; the higher bid scores, ties score nothing."""
    asks = tuple(
        Ask(seat, "bid", "S4", "bid for the hill", number_to(5, "S4"), default=0, options=lambda: [0, 1, 2, 3, 4, 5])
        for seat in ("rust", "blue")
    )
    bid = yield Simultaneous(asks, "S4")
    if bid["rust"] != bid["blue"]:
        emit(g, Changed("score", _plus(g, "allies" if bid["rust"] > bid["blue"] else "axis", 1), "S4"))


def march(g: SkirmishState, step: int) -> Flow[None]:
    """[S5] Red marches up to three days, one at a time; after each blue may stop him, and a storm takes it all back."""
    if step == 0:
        emit(g, Marked("march", "S5"))
    go = yield Ask("red", "march", "S5", f"day {step + 1}", word_of("go", "halt"), options=lambda: ["go", "halt"])
    if go == "halt":
        return
    emit(g, Changed("at", g.at + 1, "S5"))
    facts = {"at": g.at, "step": step + 1}
    stop = yield Ask(
        "blue",
        "stop",
        "S5",
        f"red is on {g.at}",
        word_of("stop", "let pass"),
        facts=facts,
        options=lambda: ["stop", "let pass"],
        scope=f"day {step + 1}",
    )
    if stop == "stop":
        yield from battle(g)
        return
    weather = yield Roll(f"weather on day {step + 1} of month {g.round}", 1, 6, "S5", "blue")
    if weather[0] == 6:
        emit(g, Rewound("march", "S5"))
        return
    if step < 2:
        emit(g, Scheduled((("march", (step + 1,)),), "S5"))


def battle(g: SkirmishState) -> Flow[None]:
    """[S6] Up to three rounds; the loser of each names his loss; the month may end in the middle of it."""
    for fight in (1, 2, 3):
        attack = yield Roll(f"battle on {g.at} round {fight}, red", 2, 6, "S6", "blue")
        defence = yield Roll(f"battle on {g.at} round {fight}, blue", 2, 6, "S6", "red")
        loser = "blue" if sum(attack) > sum(defence) else "red"
        facts = {"round": fight, "losses": len(g.losses)}
        loss = yield Ask(
            loser,
            "loss",
            "S6",
            "name your loss",
            word_of("foot", "horse"),
            facts=facts,
            options=lambda: ["foot", "horse"],
            policy=lambda p: p[0] if isinstance(p, list) else p,
            reaction=True,
        )
        emit(g, Changed("losses", [*g.losses, f"{loser} {loss}"], "S6"))
        emit(g, Changed("score", _plus(g, "axis" if loser == "red" else "allies", 1), "S6"))
        emit(g, Changed("day", g.day + 1, "S6"))
        if g.day % 2 == 0:  # [S7] the month ends here, inside the battle
            emit(g, Changed("at", 0, "S7"))
            return


def scouting(g: SkirmishState) -> Flow[None]:
    """[S8] Blue rolls a die that only he sees and states whether it was 4 or more; he may miss by one."""
    g_handle = yield PrivateRoll("blue", f"scouting in month {g.round}", 1, 6, "S8")
    emit(g, Changed("scout", g_handle, "S8"))
    about, read = f"month {g.round}", number_to(6, "S8")
    stated = yield Claim("blue", "scouting result", about, "S8", lambda r: r(g_handle)[0], _within_one, read)
    emit(g, Changed("score", _plus(g, "axis", int(stated >= 4)), "S8"))


def _within_one(truth: Plain, stated: Plain) -> bool:
    return isinstance(truth, int) and isinstance(stated, int) and abs(truth - stated) <= 1


def finish(g: SkirmishState) -> Flow[None]:
    """[S9] Blue shows his garrison; each man scores; the higher score wins, a tie goes to blue."""
    men = yield Open("blue", g.garrison, "S9")
    emit(g, Changed("score", _plus(g, "axis", men if men in (0, 1, 2, 3) else 0), "S9"))
    emit(g, Changed("winner", "allies" if g.score["allies"] > g.score["axis"] else "axis", "S9"))


def _plus(g: SkirmishState, side: str, points: int) -> dict[str, int]:
    return {**g.score, side: g.score[side] + points}


class Skirmish(GameModule[SkirmishState]):
    """The module's entry."""

    name, title, rules_version = "skirmish", "Skirmish", 1
    editions = ("1st",)
    seats: Mapping[str, str] = {"red": "allies", "rust": "allies", "blue": "axis"}
    options: Sequence[Option] = ()
    hidden_hands = True
    plannable = {"march": ("go", "halt"), "stop": ("stop", "let pass")}
    plans_ahead = 1
    state_type = SkirmishState
    segments = {
        "month": month,
        "draw": draw,
        "card": card,
        "bids": bids,
        "march": march,
        "scouting": scouting,
        "finish": finish,
    }

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> SkirmishState:
        return SkirmishState(dict(options), stack=[Cursor("month", [1])])

    def attach(self, state: Any, scenario: Plain) -> None:
        return None

    def home(self, kind: str) -> Path:
        return Path(__file__).parent / kind

    def spelled_out(self, state: SkirmishState, seat: str, order: Plain, own: Own) -> Plain:
        """`play: feint` plays the feint that red holds."""
        if seat != "red" or not isinstance(order, dict) or list(order) != ["play"]:
            return order
        return {"play": own.get(str(order["play"]), order["play"])}

    def facts(self, state: SkirmishState, seat: str) -> Facts:
        """Where red is, and the score."""
        return {"at": state.at, "month": state.round, "score": state.score[self.seats[seat]]}

    def stretch(self, state: SkirmishState) -> Plain:
        """A month."""
        return state.round

    def stretches_since(self, state: SkirmishState, stretch: Plain) -> int | None:
        return state.round - stretch if isinstance(stretch, int) else None

    def result(self, state: SkirmishState) -> Result | None:
        return Result(state.winner, "score", "S9") if state.winner else None


GAME = Skirmish()
