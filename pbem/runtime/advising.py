"""Hints for a player and reviews of what he played: from his own view, by the evaluation of his game's bot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.advice import MOST, Advice, Loss, greatest
from pbem.games import Module
from pbem.games.parts import Own
from pbem.kernel.canon import Plain, canonical, digest
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import written
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import NO_WORDS, Message
from pbem.runtime.asked import proposals, question_of
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table

LONGEST = 60  # orders that one answer runs to


def bot_seed(game: str, seat: str) -> int:
    """What the bot of a seat draws its play from, by the game's id: public, so that each machine gives the same orders."""
    return int(digest("pbem/1 bot", {"game": game, "seat": seat})[:12], 16)


class Hints(Struct, frozen=True):
    """Alternatives for a question, best first; `unit`: of their values."""

    ask: Ask | None
    unit: Message
    found: tuple[Advice, ...]


def hints(table: Table, player: str, knowledge: Knowledge) -> Hints | None:
    """What a player could answer to the question that is due from him; None where he is asked nothing.

    Weighed by the game's adviser; where that has nothing to weigh, what its bot would do with several temperaments; sealed
    orders as they are proposed. Nothing is looked at but the public position and the player's own items.
    """
    ask = question_of(table, player)
    if ask is None:
        return None
    game = table.game
    if not isinstance(ask, Ask):
        return Hints(None, NO_WORDS, tuple(Advice((order,)) for order in proposals(table, ask, knowledge)[:MOST]))
    own = knowledge.hand(ask.seat) if game.hidden_hands else {}
    seed, adviser = bot_seed(table.charter.game_id, ask.seat), game.adviser()
    found = tuple(adviser.advise(table.engine.state, ask, own, seed)) if adviser is not None else ()
    unit = adviser.UNIT if adviser is not None and found else NO_WORDS
    found = found or tuple(_by_bot(table.engine, game, ask, own, seed))
    return Hints(ask, unit, tuple(replace(one, orders=_typed(table.engine.fork(), game, one.orders, own)) for one in found))


def _typed(engine: Engine, game: Module, orders: Sequence[Plain], own: Own) -> tuple[Plain, ...]:
    """Orders as a player would type them, one after the other, as far as they lead without a die."""
    found: list[Plain] = []
    for order in orders:
        asked = engine.request
        if not isinstance(asked, Ask):
            break
        spelled = game.spelled_out(engine.state, asked.seat, order, own)
        found.append(written(order, asked.read) if spelled == order else order)
        engine.reply(spelled)
    return (*found, *orders[len(found) :])


def _by_bot(engine: Engine, game: Module, ask: Ask, own: Own, seed: int) -> Iterator[Advice]:
    """What the bot would order as long as the question is of this kind, with several seeds, each line of play once.

    Where several players decide at once it is one order of each, which is asked of the bot for this one alone.
    """
    bot = game.bot()
    if engine.request is not ask and bot is not None:
        own_ideas = [bot.choose(engine.state, ask, own, seed + number) for number in range(MOST)]
        yield from (Advice((order,)) for at, order in enumerate(own_ideas) if order not in own_ideas[:at])
        return
    seen: set[bytes] = set()
    for number in range(MOST if game.bot() is not None else 0):
        orders = tuple(_line(engine.fork(), game, ask.kind, ask.seat, own, seed + number))
        name = canonical([*orders])
        if orders and name not in seen:
            seen.add(name)
            yield Advice(orders)


def _line(engine: Engine, game: Module, kind: str, seat: str, own: Own, seed: int) -> Iterator[Plain]:
    """The bot's orders at questions of one kind that follow each other without a die."""
    bot = game.bot()
    assert bot is not None
    for _ in range(LONGEST):
        asked = engine.request
        if not isinstance(asked, Ask) or (asked.kind, asked.seat) != (kind, seat):
            return
        order = asked.forced if asked.forced is not None else bot.choose(engine.state, asked, own, seed)
        if asked.forced is None:
            yield order
        engine.reply(game.spelled_out(engine.state, seat, order, own))


# -- reviews -------------------------------------------------------------------------------------------------------------


class Reviewed(Struct, frozen=True):
    """A loss, in which file it was signed and who was asked."""

    seq: int
    seat: str
    loss: Loss


def reviewed(table: Table, orders: Sequence[Plain], player: str, own: Own) -> Iterator[Reviewed]:
    """What the orders of one file lost, question by question. `table`: as it was before the file; `own`: what its author
    held then.
    """
    game, adviser = table.game, table.game.adviser()
    if adviser is None:
        return
    engine, given, last = table.engine.fork(), [*orders], ("", "")
    while given:
        asked = engine.request
        if not isinstance(asked, Ask) or table.player_of(asked.seat) != player:
            return
        if asked.forced is None and (asked.kind, asked.seat) != last:
            last = (asked.kind, asked.seat)
            seed = bot_seed(table.charter.game_id, asked.seat)
            mine = own if game.hidden_hands else {}
            for loss in adviser.review(engine.state, asked, given, mine, seed):
                yield Reviewed(table.last + 1, asked.seat, loss)
        try:
            engine.reply(asked.forced if asked.forced is not None else given.pop(0))
        except Rejected:  # a standing order has answered this question
            return


def worst(found: Sequence[Reviewed], number: int = MOST) -> list[Reviewed]:
    """The largest of them."""
    kept = {id(one.loss): one for one in found}
    return [kept[id(loss)] for loss in greatest([one.loss for one in found], number)]
