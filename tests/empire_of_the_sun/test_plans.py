"""An offensive with reaction and battle in one file by hand of each side, over signed files, and what plans must not do."""

from __future__ import annotations

import random
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli.planning import to_edit
from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.planning import PLANNABLE
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.behind import behind
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.taking import Refused, take
from tests.empire_of_the_sun import table
from tests.toygame.party import Person, found_game, send

OFFENSIVE: list[Plain] = [
    {"operations": "South HQ"},
    {"activate": "14th Army, 5th Air Division, CVL Ryujo"},
    {"move": "14th Army to Manila"},
    {"move": "CVL Ryujo to Manila"},
    "done",
    {"battle": "Manila with 14th Army, 5th Air Division, CVL Ryujo"},
    "done",
]
STAY: list[Plain] = [{"return": "CVL Ryujo to Manila"}, {"return": "5th Air Division to Manila"}, "done"]
JAPAN: list[Plain] = [
    {"at": "hits", "do": [{"hits": ["air", "cheapest"]}]},
    {"at": "return", "when": "holder of manila = japan and place of cvl-ryujo = 2813", "do": STAY},
    {"at": "return", "do": [{"return": "home"}]},
]
REACT: list[Plain] = ["react", {"intelligence": "roll"}]
FEAF: Plain = {"counter": {"hq": "hq-south-west-pacific", "activate": ["us-feaf"]}}
ALLIES: list[Plain] = [
    {"at": "counter", "when": "condition = intercept and own air at manila > 0", "do": [FEAF]},
    {"at": "counter", "do": [{"counter": "none"}]},
    {"at": "hits", "do": [{"hits": ["cvl", "cheapest"]}]},
    {"at": "refuge", "do": [{"refuge": 2715}]},
]


def go_on(party: list[Person]) -> None:
    """Programs answer until a person has to decide."""
    while party[0].table.due.what in AUTOMATIC:
        send(party, Draft())


def asked(party: list[Person]) -> tuple[str, str]:
    """Who is asked for what."""
    request = party[0].table.engine.request
    assert isinstance(request, Ask)
    return party[0].table.due.player, request.kind


def begun() -> list[Person]:
    """Spring 1942, and Japan about to play its first card."""
    party = [Person("yamada", ["japan"]), Person("nowak", ["allies"])]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, table.scenario("year-1942"))
    for orders in ([{"arcadia": "no"}], ["done"]):
        go_on(party)
        send(party, Draft(orders))
    go_on(party)
    assert asked(party) == ("yamada", "card")
    return party


def test_the_fleets_that_may_sail_are_planned_for_behind_arcadia() -> None:
    """[17.25] [17.11] Cards are drawn between the two, so that they were two files."""
    party = [Person("yamada", ["japan"]), Person("nowak", ["allies"])]
    found_game(GAME, party, {o.name: o.choices[0] for o in GAME.options}, table.scenario("year-1942"))
    go_on(party)
    assert asked(party) == ("nowak", "arcadia")
    send(party, Draft([{"arcadia": "yes"}], plan=[{"at": "sail", "do": ["done"]}]))
    go_on(party)
    assert asked(party) == ("yamada", "card")
    (fired,) = [f for f in party[0].table.ledger.fired if f.kind == "sail"]
    assert (fired.order, fired.by) == ("done", "plan")


def attacked(plan: list[Plain], *, note: str = "", standing: Mapping[str, Plain] | None = None) -> list[Person]:
    """Japan attacks Manila; the Allies are asked whether they react."""
    party = begun()
    attacker = party[0]
    ops = {card: party[0].table.engine.state.board.cards[card].ops for card in attacker.knowledge().hand("japan")}
    card = next(c for c in sorted(ops) if ops[c] >= 3)
    send(party, Draft([{"play": card}, *OFFENSIVE], plan=plan, note=[note], standing=standing or {}))
    go_on(party)
    assert asked(party) == ("nowak", "reaction")
    return party


