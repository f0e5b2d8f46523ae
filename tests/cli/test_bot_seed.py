"""The bot of `pbem play`, the board and the tutorial draws its play from the game's id and the seat, which everybody knows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from pbem.cli import local
from pbem.kernel.canon import Plain
from pbem.store.session import Session
from tests.commands import run

IDS = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


@pytest.fixture(scope="module")
def axis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """Japan's folder of a game whose bot is to move."""
    folder = tmp_path_factory.mktemp("seeds") / "g"
    assert run("play", str(folder), stdin="").code == 0
    with local.at_work(folder) as party:
        assert party.writer is party.sessions["axis"]
        yield party.writer


def first_turn(session: Session, game_id: str) -> list[Plain]:
    """What the bot orders in a game of this id, before any die."""
    kept = session.charter
    session.charter = replace(kept, game_id=game_id)
    try:
        return local.bot_orders(session)
    finally:
        session.charter = kept


def test_games_begin_with_different_turns_and_each_with_its_own(axis: Session) -> None:
    turns = [first_turn(axis, game_id) for game_id in IDS]
    assert all(turns) and len({str(turn) for turn in turns}) >= 3
    assert [first_turn(axis, game_id) for game_id in reversed(IDS)] == turns[::-1]
    assert local.bot_orders(axis) == first_turn(axis, axis.charter.game_id)


def test_seats_of_one_game_have_seeds_of_their_own_and_the_same_on_each_machine() -> None:
    """The first twelve digits of printf 'pbem/1 bot\\n{"game":"aa...","seat":"japan"}' | sha256sum."""
    assert local.bot_seed(IDS[0], "japan") == 0xC2F5FBFAECD6
    seeds = [local.bot_seed(game_id, seat) for game_id in IDS for seat in ("japan", "china", "united-states")]
    assert len(set(seeds)) == len(seeds)
