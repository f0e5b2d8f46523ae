"""A short game on the bare engine with known cards and dice, told event by event; `python -m tests.empire_of_the_sun.diary`
writes its golden diaries anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.state import State
from pbem.games.empire_of_the_sun.words import wording
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Draw, Open, Roll
from pbem.kernel.wording import Told
from pbem.report.languages import LANGUAGES, language
from tests.empire_of_the_sun import table

GOLDEN = Path(__file__).parent / "golden"
SCENARIO = "year-1942"
ORDERS: list[Plain] = [
    {"arcadia": "no"},
    {"sail": "CA Exeter to Trincomalee"},
    "done",
    {"play": "J8"},  # the card is used for its operations value
    {"operations": "South HQ"},
    {"activate": "14th Army, 5th Air Division, CVL Ryujo, CA Nachi"},
    {"move": "14th Army to Manila"},
    {"move": "CVL Ryujo, CA Nachi to Manila"},
    "done",
    {"battle": "Manila with 14th Army, 5th Air Division, CVL Ryujo, CA Nachi"},
    "done",
    "react",
    {"intelligence": "roll"},
    {"counter": "none"},
    {"cards": "none"},
    {"return": "home"},
]
DICE = (2, 10, 8, 1, 4, 5, 7, 3, 9, 6)


@cache
def played() -> Engine:
    """The game after its first offensive."""
    orders, dice = iter(ORDERS), iter(DICE)
    engine = table.begin(SCENARIO)
    for _ in range(200):
        request = engine.request
        if isinstance(request, Roll):
            engine.reply([next(dice) for _ in range(request.dice)])
        elif isinstance(request, Draw):
            engine.reply(sorted((c for c in request.base if c not in request.less), key=_number)[: request.count])
        elif isinstance(request, Open):
            engine.reply(request.handle)
        elif isinstance(request, Ask) and request.forced is not None:
            engine.reply(request.forced)
        elif isinstance(request, Ask) and request.kind == "hits":
            assert request.policy is not None
            engine.reply(request.policy("cheapest"))
        elif isinstance(request, Ask):
            order = next(orders, None)
            if order is None:
                return engine
            engine.reply(order)
    raise AssertionError("the orders lead nowhere")


def _number(card: str) -> int:
    return int(card[1:])


def told(engine: Engine) -> Iterator[tuple[State, object, Told | None]]:
    """Every event of a game with the state just before it and its words."""
    state = GAME.start(engine.scenario, {})
    for event in engine.state.events:
        yield state, event, wording.tell(state, event)
        emit(state, event)


def diary(engine: Engine, code: str) -> str:
    """What happened as text; neighbours that say the same thing of several units are one line."""
    tongue = language(code, (wording.CATALOGUE,))
    lines: list[Told] = []
    for _, _, one in told(engine):
        joined = lines[-1].joined(one) if lines and one else None
        if joined:
            lines[-1] = joined
        elif one:
            lines.append(one)
    marks = {"turn": "# ", "phase": "## "}
    shown = (f"{marks.get(one.topic, '- ')}{tongue.text(one.text)} [{one.rule}]" for one in lines)
    return "\n".join(shown) + "\n"


if __name__ == "__main__":
    for name in LANGUAGES:
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / f"diary.{name}.md").write_text(diary(played(), name), "utf-8")
