"""Axis & Allies Pacific 1940, first edition: the module's entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.games.axis_and_allies_pacific.board import Board, SeaZone, Territory, UnitType
from pbem.games.axis_and_allies_pacific.orders import TYPES
from pbem.games.axis_and_allies_pacific.planning import PLANNABLE, PlanFacts
from pbem.games.axis_and_allies_pacific.sequence import SEGMENTS
from pbem.games.axis_and_allies_pacific.state import POWERS, SIDES, Facility, State, Unit
from pbem.games.axis_and_allies_pacific.victory import ended
from pbem.games.module import GameModule
from pbem.games.parts import Adviser, Bot, Chances, Picturing, Words
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Commit, Facts
from pbem.kernel.memo import boards
from pbem.kernel.shapes import setting_up
from pbem.kernel.wording import Argument, Message

if TYPE_CHECKING:  # every start with this game loads this module
    from pbem.games.lesson import Lesson

OPTIONS = (
    Option(
        "kamikaze-blocks-bombardment",
        ("yes", "no"),
        "kamikazes in a zone prevent bombardment from it",
        "AMB-KAM-BOMBARD",
    ),
    Option("submarines-shoot-transports", ("yes", "no"), "submarines fire at unescorted transports passing them", "E-01"),
    Option(
        "spare-hits-on-transports",
        ("no", "yes"),
        "hits that no other unit can take fall on transports while submarines or aircraft fight on",
        "AMB-TRN-LAST",
    ),
    Option(
        "captured-major-complex",
        ("becomes-minor", "stays-major"),
        "what a captured major complex is from then on",
        "AMB-CAP-MAJOR",
    ),
    Option(
        "late-american-entry",
        ("from-third-turn", "third-turn-only"),
        "when the United States may declare war unprovoked: from Collect Income of its third turn on, or then alone",
        "AMB-US-LATE",
    ),
    Option(
        "captor-of-japan",
        ("any-ally", "as-printed"),
        "who wins by taking Japan and holding it: any Ally, or, as printed, any but the United Kingdom",
        "AMB-VIC-UK",
    ),
    Option("axis-needs-tokyo", ("no", "yes"), "Tokyo must be among Japan's six victory cities", "AMB-VIC-JAPAN"),
    Option("bid", tuple(range(0, 61)), "IPC that Japan's opponents pay Japan for the choice of sides", "OPT-BID"),
    Option(
        "round-limit",
        tuple(range(0, 41)),
        "the game ends after this round: Japan wins with four cities; 0: never",
        "OPT-ROUNDS",
    ),
)


class Pacific1940(GameModule[State]):
    """The rules module."""

    name = "axis-and-allies-pacific"
    title = "Axis & Allies Pacific 1940"
    rules_version = 2
    editions = ("1st-2009",)
    seats: Mapping[str, str] = SIDES
    options = OPTIONS
    state_type = State
    segments = SEGMENTS
    vocabulary = TYPES
    plannable = PLANNABLE
    usual: Mapping[str, Plain] = {
        "casualties": "cheapest first",
        "submarines": "strike",
        "battle": "any",
        "retreat": [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}],
    }
    postures: Mapping[str, Mapping[str, Plain]] = {
        "careful": {"retreat": [{"when": "own-strength <= enemy-strength", "do": "retreat"}, {"do": "press"}]},
        "bold": {"retreat": "press"},
    }

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        """[SETUP] Spring 1940 as the set-up cards say. A missing option takes its documented value. Raises ScenarioFault."""
        assert isinstance(scenario, dict)
        chosen = {o.name: options.get(o.name, o.choices[0]) for o in OPTIONS}
        g = State(chosen, stack=[Cursor("round", [1])])
        with setting_up(scenario):
            self.attach(g, scenario)
            g.control = {t.id: t.owner for t in g.board.territories.values()}
            _set_up(g, scenario)
        return g

    def attach(self, state: State, scenario: Plain) -> None:
        """The board of the scenario."""
        state.board = build_board(scenario)

    def result(self, state: State) -> Result | None:
        """[VIC] The winner, once there is one."""
        return Result(state.winner, ended(state), state.win_rule) if state.winner else None

    def typed(self, state: State, ask: Ask | Commit, order: Plain) -> Sequence[Plain]:
        """Abbreviations, missing words, land, sea and air units in one line."""
        from pbem.games.axis_and_allies_pacific.typed import typed

        return typed(state, ask, order)

    def facts(self, state: State, seat: str) -> Facts:
        """Who holds what, and what stands where."""
        return PlanFacts(state, seat)

    def stretch(self, state: State) -> Plain:
        """A round: each power has one turn in it."""
        return state.round

    def promises(self, state: State, seat: str) -> Sequence[Message]:
        """[AMB-PLEDGE] The aircraft of this seat that count on a carrier."""
        from pbem.games.axis_and_allies_pacific.telling import promises

        return promises(state, seat)

    def summary(self, scenario: Any) -> Message:
        """What a scenario is, for a player who chooses one."""
        from pbem.games.axis_and_allies_pacific.summaries import summary

        return summary()

    def consequences(self, before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
        """Aircraft without a landing, money, cargo at sea."""
        from pbem.games.axis_and_allies_pacific.consequences import consequences

        return consequences(before, after, ask)

    def not_done_yet(self, state: State, ask: Ask) -> list[Message]:
        """Aircraft that have to land."""
        from pbem.games.axis_and_allies_pacific.consequences import in_the_air

        return in_the_air(state, ask.seat) if ask.kind == "noncombat-move" else []

    def words(self) -> Words:
        """What it says."""
        from pbem.games.axis_and_allies_pacific import wording

        return wording

    def own_turn(self, state: State) -> Plain:
        """The turn of a power."""
        return [state.round, state.power]

    def measured(self, state: State) -> Sequence[tuple[Argument, int]]:
        """[VIC] Cities of the Axis, and the production of both sides."""
        from pbem.games.axis_and_allies_pacific.wording import measured

        return measured(state)

    def picture(self) -> Picturing:
        """Its areas."""
        from pbem.games.axis_and_allies_pacific import picture

        return picture

    def chances(self) -> Chances:
        """Odds of battles by casualties and retreats as ordered."""
        from pbem.games.axis_and_allies_pacific import chances

        return chances

    def lesson(self) -> Lesson:
        """Japan's first turn."""
        from pbem.games.axis_and_allies_pacific.lesson import LESSON

        return LESSON

    def adviser(self) -> Adviser:
        """Attacks of a Combat Move by exact odds."""
        from pbem.games.axis_and_allies_pacific.bot import hints

        return hints

    def bot(self) -> Bot:
        """It plays every power."""
        from pbem.games.axis_and_allies_pacific import bot

        return bot


