"""What is kept to be quick is compared with the slow way: texts of records in the hash, states before a segment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.canon import NotPlain, canonical, digest
from pbem.kernel.engine import Checkpoint, Engine
from pbem.kernel.hashing import canonical_record
from pbem.kernel.records import from_plain, to_plain
from tests.axis_and_allies_pacific import random_play as pacific_1940
from tests.axis_and_allies_pacific.random_play import at_random
from tests.empire_of_the_sun import random_play as empire
from tests.next_war import random_play as next_war
from tests.pacific_war import random_play as pacific_war


class Enough(Exception):
    """A game has been looked at for long enough."""


class Watch:
    """Every few requests the engine is compared with one that wrote its state whole when the segment began."""

    def __init__(self, most: int, every: int = 7) -> None:
        self.most, self.every, self.seen = most, every, 0

    def __call__(self, engine: Engine, *_: Any) -> None:
        self.seen += 1
        if self.seen > self.most:
            raise Enough
        if self.seen % self.every:
            return
        plain = to_plain(engine.state)
        hashed = digest("pbem/1 state", {"state": plain, "asked": engine.fingerprint})
        assert canonical_record(engine.state) == canonical(plain) and engine.state_hash() == hashed
        again = engine.fork()
        assert again.state_hash() == hashed and again.checkpoint() == engine.checkpoint()
        if self.seen % (5 * self.every) == 0:
            assert Engine.resume(engine.game, engine.scenario, engine.checkpoint()).state_hash() == hashed


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("system", ["axis", "empire", "korea", "pacific"])
def test_what_is_kept_is_what_the_slow_way_gives(system: str) -> None:
    watch = Watch(450)
    with pytest.raises(Enough):
        match system:
            case "axis":
                pacific_1940.play(3, 12, at_random, watch)
            case "empire":
                empire.play("campaign-1941", 3, watch)
            case "korea":
                next_war.play("korea", 3, watch)
            case _:
                pacific_war.play("strategic-1941", 3, watch)
    assert watch.seen > 450


@dataclass(slots=True)
class Piece:
    """Numbers, texts and truths alone."""

    at: int
    name: str
    is_used: bool
    note: str | None = None


@dataclass(slots=True)
class Holder:
    """What holds them."""

    pieces: dict[str, Piece] = field(default_factory=dict)
    at: dict[int, list[str]] = field(default_factory=dict)
    places: frozenset[int] = frozenset()
    free: Any = None


ATOMS = st.one_of(st.integers(-5, 5), st.booleans(), st.text(max_size=3), st.none())
NAMES = st.text(alphabet=st.sampled_from('ab\u00e9\ue000\U0001f600"\\\n'), max_size=2)
PIECES = st.builds(Piece, ATOMS, ATOMS, ATOMS, ATOMS)
HOLDERS = st.builds(
    Holder,
    st.dictionaries(NAMES, PIECES, max_size=4),
    st.dictionaries(st.integers(0, 30), st.lists(NAMES, max_size=3), max_size=4),
    st.frozensets(st.integers(0, 9)),
    st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=2), max_leaves=5),
)


def outcome(write: Any, value: Any) -> bytes | str:
    try:
        found: bytes = write(value)
    except NotPlain as wrong:
        return str(wrong)
    return found


@given(HOLDERS)
@settings(deadline=None)
def test_the_bytes_are_those_of_the_plain_image(value: Holder) -> None:
    """1 beside True, 0 beside False, text beyond ASCII in another order, text that is no plain data."""
    assert outcome(canonical_record, value) == outcome(lambda v: canonical(to_plain(v)), value)


@pytest.mark.parametrize("wrong", [1.5, 2**53, (1,), "e\u0301", "\ud800"])
def test_what_is_not_plain_is_refused_in_a_record(wrong: Any) -> None:
    with pytest.raises(NotPlain):
        canonical_record(Piece(wrong, "x", True))
    with pytest.raises(NotPlain):
        canonical_record(Piece(1, wrong, True))


def test_a_record_does_not_share_what_it_was_read_from() -> None:
    """A checkpoint that was resumed once can be resumed again."""
    plain = to_plain(Holder(free={"a": [1]}))
    first: Holder = from_plain(Holder, plain)
    first.free["a"].append(2)
    assert from_plain(Holder, plain).free == {"a": [1]}


def test_a_checkpoint_is_not_changed_by_going_on() -> None:
    found: list[tuple[Checkpoint, bytes]] = []

    def watch(engine: Engine, *_: Any) -> None:
        if len(found) < 40:
            found.append((checkpoint := engine.checkpoint(), canonical(to_plain(checkpoint))))

    pacific_war.play("coral-sea", 2, watch)
    assert all(canonical(to_plain(checkpoint)) == written for checkpoint, written in found)


def test_keys_that_python_holds_for_equal_are_told_apart() -> None:
    for value in ({1: "a"}, {True: "a"}, {1: "a"}, {"1": "a", "10": "b", "9": "c"}, {10: "b", 9: "c"}):
        assert canonical_record(value) == canonical(to_plain(value))
