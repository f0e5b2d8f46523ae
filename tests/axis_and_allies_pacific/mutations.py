"""Orders made illegal by construction; none may be accepted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific.random_play import at_random, play
from tests.spoiling import Spoiler, Spoilt


def spoil(g: Any, ask: Ask, dice: random.Random) -> Iterator[Spoilt]:
    """One of the legal orders for a question changed into an illegal one, where it can be."""
    order = dice.choice(list(ask.options()))
    if order == "done":
        yield dice.choice(
            [("unknown verb", "doner"), ("wrong phase", {"kamikaze": "none"} if ask.kind != "kamikaze" else "done")]
        )
    if not isinstance(order, dict):
        return
    verb, body = next(iter(order.items()))
    if verb in ("move", "load", "assault", "unload", "bomb") and isinstance(body, dict) and "units" in body:
        yield dice.choice(list(_spoilt_moves(g, verb, body, ask.seat)))
    elif verb == "buy" and isinstance(body, dict):
        yield "over the money", {"buy": dict.fromkeys(body, 999)}
    elif verb == "place" and isinstance(body, dict):
        yield "absent", {"place": {**body, "units": {k: n + 500 for k, n in body["units"].items()}}}
    else:
        yield "unknown words", {verb: "nonsense xyz"}


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
    """Spoil orders along random games until `wanted` were refused; how many of each kind."""
    spoiler = Spoiler(spoil, seed, wanted, every=1.0, most=1)
    return spoiler.along(lambda number, watch: play(number, rounds, at_random, watch))
