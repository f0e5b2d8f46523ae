"""The engine: runs segments, stops at requests, goes on from a checkpoint, and notices a journal of other rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel import engine as kernel
from pbem.kernel.canon import Plain, digest
from pbem.kernel.engine import (
    Broken,
    Checkpoint,
    Diverged,
    Engine,
    Option,
    Result,
    read_or_default,
    typed_answer,
)
from pbem.kernel.events import Cursor, DiceThrown, Entered, Event, Left, Scheduled, Stated, emit
from pbem.kernel.flow import Ask, Claim, Draw, Flow, Open, PrivateRoll, Roll, Simultaneous
from pbem.kernel.images import image
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.questions import nothing
from pbem.kernel.records import to_plain


@dataclass(slots=True)
class Race:
    """Two runners; red may bid to start, rolls and steps until somebody is at 10."""

    stack: list[Cursor] = field(default_factory=list)
    running: Cursor | None = None
    at: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})
    track: list[str] = field(default_factory=list)
    length: int = field(default=0, metadata={"cache": True})
    events: list[Event] = field(default_factory=list, metadata={"cache": True})

    def forget(self) -> None:
        """Nothing is computed from it."""


@dataclass(frozen=True, slots=True)
class Stepped:
    seat: str
    steps: int
    rule: str = "2"

    def apply(self, g: Race) -> None:
        g.at[self.seat] += self.steps


@dataclass(frozen=True, slots=True)
class Noted:
    what: str
    rule: str = "3"

    def apply(self, g: Race) -> None:
        g.track.append(self.what)


def steps(order: Plain) -> int:
    if isinstance(order, bool) or not isinstance(order, int) or not 0 < order < 4:
        raise illegal(f"{order!r} steps cannot be taken", "2", "1 to 3")
    return order


def bid(seat: str) -> Ask:
    return Ask(seat, "bid", "1", "bid", steps, default=1)


def opening(g: Race) -> Flow[None]:
    """[1] Both bid in secret."""
    bids = yield Simultaneous((bid("red"), bid("blue")), "1")
    for seat, number in bids.items():
        emit(g, Stepped(seat, number))


def silence(g: Race) -> None:
    """[0] Nobody is asked."""
    emit(g, Noted("silence"))


def lap(g: Race, seat: str, number: int) -> Flow[None]:
    """[2] A step of choice and a step of luck, then the other's lap."""
    chosen = yield Ask(seat, "step", "2", f"lap {number}", steps, options=lambda: [1, 2, 3])
    emit(g, Stepped(seat, chosen))
    luck = yield Roll(f"luck of {seat} in lap {number}", 2, 6, "2")
    assert isinstance(luck, tuple)
    emit(g, Stepped(seat, max(luck)))
    other = "blue" if seat == "red" else "red"
    emit(g, Scheduled((("silence", ()), ("lap", (other, number + 1)))))


class Track:
    name, title, rules_version = "race", "Race", 1
    editions = ("1st",)
    seats: Mapping[str, str] = {"red": "north", "blue": "south"}
    options: Sequence[Option] = ()
    state_type = Race
    segments = {"opening": opening, "silence": silence, "lap": lap}

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> Race:
        g = Race(stack=[Cursor("lap", ["red", 1]), Cursor("silence", []), Cursor("opening", [])])
        self.attach(g, scenario)
        return g

    def attach(self, state: Any, scenario: Plain) -> None:
        assert isinstance(scenario, int)
        state.length = scenario

    def result(self, state: Any) -> Result | None:
        ahead = max(state.at, key=lambda seat: state.at[seat])
        return Result(self.seats[ahead], "first", "4") if state.at[ahead] >= state.length else None


def begun(length: int = 30) -> Engine:
    return Engine(Track(), length, Track().start(length, {}))


def test_the_engine_stops_at_the_first_request() -> None:
    engine = begun()
    assert isinstance(engine.request, Simultaneous) and engine.fingerprint == "simultaneous | red,blue | bid | 1 | opening"
    assert engine.state.running == Cursor("opening", []) and engine.journal == []
    assert [type(event) for event in engine.state.events] == [Entered]


def test_segments_that_ask_nothing_are_passed_and_answers_reach_the_rule() -> None:
    engine = begun()
    engine.reply({"red": 3, "blue": 2})
    assert engine.state.at == {"red": 3, "blue": 2} and engine.state.track == ["silence"]
    assert engine.fingerprint == "ask | red | step | 2 | lap red 1"
    kinds = [type(event) for event in engine.state.events]
    assert kinds == [Entered, Stepped, Stepped, Left, Entered, Noted, Left, Entered]
    engine.reply(2)
    assert engine.fingerprint == "roll | 2d6 | luck of red in lap 1 | 2 | lap red 1"
    engine.reply([4, 5])
    assert engine.state.at == {"red": 10, "blue": 2} and engine.fingerprint == "ask | blue | step | 2 | lap blue 2"


