"""What is true of every position between two segments, whatever was played."""

from __future__ import annotations

from collections import Counter

from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, OFF_MAP, State
from pbem.kernel.canon import canonical
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask
from pbem.kernel.records import from_plain, to_plain

NAVAL_LIMIT, LAND_LIMIT = 6, 3  # 8.24, 8.34


def check(g: State) -> None:
    """Every counter has one place that its kind may be in; markers, cards and shipping points are within bounds."""
    assert g.pieces.keys() == g.board.counters.keys()
    for unit, piece in g.pieces.items():
        counter = g.board.counters[unit]
        assert piece.box == "map" or piece.box in OFF_MAP, f"{unit} is in {piece.box!r}"
        assert not piece.reduced or counter.steps == 2, f"{unit} has one side"
        if piece.box == "map":
            here = g.board.hexes[piece.at]
            assert counter.kind != "ground" or here.is_land, f"{unit} swims in {piece.at}"
            assert here.region != "Manchuria" or g.has("soviets"), f"{unit} is in Manchuria"
        assert piece.box != "china" or (counter.kind == "air" and counter.side == ALLIES), f"{unit} is in China"
        assert counter.kind != "hq" or piece.box not in ("eliminated", "delayed"), f"{unit} is {piece.box}"
    assert all(g.board.hexes[h].is_land and side in (JAPAN, ALLIES) for h, side in g.control.items())
    assert 0 <= g.will <= 10 and 0 <= g.divisions <= 12 and g.europe_at_start in range(5)
    for side in (JAPAN, ALLIES):
        assert g.asp_used[side] >= 0, g.asp_used
        assert g.passes[side] >= 0
    check_cards(g)


def check_cards(g: State) -> None:
    """[5.0] Hand, future offensives card, discards and removed cards are different cards of the side's own deck."""
    for side in (JAPAN, ALLIES):
        future = [g.future[side]] if g.future[side] else []
        on_table = [g.offensive.card] if g.offensive is not None and g.offensive.side == side else []
        cards = Counter([*g.hands[side], *future, *g.discards[side], *g.out_of_play[side]])
        assert all(n == 1 for n in cards.values()), f"twice: {[c for c, n in cards.items() if n > 1]}"
        assert all(g.board.cards[c].side == side for c in (*cards, *on_table) if ":" not in c)
        assert not g.decks[side] or cards.keys() <= set(g.decks[side]), f"{side}: cards that are not in the deck"


def check_at_rest(g: State) -> None:
    """[8.21] [8.24] [8.34] Between two offensives: ships in own ports, HQs in own ports, air on own airfields, stacks."""
    assert g.offensive is None and g.fight is None
    for place, units in g.by_hex().items():
        counters = [g.board.counters[u] for u in units]
        here = g.board.hexes[place]
        ground = {c.side for c in counters if c.kind in ("ground", "air", "hq")}
        assert len(ground) <= 1, f"both sides in {place}: {units}"
        for counter in counters:
            friendly = g.control.get(place) == counter.side
            if counter.kind in ("naval", "hq"):
                at_sea = g.turn == 1 and not here.is_land  # 17.11: the carriers off Oahu
                assert at_sea or (here.port and friendly), f"{counter.id} is in {place}, no port of its side"
            if counter.kind == "air":
                assert here.airfield and friendly, f"{counter.id} is in {place}, no airfield of its side"
        for side in (JAPAN, ALLIES):
            mine = [c for c in counters if c.side == side]
            check_stack(g, [c for c in mine if c.kind == "naval"], [c for c in mine if c.kind in ("air", "ground")], place)
            assert sum(c.kind == "hq" for c in mine) <= 1, f"two HQs in {place}"


def check_stack(g: State, ships: list, others: list, place: int) -> None:  # type: ignore[type-arg]
    """Second edition: six ships; first: six of each type. Three air and ground units; a twin counts once."""
    for kind in {c.type for c in ships}:
        same = len(ships) if g.second else sum(c.type == kind for c in ships)
        assert same <= NAVAL_LIMIT, f"{same} ships in {place}"
    names = {c.id.removesuffix("-lrb") for c in others}
    assert len(names) <= LAND_LIMIT, f"{sorted(names)} in {place}"


def check_resume(engine: Engine) -> None:
    """A position saved and read again is the same position, in mid-battle too."""
    again = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    assert again.state_hash() == engine.state_hash()
    plain = to_plain(engine.state)
    assert canonical(to_plain(from_plain(State, plain))) == canonical(plain)


def check_options(ask: Ask) -> None:
    """Every order that is offered is accepted, and some order is offered."""
    offered = list(ask.options())
    assert offered, f"nothing is offered for {ask.kind}: {ask.prompt}"
    for order in offered:
        ask.read(order)


def check_events_alone(engine: Engine, first: State) -> None:
    """The events, applied to the first position, give the last one."""
    for event in engine.state.events:
        emit(first, event)
    assert canonical(to_plain(first)) == canonical(to_plain(engine.state))


class Watch:
    """Invariants at every segment; options and resumption now and then."""

    def __init__(self, every: int = 200) -> None:
        self.every, self.steps, self.segment, self.positions = every, 0, "", 0
        self.turn, self.most = 0, {JAPAN: 0, ALLIES: 0}

    def check_shipping(self, g: State) -> None:
        """[10.3] No point is used twice; points lost in the turn may have been used before."""
        if g.turn != self.turn:
            self.turn, self.most = g.turn, dict(g.asp)
        o = g.offensive
        for side in (JAPAN, ALLIES):
            self.most[side] = max(self.most[side], g.asp[side])
            bonus = o.asp_bonus if o is not None and o.side == side else 0
            assert g.asp_used[side] <= self.most[side] + bonus, f"{side}: {g.asp_used[side]} of {self.most[side]} used"

    def __call__(self, engine: Engine) -> None:
        self.steps += 1
        g = engine.state
        cursor = f"{g.running} {len(g.stack)}"
        if cursor != self.segment or (g.running is not None and not engine.journal):
            self.segment = cursor
            self.positions += 1
            check(g)
            self.check_shipping(g)
            if g.running is not None and g.running.name == "impulse" and not engine.journal:
                check_at_rest(g)
        if self.steps % self.every == 0:
            check_resume(engine)
            if isinstance(engine.request, Ask):
                check_options(engine.request)
