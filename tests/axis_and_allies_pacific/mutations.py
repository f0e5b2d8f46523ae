"""Orders made illegal by construction; none may be accepted."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.axis_and_allies_pacific.random_play import at_random, play


def spoil(engine: Engine, order: Plain, dice: random.Random) -> tuple[str, Plain] | None:
    """A legal order changed into an illegal one: (how, order), or None when this order cannot be spoilt."""
    g, ask = engine.state, engine.request
    assert isinstance(ask, Ask)
    if order == "done":
        return dice.choice(
            [("unknown verb", "doner"), ("wrong phase", {"kamikaze": "none"} if ask.kind != "kamikaze" else "done")]
        )
    if not isinstance(order, dict):
        return None
    verb, body = next(iter(order.items()))
    if verb in ("move", "load", "assault", "unload", "bomb") and isinstance(body, dict) and "units" in body:
        return dice.choice(list(_spoilt_moves(g, verb, body, ask.seat)))
    if verb == "buy" and isinstance(body, dict):
        return "over the money", {"buy": dict.fromkeys(body, 999)}
    if verb == "place" and isinstance(body, dict):
        return "absent", {"place": {**body, "units": {k: n + 500 for k, n in body["units"].items()}}}  # type: ignore[union-attr]
    return "unknown words", {verb: "nonsense xyz"}


def _spoilt_moves(g: Any, verb: str, body: dict[str, Any], seat: str) -> list[tuple[str, Plain]]:
    kind = next(iter(body["units"]))
    key = "zone" if verb == "load" else "to"
    far = "moscow" if key == "to" else "sz-59"
    return [
        ("more than there are", {verb: {**body, "units": {kind: 400}}}),
        ("closed or far", {verb: {**body, key: far}}),
        ("absent", {verb: {**body, "from": "yenisey"}}),
        ("unknown unit", {verb: {**body, "units": {"zeppelin": 1}}}),
        ("unknown space", {verb: {**body, "from": "atlantis"}}),
        ("no number", {verb: {**body, "units": {kind: 0}}}),
        ("negative", {verb: {**body, "units": {kind: -1}}}),
        ("extra key", {verb: {**body, "speed": 9}}),
        ("nowhere", {verb: {**body, key: body["from"]}}),
    ]


def run(seed: int, wanted: int, rounds: int = 3) -> Counter[str]:
    """Spoil orders along random games until `wanted` were tried; returns how many of each kind were refused."""
    refused: Counter[str] = Counter()

    def watch(engine: Engine) -> None:
        ask = engine.request
        if sum(refused.values()) >= wanted or not isinstance(ask, Ask) or ask.forced is not None:
            return
        before = engine.state_hash() if sum(refused.values()) % 50 == 0 else ""
        for order in [dice.choice(list(ask.options()))]:
            spoilt = spoil(engine, order, dice)
            if spoilt is None:
                continue
            how, wrong = spoilt
            try:
                ask.read(wrong)
            except Rejected:
                refused[how] += 1
                continue
            raise AssertionError(f"seed {seed}: {how}: {wrong} was accepted for {ask.prompt}")
        assert not before or engine.state_hash() == before, "a refused order changed the state"

    dice = random.Random(seed)
    game = seed
    while sum(refused.values()) < wanted:
        play(game, rounds, at_random, watch)
        game += 1000
    return refused
