"""[PW-FOG-01] [PW-AMP-01] Troops go aboard and ashore unseen, over signed files: what an honest program states, and lies."""

from __future__ import annotations

import random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.games.pacific_war.cycle.contact import contact_land
from pbem.games.pacific_war.cycle.cycle import movement
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.records import Marker
from pbem.games.pacific_war.secret.fleets import unveil
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit, Request
from pbem.kernel.questions import accepted
from pbem.runtime.asked import proposals
from pbem.runtime.composing import Draft
from tests.generic.test_forms import walk
from tests.pacific_war import random_play, table
from tests.pacific_war.hidden_play import decide, two_people
from tests.pacific_war.staged_files import Rule, Scene, perform, then
from tests.pacific_war.test_hidden_hands import audited, lies, named
from tests.pacific_war.test_hidden_land import put
from tests.pacific_war.test_hidden_lies import SEALED
from tests.toygame.party import Person, sealing_anything, send

A, SHIP = "allies", "AA3 South Pacific transports"
NOUMEA, LILLE, MARINES, RAIDERS, SEABEES = 135, 234, "5th Marine Regiment", "1st Raiders", "6th Seabees"
YES: Plain = {"march_hidden": "yes"}
ASKED: dict[str, Plain] = {"march_hidden": "ask me"}
ABOARD: Plain = {"embark": {MARINES: SHIP}}


def at_noumea() -> State:
    """A regiment and a battalion stir behind the Force marker of Noumea; a transport lies there in a sealed task force."""
    g: State = table.begin("guadalcanal", forces="sealed", land="sealed").state
    for name in [n for n in g.units if n not in (MARINES, RAIDERS, SHIP, SEABEES)]:
        del g.units[name]
    g.markers, g.forces, g.in_secret = {}, {}, {}
    put(g, NOUMEA, MARINES, RAIDERS, hidden=True)
    put(g, NOUMEA, SHIP)
    g.markers["A1"] = Marker(A, NOUMEA, handle="force A1")
    for name in (MARINES, RAIDERS, SHIP):
        g.units[name].active, g.units[name].box = True, "sealed"
    g.units[SHIP].tf = "A1"
    g.stirring, g.operator, g.phase, g.moved = {A: True}, A, "contact", {}
    return g


def contact(g: State) -> Any:
    return contact_land(g, False)


def shown(g: State) -> Any:
    return unveil(g, "A1", "PW-FOG-01")


def going_aboard(order: Plain, *rules: Rule) -> Scene:
    orders: dict[tuple[str, str], list[Plain]] = {(A, "march_hidden"): [YES], (A, "sealed march"): [order]}
    return Scene(at_noumea, then(contact, *rules), orders, "guadalcanal", {A: ASKED})


def claims(party: list[Person], kind: str) -> list[Plain]:
    return [c.value for c in party[0].table.ledger.claims if c.kind == kind]


def test_who_went_aboard_is_shown_with_the_ship_and_the_audit_is_clean() -> None:
    party = perform(going_aboard({"embark": {MARINES: SHIP, RAIDERS: SHIP}}, shown))
    g = party[0].table.engine.state
    assert claims(party, "forces") == [[]] and g.units[MARINES].aboard == SHIP and g.units[MARINES].box == "map"
    assert audited(party) is None


def test_troops_said_to_be_aboard_that_have_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", lawful=lambda claim, truth: True)
    with sealing_anything():
        party = perform(going_aboard({"embark": {MARINES: SHIP, SEABEES: SHIP}}))
    named(party, "nowak", "lawful")