def test_an_offensive_written_to_its_end_is_offered_as_a_plan() -> None:
    """[7.2] [8.5] Behind the other side's reaction and the dice of the battle come hits and the ways home."""
    party = begun()
    ops = {card: party[0].table.engine.state.board.cards[card].ops for card in party[0].knowledge().hand("japan")}
    card = next(c for c in sorted(ops) if ops[c] >= 3)
    home: list[Plain] = ["return home", "done: return"]
    text = strict_yaml.write_document({"orders": [{"play": card}, *OFFENSIVE, *home]})
    found = behind(Desk(party[0].table, party[0].secrets(), party[0].fetch, party[0].salt, text))
    assert found is not None and (found.first, found.count, found.rest) == (8, 1, 2), "all have gone home then"
    assert found.steps == ({"at": "return", "do": [{"return": "home"}]},)


def reacted(japan: list[Plain], allies: list[Plain], note: str = "") -> list[Person]:
    """The Allies react to it; their die is not thrown yet."""
    party = attacked(japan, note=note)
    send(party, Draft(REACT, plan=allies))
    return party


def found_out(japan: list[Plain], allies: list[Plain], condition: str = "intercept") -> list[Person]:
    """The same with a die that finds the offensive out, or does not; everything is played that asks nobody."""
    for n in range(40):
        party = reacted(japan, allies, str(n))
        begins = len(party[0].log)
        go_on(party)
        rolled = [roll for document in party[0].log[begins:] for roll in document.get("dice", [])]
        assert "intelligence" in rolled[0]["label"]
        state = party[0].table.engine.state
        found = state.offensive.condition if state.offensive is not None else _condition_told(party)
        if found == condition:
            return party
    raise AssertionError("no such die")


def _condition_told(party: list[Person]) -> str:
    """What the counter question made of it: it is asked only when the offensive was found out."""
    return "intercept" if any(f.kind == "counter" for f in party[0].table.ledger.fired) else "surprise"


def told(party: list[Person]) -> list[tuple[str, str]]:
    return [(f.by, f.kind) for f in party[0].table.ledger.fired if f.by in ("plan", "passed", "stopped")]


def by_hand(party: list[Person]) -> list[str]:
    """Who wrote files with orders from the card on."""
    begins = next(i for i, d in enumerate(party[0].log) if any("play" in o for o in d.get("orders", []) if isinstance(o, dict)))
    return [d["player"] for d in party[0].log[begins:] if d.get("orders")]


# -- one file each ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ["intercept", "surprise"])
def test_an_offensive_with_reaction_and_battle_is_one_file_by_hand_of_each_side(condition: str) -> None:
    party = found_out(JAPAN, ALLIES, condition)
    assert asked(party) == ("nowak", "card"), "the offensive is over, and the other side plays a card"
    assert by_hand(party) == ["yamada", "nowak"]
    came = [f.order for f in party[0].table.ledger.fired if f.by == "plan" and f.kind == "counter"]
    assert came == ([FEAF] if condition == "intercept" else [])
    assert party[0].table.engine.state.marks == party[1].table.engine.state.marks


def test_without_plans_the_same_offensive_costs_a_file_for_each_question() -> None:
    party, kinds = found_out([], []), list[str]()
    while (now := asked(party)[1]) != "card":
        kinds.append(now)
        request = party[0].table.engine.request
        assert isinstance(request, Ask)
        send(party, Draft([FEAF if now == "counter" else next(iter(request.options()))]))
        go_on(party)
    assert kinds[0] == "counter" and "return" in kinds
    assert len(by_hand(party)) == 2 + len(kinds) >= 4


