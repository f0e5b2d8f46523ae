"""When a chain of links that was announced takes over: as soon as somebody who could choose has seen it, not before."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.runtime.ledger import Chain, Entry
from pbem.runtime.taking import Standing, chain_in_use

SIDES = {"nowak": "allies", "dubois": "allies", "yamada": "axis", "smith": "umpire"}
OLD, NEXT = "aa" * 32, "bb" * 32


def chain_after(player: str, *authors: str, announced: int = 2, next_tip: str = NEXT) -> Standing:
    """The chain of `player`, who announced another one in file 2, after files of these authors (the first is file 1)."""
    entries = [Entry("00" * 32, "", "charter", "")]
    entries += [Entry(f"{i:064}", author, "turn", OLD) for i, author in enumerate(authors, start=1)]
    chain = Chain(OLD, 70, 512)
    chain.next_tip, chain.next_length, chain.announced = next_tip, 512, announced
    table: Any = SimpleNamespace(
        ledger=SimpleNamespace(entries=entries, chains={player: chain}),
        side_of=SIDES.__getitem__,
    )
    return chain_in_use(table, player)


HELD, TAKEN = Standing(OLD, 70), Standing(NEXT, 512)


@pytest.mark.parametrize(
    ("authors", "standing"),
    [
        (("yamada", "nowak"), HELD),
        (("yamada", "nowak", "nowak"), HELD),
        (("yamada", "nowak", "dubois", "nowak"), HELD),
        (("yamada", "nowak", "yamada"), TAKEN),
        (("yamada", "nowak", "dubois", "yamada", "nowak"), TAKEN),
        (("yamada", "nowak", "smith"), TAKEN),
        (("yamada", "nowak", ""), HELD),
    ],
)
def test_a_players_chain_takes_over_behind_a_file_of_the_other_side(authors: tuple[str, ...], standing: Standing) -> None:
    assert chain_after("nowak", *authors) == standing


@pytest.mark.parametrize(
    ("authors", "standing"),
    [
        (("yamada", "smith"), HELD),
        (("yamada", "smith", "smith"), HELD),
        (("yamada", "smith", ""), HELD),
        (("yamada", "smith", "nowak"), TAKEN),
    ],
)
def test_the_umpires_chain_takes_over_behind_a_file_of_anybody_else(authors: tuple[str, ...], standing: Standing) -> None:
    assert chain_after("smith", *authors) == standing


def test_without_an_announcement_nothing_takes_over() -> None:
    assert chain_after("nowak", "yamada", "nowak", "yamada", next_tip="") == HELD
