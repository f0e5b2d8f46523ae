"""A standing order that does nothing answers every question that can be answered so, in the same words."""

from __future__ import annotations

import pytest

from pbem.kernel import standing
from pbem.kernel.flow import Ask
from pbem.runtime.quiet import does_nothing
from tests.generic.test_forms import SHORT, moments


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("title", [recording.title for recording in SHORT])
def test_nothing_can_be_ordered_beforehand(title: str) -> None:
    """`bombard: pass` and `advance: none` as an order has them."""
    for _, ask, _ in moments(title, 2):
        for order in ask.options() if isinstance(ask, Ask) else ():
            if does_nothing(order):
                word = next(iter(order.values())) if isinstance(order, dict) else order
                given = standing.answer(ask, standing.read_clauses(ask.kind, word), (), {})
                assert isinstance(given, standing.Answered), (ask.kind, order, given)
