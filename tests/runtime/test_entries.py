"""An order as an entry of an order file, and on one line: hexes stand there as they are printed."""

from __future__ import annotations

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.forms import Partial, listed
from pbem.kernel.notation import order_text
from pbem.runtime.entries import entry_of, read_entry
from pbem.runtime.paper import read_paper


@pytest.mark.parametrize(
    ("order", "line", "entry"),
    [
        ({"land": 722}, "land: 0722", "- land: 0722"),
        ({"sail": {"A1": 722, "A2": 1134}}, "sail: {A1: 0722, A2: 1134}", "- sail: {A1: 0722, A2: 1134}"),
        ({"sail": {"A1": [722, 821]}}, "sail: A1: 0722, 0821", '- sail:\n    A1: ["0722", "0821"]'),
        ({"move": {"from": 722, "to": 821}}, "move: from 0722 to 0821", '- move: {from: "0722", to: "0821"}'),
        ({"buy": {"infantry": 12}}, "buy: 12 infantry", "- buy: {infantry: 12}"),
        ({"bid": 99}, "bid: 99", "- bid: 99"),
        ({"stay": 4501}, "stay: 4501", "- stay: 4501"),
    ],
)
def test_hexes_have_their_four_digits(order: Plain, line: str, entry: str) -> None:
    assert order_text(order) == line
    assert entry_of(order) == entry


def test_a_low_hex_is_picked_where_it_stands_on_the_map() -> None:
    form = listed([{"land": 722}, {"land": 1134}], lambda order: order, ("land",), bare="to")
    picks = form.step(Partial("land")).picks
    assert [(pick.value, pick.at) for pick in picks] == [("0722", "0722"), ("1134", "1134")]
    assert form.partial({"land": "0722"}) == form.partial({"land": 722})
    assert form.step(form.partial({"land": "0722"})).orders == ({"land": 722},)


def test_an_order_with_a_low_hex_is_put_behind_others_without_writing_them_anew() -> None:
    before = "orders:\n  - stay   # here\n"
    added = read_paper(before).adding([{"sail": {"A1": 722}}])
    assert added.text.rstrip() == before + "  - sail: {A1: 0722}"
    assert added.orders[1] == {"sail": {"A1": "0722"}} == read_entry("- sail: {A1: 0722}")
