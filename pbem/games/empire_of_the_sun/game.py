"""Empire of the Sun, first and second edition: the module's entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pbem.games.empire_of_the_sun.board import Board, read_counters, read_hexes
from pbem.games.empire_of_the_sun.cards import hand_options, read_cards, with_handles
from pbem.games.empire_of_the_sun.facts import PlanFacts, stretch
from pbem.games.empire_of_the_sun.numbering import section
from pbem.games.empire_of_the_sun.phase_forms import owners_form
from pbem.games.empire_of_the_sun.planning import PLANNABLE
from pbem.games.empire_of_the_sun.sequence import SEGMENTS
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, Piece, State
from pbem.games.empire_of_the_sun.victory import ended
from pbem.games.module import GameModule, that_asks_all
from pbem.games.parts import Adviser, Bot, Chances, Own, Picturing, Words
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.engine import Option, Result
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Commit, Facts, Handle
from pbem.kernel.forms import Form
from pbem.kernel.hexes import labels_in
from pbem.kernel.memo import boards
from pbem.kernel.shapes import setting_up
from pbem.kernel.wording import Argument, Message

if TYPE_CHECKING:  # every start with this game loads this module
    from pbem.games.lesson import Lesson

OPTIONS = (
    Option("rules", ("2nd-2015", "1st-2005"), "the edition that is played", "EDITION"),
    Option(
        "simultaneous-hits",
        ("in-order", "sealed"),
        "simultaneous fire: the active player assigns his hits first, or both seal theirs",
        "HITS",
    ),
    Option("bid", (0, *range(1, 11), *range(-10, 0)), "tournament bid: points for Japan, or Political Will", "BID"),
)
SMALL_MAPS = {"south-pacific": (30, 50), "burma": (10, 26)}


class EmpireOfTheSun(GameModule[State]):
    """The rules module."""

    name = "empire-of-the-sun"
    title = "Empire of the Sun"
    rules_version = 3
    editions = ("2nd-2015", "1st-2005")
    seats: Mapping[str, str] = {JAPAN: JAPAN, ALLIES: ALLIES}
    options = OPTIONS
    state_type = State
    segments = SEGMENTS
    weighed = ("use",)
    plannable = PLANNABLE
    hidden_hands = True
    usual: Mapping[str, Plain] = {
        "hits": "cheapest",
        "return": "home",
        "transfer": "never",
        "disengage": "never",
        "refuge": "any",
        "intelligence": "roll",
    }
    own_usual: Mapping[str, Plain] = {
        "reaction": [{"when": "own answers = 0", "do": "react"}],
        "initiative": [{"when": "own answers = 0", "do": "no"}],
    }
    postures: Mapping[str, Mapping[str, Plain]] = {
        "careful": {"reaction": "react", "counter": "none"},
        "bold": {"reaction": "react"},
    }

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        """[2.0] The set-up of a scenario. A missing option takes its documented value. Raises ScenarioFault."""
        assert isinstance(scenario, dict)
        chosen = {o.name: options.get(o.name, o.choices[0]) for o in OPTIONS}
        g = State(chosen)
        with setting_up(scenario):
            self.attach(g, scenario)
            _set_up(g, scenario)
        return g

    def attach(self, state: State, scenario: Plain) -> None:
        """The board of the scenario."""
        state.board = build_board(scenario)

    def typed(self, state: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
        """Short names, words left out, other verbs."""
        from pbem.games.empire_of_the_sun.shorthand import typed

        return typed(state, ask, order)

    def chosen_way(self, state: State, ask: Ask, order: Plain) -> Message | None:
        """Where a move goes that names its end alone."""
        from pbem.games.empire_of_the_sun.operations.ways import chosen_way

        return chosen_way(state, ask, order)

    def result(self, state: State) -> Result | None:
        """[16.0] The winner, once there is one."""
        return Result(state.winner, ended(state), section(state, state.win_rule)) if state.winner else None

    def hand_options(self, state: State, ask: Ask, own: Own) -> list[Plain]:
        """Orders that play, prepare or discard a card which only its owner knows."""
        return hand_options(state, ask, own)

    def hand_form(self, state: State, ask: Ask, own: Own) -> Form | None:
        """The form of a question about cards, with those that only their owner knows."""
        return owners_form(state, ask, own)

    def spelled_out(self, state: State, seat: str, order: Plain, own: Own) -> Plain:
        """A player's `play: J14` with the place of that card in his hand; a card alone is no order, and stays as it is."""
        if isinstance(order, str) and order.strip().upper() in own:
            return order
        return with_handles(state, seat, order, dict(own))

    def held_openly(self, state: State, seat: str) -> list[str]:
        """[17.25] Cards that were taken by name, such as Arcadia Conference."""
        return [card for card in state.hands[seat] if card in state.board.cards]

    def may_hold(self, state: State, seat: str, handle: Handle, item: str) -> bool:
        """[7.29] Of a future offensives card its owner has stated that it is neither of the two special cards."""
        from pbem.games.empire_of_the_sun.impulse.choosing import SPECIAL_CARDS

        return handle != state.future[seat] or item not in SPECIAL_CARDS

    def consequences(self, before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
        """What an answer gives up."""
        from pbem.games.empire_of_the_sun.words.consequences import consequences

        return consequences(before, after, ask)

    def summary(self, scenario: Any) -> Message:
        """What a scenario is, for a player who chooses one."""
        from pbem.games.empire_of_the_sun.words.summaries import summary

        return summary(scenario)

    def words(self) -> Words:
        """What it says."""
        from pbem.games.empire_of_the_sun.words import wording

        return wording

    def names_in(self, state: State, order: Plain) -> list[str]:
        """The named hexes and the cards of which an order gives the number alone: `Rabaul 4021`, `Operation RI`."""
        hexes, cards = state.board.hexes, state.board.cards
        numbers = map(int, filter(str.isdigit, labels_in(order)))
        named = (n for n in numbers if n in hexes and hexes[n].name and hexes[n].name not in str(order))
        words = [b for b in order.values() if isinstance(b, str)] if isinstance(order, dict) else []
        return list(dict.fromkeys([*(cards[b].name for b in words if b in cards), *(state.board.name(n) for n in named)]))

    def facts(self, state: State, seat: str) -> Facts:
        """Who holds what, where units are, and how the offensive stands."""
        return PlanFacts(state, seat)

    def stretch(self, state: State) -> Plain:
        """An offensive, for both sides."""
        return stretch(state)

    def own_turn(self, state: State) -> Plain:
        """The play of a card: how many there have been."""
        return sum(len(pile) for piles in (state.discards, state.out_of_play) for pile in piles.values())

    def measured(self, state: State) -> Sequence[tuple[Argument, int]]:
        """[16.0] Political Will, and what feeds both sides."""
        from pbem.games.empire_of_the_sun.words.wording import measured

        return measured(state)

    def picture(self) -> Picturing:
        """Its hexes."""
        from pbem.games.empire_of_the_sun import picture

        return picture

    def chances(self) -> Chances:
        """Odds and luck in steps."""
        from pbem.games.empire_of_the_sun import chances

        return chances

    def lesson(self) -> Lesson:
        """An offensive and a reaction in 1942."""
        from pbem.games.empire_of_the_sun.lesson import LESSON

        return LESSON

    def adviser(self) -> Adviser:
        """Uses of a card."""
        from pbem.games.empire_of_the_sun.bot import hints

        return hints

    def bot(self) -> Bot:
        """It plays both sides."""
        from pbem.games.empire_of_the_sun import bot

        return bot


# -- the board -------------------------------------------------------------------------------------------------------


def build_board(scenario: Any) -> Board:
    """The board of a compiled scenario; made once for each scenario object."""
    return boards(scenario, _build)


def _build(scenario: Mapping[str, Any]) -> Board:
    land = scenario["map"]
    hexes = read_hexes(land)
    west, east = land["columns"]
    small = scenario["flags"].get("submap")
    if small:
        hexes, (west, east) = _cut(hexes, scenario["submaps"][small]), SMALL_MAPS[small]
    links = {(a, b): n for a, b, n in scenario["submaps"][small]["links"]} if small else {}
    counters, cards = read_counters(scenario["counters"]["units"]), read_cards(scenario["deck"]["cards"])
    controls = scenario.get("japan_controls", ())
    began = frozenset(h for h, x in hexes.items() if x.is_land and (x.japan or h in controls))
    return Board(hexes, counters, cards, land["nations"], (west, east), links, began)


def _cut(hexes: dict[int, Any], part: Mapping[str, Any]) -> dict[int, Any]:
    """The hexes of a small map, with the hexsides that differ there."""
    kept = {h: x for h, x in hexes.items() if h in part["hexes"]}
    for number, sides in part.get("sides", {}).items():
        if int(number) in kept:
            kept[int(number)] = replace(kept[int(number)], sides=tuple(sides.split("/")))
    for number, source in part.get("sources", {}).items():
        if int(number) in kept:
            kept[int(number)] = replace(kept[int(number)], source=source)
    return kept


# -- the set-up ------------------------------------------------------------------------------------------------------


def _set_up(g: State, scenario: Mapping[str, Any]) -> None:
    g.turn, g.last_turn = scenario["turns"]
    g.victory = scenario["victory"]
    g.one_year = g.last_turn - g.turn == 2 and g.victory in ("1942", "1943", "1944")
    g.control = {h: JAPAN if h in g.board.japan_began else ALLIES for h, x in g.board.hexes.items() if x.is_land}
    _set_units(g, scenario)
    _set_markers(g, scenario)
    _set_cards(g, scenario)
    _occupied_nations(g, scenario)
    g.stack = [_start_segment(g, scenario)]


def _start_segment(g: State, scenario: Mapping[str, Any]) -> Cursor:
    flags, hands = scenario["flags"], scenario["hands"]
    if flags.get("first_phase") == "special":
        return Cursor("first-turn", [])
    g.small_deal = {JAPAN: hands["japan"], ALLIES: hands["allies"]}
    return Cursor("scenario-start", [hands["japan"], hands["allies"], bool(flags.get("arcadia")), bool(flags.get("emergency"))])


def _set_units(g: State, scenario: Mapping[str, Any]) -> None:
    places: dict[str, Piece] = {}
    for number, units in scenario["units"].items():
        for text in units:
            unit, _, reduced = text.partition(" ")
            places[unit] = Piece(int(number), "map", reduced == "reduced")
    for box, key in (("china", "china_box"), ("delayed", "delayed"), ("event", "event"), ("eliminated", "eliminated")):
        for text in scenario.get(key, ()):
            unit, _, reduced = text.partition(" ")
            places[unit] = Piece(0, box, reduced == "reduced")
    for turn, units in scenario.get("reinforcements", {}).items():
        for text in units:
            unit, _, reduced = text.partition(" ")
            places[unit] = Piece(0, "schedule", reduced == "reduced", int(turn))
    for unit, text in {} if g.second else scenario.get("units_1st", {}).items():
        place, _, reduced = text.partition(" ")
        places[unit] = Piece(int(place), "map", reduced == "reduced") if place.isdigit() else Piece(0, place)
    g.pieces = {unit: places.get(unit, Piece(0, "removed")) for unit in g.board.counters}


REGIONS_OF = {
    "malaya": ("Malaya",),
    "philippines": ("Philippines",),
    "dutch-east-indies": ("DEI", "Borneo", "Sumatra", "Java", "Celebes"),
    "burma": ("Burma",),
}


def _occupied_nations(g: State, scenario: Mapping[str, Any]) -> None:
    """[17.3] [17.4] Hexes without bases in nations that have surrendered, and in the Mandates, are Japanese."""
    mandates = ("AMandates",) if scenario["flags"].get("mandates") == JAPAN else ()
    regions = [r for nation in g.surrendered for r in REGIONS_OF.get(nation, ())]
    for h in g.board.region(*regions, *mandates):
        if h in g.control and not g.board.hexes[h].base and not g.mine_at(ALLIES, h, "ground"):
            g.control[h] = JAPAN


def _set_markers(g: State, scenario: Mapping[str, Any]) -> None:
    markers, flags = scenario["markers"], scenario["flags"]
    g.will, g.europe, g.china = markers["will"], markers["europe"], markers["china"]
    g.rivalry = list(markers["rivalry"])
    if not g.second:  # some printed values differ between the editions
        markers = {**markers, **{k.removesuffix("_1st"): v for k, v in markers.items() if k.endswith("_1st")}}
    g.asp = {JAPAN: markers["japan_asp"], ALLIES: markers["allied_asp"]}
    g.divisions = markers["divisions"]
    g.points = {"air": markers["air_points"], "naval": markers["naval_points"]}
    g.alaska = {} if g.second else dict(scenario.get("alaska_1st", {}))  # [17.6] segments counted beforehand
    g.asp_for_progress = g.asp[ALLIES]
    g.barges = flags.get("barges", "")
    given = {"hump": markers["hump"], **{marker: flags.get(marker) for marker in ("kwai", "doctrine", "doolittle")}}
    g.in_force = sorted(marker for marker, there in given.items() if there)
    g.routes = ["jarhat"] if flags.get("jarhat") and g.second else []
    g.surrendered = list(flags.get("surrendered", ()))
    g.bonuses = [f"{nation} surrenders" for nation in g.surrendered]
    g.japanese_before = sorted(h for h, side in g.control.items() if side == JAPAN)


def _set_cards(g: State, scenario: Mapping[str, Any]) -> None:
    hands = scenario["hands"]
    for card in scenario.get("removed_cards", ()):
        g.out_of_play[g.board.cards[card].side].append(card)
    for card in scenario.get("discarded_cards", ()):
        g.discards[g.board.cards[card].side].append(card)
    for side, cards in scenario.get("sub_deck", {}).items():
        g.decks[side] = list(cards)
    for side, card in hands.get("future", {}).items():
        g.future[side] = card
    if isinstance(hands["japan"], list):
        g.hands[JAPAN] = list(hands["japan"])
    g.passes = {JAPAN: hands.get("japan_passes", 0), ALLIES: hands.get("allied_passes", 0)}


GAME = EmpireOfTheSun()
GAME.earlier = {2: that_asks_all(GAME, 2)}
