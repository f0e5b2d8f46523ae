"""Hints and reviews: who is asked, with which seed, by adviser or bot, each line of play once, as a player would type it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.bots.advice import Advice, Loss
from pbem.kernel.canon import Plain, digest
from pbem.kernel.flow import Ask, Commit, Roll
from pbem.kernel.orders import illegal, verb_of
from pbem.kernel.wording import NO_WORDS, msg, verbatim
from pbem.runtime import advising
from pbem.runtime.advising import Hints, Reviewed, bot_seed, hints, reviewed, worst
from pbem.runtime.dues import Due
from tests.runtime import desks
from tests.runtime.desks import GAME, OWNERS, Desk

SEED = int(digest("pbem/1 bot", {"game": GAME, "seat": "red"})[:12], 16)


def read(order: Plain) -> Any:
    if verb_of(order) not in ("go", "stop"):
        raise illegal(verbatim(f"{order}"), "R")
    return tuple(order["go"]) if isinstance(order, dict) and isinstance(order["go"], list) else str(order)


def ask(kind: str = "move", seat: str = "red", **more: Any) -> Ask:
    return Ask(seat, kind, "R", verbatim(f"{kind}?"), read, ("go", "stop"), **more)


class Engine:
    """Asks a list of questions, one for each answer."""

    def __init__(self, *requests: Any) -> None:
        self.requests, self.given, self.state = [*requests], list[Plain](), "state"

    @property
    def request(self) -> Any:
        return self.requests[len(self.given)] if len(self.given) < len(self.requests) else None

    def fork(self) -> Engine:
        other = Engine(*self.requests)
        other.given = [*self.given]
        return other

    def reply(self, order: Plain) -> None:
        if order == "refused":
            raise illegal(verbatim("no"), "R")
        self.given.append(order)


class Bot:
    """Chooses by its seed, and notes what it was told."""

    def __init__(self, *choices: Plain) -> None:
        self.choices, self.told = choices, list[Any]()

    def choose(self, state: Any, ask: Ask, own: Any, seed: int) -> Plain:
        self.told.append((state, ask.kind, own, seed - SEED))
        return self.choices[(seed - SEED) % len(self.choices)]


class Adviser:
    UNIT = msg("points")

    def __init__(self, *found: Advice, losses: tuple[Loss, ...] = ()) -> None:
        self.found, self.losses, self.told = found, losses, list[Any]()

    def advise(self, *told: Any) -> Any:
        self.told.append(told)
        return iter(self.found)

    def review(self, state: Any, ask: Ask, orders: Any, own: Any, seed: int) -> Any:
        self.told.append((state, ask.kind, [*orders], own, seed - bot_seed(GAME, ask.seat)))
        return iter(self.losses)


class Game(desks.Game):
    hidden_hands = False
    its_bot: Any = None
    its_adviser: Any = None

    def bot(self) -> Any:
        return self.its_bot

    def adviser(self) -> Any:
        return self.its_adviser

    def spelled_out(self, state: Any, seat: str, order: Plain, own: Any) -> Plain:
        assert state == "state", "by what is held where the game stands"
        return f"{seat} {own['ace']}" if order == "ace" else order

    def proposals(self, state: Any, ask: Any, cards: Any, reveal: Any) -> list[Plain]:
        return ["a", "b", "c", "d"]

    def sealed_options(self, state: Any, ask: Any, reveal: Any) -> list[Plain]:
        return []


KNOWS: Any = SimpleNamespace(hand=lambda seat: {"ace": f"h of {seat}"}, reveal=lambda handle: handle)


def desk_at(*requests: Any, **game: Any) -> Any:
    desk: Any = Desk(game=Game(), due=Due("nowak", "orders", "red"))
    desk.engine, desk.charter.game_id, desk.last = Engine(*requests), GAME, 6
    for name, value in game.items():
        setattr(desk.game, name, value)
    return desk


def orders(found: Hints | None) -> list[tuple[Plain, ...]]:
    assert found is not None
    return [one.orders for one in found.found]


def test_a_bot_of_a_seat_draws_the_same_everywhere() -> None:
    assert bot_seed(GAME, "red") == SEED != bot_seed(GAME, "blue")
    assert SEED < 16**12


# -- hints ------------------------------------------------------------------------------------------------------------


def test_who_is_not_asked_gets_none() -> None:
    assert hints(desk_at(ask()), "yamada", KNOWS) is None


def test_of_a_secret_question_what_is_proposed_first() -> None:
    hiding = Commit("red", "hide", "R", verbatim("hide?"), lambda order: order)
    assert hints(desk_at(hiding), "nowak", KNOWS) == Hints(None, NO_WORDS, tuple(Advice((o,)) for o in "abc"))


@pytest.mark.parametrize("hidden", [True, False])
def test_the_adviser_weighs_from_the_players_own_view(hidden: bool) -> None:
    adviser, question = Adviser(Advice(("stop",), 7, msg("goal")), Advice(({"go": ["x"]},), 3)), ask()
    desk = desk_at(question, its_adviser=adviser, its_bot=Bot("stop"), hidden_hands=hidden)
    found = hints(desk, "nowak", KNOWS)
    assert found is not None and (found.ask, found.unit) == (question, msg("points"))
    assert found.found[0] == Advice(("stop",), 7, msg("goal")) and found.found[1].value == 3
    own = {"ace": "h of red"} if hidden else {}
    assert adviser.told == [("state", question, own, SEED)] and desk.game.its_bot.told == []


def test_where_nothing_is_weighed_the_bot_says_what_it_would_do() -> None:
    question = ask()
    for adviser in (None, Adviser()):
        desk = desk_at(question, its_adviser=adviser, its_bot=Bot("stop", {"go": 1}, "stop"))
        found = hints(desk, "nowak", KNOWS)
        assert orders(found) == [("stop",), ({"go": 1},)] and found is not None and found.unit == NO_WORDS
        assert desk.game.its_bot.told == [("state", "move", {}, n) for n in range(3)]
        assert desk.engine.given == []
    assert orders(hints(desk_at(question), "nowak", KNOWS)) == []


def test_what_a_player_may_seal_of_his_hidden_things_is_proposed_too() -> None:
    hiding = Commit("red", "hide", "R", verbatim("hide?"), lambda order: order)
    sealed = {"proposals": lambda *_: ["a"], "sealed_options": lambda state, ask, reveal: [reveal("ace of red")]}
    assert orders(hints(desk_at(hiding, **sealed), "nowak", KNOWS)) == [("a",), ("ace of red",)]


# -- as a player would type them --------------------------------------------------------------------------------------


def test_orders_are_told_as_they_are_typed_and_hidden_things_by_their_names() -> None:
    def read_units(order: Plain) -> Any:
        body = order["go"] if isinstance(order, dict) else order
        return {body.split()[1]: int(body.split()[0])} if isinstance(body, str) else body

    question = Ask("red", "move", "R", verbatim("move?"), read_units, ("go",))
    engine: Any = Engine(question, ask(), Roll(verbatim("x"), 1, 6, "R"), ask())
    game: Any = Game()
    three: Plain = {"go": {"infantry": 3}}
    typed = advising._typed(engine, game, (three, "ace", three, "stop"), {"ace": "h"})
    assert typed == ({"go": "3 infantry"}, "ace", three, "stop"), "behind a die they stand as they are"
    assert engine.given == [three, "red h"]
    desk = desk_at(question, its_adviser=Adviser(Advice((three,), 3)))
    assert orders(hints(desk, "nowak", KNOWS)) == [({"go": "3 infantry"},)] and desk.engine.given == []


def test_an_order_that_names_a_hidden_thing_is_told_as_it_is() -> None:
    def read_units(order: Plain) -> Any:
        body = order["go"] if isinstance(order, dict) else order
        return {body.split()[1]: int(body.split()[0])} if isinstance(body, str) else body

    question = Ask("red", "move", "R", verbatim("move?"), read_units, ("go",))
    named: Plain = {"go": {"ace": 1}}
    game: Any = Game()
    game.spelled_out = lambda state, seat, order, own: {"go": {own["ace"]: 1}}
    engine: Any = Engine(question)
    assert advising._typed(engine, game, (named,), {"ace": "h"}) == (named,)
    assert engine.given == [{"go": {"h": 1}}]
    held = desk_at(ask(), its_adviser=Adviser(Advice(("ace",), 3)), hidden_hands=True)
    assert orders(hints(held, "nowak", KNOWS)) == [("ace",)]


# -- by the bot -------------------------------------------------------------------------------------------------------


def by_bot(engine: Any, question: Ask, bot: Any, own: Any = None) -> list[tuple[Plain, ...]]:
    game: Any = Game()
    game.its_bot = bot
    return [one.orders for one in advising._by_bot(engine, game, question, own or {}, SEED)]


def test_of_a_decision_of_several_the_bot_is_asked_for_this_one_alone() -> None:
    bot = Bot("stop", "ace", "stop")
    assert by_bot(Engine(ask("other")), ask(), bot, {"ace": "h"}) == [("stop",), ("ace",)]
    assert bot.told == [("state", "move", {"ace": "h"}, n) for n in range(3)]
    assert by_bot(Engine(ask("other")), ask(), None) == []


def test_a_line_of_play_goes_on_as_long_as_the_question_is_of_its_kind() -> None:
    question, forced = ask(), ask(forced="forced")
    for last in (ask("other"), ask(seat="blue"), Roll(verbatim("x"), 1, 6, "R"), None):
        engine = Engine(question, forced, question, last)
        assert by_bot(engine, question, Bot("ace"), {"ace": "h"}) == [("ace", "ace")] and engine.given == []
    alone = Engine(forced, ask("other"))
    assert by_bot(alone, forced, Bot("stop")) == [], "nothing but what is forced is no advice"
    replied = Engine(question, forced, question)
    game: Any = Game()
    game.its_bot = Bot("ace")
    assert [*advising._line(replied, game, "move", "red", {"ace": "h"}, SEED)] == ["ace", "ace"]  # type: ignore[arg-type]
    assert replied.given == ["red h", "forced", "red h"]


def test_a_line_of_play_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert advising.LONGEST == 60
    monkeypatch.setattr(advising, "LONGEST", 3)
    question = ask()
    assert by_bot(Engine(*[question] * 9), question, Bot("stop", {"go": 1}, "stop")) == [("stop",) * 3, ({"go": 1},) * 3]


# -- reviews ----------------------------------------------------------------------------------------------------------


LOST = Loss(5, None, None)


def review(desk: Any, *orders: Plain, own: Any = None) -> list[Reviewed]:
    desk.player_of = {**OWNERS, "rust": "nowak"}.__getitem__
    return [*reviewed(desk, orders, "nowak", own or {})]


def test_each_question_of_a_file_is_reviewed_once_with_what_follows_it() -> None:
    adviser = Adviser(losses=(LOST,))
    requests = [ask(), ask(), ask(forced="f"), ask("fight"), ask("fight", seat="rust"), ask()]
    desk = desk_at(*requests, its_adviser=adviser)
    assert review(desk, "a", "b", "c", "d", "e") == [Reviewed(7, seat, LOST) for seat in ("red", "red", "rust", "red")]
    assert adviser.told == [
        *(("state", "move", ["a", "b", "c", "d", "e"], {}, 0), ("state", "fight", ["c", "d", "e"], {}, 0)),
        *(("state", "fight", ["d", "e"], {}, 0), ("state", "move", ["e"], {}, 0)),
    ]
    assert desk.engine.given == []


def test_a_review_ends_where_another_is_asked_a_die_falls_or_an_order_is_none_of_the_files() -> None:
    for last in (ask(seat="blue"), Roll(verbatim("x"), 1, 6, "R"), None):
        adviser = Adviser(losses=(LOST,))
        assert len(review(desk_at(ask(), last, ask("fight"), its_adviser=adviser), "a", "b", "c")) == 1
    adviser = Adviser(losses=(LOST,))
    assert len(review(desk_at(ask(), ask("fight"), ask("end"), its_adviser=adviser), "a", "refused", "c")) == 2
    assert review(desk_at(ask()), "a") == [], "a game without an adviser"
    assert review(desk_at(ask(), its_adviser=adviser)) == []


@pytest.mark.parametrize("hidden", [True, False])
def test_a_review_is_from_what_its_author_held(hidden: bool) -> None:
    adviser = Adviser()
    review(desk_at(ask(), its_adviser=adviser, hidden_hands=hidden), "a", own={"ace": "h"})
    assert adviser.told[0][3] == ({"ace": "h"} if hidden else {})


def test_the_largest_losses_are_told_each_with_its_file() -> None:
    found = [Reviewed(n, "red", Loss(value, None, None)) for n, value in enumerate((3, 0, 9, 3, 5))]
    assert worst(found) == [found[2], found[4], found[0]] and worst(found, 1) == [found[2]]
    assert worst(found, 9) == [found[2], found[4], found[0], found[3]]
