"""A question that several rules ask: in which of some hexes something that may be done is done."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.orders import ALL, hexes_named, read_places
from pbem.games.pacific_war.picks import some
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg


def some_places(g: State, seat: str, verb: str, rule: str, prompt: Message, places: Sequence[int]) -> Flow[list[int]]:
    """`verb: all`, `verb: none` or `verb: [hexes]`, taken as all without an answer; asks nothing without hexes."""
    if not places:
        return []

    def read(plain: Plain) -> list[int]:
        _, body = split_order(plain, (verb,))
        if body in (ALL, NONE):
            return list(places) if body == ALL else []
        wanted = read_places(g, body)
        for place in wanted:
            if place not in places:
                raise illegal(msg("this cannot be chosen: {place}", place=g.board.name(place)), rule, hexes_named(g, places))
        return [p for p in places if p in wanted]

    options: list[Plain] = [{verb: ALL}, {verb: NONE}]
    if len(places) > 1:
        options += [{verb: [p]} for p in places[:4]]
    chosen: list[int] = yield Ask(
        seat,
        verb,
        rule,
        prompt,
        read,
        (verb,),
        facts={"hexes": len(places)},
        default=options[0],
        options=lambda: options,
        policy=lambda wanted: {verb: wanted},
        form=lambda: some(g, verb, places, read),
    )
    return chosen