def test_a_marker_left_behind_for_troops_that_are_aboard(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", forces=lambda claim, truth: [NOUMEA])
    named(perform(going_aboard({"embark": {MARINES: SHIP, RAIDERS: SHIP}})), "nowak", "forces")


def test_troops_kept_back_when_the_ship_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", contents=lambda claim, truth: {**truth, "news": {}})
    named(perform(going_aboard(ABOARD, shown)), "nowak", "contents")


def test_troops_shown_aboard_that_never_embarked(monkeypatch: pytest.MonkeyPatch) -> None:
    more: dict[str, Plain] = {RAIDERS: {"aboard": SHIP}}
    lies(monkeypatch, "nowak", contents=lambda claim, truth: {**truth, "news": {**truth["news"], **more}})
    named(perform(going_aboard(ABOARD, shown)), "nowak", "contents")


# -- questions ---------------------------------------------------------------------------------------------------------


def first_of(rule: Any, kind: type[Request]) -> Any:
    """The first request of a class; what stands before is declined, but the moves in secret."""
    request = next(rule)
    while not isinstance(request, kind):
        if isinstance(request, Ask):
            answer: Plain = YES if request.kind == "march_hidden" else next(iter(request.options()))
            request = rule.send(request.read({"show": "none"} if request.kind == "show" else answer))
        else:
            assert isinstance(request, Claim)
            request = rule.send(request.truth(table.behind))
    return request


@pytest.mark.parametrize("order", [ABOARD, {"embark": {MARINES: SHIP, RAIDERS: SHIP}}, {"march": {RAIDERS: [LILLE]}}])
def test_unseen_embarkations_are_picked_by_what_their_owner_knows(order: Plain) -> None:
    ask = first_of(contact(at_noumea()), Commit)

    def may_seal(plain: Plain) -> Plain:
        ask.check(plain, table.behind)
        return plain

    form = ask.form(may_seal, table.behind)
    assert walk(form, form.partial(order)).orders == (order,)


def test_a_landing_is_proposed_to_its_owner_alone() -> None:
    g = at_noumea()
    g.units[MARINES].aboard, g.phase, g.advantage = SHIP, "movement", A
    ask = first_of(movement(g, True), Commit)
    landing: Plain = {"debark": {MARINES: NOUMEA}}
    assert landing in GAME.sealed_options(g, ask, table.behind)
    form = ask.form(lambda plain: ask.check(plain, table.behind) or plain, table.behind)
    assert walk(form, form.partial(landing)).orders == (landing,)


@pytest.mark.parametrize("order", [{"orders": []}, {"orders": "x"}, {"orders": [{"orders": []}]}, {"embark": {}}, {"land": {}}])
def test_an_order_that_cannot_be_read_is_not_sealed(order: Plain) -> None:
    ask = first_of(contact(at_noumea()), Commit)
    with pytest.raises(Exception, match="cannot be read"):
        ask.check(order, table.behind)


# -- rules versions ----------------------------------------------------------------------------------------------------


def kinds_asked(game: Any, g: State) -> list[str]:
    """The questions of a movement phase."""
    found: list[str] = []
    rule, answer = game.segments["movement"](g, True), None
    while True:
        try:
            request = rule.send(answer)
        except StopIteration:
            return found
        found.append(request.kind)
        if isinstance(request, Claim):
            answer = request.truth(table.behind)
        elif isinstance(request, Commit):
            answer = 'seal 1 "done"'
        else:
            answer = request.read(request.default if request.default is not None else next(iter(request.options())))


def test_a_game_of_an_earlier_version_asks_as_it_did() -> None:
    def aboard() -> State:
        g = at_noumea()
        g.units[MARINES].aboard, g.phase, g.advantage, g.stirring = SHIP, "movement", A, {}
        return g

    assert "march_hidden" in kinds_asked(GAME, aboard())
    assert "march_hidden" not in kinds_asked(GAME.earlier[3], aboard())
    assert GAME.earlier[2].segments is GAME.earlier[3].segments and GAME.earlier[3].passes_idle


def test_nobody_goes_aboard_in_secret_in_a_game_of_an_earlier_version() -> None:
    ask = first_of(GAME.earlier[3].segments["contact-land"](at_noumea(), False), Commit)
    with pytest.raises(Exception, match="not asked here"):
        ask.check(ABOARD, table.behind)


# -- random games ------------------------------------------------------------------------------------------------------


def boarding(person: Person, dice: random.Random, done: set[str]) -> Draft:
    """Everything in secret; whoever can goes aboard and ashore."""
    due, request = person.table.due, person.table.engine.request
    if isinstance(request, Commit) and due.what == "seal":
        listed = proposals(person.table, request, person.knowledge())
        listed = lawful(request, [CONVOYS[request.seat]], person) or listed if request.kind == "muster" else listed
        moves = [o for o in listed if isinstance(o, dict) and {*o} & {"embark", "debark"}]
        order = dice.choice(moves or listed)
        done |= {*order} if isinstance(order, dict) else set()
        return Draft(orders=[{"seal": order, "seat": due.seat}])
    draft = decide(person, dice, hiding)
    return replace(draft, standing=ASKED) if due.what == "orders" and isinstance(request, Ask) else draft


def lawful(request: Commit, plans: list[Plain], person: Person) -> list[Plain]:
    """Those that this player may seal."""
    return [*accepted(lambda plan: request.check(plan, person.knowledge().reveal), plans)]


def convoy(hq: str, *units: str) -> Plain:
    """A transport in a task force, troops beside it."""
    return {"activate": {"hq": hq, "units": [*units], "days": 14, "fleets": [{"core": [units[0]]}]}}


CONVOYS = {
    A: convoy("South Pacific", SHIP, MARINES, RAIDERS),
    "japan": convoy("South Seas", "AA1 Transports", "144th Regiment"),
}


def hiding(ask: Ask | Commit, dice: random.Random) -> Plain:
    options = list(ask.options())
    if ask.kind in ("operation-bid", "stop"):
        return {ask.kind.partition("-")[2] or ask.kind: "no" if ask.kind == "stop" else dice.choice((10, 12))}
    quiet = [o for o in options if o in ("end", "pass", "stay")]
    if quiet and (ask.kind in ("search", "sail") or (ask.kind == "contact" and dice.random() < 0.5)):
        return quiet[0]
    if ask.kind in ("activate", "react", "march_hidden"):
        return next((o for o in options if o in ("secret", YES)), options[0])
    assert isinstance(ask, Ask)
    return random_play.choose(ask, dice)


@pytest.mark.in_turn(2)
def test_random_games_in_which_troops_embark_unseen_pass_the_audit() -> None:
    done: set[str] = set()
    for seed in range(2):
        party = two_people("guadalcanal", None, **SEALED)
        dice = random.Random(seed)
        for _ in range(100):
            if party[0].table.due.what == "nothing":
                break
            send(party, boarding(next(p for p in party if p.name == party[0].table.due.player), dice, done))
        assert audited(party) is None, seed
    assert {"embark", "debark"} <= done, done