def test_units_stay_in_the_place_that_they_took_and_go_home_from_one_that_holds() -> None:
    for n in range(20):
        party = attacked(JAPAN, note=str(n))
        send(party, Draft(["pass"], standing={"refuge": "any"}))
        go_on(party)
        state = party[0].table.engine.state
        if state.pieces["cvl-ryujo"].box != "map":
            continue
        stays = state.control[2813] == "japan"
        assert (state.pieces["cvl-ryujo"].at == 2813) == stays
        assert told(party)[-1] == ("plan", "return") and (("passed", "return") in told(party)) != stays
        assert by_hand(party) == ["yamada", "nowak"]
        if stays:
            return
    raise AssertionError("Manila never fell")


# -- what does not apply any more ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("otherwise", ["ask", "drop"])
def test_a_move_that_is_not_allowed_when_it_is_due_is_told_and_never_another_one(otherwise: str) -> None:
    """Nobody may end his post-battle movement in Tokyo Bay."""
    wrong: list[Plain] = [{"return": "CVL Ryujo to 5808"}, "done"]
    party = attacked([{"at": "return", "do": wrong, "else": otherwise}], standing={"hits": "cheapest", "return": "home"})
    send(party, Draft(["pass"], standing={"hits": "cheapest", "refuge": "any"}))
    go_on(party)
    (missed,) = [f for f in party[0].table.ledger.fired if f.by in ("passed", "stopped")]
    assert missed.by == ("stopped" if otherwise == "ask" else "passed") and missed.why[0].reason == "illegal"
    answered = [(f.by, f.order) for f in party[0].table.ledger.fired if f.kind == "return" and f.seat == "japan"]
    expected = ("clause", {"return": "home"}) if otherwise == "ask" else ("plan", "done")
    assert answered[-1] == expected, "the standing order stands behind a plan that is over"


def test_a_plan_ends_with_its_offensive() -> None:
    party = found_out(JAPAN, ALLIES)
    assert {held.player for held in party[0].table.ledger.plans} == {"yamada", "nowak"}
    state = party[0].table.engine.state
    assert all(held.stretch != GAME.stretch(state) for held in party[0].table.ledger.plans)


def test_no_two_plays_of_a_turn_have_the_same_stretch_and_none_changes_within() -> None:
    engine = table.begin("year-1942")
    dice, seen, open_since = random.Random(3), list[Plain](), None
    for _ in range(700):
        request = engine.request
        if isinstance(request, Ask):
            if request.kind == "card":
                now = GAME.stretch(engine.state)
                assert now not in seen or now == seen[-1], "only a pass leaves it as it was"
                seen.append(now)
            elif engine.state.offensive is not None:
                open_since = open_since or GAME.stretch(engine.state)
                assert GAME.stretch(engine.state) == open_since
            own: dict[str, str] = {}
            order = request.forced if request.forced is not None else bot.choose(engine.state, request, own, 0)
            engine.reply(order)
            if engine.state.offensive is None:
                open_since = None
        elif request is not None:
            engine.reply(table.chance(request, dice))
    assert len({str(s) for s in seen}) > 5


# -- attacks -----------------------------------------------------------------------------------------------------------


def test_who_can_compute_the_die_gives_no_order_instead_of_his_plan() -> None:
    """The Allies' die is thrown by the link of the file behind it, whose author sees the battle that follows."""
    party = reacted(JAPAN, ALLIES)
    japan = party[0]
    assert japan.table.due == party[1].table.due and (japan.table.due.player, japan.table.due.what) == ("yamada", "witness")
    for orders in ([{"return": "home"}], ["done"], [{"hits": ["cheapest"]}]):
        with pytest.raises((Refused, ProtocolError)):
            japan.write(Draft(orders))
    instead = japan.sign(japan.write(Draft(plan=[{"at": "return", "do": [{"return": "home"}]}])).document)
    with pytest.raises((Refused, ProtocolError)):
        take(party[1].table, instead, party[1].fetch)