def test_a_flow_that_asks_nothing_is_passed_too() -> None:
    class Quiet(Track):
        segments = {"quiet": lambda g: nothing(), "silence": silence}

    engine = Engine(Quiet(), 30, Race(stack=[Cursor("silence", []), Cursor("quiet", [])], length=30))
    assert engine.request is None and not engine.state.stack and Noted("silence") in engine.state.events


def test_the_journal_holds_the_answers_since_the_segment_began() -> None:
    engine = begun()
    engine.reply({"red": 3, "blue": 2})
    base = engine.checkpoint()
    assert base.journal == [] and base.state == engine.checkpoint().state
    engine.reply(2)
    checkpoint = engine.checkpoint()
    assert checkpoint.state == base.state and checkpoint.journal == [("ask | red | step | 2 | lap red 1", 2)]
    engine.journal.append(("x", None))
    assert len(checkpoint.journal) == 1, "a checkpoint is of its own"
    engine.journal.pop()
    engine.reply([1, 1])
    assert engine.journal == [] and engine.checkpoint().state != base.state
    assert Checkpoint({"a": 1}).journal == []


def test_the_state_of_a_checkpoint_is_the_one_before_the_segment() -> None:
    engine = begun()
    plain: Any = engine.checkpoint().state
    assert plain["running"] is None and plain["stack"][-1] == {"name": "opening", "args": []} and "length" not in plain


def test_the_state_of_a_checkpoint_stands_behind_the_segments_that_asked_nothing() -> None:
    """Whenever it is wanted; and nothing happens a second time in the game itself."""

    class Pausing(Track):
        segments = {**Track.segments, "pause": lambda g: nothing()}

        def start(self, scenario: Plain, options: Mapping[str, Plain]) -> Race:
            g = super().start(scenario, options)
            g.stack.insert(1, Cursor("pause", []))
            return g

    engine = Engine(Pausing(), 30, Pausing().start(30, {}))
    engine.reply({"red": 3, "blue": 2})
    for answers in [], [2]:
        for answer in answers:
            engine.reply(answer)
        happened, track = len(engine.state.events), [*engine.state.track]
        plain: Any = engine.checkpoint().state
        assert plain["running"] is None and plain["stack"][-1] == {"name": "lap", "args": ["red", 1]}
        assert plain["track"] == ["silence"] and plain["at"] == {"red": 3, "blue": 2}
        assert (len(engine.state.events), engine.state.track) == (happened, track)


def test_an_order_that_is_not_legal_changes_nothing() -> None:
    engine = begun()
    engine.reply({"red": 1, "blue": 1})
    before, hashed = engine.checkpoint(), engine.state_hash()
    with pytest.raises(Rejected, match=r"not allowed: 5 steps cannot be taken \[2\]; 1 to 3"):
        engine.reply(5)
    assert engine.checkpoint() == before and engine.state_hash() == hashed
    engine.reply(1)


def test_the_game_ends_when_the_rules_say_so() -> None:
    engine = begun(length=3)
    engine.reply({"red": 3, "blue": 2})
    assert engine.request is None and engine.fingerprint == "over" and engine.journal == []
    assert engine.state.running is None and len(engine.state.stack) == 2
    assert engine.checkpoint() == Checkpoint(to_plain(engine.state))


def test_the_game_ends_when_nothing_is_left_to_play() -> None:
    g = Race(stack=[Cursor("silence", [])], length=99)
    engine = Engine(Track(), 99, g)
    assert engine.request is None and g.track == ["silence"] and engine.checkpoint().state == to_plain(g)


def test_the_hash_of_a_state_is_of_the_state_and_of_what_is_asked() -> None:
    engine = begun()
    expected = digest("pbem/1 state", {"state": to_plain(engine.state), "asked": engine.fingerprint})
    assert engine.state_hash() == expected
    engine.reply({"red": 1, "blue": 1})
    first = engine.state_hash()
    engine.reply(1)
    assert engine.state_hash() not in (first, expected)


def counting(monkeypatch: pytest.MonkeyPatch, away: int = 99) -> list[Any]:
    """The images that engines take from now on."""
    taken: list[Any] = []

    def take(state: Any) -> Any:
        taken.append(state)
        return image(state)

    monkeypatch.setattr(kernel, "image", take)
    monkeypatch.setattr(kernel, "AWAY", away)
    return taken


