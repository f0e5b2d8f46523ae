"""Pacific War: the module's entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any

from pbem.games.module import GameModule, that_asks_all
from pbem.games.pacific_war.board import Board, read_charts, read_counters, read_hexes
from pbem.games.pacific_war.planning import (
    CYCLES_AHEAD,
    PLANNABLE,
    PlanFacts,
    cycles_since,
    may_ask,
    plannable_here,
    stretch_of,
)
from pbem.games.pacific_war.sequence import SEGMENTS, VERSION_3, VERSION_4
from pbem.games.pacific_war.setup import set_up
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.victory import ended
from pbem.games.parts import Adviser, Bot, Chances, Charts, Checking, Picturing, Words
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.flow import Ask, Commit, Facts, Flow, Reveal
from pbem.kernel.hexes import labels_in
from pbem.kernel.memo import boards
from pbem.kernel.shapes import setting_up
from pbem.kernel.wording import Message

if TYPE_CHECKING:  # every start with this game loads this module
    from pbem.games.lesson import Lesson

OPTIONS = (
    Option(
        "forces",
        ("open", "sealed"),
        "what task forces hold: seen by everybody, or sealed until they act or are met",
        "PW-FOG-01",
    ),
    Option(
        "land",
        ("open", "sealed"),
        "what Force markers of campaigns stand for: seen by everybody, or sealed until it acts or is met",
        "PW-FOG-01",
    ),
    Option("secrets", ("sealed", "open"), "intelligence dice: seen by their owner alone, or by everybody", "PW-OIN-01"),
    Option("points", ("open", "sealed"), "how command points are allocated: seen by everybody, or by their owner", "PW-CMD-01"),
    Option("weather", ("no", "yes"), "weather in campaigns: all of its rules, or none", "PW-WX-01"),
    Option("radar", ("no", "yes"), "search dice: Allies -2 from January 1943, Japan -1 from January 1944", "PW-OPT-12"),
    Option("decoys", ("no", "yes"), "task forces without ships; with sealed forces and sealed land forces only", "PW-OPT-04"),
    Option("pilot-skill", ("no", "yes"), "a defender's higher level lowers the strength of an attack in the air", "PW-OPT-05"),
    Option("tough-bombers", ("no", "yes"), "Allied 4E count as level 2 when they are attacked", "PW-OPT-07"),
    Option(
        "fighter-range",
        ("no", "yes"),
        "1E of level 2 from land fly further on superiority and as escorts: Japan 2, Allies 4",
        "PW-OPT-06",
    ),
    Option("bomber-search", ("no", "yes"), "activated Allied 4E that have not flown search as LRA", "PW-OPT-08"),
    Option("night-combat", ("no", "yes"), "better or worse gunnery and torpedoes at night and dusk", "PW-OPT-11"),
    Option(
        "seaplane-doctrine", ("no", "yes"), "Allied spotters only search their hex before the Allies first lead", "PW-OPT-14"
    ),
    Option("fighter-patrol", ("no", "yes"), "a fighter of the advantaged player may patrol over a hex", "PW-OPT-17"),
    Option("armour", ("no", "yes"), "a column in ground combat for the side that alone has armour", "PW-OPT-16"),
    Option("refuelling", ("no", "yes"), "Japanese LRA search around the submarine KRS", "PW-OPT-01"),
    Option("panama", ("no", "yes"), "the submarine STO may bombard the Panama Canal in December 1941", "PW-OPT-02"),
    Option("flagships", ("no", "yes"), "only the Combined Fleet activates Yamato and Musashi", "PW-OPT-03"),
    Option("lra-night-attack", ("no", "yes"), "an Allied LRA that finds ships at night may strike one of them", "PW-OPT-09"),
    Option("mustangs", ("no", "yes"), "P-51 escort the raids on Japan from April 1945", "PW-OPT-10"),
    Option("asw-sweep", ("no", "yes"), "US destroyers hunt submarines that let them pass, from January 1943", "PW-OPT-15"),
    Option("barges", ("no", "yes"), "barges move a Japanese division along the coast; Allied PT boats in secret", "PW-OPT-18"),
    Option("raids", ("no", "yes"), "a special forces unit may raid: full quality, smallest row, then it leaves", "PW-OPT-19"),
    Option("tirpitz", ("no", "yes"), "Japan receives the Tirpitz in January 1944 if it has the initiative", "PW-OPT-20"),
    Option(
        "solitaire", ("no", "yes"), "the suggestions for one player: written routes, a table in place of the bids", "PW-SOL-01"
    ),
    Option("conversions", ("no", "yes"), "Chitose and Chiyoda become light carriers after six months in a yard", "PW-OPT-21"),
)

# of a month's business in which nobody, its owner neither, sees anything to do: sealed as if there were something
NOTHING_HIDDEN: Plain = [
    {"when": "own answers = 0 and open answers = 0", "do": "secret"},
    {"when": "own answers = 0 and not open answers > 0", "do": "done"},
]
NOTHING_SEEN: Plain = [{"when": "open answers = 0", "do": "done"}]  # troops aboard off an enemy shore, who wait for the landing


class PacificWar(GameModule[State]):
    """The rules module."""

    name = "pacific-war"
    title = "Pacific War"
    rules_version = 5
    editions = ("1985",)
    seats: Mapping[str, str] = {JAPAN: JAPAN, ALLIES: ALLIES}
    options = OPTIONS
    state_type = State
    segments = SEGMENTS
    weighed = ("activate", "muster", "sail", "mission", "organize")
    plannable = PLANNABLE
    plans_ahead = CYCLES_AHEAD
    usual: Mapping[str, Plain] = {
        "search": "all",
        "escort": "any",
        "cap": "any",
        "line": "first",
        "intercept": "any",
        "fire": "spread",
        "targets": ["CV", "BB", "CA", "CL", "DD", "airfield", "any"],
        "demolition": "done",
        "common": "done",
        "join": "done",
        "transport": "done",
        "links": "done",
    }
    own_usual: Mapping[str, Plain] = {"repairs": NOTHING_HIDDEN, "replacements": NOTHING_HIDDEN, "land": NOTHING_SEEN}
    postures: Mapping[str, Mapping[str, Plain]] = {
        "careful": {"stop": "no"},
        "bold": {"stop": "yes", "bid": "medium", "leave": "none", "simultaneous": "yes"},
    }

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        """[PW-GEN-02] The set-up of a scenario. A missing option takes its documented value. Raises ScenarioFault."""
        assert isinstance(scenario, dict)
        g = State({o.name: options.get(o.name, o.choices[0]) for o in OPTIONS})
        with setting_up(scenario):
            self.attach(g, scenario)
            set_up(g, scenario)
        return g

    def attach(self, state: State, scenario: Plain) -> None:
        """The board of the scenario."""
        state.board = build_board(scenario)

    def typed(self, state: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
        """Short names, words left out, other verbs."""
        from pbem.games.pacific_war.shorthand import typed

        return typed(state, ask, order)

    def legs(self, state: State, order: Plain) -> list[Plain]:
        """A course hex by hex, with those between the hexes that are named."""
        from pbem.games.pacific_war.sea.courses import legs
        from pbem.games.pacific_war.stretches import between

        return legs(between(state, order))

    def plan_doubts(self, state: State, seat: str, plan: Sequence[Plain]) -> Iterable[tuple[int, Message]]:
        """Courses that cannot be sailed as they are planned."""
        from pbem.games.pacific_war.words.planned_courses import doubts

        return doubts(state, seat, plan)

    def result(self, state: State) -> Result | None:
        """[PW-SEQ-02] The winner, once there is one."""
        if not state.winner:
            return None
        return Result(None if state.winner == "draw" else state.winner, ended(state), state.win_rule)

    def holdings(self, state: State, seat: str, reveal: Reveal) -> list[dict[str, Plain]]:
        """[PW-FOG-01] What a seat has out of sight, by hex and marker: for its owner alone."""
        from pbem.games.pacific_war.words.holdings import holdings

        return holdings(state, seat, reveal)

    def sealed_options(self, state: State, ask: Commit, reveal: Reveal) -> list[Plain]:
        """[PW-FOG-02] Sealed orders to fill in, from what their owner alone knows."""
        from pbem.games.pacific_war.words.holdings import own_options

        return own_options(state, ask, reveal)

    def seen_by(self, state: State, seat: str, reveal: Reveal) -> State:
        """[PW-FOG-01] The game as the owner of what is sealed sees it, for his maps."""
        from pbem.games.pacific_war.words.holdings import seen_by

        return seen_by(state, seat, reveal)

    def unasked(self, state: State) -> dict[str, Message]:
        """[PW-FOG-02] Questions that pass as declined unless a standing order says `ask me`: kind -> what they offer."""
        from pbem.games.pacific_war.words.holdings import unasked

        return unasked(state)

    def names_in(self, state: State, order: Plain) -> list[str]:
        """The named hexes of which an order gives the number alone: `0722 Townsville`."""
        board, numbers = state.board, map(int, filter(str.isdigit, labels_in(order)))
        named = (n for n in numbers if n >= 100 and board.on_map(n) and board.hex(n).name)
        return list(dict.fromkeys(board.name(n) for n in named))

    def onward(self, state: State, ask: Ask, orders: Sequence[Plain]) -> Plain | None:
        """Who sailed a hex keeps the course."""
        from pbem.games.pacific_war.sea.courses import on_course

        return on_course(state, ask, orders)

    def consequences(self, before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
        """What an answer gives up."""
        from pbem.games.pacific_war.words.consequences import consequences

        return consequences(before, after, ask)

    def summary(self, scenario: Any) -> Message:
        """What a scenario is, for a player who chooses one."""
        from pbem.games.pacific_war.words.summaries import summary

        return summary(scenario)

    def words(self) -> Words:
        """What it says."""
        from pbem.games.pacific_war.words import wording

        return wording

    def plannable_here(self, state: State) -> Mapping[str, Sequence[str]]:
        """No months in a battle, nothing sealed in an open game."""
        return plannable_here(state)

    def may_ask(self, state: State, kind: str, later: int) -> bool:
        """Ships approach before the battle cycles, and sail in them."""
        return may_ask(state, kind, later)

    def facts(self, state: State, seat: str) -> Facts:
        """Who holds what, and how many are where, as everybody sees it."""
        return PlanFacts(state, seat)

    def stretch(self, state: State) -> Plain:
        """The approach of an operation, a battle cycle, or the bids before an operation."""
        return stretch_of(state)

    def stretches_since(self, state: State, stretch: Plain) -> int | None:
        """Battle cycles of the same operation, and the bids behind it."""
        return cycles_since(state, stretch)

    def own_turn(self, state: State) -> Plain:
        """[PW-BID-01] An operation; in a battle or engagement its cycle."""
        return [state.month, state.cycle, None if state.operation is None else str(state.operation.start)]

    def picture(self) -> Picturing:
        """Its hexes, as much of them as is in play."""
        from pbem.games.pacific_war import picture

        return picture

    def chances(self) -> Chances:
        """Odds of salvoes, strikes and assaults."""
        from pbem.games.pacific_war import chances

        return chances

    def checking(self) -> Checking:
        """Judges scenarios of one's own."""
        from pbem.games.pacific_war import checking

        return checking

    def charts(self) -> Charts:
        """Some of its charts are reconstructed: who owns the game may type in the printed ones."""
        from pbem.games.pacific_war import charts

        return charts

    def lesson(self) -> Lesson:
        """The raid on Pearl Harbor."""
        from pbem.games.pacific_war.lesson import LESSON

        return LESSON

    def adviser(self) -> Adviser:
        """Operations of the strategic game."""
        from pbem.games.pacific_war.bot import hints

        return hints

    def bot(self) -> Bot:
        """It plays both sides."""
        from pbem.games.pacific_war import bot

        return bot


def build_board(scenario: Any) -> Board:
    """The board of a compiled scenario; made once for each scenario object."""
    return boards(scenario, _build)


def _build(scenario: Mapping[str, Any]) -> Board:
    land = scenario["map"]
    counters = [row for part in ("counters", "more") if part in scenario for row in scenario[part]["counters"]]
    return Board(read_hexes(land), land, read_counters(counters), read_charts(scenario["charts"]))


def _before(version: int, segments: dict[str, Callable[..., Flow[None] | None]]) -> PacificWar:
    """The rules of an earlier version, with the segments as they were."""
    older = copy(GAME)
    older.rules_version, older.segments = version, segments
    return older


GAME = PacificWar()
_THREE = _before(3, VERSION_3)
GAME.earlier = {4: _before(4, VERSION_4), 3: _THREE, 2: that_asks_all(_THREE, 2)}
