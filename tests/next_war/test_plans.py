"""A segment's attacks in the file of its movement: planned by what the battles before them leave, carried out or dropped."""

from __future__ import annotations

import pytest

from pbem.games.next_war.game import GAME
from pbem.games.next_war.planning import PlanFacts
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from tests.next_war import table
from tests.toygame.party import Person, found_game, send

MOVES: list[Plain] = [{"move": "1/G to 0806"}, {"move": "2/G to 0805"}, {"sail": "Kreuzer to strait-at-sea"}, "done"]
FIRST: Plain = {"attack": "1/G, 12/A at 0705 lead 1/G"}
SECOND: Plain = {"attack": "2/G, 11/A at 0704 lead 2/G"}
DROPPED = ["plan", "passed", "plan"]
AGAIN: Plain = {"attack": "2/G at 0705"}  # a hex is attacked once in a segment
END: Plain = {"at": "combat", "do": ["done"]}
ATTACK_AND_END: list[Plain] = [{"at": "combat", "when": "enemy-at-0705 > 0", "do": [FIRST]}, END]
STANDING: dict[str, Plain] = {**GAME.sets()["careful"]}


def begun() -> list[Person]:
    """The non-allied player has thrown for the weather; both have their standing orders for combats."""
    party = [Person("yamada", ["allied"]), Person("nowak", ["non-allied"])]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, table.scenario("training"))
    send(party, Draft([{"weather": "clear"}], standing=STANDING))
    send(party, Draft(standing=STANDING))
    return party


def go_on(party: list[Person]) -> None:
    """Programs answer until a person has to decide."""
    while party[0].table.due.what in ("witness", "open", "claim"):
        send(party, Draft())


def what_became(party: list[Person]) -> list[str]:
    return [fired.by for fired in party[0].table.ledger.fired if fired.by in ("plan", "passed", "stopped")]


def moved(plan: list[Plain], note: str = "") -> list[Person]:
    """The non-allied player has moved next to 0705, where the enemy stands, and planned his attacks."""
    party = begun()
    send(party, Draft(MOVES, plan=plan, note=[note]))
    return party


def fought(plan: list[Plain], stands: bool) -> list[Person]:
    """The same after a first combat that leaves the enemy in 0705, or does not."""
    for n in range(40):
        party = moved(plan, str(n))
        go_on(party)
        if bool(PlanFacts(party[0].table.engine.state, "non-allied")["enemy-at-0705"]) == stands:
            return party
    raise AssertionError("no such combat")


def by_hand(party: list[Person]) -> list[tuple[str, list[Plain]]]:
    """Who decided what behind the movement's file."""
    return [(d["player"], d["orders"]) for d in party[0].log[4:] if d.get("orders")]


def test_the_attacks_in_the_movements_file_need_no_second_one_by_hand() -> None:
    party = moved(ATTACK_AND_END)
    go_on(party)
    assert what_became(party) == ["plan", "plan"] and by_hand(party) == []
    request = party[0].table.engine.request
    assert isinstance(request, Ask) and (request.kind, request.seat) == ("movement", "allied"), "the segment is over"


@pytest.mark.parametrize("stands", [True, False])
def test_a_second_attack_waits_for_what_the_first_one_leaves(stands: bool) -> None:
    second: Plain = {"at": "combat", "when": "enemy-at-0705 = 0", "do": [SECOND]}
    party = fought([{"at": "combat", "do": [FIRST]}, second, END], stands)
    assert what_became(party) == ["plan", "passed" if stands else "plan", "plan"] and by_hand(party) == []
    labels = [roll["label"] for document in party[0].log[4:] for roll in document.get("dice", [])]
    assert any("0705" in label for label in labels) and any("0704" in label for label in labels) != stands


@pytest.mark.parametrize("otherwise", ["ask", "drop"])
def test_an_attack_that_is_not_allowed_any_more_is_never_another_one(otherwise: str) -> None:
    party = moved([{"at": "combat", "do": [FIRST]}, {"at": "combat", "do": [AGAIN], "else": otherwise}, END])
    go_on(party)
    due, request = party[0].table.due, party[0].table.engine.request
    assert isinstance(request, Ask)
    asked = what_became(party), request.kind, due.player
    assert asked == ((["plan", "stopped"], "combat", "nowak") if otherwise == "ask" else (DROPPED, "movement", "yamada"))


def test_whoever_sees_the_dice_cannot_order_instead_of_a_sealed_attack() -> None:
    party = moved([{"at": "combat", "do": [FIRST]}, {"at": "combat", "do": [SECOND], "sealed": True}, END])
    attacker = next(p for p in party if p.name == "nowak")
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "witness")
    send(party, Draft())
    assert (party[0].table.due.player, party[0].table.due.what) == ("nowak", "open")
    with pytest.raises((Refused, ProtocolError)):
        attacker.write(Draft(orders=["done"]))
    go_on(party)
    assert what_became(party) == ["plan", "plan", "plan"] and by_hand(party) == []


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"at": "retreat", "do": ["any"]}, "no question that can be planned for"),
        ({"at": "combat", "do": [{"move": "1/G to 0806"}]}, "move"),
        ({"at": "combat", "when": "enemy-at-9999 > 0", "do": ["done"]}, "enemy-at-9999"),
        ({"at": "combat", "when": "air > 2", "do": ["done"]}, "air"),
    ],
)
def test_what_cannot_be_planned_is_refused_when_it_is_written(step: Plain, why: str) -> None:
    with pytest.raises(Refused, match=why):
        moved([step])


def test_facts_are_the_same_names_at_every_moment_and_count_ground_units() -> None:
    before, after = begun()[0].table.engine.state, fought([*ATTACK_AND_END], False)[0].table.engine.state
    facts = PlanFacts(before, "non-allied")
    assert list(facts) == list(PlanFacts(after, "non-allied")) and len(facts) == len([*facts])
    assert facts["enemy-at-0705"] == PlanFacts(before, "allied")["own-at-0705"] == len(before.ground("allied", 705)) > 0
    assert (facts["turn"], facts["moment"]) == (before.turn, before.moment)
    with pytest.raises(KeyError):
        facts["own-at-nowhere"]


AIR: Plain = {"at": "support", "when": "target = 0705", "do": [{"support": {"air": 1}}]}
ALONE: Plain = {"at": "support", "when": "target = 0704", "do": [{"support": "none"}]}


@pytest.mark.parametrize("attacked", [True, False])
def test_support_goes_to_the_attack_that_it_was_planned_for_and_to_no_other(attacked: bool) -> None:
    """Where the first attack falls away its support does not go to the second."""
    when = "enemy at 0705 > 0" if attacked else "enemy at 0705 = 0"
    first: Plain = {"at": "combat", "when": when, "do": [FIRST]}
    party = moved([first, {"at": "combat", "do": [SECOND]}, AIR, ALONE, END])
    before = begun()[0].table.engine.state.air["non-allied"]
    go_on(party)
    sent = [f.order for f in party[0].table.ledger.fired if f.by == "plan" and f.kind == "support"]
    assert sent == ([{"support": {"air": 1}}] if attacked else []) + [{"support": "none"}]
    assert before - party[0].table.engine.state.air["non-allied"] == int(attacked) and by_hand(party) == []
    assert PlanFacts(party[0].table.engine.state, "non-allied")["target"] == 0, "no combat goes on"
