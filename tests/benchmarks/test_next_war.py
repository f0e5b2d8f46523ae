"""Next War on the whole map of Korea.

Targets: the range of one unit in 2 ms, 1,000 random legal decisions a second, receiving a full Movement Segment in 300 ms, a
map in 150 ms.
"""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from pbem import games
from pbem.games.next_war import movement, searches
from pbem.games.next_war.game import GAME
from pbem.games.next_war.picture import latest_turn, picture
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.protocol import strict_yaml
from pbem.report.maps.look import Look
from pbem.report.svg_map import draw
from pbem.runtime.composing import Draft
from pbem.runtime.taking import take
from tests.next_war import random_play, table
from tests.toygame.party import Person, found_game, send

KOREA = "korea"


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("unit", ["DPRK 105/820", "DPRK 3/II", "ROK 20/VII", "DPRK 32/II"])
def test_range_of_one_unit_in_korea(benchmark: Any, unit: str) -> None:
    """A tank division by highway, infantry at the front, a mechanized division round Seoul, light infantry."""
    g = table.begin("korea").state
    benchmark(lambda: movement.Search(g, g.seat(unit), [unit], g.pieces[unit].at).run())


@pytest.mark.benchmark(timer=time.process_time)
def test_range_of_every_unit(benchmark: Any) -> None:
    """Every ground unit on the map once from its hex; only zones are kept; `ms a unit` in the extra columns."""
    g = GAME.start(table.scenario(KOREA), {})
    stacks = [(g.seat(u), u, g.pieces[u].at) for s in ("allied", "non-allied") for u in g.on_map(s, "ground")]
    stacks = [(side, unit, at) for side, unit, at in stacks if not g.pieces[unit].aboard]

    def ranges() -> int:
        return sum(len(movement.Search(g, side, [unit], at).run().ends()) for side, unit, at in stacks)

    benchmark.pedantic(ranges, rounds=5, warmup_rounds=1)
    assert ranges() > 10 * len(stacks)
    benchmark.extra_info["ms a unit"] = round(1000 * benchmark.stats.stats.mean / len(stacks), 3)


def game(name: str, options: dict[str, Plain]) -> tuple[list[Plain], int]:
    """Every answer of a random game, and how many of them were orders chosen among proposals."""
    engine, dice, decisions, answers = table.begin(name, **options), random.Random(5), 0, list[Plain]()
    while engine.request is not None:
        request = engine.request
        if isinstance(request, Ask):
            decisions += 1
            answers.append(request.forced if request.forced is not None else random_play.choose(request, dice, 12))
        else:
            answers.append(table.chance(request, dice))
        engine.reply(answers[-1])
    return answers, decisions


def replay(name: str, options: dict[str, Plain], answers: list[Plain]) -> Engine:
    """The floor of a game: its answers are judged and carried out, and nobody looks for proposals."""
    engine = table.begin(name, **options)
    for answer in answers:
        engine.reply(answer)
    return engine


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in table.SCENARIOS), (KOREA, {"supply": "on"})],
    ids=[*table.SCENARIOS, "korea with supply"],
)
def test_random_decisions(benchmark: Any, name: str, options: dict[str, Plain]) -> None:
    """A game to its end; the extra columns have its decisions, and the floor in the same run: the same game replayed."""
    answers, decisions = game(name, options)
    benchmark.pedantic(lambda: game(name, options), rounds=3)
    floors = []
    for _ in range(3):
        began = time.process_time()
        assert replay(name, options, answers).request is None
        floors.append(time.process_time() - began)
    fastest = benchmark.stats.stats.min
    benchmark.extra_info["decisions"] = decisions
    benchmark.extra_info["decisions per second"] = round(decisions / fastest)
    benchmark.extra_info["ms an answer"] = round(1000 * fastest / len(answers), 3)
    benchmark.extra_info["ms an answer replayed"] = round(1000 * min(floors) / len(answers), 3)


def everybody_moves(engine: Engine) -> list[Plain]:
    """A march for every unit of the side that moves, as far as one can be found, and being done."""
    orders: list[Plain] = []
    ask, g = engine.request, engine.state
    assert isinstance(ask, Ask) and ask.kind == "movement"
    for unit in [u for u in g.on_map(ask.seat, "ground") if not g.pieces[u].aboard]:
        ends = searches.reach(g, ask.seat, [unit], g.pieces[unit].at).ends()
        march: Plain = {"move": {"units": [unit], "to": g.board.hexes[ends[len(ends) // 2]].label}} if ends else None
        if march is not None:
            engine.reply(march)
            orders.append(march)
    return [*orders, "done"]


@pytest.fixture(scope="module")
def segment() -> tuple[Person, str]:
    """Before a file that moves the whole army of the Initiative player, and that file."""
    people = [Person("yamada", ["allied"]), Person("nowak", ["non-allied"])]
    found_game(GAME, people, {o.name: o.choices[0] for o in GAME.options}, table.scenario(KOREA))
    while not (isinstance(ask := people[0].table.engine.request, Ask) and ask.kind == "movement"):
        due = people[0].table.due
        send(people, Draft([{"weather": "clear"}] if due.what == "orders" else []))
    document = people[1].sign(people[1].write(Draft(everybody_moves(people[1].table.fork().engine))).document)
    return people[0], strict_yaml.write_document(document)


@pytest.mark.benchmark(timer=time.process_time)
def test_receiving_a_full_movement_segment(benchmark: Any, segment: tuple[Person, str]) -> None:
    """From the text of the file to the table after it; `orders` in the extra columns."""
    person, text = segment

    def received() -> int:
        document, _ = strict_yaml.read_document(text)
        return len(take(person.table, document, person.fetch).table.engine.state.moved)

    moved = benchmark.pedantic(received, rounds=7, warmup_rounds=1)
    assert moved > 20
    benchmark.extra_info["orders"] = moved


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("around", ["", "N2922"], ids=["peninsula", "Seoul"])
def test_map_of_korea(benchmark: Any, around: str) -> None:
    """From the position to the SVG, after the first moves."""
    engine = table.begin(KOREA)
    dice = random.Random(3)
    while not (isinstance(engine.request, Ask) and engine.request.kind == "movement"):
        request = engine.request
        assert request is not None
        engine.reply(random_play.choose(request, dice, 9) if isinstance(request, Ask) else table.chance(request, dice))
    everybody_moves(engine)
    start = GAME.start(engine.scenario, {})

    def drawn() -> str:
        shown = picture(engine.state, latest_turn([(start, engine.state.events)]))
        return draw(games.load("next-war"), shown, "Korea", Look(width=0, around=around))

    assert benchmark(drawn).startswith("<svg")