def test_the_way_from_an_image_never_gets_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer and each segment is a step of it; behind the longest way allowed stands the next image."""

    class Asking(Track):
        segments = {"ask": lambda g, n: (bid("red") for _ in range(n))}

    def images(away: int, *asked: int) -> list[int]:
        """After each segment that asks so often, the images so far."""
        taken, found = counting(monkeypatch, away), []
        engine = Engine(Asking(), 30, Race(stack=[Cursor("ask", [n]) for n in reversed((*asked, 1))], length=30))
        for number in asked:
            for _ in range(number):
                engine.reply(1)
            found.append(len(taken))
        return found

    assert images(4, 1, 1, 1, 1, 1) == [1, 1, 2, 2, 2]  # 1, then 1 + 1 + 1, then 2 + 2 + 1
    assert images(5, 1, 1, 1, 1, 1) == [1, 1, 2, 2, 2] and images(6, 1, 1, 1, 1, 1) == [1, 1, 1, 2, 2]
    assert images(4, 3, 1, 4, 1) == [1, 2, 3, 3]
    assert images(1, 1, 1) == [2, 3] and images(99, 9, 9) == [1, 1]


def test_who_looks_at_one_base_finds_the_next_one_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = counting(monkeypatch)
    engine = begun()
    assert len(taken) == 1 and engine.fork().fingerprint == engine.fingerprint and len(taken) == 1
    engine.reply({"red": 3, "blue": 2})  # looked at: the next segments begin with an image
    there = len(taken)
    assert there == 2 and engine._played == [[]]
    engine.reply(2)
    engine.reply([1, 1])
    assert len(taken) == there  # nobody has looked at that one
    base = engine.checkpoint()
    assert len(taken) == there + 1 and not engine._played
    assert engine.checkpoint() == base and len(taken) == there + 1
    Engine.resume(Track(), 30, base)
    assert len(taken) == there + 2


def test_a_rule_that_looks_back_finds_the_same_when_its_segment_is_played_again() -> None:
    def looking(g: Race) -> Flow[None]:
        yield Roll("luck", 1, 6, "2")
        emit(g, Noted(str(g.events[-1])))
        yield Claim("red", "count", "spies", "7", lambda r: True)
        emit(g, Noted(str(g.events[-1])))

    class Looking(Track):
        segments = {"look": looking}

    engine = Engine(Looking(), 30, Race(stack=[Cursor("look", []), Cursor("look", [])], length=30))
    engine.reply([4])
    engine.reply(3)
    assert engine.checkpoint().state == to_plain(engine.state) | {"running": None, "stack": [{"name": "look", "args": []}]}  # type: ignore[operator]


answers = st.tuples(
    st.tuples(st.integers(0, 5), st.integers(0, 5)), st.lists(st.tuples(st.integers(1, 3), st.integers(1, 6)), max_size=6)
)


def answer(engine: Engine, chosen: int, die: int) -> None:
    engine.reply([die, 1] if isinstance(engine.request, Roll) else chosen)


@given(answers, st.integers(0, 12))
@settings(deadline=None)
def test_a_game_that_is_resumed_anywhere_is_the_same_game(given_: Any, stop: int) -> None:
    bids, moves = given_
    engine = begun()
    engine.reply({"red": bids[0], "blue": bids[1]})
    for i, (chosen, die) in enumerate([move for move in moves for _ in range(2)]):
        if engine.request is None:
            break
        if i == stop:
            events = len(engine.state.events)
            resumed = Engine.resume(Track(), 30, engine.checkpoint())
            assert resumed.state_hash() == engine.state_hash() and resumed.checkpoint() == engine.checkpoint()
            assert resumed.state.length == resumed.scenario == 30 and len(resumed.state.events) <= events
            engine = resumed
        answer(engine, chosen, die)
    assert Engine.resume(Track(), 30, engine.checkpoint()).state_hash() == engine.state_hash()


def test_a_fork_stands_where_its_engine_does_and_goes_its_own_way() -> None:
    engine = begun()
    engine.reply({"red": 3, "blue": 2})
    engine.reply(2)
    fork = engine.fork()
    assert (fork.game, fork.scenario, fork.state.length) == (engine.game, 30, 30)
    assert fork.checkpoint() == engine.checkpoint() and fork.state_hash() == engine.state_hash()
    before = engine.checkpoint(), engine.state_hash()
    fork.reply([6, 1])
    assert (engine.checkpoint(), engine.state_hash()) == before
    engine.reply([1, 6])
    assert engine.state_hash() == fork.state_hash()


def test_dice_are_told_before_the_rule_goes_on() -> None:
    engine = begun()
    engine.reply({"red": 3, "blue": 2})
    engine.reply(2)
    engine.state.events.clear()
    engine.reply([4, 5])
    assert engine.state.events[:2] == [DiceThrown("luck of red in lap 1", (4, 5), 6, "2"), Stepped("red", 5)]


def test_a_statement_is_told_before_the_rule_goes_on() -> None:
    def claiming(g: Race) -> Flow[None]:
        stated = yield Claim("red", "count", "spies", "7", lambda r: True, read=lambda stated: [stated])
        emit(g, Noted(str(stated)))

    class Talk(Track):
        segments = {"opening": claiming}

    engine = Engine(Talk(), 30, Race(stack=[Cursor("opening", [])], length=30))
    engine.reply(3)
    assert engine.state.events[1:3] == [Stated("red", "count", "spies", 3, "7"), Noted("[3]")]


def test_a_journal_of_other_rules_is_noticed_at_its_entry() -> None:
    engine = begun()
    engine.reply({"red": 1, "blue": 1})
    engine.reply(1)
    checkpoint = engine.checkpoint()
    checkpoint.journal.append(("roll | 1d6 | luck | 2 | lap red 1", [3]))
    with pytest.raises(Diverged) as diverged:
        Engine.resume(Track(), 30, checkpoint)
    assert diverged.value.entry == 1
    assert str(diverged.value) == (
        "journal entry 1: these rules ask 'roll | 2d6 | luck of red in lap 1 | 2 | lap red 1', "
        "the journal answers 'roll | 1d6 | luck | 2 | lap red 1'"
    )


def breaking(g: Race) -> Flow[None]:
    """A rule that judges too late."""
    order = yield bid("red")
    raise illegal(f"{order} is too many", "1")


def test_a_rule_that_refuses_what_it_accepted_has_broken_the_engine() -> None:
    class Late(Track):
        segments = {"opening": breaking}

    engine = Engine(Late(), 30, Race(stack=[Cursor("opening", [])], length=30))
    with pytest.raises(Broken) as broken:
        engine.reply(2)
    assert str(broken.value) == "refused after it was accepted: not allowed: 2 is too many [1]"


def test_an_order_on_which_the_rules_fail_changes_nothing() -> None:
    def read(order: Plain) -> Any:
        return {}[order]  # type: ignore[index]

    def asking(g: Race) -> Flow[None]:
        yield Ask("red", "x", "1", "x", read)

    class Failing(Track):
        segments = {"opening": asking}

    engine = Engine(Failing(), 30, Race(stack=[Cursor("opening", [])], length=30))
    with pytest.raises(Rejected, match="the rules module fails on it"):
        engine.reply(2)
    assert engine.journal == [] and engine.fingerprint == "ask | red | x | 1 | opening"
    assert read_or_default(Ask("red", "x", "1", "x", lambda order: 1 // order, default=1), 0) == 1  # type: ignore
    claim = Claim("red", "a", "b", "1", lambda r: True, read=read)
    with pytest.raises(Rejected, match="the rules module fails on it"):
        typed_answer(claim, 5)


# -- answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("request_", "plain", "typed"),
    [
        (bid("red"), 2, 2),
        (Roll("x", 2, 6, "1"), [1, 2], (1, 2)),
        (Draw("red", "deck", ("a",), (), 1, "1"), ["red:draw0:0"], ("red:draw0:0",)),
        (PrivateRoll("red", "x", 1, 6, "1"), "red:roll0", "red:roll0"),
        (Open("red", "h", "1"), {"a": [1]}, {"a": [1]}),
        (Claim("red", "a", "b", "1", lambda r: True), True, True),
        (Claim("red", "a", "b", "1", lambda r: True), [1, 2], (1, 2)),
        (Claim("red", "a", "b", "1", lambda r: True, read=lambda stated: stated * 2), 4, 8),
        (Simultaneous((bid("red"), bid("blue")), "1"), {"red": 3, "blue": 7}, {"red": 3, "blue": 1}),
        (None, 5, 5),
    ],
)
def test_what_a_rule_receives(request_: Any, plain: Any, typed: Any) -> None:
    got = typed_answer(request_, plain)
    assert got == typed and type(got) is type(typed)


def test_sealed_answers_come_as_a_mapping() -> None:
    with pytest.raises(AssertionError):
        typed_answer(Simultaneous((bid("red"),), "1"), [3])


def test_a_sealed_order_that_is_illegal_counts_as_the_default() -> None:
    assert read_or_default(bid("red"), 3) == 3 and read_or_default(bid("red"), 9) == 1
    with pytest.raises(Rejected, match="None steps"):
        read_or_default(Ask("red", "bid", "1", "bid", steps), 9)


def test_an_ended_game_takes_no_answer() -> None:
    engine = begun(length=1)
    engine.reply({"red": 3, "blue": 2})
    with pytest.raises(AssertionError):
        engine.reply(1)
