"""The order reader never fails in another way than by saying what is wrong; what it accepts prints back to the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games.axis_and_allies_pacific import orders
from pbem.games.axis_and_allies_pacific.game import build_board
from pbem.kernel import standing
from pbem.kernel.notation import flat
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from pbem.store.session import Session
from tests.axis_and_allies_pacific import table
from tests.commands import inside, prepare
from tests.fuzz.amounts import quick, slow

BOARD = build_board(table.scenario())
SPACES = [*BOARD.neighbours]
WORDS = st.sampled_from([
    *orders.TYPES, *orders.ALIASES, *orders.MARKS, *SPACES, "from", "to", "via", "and", "in", "at", ",", "+", ">", ";", "-",
    "SZ 6", "sea zone 06", "0", "1", "3", "999", "1000", "\u0663", "\u00b2", "", "infantri", "Kwangsi", "\u202e", "<b>", "{{",
])  # fmt: skip
PHRASES = st.lists(WORDS | st.text(max_size=4), max_size=12).map(" ".join)
UNITS = st.dictionaries(st.sampled_from(orders.TYPES), st.integers(1, 20), min_size=1, max_size=3)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 1200) | PHRASES,
    lambda of: (
        st.lists(of, max_size=3) | st.dictionaries(PHRASES | st.sampled_from(["units", "from", "to", "via"]), of, max_size=4)
    ),
    max_leaves=8,
)
VERBS = [
    "buy", "repair", "move", "load", "unload", "bridge", "assault", "declare war", "raid", "fly", "land", "place", "done",
    "start over", "casualties", "scramble", "kamikaze", "retreat", "press", "submerge", "strike", "battle", "target",
]  # fmt: skip


def accepted(read: Callable[[], Any]) -> Any:
    """What a reader made of it; None when it says what is wrong."""
    try:
        return read()
    except Rejected as error:
        assert error.problems and all(len(english(p.reason)) > 3 for p in error.problems)
        return None


def routes() -> st.SearchStrategy[str]:
    space = st.sampled_from(SPACES)
    via = st.lists(space, max_size=3).map(lambda s: " via " + ", ".join(s) if s else "")
    return st.builds(lambda u, a, b, v: f"{flat(u)} from {a} to {b}{v}", UNITS, space, space, via)


@quick
@given(PLAIN | PHRASES | routes())
def test_what_is_accepted_as_a_route_prints_back_to_it(plain: Any) -> None:
    route = accepted(lambda: orders.read_route(BOARD, plain))
    if route is None:
        return
    units = [f"{g.count} {g.mark} {g.type}".replace("  ", " ") for g in route.groups]
    mapping: dict[str, Any] = {"units": units, "from": route.origin, "to": route.to}
    mapping |= {"via": list(route.via)} if route.via else {}
    assert orders.read_route(BOARD, mapping) == route
    if route.groups:
        assert orders.read_route(BOARD, flat(mapping)) == route


@quick
@given(routes())
def test_a_well_formed_route_is_accepted(text: str) -> None:
    assert accepted(lambda: orders.read_route(BOARD, text)) is not None


@quick
@given(PLAIN | UNITS | UNITS.map(flat))
def test_groups_print_back(plain: Any) -> None:
    groups = accepted(lambda: orders.read_groups(plain))
    if groups:
        text = ", ".join(f"{g.count} {g.mark} {g.type}".replace("  ", " ") for g in groups)
        assert orders.read_groups(text) == groups


@quick
@given(PLAIN, st.sampled_from(["casualties", "retreat", "battle", "submarines", "scramble"]))
def test_clauses_are_read_or_refused(plain: Any, kind: str) -> None:
    accepted(lambda: standing.read_clauses(kind, plain))


CONDITION = st.lists(
    st.sampled_from(
        ["own-strength", "<", ">=", "enemy-strength", "and", "or", "not", "(", ")", "in", "3", "-1", ",", "=", "true"]
    )
    | st.text(max_size=2),
    max_size=10,
).map(" ".join)


@quick
@given(CONDITION)
def test_conditions_are_parsed_or_refused(text: str) -> None:
    if accepted(lambda: standing.parse(text)) is not None:
        accepted(lambda: standing.holds(text, {"own-strength": 3, "enemy-strength": 4}))


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("orders")
    moments = prepare(root)
    shutil.copytree(moments["running"], root / "work")
    with inside(root / "work"):
        yield Session.open(Path("axis"))


ORDER = st.sampled_from(["done", "start over"]) | st.dictionaries(
    st.sampled_from(VERBS) | PHRASES, routes() | UNITS | UNITS.map(flat) | PLAIN, min_size=1, max_size=2
)


@slow
@given(
    first=st.lists(ORDER, max_size=3),
    then=st.lists(ORDER | PLAIN, max_size=6),
    stands=st.dictionaries(PHRASES, PLAIN, max_size=2),
)
def test_no_order_file_breaks_the_engine(session: Session, first: list[Any], then: list[Any], stands: dict[str, Any]) -> None:
    before = session.table.to_plain()
    try:
        session.try_out(Draft([*first, "done", *then], stands, {}, []))
    except (Refused, Rejected, ProtocolError) as error:
        assert str(error)
    assert session.table.to_plain() == before
