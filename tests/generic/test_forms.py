"""Laws of forms, for questions of all recorded games: what a form finishes is legal, what is proposed can be picked."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.forms import VERB, Chosen, Form, Partial, Pick, Step, fields, form_of, listed, means_the_same
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.records import to_plain
from pbem.kernel.wording import english, verbatim
from pbem.runtime.entries import entry_of, read_entry
from tests.test_recorded_games import SHORT, begin, path_of, read

# Of each recorded game so many questions of a kind, so many of the orders that one lists, so many chains of picks.
FEW, MANY = (4, 25, 4), (40, 60, 12)
EARLY_AND_LATE = (1, 2, 7, 19)
Moment = tuple[Engine, Ask | Commit, Plain]


def moments(title: str, most: int) -> Iterator[Moment]:
    """Questions of a recorded game with the order that was given, so many of each kind, spread over the game."""
    lines = read(path_of(title))
    head = next(lines)
    engine = begin(head.get("system", "axis_and_allies_pacific"), head.get("scenario", ""), head["options"])
    seen: Counter[str] = Counter()
    for _, answer in lines:
        request = engine.request
        asks = request.asks if isinstance(request, Simultaneous) else (request,)
        for ask in asks:
            if isinstance(ask, Ask | Commit):
                seen[ask.kind] += 1
                if seen[ask.kind] in EARLY_AND_LATE[:most] or 4 < most >= seen[ask.kind]:
                    given = answer[ask.seat] if isinstance(request, Simultaneous) else answer
                    yield engine, ask, given
        engine.reply(answer)


def walk(form: Form, wanted: Partial) -> Step:
    """The step after these picks, each of which was offered when it came."""
    so_far = Partial()
    for one in [*([Chosen(VERB, wanted.verb)] if wanted.verb else []), *wanted.chosen]:
        step = form.step(so_far)
        found = [p for p in step.picks if (p.slot, p.value) == (one.slot, one.value) and p.most >= one.count]
        assert found and found[0].why_not is None, (wanted, one, so_far)
        so_far = so_far.plus(found[0], one.count)
    assert so_far == wanted
    return form.step(so_far)


def chain(form: Form, dice: random.Random, deepest: int = 40) -> Step:
    """Picks at random until an order is finished, or nothing more can be picked."""
    so_far = Partial()
    for _ in range(deepest):
        step = form.step(so_far)
        able = [p for p in step.picks if p.why_not is None]
        if not able or (step.orders and dice.random() < 0.6):
            return step
        pick = dice.choice(able)
        so_far = so_far.plus(pick, dice.randint(1, pick.most))
    return form.step(so_far)


def form_at_hand(engine: Engine) -> Form:
    """The form of the question at hand."""
    assert isinstance(engine.request, Ask)
    return form_of(engine.request)


def picked(verb: str, *chosen: str) -> Partial:
    """`slot value` after `slot value`."""
    pairs = [c.split(" ", 1) for c in chosen]
    return Partial(verb, tuple(Chosen(slot, value) for slot, value in pairs))


def values(step: Step, slot: str) -> list[str]:
    """What can be picked for a slot."""
    return [p.value for p in step.picks if p.slot == slot and p.why_not is None]


def legal(ask: Ask | Commit, orders: Sequence[Plain]) -> list[Plain]:
    found = []
    for order in orders:
        try:
            ask.read(order)
        except Rejected:
            continue
        found.append(order)
    return found


def check(moment: Moment, dice: random.Random, orders: int, chains: int) -> None:
    """All laws at one question."""
    engine, ask, given = moment
    before = engine.state_hash()
    options = list(ask.options())
    form, some = form_of(ask), dice.sample(options, min(orders, len(options)))
    recorded = [given] if isinstance(ask, Ask) else []
    for order in legal(ask, [*some, *recorded]):
        picks = form.partial(order)
        assert same(ask, walk(form, picks).orders, order), (ask.kind, order, picks)
        assert form.partial(walk(form, picks).orders[0]) == picks
    for order in legal(ask, [*some, given]):
        line = form.line(order)
        assert line == order or means_the_same(ask.read, line, order), (ask.kind, order, line)
        assert read_entry(entry_of(line)) == line
    for _ in range(chains):
        for order in chain(form, dice).orders:
            ask.read(order)
            break  # what belongs together is legal one after the other
    assert engine.state_hash() == before


def same(ask: Ask | Commit, made: Sequence[Plain], order: Plain) -> bool:
    return len(made) == 1 and (made[0] == order or means_the_same(ask.read, made[0], order))


GAMES = ("axis_and_allies_pacific/random-101", "empire_of_the_sun/2nd-2015-burma-403")
GAMES += ("next_war/wonsan-random-511", "pacific_war/midway-bot-603")
SOME = [
    pytest.param(r.title, marks=[] if r.title in GAMES else [pytest.mark.long]) for r in SHORT
]  # one of each game each time


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("title", SOME)
def test_the_laws_hold(title: str) -> None:
    dice = random.Random(title)
    for moment in moments(title, FEW[0]):
        check(moment, dice, *FEW[1:])


@pytest.mark.long
@pytest.mark.parametrize("title", [r.title for r in SHORT])
def test_the_laws_hold_everywhere(title: str) -> None:
    dice = random.Random(title)
    for moment in moments(title, MANY[0]):
        check(moment, dice, *MANY[1:])


def picks_of(title: str) -> str:
    """A hash of everything that forms say in a game."""
    made: list[Plain] = []
    for _, ask, _ in moments(title, 4):
        form, so_far = form_of(ask), Partial()
        for _ in range(4):
            step = form.step(so_far)
            made.append([[p.slot, p.value, english(p.name), p.at, p.most, [*p.leads]] for p in step.picks])
            made.append([*step.orders])
            if not step.picks:
                break
            so_far = so_far.plus(step.picks[len(step.picks) // 2])
    return sha256_hex(canonical(made))


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("title", GAMES)
def test_picks_are_the_same_under_another_hash_seed(title: str) -> None:
    code = f"from tests.generic.test_forms import picks_of; print(picks_of({title!r}))"
    env = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(Path(__file__).parents[2])}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=120)
    assert told.stdout.strip() == picks_of(title), told.stderr


# -- the form over listed orders ------------------------------------------------------------


def test_fields_of_written_orders() -> None:
    move: Plain = {"move": {"from": "japan", "to": "korea", "units": {"infantry": 3, "tank": 1}}}
    units = (Chosen("unit", "infantry", 3), Chosen("unit", "tank"))
    assert fields(move) == Partial("move", (*units, Chosen("at", "japan"), Chosen("to", "korea")))
    assert fields("done") == Partial("done")
    assert fields({"bid": 3}) == Partial("bid", (Chosen("number", "3"),))
    assert fields({"press": True}) == Partial("press", (Chosen("word", "yes"),))


def test_things_with_a_hex_each_are_not_so_many_things() -> None:
    one, other = (Chosen("unit", "TF1"), Chosen("to", "1531")), (Chosen("unit", "tf2"), Chosen("to", "0132"))
    assert fields({"sail": {"TF1": 1531, "tf2": 132}}) == Partial("sail", (*one, *other))
    assert fields({"sail": {"TF1": 1531, "TF2": "off"}}).chosen == (*one, Chosen("unit", "TF2"), Chosen("word", "off"))
    assert fields({"sail": {"TF1": 17}}, "to").chosen == (Chosen("unit", "TF1"), Chosen("to", "17"))
    assert fields({"fight": 1531}) == Partial("fight", (Chosen("to", "1531"),))
    assert fields({"hits": {"TF1": 2}}) == Partial("hits", (Chosen("unit", "TF1", 2),))


def test_a_thing_with_a_hex_is_clicked_where_it_goes() -> None:
    orders: list[Plain] = [{"sail": {"TF1": place}} for place in (1531, 1532)]
    form = listed(orders, lambda order: order)
    (unit,) = form.step(Partial("sail")).picks
    assert (unit.slot, unit.most) == ("unit", 1)
    assert [(p.value, p.at) for p in form.step(picked("sail", "unit TF1")).picks] == [("1531", "1531"), ("1532", "1532")]
    for order in orders:
        assert walk(form, form.partial(order)).orders == (order,)
    near = listed([{"sail": {"TF1": 17}}], lambda order: order, bare="to")
    assert near.step(picked("sail", "unit TF1", "to 17")).orders == ({"sail": {"TF1": 17}},)


def _up_to_three(order: Plain) -> Plain:
    assert isinstance(order, dict)
    units = order["move"]
    assert isinstance(units, dict) and isinstance(units["units"], dict)
    if units["units"]["tank"] == 3:  # type: ignore[comparison-overlap]
        raise illegal("not three", "1")
    return order


def test_other_numbers_than_those_listed_are_judged() -> None:
    form = listed([{"move": {"units": {"tank": 4}, "from": "a", "to": "b"}}], _up_to_three, ("move", "load"))
    assert [p.value for p in form.step(Partial()).picks] == ["move"], (
        "a verb with nothing listed is offered where it is an order"
    )
    rest = (Chosen("at", "a"), Chosen("to", "b"))
    assert form.step(Partial("move")).picks == (Pick("unit", "tank", verbatim("tank"), most=4),)
    assert form.step(Partial("move", (Chosen("unit", "tank", 2), *rest))).orders[0]["move"]["units"] == {"tank": 2}  # type: ignore[index,call-overload]
    refused = form.step(Partial("move", (Chosen("unit", "tank", 3), *rest)))
    assert not refused.orders and refused.problems[0].reason == "not three"
    assert form.step(Partial("load")).picks == () and form.step(Partial("load")).note


def test_two_orders_of_the_same_fields_are_told_apart() -> None:
    one: Plain = {"show": [["a"], ["b"]]}
    other: Plain = {"show": [["a", "b"]]}
    form = listed([one, other], lambda order: order)
    for order in (one, other):
        assert walk(form, form.partial(order)).orders == (order,)


def test_a_question_without_orders_says_so() -> None:
    step = listed([], lambda order: order).step(Partial("move"))
    assert step.picks == () and step.orders == () and english(step.note).startswith("nothing is listed")


def test_what_a_form_says_is_plain_data() -> None:
    step = listed([{"go": "a"}], lambda order: order, whole=True).step(Partial())
    assert to_plain(step.picks[0])["slot"] == VERB and not step.note  # type: ignore[index,call-overload]
