"""Proposals: legal orders, each once."""

from __future__ import annotations

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import illegal
from pbem.kernel.proposals import Proposals
from tests.empire_of_the_sun import table


def test_an_order_is_proposed_once_and_only_if_it_is_legal() -> None:
    def read(order: Plain) -> Plain:
        if order == {"battle": "4021"}:
            raise illegal("out of range", "9.11")
        return order

    twice: list[Plain] = [{"move": "a to 4017"}, {"battle": "4021"}, "done", {"move": "a to 4017"}]
    assert list(Proposals(read, twice)) == [{"move": "a to 4017"}, "done"]


@pytest.mark.parametrize("edition", ["2nd-2015", "1st-2005"])
def test_the_war_opens_with_operation_z_alone(edition: str) -> None:
    """[17.11] Operation No. 1 is in hand, and is not proposed before."""
    ask = table.begin("campaign-1941", rules=edition).request
    assert isinstance(ask, Ask)
    assert list(ask.options()) == [{"play": "J1"}]
