"""A game of 500 files judged from scratch. Targets: signatures, chain and dice 1 s; with all rules 10 s."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.flow import Ask
from pbem.protocol import chain, charter, dice, strict_yaml, turnfile
from pbem.protocol.ids import document_id
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import Rolled
from pbem.runtime.table import Table
from pbem.runtime.taking import take, take_in_place
from tests.axis_and_allies_pacific import table
from tests.toygame.party import Person, found_game

FILES = 500
STANDING = {"casualties": "cheapest first", "submarines": "strike", "battle": "any", "retreat": "press"}


@pytest.fixture(scope="module")
def game() -> Person:
    """Random orders, a few in each file, over as many rounds as it takes; the log as one player has it."""
    allies = [seat for seat, side in GAME.seats.items() if side == "allies"]
    party = [Person("yamada", ["japan"], length=4096), Person("nowak", allies, length=4096)]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, table.scenario())
    rng = random.Random(1)
    keeper = party[0]
    while keeper.table.last < FILES and keeper.table.result is None:
        writer = next(p for p in party if p.name == keeper.table.due.player)
        for person in party:
            person.table, person.log = keeper.table, keeper.log
        composed = writer.write(Draft(few_orders(writer, rng), STANDING if keeper.table.last < 4 else {}))
        document = writer.sign(composed.document)
        keeper.table = take(keeper.table, document, keeper.fetch).table
        keeper.log.append(document)
    assert keeper.table.last == FILES
    return keeper


def few_orders(writer: Person, rng: random.Random) -> list[Any]:
    """Up to three legal orders in a row for what is asked of this player."""
    orders: list[Any] = []
    engine = writer.table.fork().engine
    while isinstance(engine.request, Ask) and writer.table.player_of(engine.request.seat) == writer.name and len(orders) < 3:
        ask = engine.request
        order = ask.forced if ask.forced is not None else rng.choice(list(ask.options()))
        engine.reply(order)
        if ask.forced is None:
            orders.append(order)
    return orders if writer.table.due.what == "orders" else []


def judge_without_rules(log: list[dict[str, Any]], rolls: list[Rolled]) -> int:
    """Every signature, id, link and die; how many dice."""
    read = charter.verify(log[0])
    last = {p.name: p.chain for p in read.all_players}
    before, ids = document_id(log[0]), [document_id(log[0])]
    for document in log[1:]:
        player = document["player"]
        turnfile.verify(document, read.player(player).key)
        assert document["prev"] == before and chain.verify_link(read.nonce, last[player], document["link"])
        last[player], before = document["link"], document_id(document)
        ids.append(before)
    for rolled in rolls:
        seed = dice.seed(bytes.fromhex(log[rolled.source + 1]["link"]), ids[0], rolled.source, ids[rolled.source])
        assert list(dice.roll(seed, rolled.index, rolled.label, len(rolled.dice), rolled.sides)) == rolled.dice
    return sum(len(r.dice) for r in rolls)


def test_signatures_chain_and_dice(benchmark: Any, game: Person) -> None:
    assert benchmark.pedantic(judge_without_rules, (game.log, game.table.ledger.rolled), rounds=3) > 50


def test_reading_the_files(benchmark: Any, game: Person) -> None:
    """The readable copies, as they come by mail; the log itself is JSON."""
    texts = [strict_yaml.write_document(d) for d in game.log]
    assert benchmark.pedantic(lambda: [strict_yaml.read_document(t)[0] for t in texts], rounds=1) == game.log


def replayed(game: Person) -> str:
    after = Table.start(game.table.charter, GAME, table.scenario())
    for document in game.log[1:]:
        take_in_place(after, document, game.fetch)
    return after.engine.state_hash()


def test_full_rules(benchmark: Any, game: Person) -> None:
    assert benchmark.pedantic(replayed, (game,), rounds=1) == game.table.engine.state_hash()
