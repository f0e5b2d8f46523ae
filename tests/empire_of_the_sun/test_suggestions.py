"""Proposals: legal orders, each once."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.suggestions import accepted
from pbem.kernel.canon import Plain
from pbem.kernel.orders import illegal


def test_an_order_is_proposed_once_and_only_if_it_is_legal() -> None:
    def read(order: Plain) -> Plain:
        if order == {"battle": "4021"}:
            raise illegal("out of range", "9.11")
        return order

    twice: list[Plain] = [{"move": "a to 4017"}, {"battle": "4021"}, "done", {"move": "a to 4017"}]
    assert list(accepted(read, twice)) == [{"move": "a to 4017"}, "done"]
