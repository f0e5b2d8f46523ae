"""The first turn of the training scenario with known dice, told event by event; `python -m tests.next_war.diary` writes its
golden diaries anew."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from pbem.games.next_war import wording
from pbem.games.next_war.game import GAME
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.wording import Told
from pbem.report.languages import LANGUAGES, language
from tests.next_war import table

GOLDEN = Path(__file__).parent / "golden"
ORDERS: list[Plain] = [
    {"weather": "clear"},
    {"move": "1/G to 0806"},
    {"move": "2/G to 0805"},
    {"drop": "31 Abn to 0503"},
    {"sail": "Kreuzer to strait-at-sea"},
    "done",
    {"attack": "1/G, 12/A at 0705 lead 1/G"},
    {"support": "air 2 helos Hind 1"},
    {"support": "air 2"},
]
DICE = (2, 7, 6, 9, 10, 1, 4, 7, 1, 8, 3, 5)


@cache
def played() -> Engine:
    """The game up to the first question that the orders do not answer, other questions answered by their first proposal."""
    orders, dice = list(ORDERS), iter(DICE * 4)
    engine = table.begin("training")
    while orders or isinstance(engine.request, Roll):
        request = engine.request
        if isinstance(request, Roll):
            engine.reply([next(dice) for _ in range(request.dice)])
            continue
        assert isinstance(request, Ask)
        first = orders[0]
        expected = not isinstance(first, dict) or next(iter(first)) in request.verbs
        engine.reply(orders.pop(0) if expected else request.forced or next(iter(request.options())))
    return engine


def told(engine: Engine) -> Iterator[tuple[State, object, Told | None]]:
    """Every event of a game with the state just before it and its words."""
    state = GAME.start(engine.scenario, {})
    for event in engine.state.events:
        yield state, event, wording.tell(state, event)
        emit(state, event)


def diary(engine: Engine, code: str) -> str:
    """What happened as text."""
    tongue = language(code, (wording.CATALOGUE,))
    marks = {"turn": "# ", "phase": "## "}
    lines = [one for _, _, one in told(engine) if one]
    return "".join(f"{marks.get(one.topic, '- ')}{tongue.text(one.text)} [{one.rule}]\n" for one in lines)


if __name__ == "__main__":
    for name in LANGUAGES:
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / f"diary.{name}.md").write_text(diary(played(), name), "utf-8")
