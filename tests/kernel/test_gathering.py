"""Orders that gather, pick by pick, over toy questions: what may be named next, what is finished, what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Partial, Pick, Step, WhyNot
from pbem.kernel.gathering import Counts, Lists, Pairs, counted
from pbem.kernel.orders import illegal
from pbem.kernel.picking import Verbs
from pbem.kernel.wording import Message, msg, verbatim

Row = tuple[str, str]


def pick(slot: str, value: str, **more: Any) -> Pick:
    return Pick(slot, value, verbatim(value), **more)


def chosen(*said: str) -> tuple[Chosen, ...]:
    """`slot value` after `slot value`."""
    return tuple(Chosen(*one.split(" ", 1)) for one in said)


def told(step: Step) -> tuple[list[str], list[Plain], list[str], str]:
    """Picks, orders, problems and budget of a step."""
    picks = [f"{p.slot} {p.value}" for p in step.picks]
    return picks, [*step.orders], [str(p.reason) for p in step.problems], str(step.budget)


# -- things each with one choice: ships that sail to ports; each port takes one, and the tanker goes nowhere alone ------------

SHIPS = ("cruiser", "destroyer", "tanker")


def read_sailing(order: Any) -> Any:
    where = order["sail"]
    if len({*where.values()}) < len(where):
        raise illegal(verbatim("a port takes one ship"), "4")
    if [*where] == ["tanker"]:
        raise illegal(verbatim("the tanker sails alone"), "5")
    return where


def ships(done: Sequence[Row]) -> list[Pick]:
    ill = WhyNot(verbatim("in dock"))
    late = ["liner"] if len(done) == 2 else []  # sails when two others have
    return [*(pick("unit", s) for s in (*SHIPS, *late)), pick("unit", "hulk", why_not=ill)]


def ports(ship: str, done: Sequence[Row]) -> list[Pick]:
    first = ["Truk"] if ship == "tanker" else ["Truk", "Kure"]
    return [pick("to", port) for port in (first if len(done) < 2 else [*first, "Rabaul"])]


SAIL = Pairs(
    ("unit", "to"),
    ships,
    ports,
    lambda rows: {"sail": dict(rows)},
    lambda body: [*dict(body).items()],
    read_sailing,
)


def test_first_a_thing_is_named() -> None:
    assert told(SAIL.step(())) == (["unit cruiser", "unit destroyer", "unit hulk"], [], [], ""), "the tanker goes nowhere"


def test_then_what_can_be_chosen_for_it() -> None:
    assert told(SAIL.step(chosen("unit cruiser"))) == (["to Truk", "to Kure"], [], [], "")


def test_a_pair_is_an_order_and_others_may_follow() -> None:
    step = SAIL.step(chosen("unit cruiser", "to Truk"))
    assert told(step) == (["unit destroyer", "unit hulk"], [{"sail": {"cruiser": "Truk"}}], [], "")


def test_what_the_rules_refuse_together_with_the_rest_is_not_offered() -> None:
    assert told(SAIL.step(chosen("unit cruiser", "to Truk", "unit destroyer"))) == (["to Kure"], [], [], "")
    assert told(replace(SAIL, trusted=True).step(chosen("unit cruiser", "to Truk", "unit destroyer")))[0] == [
        "to Truk",
        "to Kure",
    ]
    assert told(SAIL.step(chosen("unit tanker"))) == ([], [], [], "")
    assert told(replace(SAIL, trusted=True).step(chosen("unit tanker")))[0] == ["to Truk"]


def test_what_can_be_named_and_chosen_depends_on_the_pairs_so_far() -> None:
    two = ("unit cruiser", "to Truk", "unit destroyer", "to Kure")
    assert told(SAIL.step(chosen(*two)))[0] == ["unit tanker", "unit liner", "unit hulk"]
    assert told(SAIL.step(chosen(*two, "unit liner")))[0] == ["to Rabaul"]


def test_pairs_that_are_refused_say_why_and_more_can_be_named() -> None:
    step = SAIL.step(chosen("unit tanker", "to Truk"))
    assert told(step) == (["unit cruiser", "unit destroyer", "unit hulk"], [], ["the tanker sails alone"], "")


def test_without_a_budget_nothing_is_counted() -> None:
    bare = Pairs(SAIL.slots, SAIL.things, SAIL.ends, SAIL.make, SAIL.said, SAIL.read)
    assert not bare.trusted
    for row in ((), chosen("unit cruiser"), chosen("unit cruiser", "to Truk")):
        assert not bare.step(row).budget


@pytest.mark.parametrize(
    "row",
    [
        ["to Truk"],
        ["unit cruiser", "unit tanker"],
        ["unit cruiser", "to Truk", "to Kure"],
        ["unit cruiser", "at Truk"],
        ["x y"],
    ],
)
def test_picks_in_another_order_are_no_pairs(row: list[str]) -> None:
    assert SAIL.step(chosen(*row)) == Step()


def test_what_can_be_named_behind_others_alone_is_picked_without_the_verb_too() -> None:
    row = chosen("unit cruiser", "to Truk", "unit tanker", "to Kure", "unit liner")
    form = Verbs(read_sailing, ("sail",), {"sail": SAIL}, bare=("sail",))
    assert told(form.step(Partial("", row))) == told(form.step(Partial("sail", row))) == (["to Rabaul"], [], [], "")


def test_the_picks_of_pairs_make_the_same_order() -> None:
    row = chosen("unit cruiser", "to Kure", "unit tanker", "to Truk")
    body = {"cruiser": "Kure", "tanker": "Truk"}
    assert SAIL.picks(body) == row and SAIL.step(row).orders == ({"sail": body},)


# -- things each with several: guns and their targets; every gun fires, and nobody fires at the hospital -----------------------

GUNS = ("gun", "mortar")


def read_fire(order: Any) -> Any:
    if any("hospital" in those for those in order["fire"].values()):
        raise illegal(verbatim("not at the hospital"), "6")
    if len(order["fire"]) < len(GUNS):
        raise illegal(verbatim("every gun fires"), "7")
    return order


def aims(gun: str, has: Sequence[str]) -> list[Pick]:
    return [pick("target", t) for t in (["tank", "hospital"] if gun in GUNS and len(has) < 2 else [])]


def row_of(body: Plain) -> Mapping[str, Sequence[str]]:
    assert isinstance(body, dict)
    return {gun: [str(t) for t in those] for gun, those in body.items() if isinstance(those, list)}


FIRE = Lists(
    ("unit", "target"),
    lambda: [pick("unit", gun) for gun in GUNS],
    aims,
    lambda rows: {"fire": {gun: [*those] for gun, those in rows.items()}},
    row_of,
    read_fire,
)


def test_a_gun_is_named_first_and_then_its_target() -> None:
    assert told(FIRE.step(())) == (["unit gun", "unit mortar"], [], [], "")
    lenient = replace(FIRE, read=lambda order: order)
    assert told(lenient.step(())) == (["unit gun", "unit mortar"], [], [], "")  # nothing is no order
    assert told(FIRE.step(chosen("unit gun"))) == (["target tank"], [], [], ""), "nobody may fire at the hospital"


def test_more_targets_for_the_last_gun_or_the_next_gun() -> None:
    step = FIRE.step(chosen("unit gun", "target tank"))
    assert told(step) == (["unit mortar"], [], [], "")  # why it is not finished yet goes without saying


def test_lists_are_an_order_when_every_thing_has_some() -> None:
    step = FIRE.step(chosen("unit gun", "target tank", "unit mortar", "target tank"))
    assert told(step) == ([], [{"fire": {"gun": ["tank"], "mortar": ["tank"]}}], [], "")


def test_lists_that_are_refused_say_why_when_nothing_else_can_be_named() -> None:
    step = FIRE.step(chosen("unit gun", "target tank", "unit mortar", "target hospital"))
    assert told(step) == ([], [], ["not at the hospital"], "")
    full = FIRE.step(chosen("unit gun", "target tank", "unit mortar", "target hospital", "target tank"))
    assert told(full) == ([], [], ["not at the hospital"], "")


def test_what_is_picked_before_any_thing_belongs_to_none() -> None:
    assert told(FIRE.step(chosen("target tank"))) == told(FIRE.step(()))


def test_the_picks_of_lists_make_the_same_order() -> None:
    body: Plain = {"gun": ["tank", "wall"], "mortar": ["tank"]}
    row = chosen("unit gun", "target tank", "target wall", "unit mortar", "target tank")
    assert FIRE.picks(body) == row and FIRE.step(row).orders == ({"fire": body},)


# -- things and how many: two hits have to be taken ---------------------------------------------------------------------------


def read_hits(order: Any) -> Any:
    if sum(order["hits"].values()) != 2:
        raise illegal(verbatim("two hits"), "8")
    return order


def losses(taken: Mapping[str, int]) -> list[Pick]:
    return [pick("unit", name, most=2) for name in ("carrier", "fleet") if sum(taken.values()) < 2]


def hits_left(taken: Mapping[str, int]) -> Message:
    return msg("{n} hits", n=2 - sum(taken.values()))


HITS = Counts(losses, lambda taken: {"hits": dict(taken)}, lambda body: dict(body), read_hits, hits_left)  # type: ignore[arg-type, call-overload]


def test_things_are_counted_until_it_is_enough() -> None:
    assert told(HITS.step(())) == (["unit carrier", "unit fleet"], [], [], "2 hits")
    assert told(HITS.step(chosen("unit carrier"))) == (["unit carrier", "unit fleet"], [], ["two hits"], "1 hits")
    assert told(HITS.step(chosen("unit carrier", "unit fleet"))) == ([], [{"hits": {"carrier": 1, "fleet": 1}}], [], "0 hits")
    twice = (Chosen("unit", "fleet", 1), Chosen("unit", "fleet", 1))
    assert HITS.step(twice).orders == HITS.step((Chosen("unit", "fleet", 2),)).orders == ({"hits": {"fleet": 2}},)


def test_nothing_at_all_may_be_an_order() -> None:
    none = replace(HITS, read=lambda order: order, budget=Counts(losses, HITS.make, HITS.said, read_hits).budget)
    assert told(none.step(())) == (["unit carrier", "unit fleet"], [{"hits": {}}], [], "")


def test_other_picks_are_not_counted() -> None:
    assert HITS.step(chosen("unit carrier", "to Truk")) == Step() == HITS.step(chosen("to Truk", "unit carrier"))


def test_the_picks_of_counts_make_the_same_order() -> None:
    row = HITS.picks({"carrier": 1, "fleet": 2})
    assert row == (Chosen("unit", "carrier", 1), Chosen("unit", "fleet", 2))
    assert counted(row) == {"carrier": 1, "fleet": 2} and counted((*row, *row)) == {"carrier": 2, "fleet": 4}