def test_a_sealed_reaction_is_opened_before_anything_else_is_taken() -> None:
    sealed = [{**step, "sealed": True} for step in ALLIES if isinstance(step, dict)]
    for n in range(40):
        party = reacted(JAPAN, [*sealed], str(n))
        shown = next(d["plan"] for d in reversed(party[0].log) if "plan" in d)
        assert [sorted(step) for step in shown] == [["at", "sealed"]] * len(sealed)
        send(party, Draft())
        if party[0].table.due.what != "open":
            continue
        allies = party[1]
        assert party[0].table.due.player == "nowak"
        with pytest.raises((Refused, ProtocolError)):
            allies.write(Draft([{"counter": "none"}]))
        go_on(party)
        assert ("plan", "counter") in told(party) and by_hand(party) == ["yamada", "nowak"]
        return
    raise AssertionError("never found out")


def test_a_plan_tells_no_card_and_waits_for_none() -> None:
    """Hidden things: cards. No question that a card answers can be planned for, and no condition knows a hand."""
    steps: list[tuple[Plain, str]] = [
        ({"at": "cards", "do": [{"cards": "A5"}]}, "no question that can be planned for"),
        ({"at": "intelligence", "do": [{"intelligence": "A5"}]}, "no question that can be planned for"),
        ({"at": "card", "do": [{"play": "A5"}]}, "no question that can be planned for"),
        ({"at": "reaction", "do": [{"weather": "A5"}]}, "no order there"),
        ({"at": "move", "do": ["again"]}, "no order there"),
        ({"at": "counter", "when": "hand > 3", "do": [FEAF]}, "there is no fact 'hand'"),
        ({"at": "counter", "when": "own at manilla > 0", "do": [FEAF]}, "did you mean own-at-manila"),
    ]
    party = attacked(JAPAN)
    for step, why in steps:
        with pytest.raises(Refused, match=why):
            party[1].write(Draft(REACT, plan=[step]))
        sealed: dict[str, Any] = {**step, "sealed": True} if isinstance(step, dict) else {}
        with pytest.raises(Refused, match=why):
            party[1].write(Draft(REACT, plan=[sealed]))


def test_nobody_s_hand_stands_in_the_facts() -> None:
    """The same facts from a state in which all cards are swapped."""
    party = attacked(JAPAN)
    state = party[0].table.engine.state
    before = dict(GAME.facts(state, "allies"))
    state.hands = {"japan": [], "allies": ["A1"]}
    state.future = {"japan": "x:1", "allies": "A2"}
    assert dict(GAME.facts(state, "allies")) == before


def test_facts_are_the_same_names_at_every_moment_and_from_both_sides() -> None:
    party = begun()
    before = [*GAME.facts(party[0].table.engine.state, "japan")]
    party = attacked(JAPAN)
    state = party[0].table.engine.state
    facts = GAME.facts(state, "allies")
    assert [*facts] == before and len(facts) == len(before) == len({*before})
    assert all(isinstance(facts[name], (int, str)) for name in before)
    assert facts["place-of-cvl-ryujo"] == 2813 == facts["place-of-14-army"]
    assert facts["enemy-naval-at-manila"] == 1 == facts["enemy-ground-at-2813"] and facts["own-hq-at-manila"] == 1
    assert facts["steps-of-cv-akagi"] == 2 and facts["condition"] == "surprise" and facts["holder-of-manila"] == "allies"


def test_every_verb_of_a_plan_is_one_of_its_question() -> None:
    """Cases and games name all kinds; those of an offensive here."""
    party = attacked(JAPAN)
    request = party[0].table.engine.request
    assert isinstance(request, Ask)
    assert {*PLANNABLE[request.kind]} <= {*request.verbs}


def test_a_draft_of_a_reaction_names_what_can_be_planned_behind_it_in_a_line() -> None:
    table = attacked(JAPAN)[1].table
    session: Any = SimpleNamespace(table=table, game=GAME, me=SimpleNamespace(player=table.due.player))
    head, at, do = to_edit(session)
    assert head.startswith("# plan:") and do == "#     do: [...]"
    assert at == f"#   - at: {' | '.join(list(PLANNABLE)[list(PLANNABLE).index('reaction') + 1 :])}"
