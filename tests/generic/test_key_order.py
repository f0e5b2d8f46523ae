"""The order in which a player types the keys of an order means nothing: signed files hold them in canonical order."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from pbem.kernel.canon import Plain, canonical, in_key_order
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.orders import split_order
from tests.axis_and_allies_pacific import random_play as axis_and_allies
from tests.empire_of_the_sun import random_play as empire_of_the_sun
from tests.next_war import random_play as next_war
from tests.pacific_war import random_play as pacific_war


def test_the_order_of_keys_is_that_of_the_canonical_form() -> None:
    body: Plain = {"b": [{"z": 1, "é": 2, "a": 3}], "a": 1, "\U0001d11e": 4, "\uffee": 5}
    held = in_key_order(body)
    assert held == body
    assert json.dumps(held, ensure_ascii=False, separators=(",", ":")).encode() == canonical(body)


def test_a_body_comes_in_key_order() -> None:
    _, body = split_order({"fire": {"b": {"y": 1, "x": 2}, "a": 3}}, ("fire",))
    assert json.dumps(body) == '{"a": 3, "b": {"x": 2, "y": 1}}'


def turned(plain: Any) -> Any:
    """The same order typed from its last key to its first."""
    if isinstance(plain, dict):
        return {key: turned(plain[key]) for key in reversed(plain)}
    return [turned(part) for part in plain] if isinstance(plain, list) else plain


GAMES: dict[str, Callable[[], Any]] = {
    "axis-and-allies-pacific": lambda: axis_and_allies.play(3, 2, axis_and_allies.at_random),
    "empire-of-the-sun": lambda: empire_of_the_sun.play("south-pacific", 3),
    "next-war": lambda: next_war.play("training", 3),
    "pacific-war": lambda: pacific_war.play("coral-sea", 3),
}


@pytest.mark.parametrize("system", GAMES)
def test_orders_typed_the_other_way_round_give_the_same_game(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    reply, twins = Engine.reply, dict[int, Engine]()

    def both(engine: Engine, answer: Any) -> None:
        if not twins:
            twins[id(engine)] = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
        twin = twins[id(engine)]
        decided = isinstance(engine.request, Ask | Simultaneous)
        reply(engine, answer)
        reply(twin, turned(answer) if decided else answer)

    monkeypatch.setattr(Engine, "reply", both)
    played = GAMES[system]()
    twin = twins[id(played)]
    assert twin.state_hash() == played.state_hash()