def _set_up(g: State, scenario: Mapping[str, Any]) -> None:
    g.cash = {p: scenario["cash"][p] for p in POWERS}
    g.cash["japan"] += g.options["bid"]
    g.wars = sorted(scenario["wars"])
    g.purchased = {p: {} for p in POWERS}
    for power in POWERS:
        for space, counts in sorted(scenario["units"].get(power, {}).items()):
            for kind in (t for t in g.board.types if t in counts):
                for _ in range(counts[kind]):
                    g.units[g.next_id] = Unit(g.next_id, kind, power, space, start=space)
                    g.next_id += 1
    for territory, kinds in sorted(scenario["facilities"].items()):
        g.facilities[territory] = [Facility(k) for k in kinds]
    park_aircraft(g)


def park_aircraft(g: State) -> None:
    """[SETUP-06] Aircraft in a sea zone begin on the carriers there, two on each."""
    for plane in g.units.values():
        if plane.at in g.board.zones and g.board.types[plane.type].kind == "air" and plane.aboard is None:
            carriers = [u for u in g.at(plane.at) if u.type == "aircraft-carrier" and u.owner == plane.owner]
            plane.aboard = next((c.id for c in carriers if len(g.cargo(c)) < 2), None)
            g.places = None  # no event made this change


def build_board(scenario: Any) -> Board:
    """The board of a compiled scenario; made once for each scenario object."""
    return boards(scenario, _build)


def _build(scenario: Mapping[str, Any]) -> Board:
    land, charts = scenario["map"], scenario["charts"]
    territories = {
        t: Territory(
            t,
            d["name"],
            d["ipc"],
            d["owner"],
            d.get("original", d["owner"]),
            d.get("island", False),
            d.get("chinese", False),
            d.get("chinese_may_enter", False),
            d.get("garrison", 0),
            d.get("victory_city", ""),
            d.get("ic_allowed", False),
        )
        for t, d in land["territories"].items()
    }
    zones = {
        z: SeaZone(z, "SZ " + z.removeprefix("sz-"), d.get("convoy", False), d.get("kamikaze", False))
        for z, d in sorted(land["zones"].items(), key=lambda item: int(item[0].removeprefix("sz-")))
    }
    types = {
        k: UnitType(
            k,
            d["kind"],
            d["cost"],
            d["attack"],
            d["defense"],
            d["move"],
            d.get("load", 0),
            d.get("raid", 0),
            d.get("bombard", 0),
        )
        for k, d in sorted(charts["units"].items(), key=lambda item: _ORDER.index(item[0]))
    }
    return Board(
        territories,
        zones,
        _neighbours(land["borders"], [*territories, *zones]),
        types,
        charts["facilities"],
        {d["capital_of"]: t for t, d in land["territories"].items() if "capital_of" in d},
        {t.victory_city: t.id for t in territories.values() if t.victory_city},
        tuple(scenario["objectives"]),
        tuple(scenario["burma_road"]),
        tuple(scenario["kamikaze_triggers"]),
    )


_ORDER = TYPES  # the rows of the unit chart as printed


def _neighbours(borders: Mapping[str, list[str]], spaces: list[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {s: [] for s in spaces}
    for one, others in borders.items():
        for other in others:
            found[one].append(other)
            found[other].append(one)
    return {space: tuple(sorted(near)) for space, near in found.items()}


GAME = Pacific1940()
