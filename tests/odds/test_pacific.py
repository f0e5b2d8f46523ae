"""Odds of Pacific battles against the engine itself, followed through every number of hits of every roll."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import pytest

from pbem.games.axis_and_allies_pacific.clashes import clash_at
from pbem.games.axis_and_allies_pacific.odds.clash import Clash
from pbem.games.axis_and_allies_pacific.odds.fight import Fight
from pbem.games.axis_and_allies_pacific.orders import read_space
from pbem.kernel.standing import Clause, read_clauses
from tests.odds.engine_tree import USUAL, Orders, every_course, fight, position

NEARLY = 1e-12
WEAKER = [{"when": "own-strength < enemy-strength", "do": "retreat"}, {"do": "press"}]
AFTER_TWO = [{"when": "round >= 2", "do": "retreat"}, {"do": "press"}]


@dataclass(frozen=True)
class Case:
    """`orders`: where they differ from the usual ones. `came_from`: where the attackers may retreat to."""

    space: str
    attack: str
    defence: str
    orders: Orders
    came_from: str = ""
    sea: str = ""

    def __str__(self) -> str:
        return f"{self.attack} v. {self.defence} {self.orders}"


LAND = [
    Case("Kwangsi", "1 infantry", "1 infantry", {}),
    Case("Kwangsi", "2 infantry, 1 artillery", "2 infantry", {}),
    Case("Kwangsi", "1 infantry, 1 artillery, 1 tank", "1 artillery, 1 fighter", {}, "Kiangsi"),
    Case("Kwangsi", "1 mechanized-infantry, 1 tank, 1 tactical-bomber", "2 infantry", {}, "Kiangsi"),
    Case("Kwangsi", "2 fighter, 1 infantry", "1 infantry, 1 aa-gun", {}, "Kiangsi"),
    Case("Kwangsi", "1 fighter, 1 strategic-bomber", "1 infantry, 1 aa-gun", {"retreat": WEAKER}),
    Case("Kwangsi", "2 infantry", "1 infantry, 1 aa-gun", {"retreat": WEAKER}, "Kiangsi"),
    Case("Kwangsi", "2 infantry, 1 artillery", "2 infantry", {"retreat": AFTER_TWO}, "Kiangsi"),
    Case("Kwangsi", "1 infantry, 1 tank", "1 infantry, 1 tank", {"casualties": ["tank", "infantry"]}, "Kiangsi"),
    Case(
        "Kwangsi",
        "1 infantry, 1 tank",
        "1 infantry, 1 tank",
        {"casualties": [{"when": "round = 1", "do": ["tank"]}, {"do": "cheapest first"}]},
    ),
    Case(
        "Kwangsi",
        "2 infantry, 1 fighter",
        "2 infantry",
        {"casualties": [{"when": "side = attack and own-units > 2", "do": ["fighter"]}]},
        "Kiangsi",
    ),
]
LANDINGS = [
    Case("Kwangtung", "1 infantry, 1 artillery", "1 infantry", {}, sea="SZ 20"),
    Case("Kwangtung", "1 infantry, 1 battleship", "1 infantry", {}, sea="SZ 20"),
    Case("Kwangtung", "1 infantry, 1 tank, 1 cruiser, 1 battleship", "2 infantry", {}, sea="SZ 20"),
    Case("Kwangtung", "1 infantry, 1 cruiser, 1 fighter", "1 infantry, 1 aa-gun", {"retreat": WEAKER}, sea="SZ 20"),
    Case("Kwangtung", "1 infantry, 1 cruiser, 1 battleship", "1 infantry, 1 tank", {}, sea="SZ 20"),
]
AT_SEA = [
    Case("SZ 20", "1 destroyer", "1 destroyer", {}),
    Case("SZ 20", "1 cruiser", "1 destroyer, 1 transport", {}),
    Case("SZ 20", "2 destroyer, 1 transport", "1 cruiser", {}),
    Case("SZ 20", "1 destroyer, 1 transport", "1 cruiser", {"retreat": WEAKER}, "SZ 19"),
    Case("SZ 20", "1 battleship", "1 battleship", {}),
    Case("SZ 20", "1 damaged battleship, 1 cruiser", "1 battleship", {"casualties": ["cruiser", "hit battleship"]}),
    Case("SZ 20", "1 battleship, 1 destroyer", "1 cruiser, 1 destroyer", {"casualties": ["destroyer", "hit battleship"]}),
    Case("SZ 20", "1 carrier, 1 fighter", "1 destroyer, 1 transport", {}),
    Case("SZ 20", "1 submarine", "1 destroyer", {}),
    Case("SZ 20", "1 submarine", "1 cruiser", {}),
    Case("SZ 20", "2 submarine", "1 battleship, 1 transport", {}),
    Case("SZ 20", "1 destroyer", "1 submarine, 1 destroyer", {}),
    Case("SZ 20", "1 cruiser", "1 submarine, 1 cruiser", {}),
    Case("SZ 20", "1 fighter, 1 cruiser", "1 submarine, 1 destroyer", {}),
    Case("SZ 20", "1 fighter, 1 destroyer", "1 submarine, 1 destroyer", {}),
    Case("SZ 20", "1 submarine, 1 cruiser", "1 cruiser, 1 fighter", {}),
    Case("SZ 20", "1 submarine, 1 fighter", "1 submarine, 1 cruiser", {}, "SZ 19"),
    Case("SZ 20", "1 cruiser", "1 submarine, 1 cruiser", {"submarines": "submerge"}),
    Case("SZ 20", "1 submarine, 1 destroyer", "1 cruiser", {"submarines": "submerge"}),
    Case("SZ 20", "1 submarine, 1 cruiser", "1 cruiser", {"submarines": [{"when": "round > 1", "do": "submerge"}]}, "SZ 19"),
    Case("SZ 20", "1 submarine, 1 destroyer", "1 submarine, 1 cruiser", {"retreat": WEAKER}, "SZ 19"),
    Case("SZ 20", "2 submarine", "1 cruiser", {"submarines": [{"do": {"strike": 1, "submerge": 1}}, {"do": "strike"}]}),
    Case("SZ 20", "1 destroyer, 1 submarine", "1 destroyer, 1 submarine", {"casualties": ["submarine"]}),
]
CASES = [*LAND, *LANDINGS, *AT_SEA]


ON_LAND = ["infantry", "artillery", "mechanized-infantry", "tank", "fighter", "tactical-bomber"]
AFLOAT = ["submarine", "destroyer", "cruiser", "battleship", "damaged battleship", "transport"]
ORDERS_OF_LOSS = ["cheapest first", ["destroyer", "hit battleship"], ["tank", "fighter"], ["hit battleship", "submarine"]]
RETREATS = ["press", "retreat", WEAKER, AFTER_TWO, [{"when": "own-value-lost > 6", "do": "retreat"}]]
DIVES = ["strike", "submerge", [{"when": "round > 1", "do": "submerge"}, {"do": "strike"}]]


def some_battle(dice: Random) -> Case:
    """Up to four units a side with any orders, on land, at sea or in a landing."""

    def some(kinds: list[str]) -> str:
        drawn = [dice.choice(kinds) for _ in range(dice.randint(1, 3))]
        return ", ".join(f"{drawn.count(k)} {k}" for k in dict.fromkeys(drawn))

    orders = {"casualties": dice.choice(ORDERS_OF_LOSS), "retreat": dice.choice(RETREATS), "submarines": dice.choice(DIVES)}
    match dice.choice(["land", "sea", "landing"]):
        case "land":
            guard = dice.choice(["", ", 1 aa-gun"])
            return Case("Kwangsi", some(ON_LAND), f"1 infantry, {some(ON_LAND)}{guard}", orders, dice.choice(["", "Kiangsi"]))
        case "sea":
            attack = some([*AFLOAT, "fighter", "tactical-bomber"])
            return Case("SZ 20", attack, f"1 destroyer, {some(AFLOAT)}", orders, dice.choice(["", "SZ 19"]))
    landing = f"1 infantry, {some([*ON_LAND, 'cruiser', 'battleship'])}"
    return Case("Kwangtung", landing, some(ON_LAND), orders, sea="SZ 20")


def plans(orders: Orders):
    def of(seat: str, kind: str) -> Sequence[Clause]:
        return read_clauses(kind, orders.get(kind, USUAL[kind]))

    return of


def clash_of(case: Case) -> Clash:
    g = fight(position(case.space, case.attack, case.defence, case.came_from, case.sea)).state
    return clash_at(g, "japan", read_space(g.board, case.space))


def joint(clash: Clash, orders: Orders) -> dict[tuple[str, str], float]:
    fought = Fight(clash, plans(orders))
    ends, error = fought.ends()
    assert error == 0
    found: dict[tuple[str, str], float] = {}
    for moment, p in ends.items():
        key = fought.attack.spell(moment.attack), fought.defence.spell(moment.defence)
        found[key] = found.get(key, 0.0) + p
    return found


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("case", [*CASES, *(some_battle(Random(seed)) for seed in range(20))], ids=str)
def test_the_odds_are_the_engines(case: Case) -> None:
    clash, orders = clash_of(case), {**USUAL, **case.orders}
    among = {u.id for u in (*clash.attackers, *clash.defenders)}
    g = position(case.space, case.attack, case.defence, case.came_from, case.sea)
    wanted, found = every_course(g, orders, among), joint(clash, orders)
    assert {k for k, p in found.items() if p > NEARLY} <= wanted.keys()
    assert all(abs(found.get(k, 0.0) - p) < NEARLY for k, p in wanted.items())
