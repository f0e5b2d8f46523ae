"""Hidden forces, sealed bids and private dice over signed files: two programs in lockstep, the audit, programs that cheat."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import pytest

from pbem.games.pacific_war.board import shortest
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.sea import searching
from pbem.games.pacific_war.secret import fleets as sealed_fleets
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit, Simultaneous
from pbem.kernel.wording import english
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import composing
from pbem.runtime.audit import Finding, audit
from pbem.runtime.composing import Draft, Secrets
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.ledger import DrawMade
from pbem.runtime.table import Table
from pbem.runtime.taking import take
from tests.pacific_war.hidden_play import decide, disclosures, passive, play_on, two_people
from tests.toygame.party import Person, sealing_anything, send

Change = Callable[[Claim, Any], Plain]


# -- honest play -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scenario", "seed", "most"), [("savo-island", 5, 500), ("coral-sea", 1, 150), ("pearl-harbor", 2, 100)]
)
def test_sealed_forces_in_lockstep_and_a_clean_audit(scenario: str, seed: int, most: int) -> None:
    party = two_people(scenario, forces="sealed")
    play_on(party, seed, most)
    assert party[0].table.ledger.seals and party[0].table.ledger.claims
    assert audited(party) is None


@pytest.mark.parametrize("seed", [1, 2])
def test_intelligence_dice_stay_secret_and_pass_the_audit(seed: int) -> None:
    party = two_people("guadalcanal")
    play_on(party, seed, 60)
    state = party[0].table.engine.state
    assert state.secrets and not any(s.startswith("die ") for s in state.secrets.values())
    assert audited(party) is None


# -- programs that lie -------------------------------------------------------------------------------------------------


class Liar(Knowledge):
    """What one player's program says when its owner has changed it."""

    about: ClassVar[Mapping[str, Change]]
    dice: ClassVar[Callable[[DrawMade, list[Plain]], list[Plain]]] = staticmethod(lambda made, items: items)

    def claim(self, n: int, request: Claim) -> Plain | None:
        truth = request.truth(self.reveal)
        changed = self.about[request.kind](request, truth) if request.kind in self.about else truth
        return {"claim": n, "value": changed}

    def items(self, made: DrawMade) -> list[Plain]:
        return self.dice(made, super().items(made))


def lies(monkeypatch: pytest.MonkeyPatch, player: str, dice: Any = None, **about: Change) -> None:
    """From now on the program of this player changes these statements, or its private dice."""
    members: dict[str, Any] = {"about": about, **({"dice": staticmethod(dice)} if dice else {})}
    liar = type("Changed", (Liar,), members)

    def kind_of(who: str) -> type[Knowledge]:
        return liar if who == player else Knowledge

    def knowledge(table: Table, secrets: Secrets, sealed: Any) -> Knowledge:
        known = (secrets.player, secrets.draw_secrets, sealed, table.ledger, table.charter.game_id)
        return kind_of(secrets.player)(*known)

    monkeypatch.setattr(composing, "_knowledge", knowledge)


def audited(party: list[Person]) -> Finding | None:
    return audit(party[0].table, disclosures(party), party[0].fetch)


def named(party: list[Person], player: str, word: str) -> Finding:
    """The audit names this player, the file of his statement and what was wrong."""
    finding = audited(party)
    assert finding is not None and finding.player == player and word in english(finding.what), finding
    assert party[0].log[finding.seq]["player"] == player
    return finding


def other_core(claim: Claim, truth: Any) -> Plain:
    """A force that leaves a ship of its core out."""
    return {"core": truth["core"][1:], "screen": truth["screen"]} if len(truth["core"]) > 1 else {"core": [], "screen": []}


def test_a_force_opened_as_other_than_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    party = two_people("savo-island", forces="sealed")
    lies(monkeypatch, "yamada", contents=other_core)
    play_on(party, 5, 500)
    named(party, "yamada", "contents")


def test_a_ship_in_two_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second task force of a hex is stated to hold a ship that the first has shown."""
    shown: list[Plain] = []

    def again(claim: Claim, truth: Any) -> Plain:
        stated = {"core": [*shown[:1], *truth["core"]], "screen": truth["screen"]}
        shown.extend(truth["core"])
        return stated

    lies(monkeypatch, "yamada", contents=again)
    party = two_people("coral-sea", forces="sealed")
    for seed in (4, 1, 2, 3, 5, 6, 7, 8):
        shown.clear()
        party = two_people("coral-sea", forces="sealed", rules=GAME.earlier[2])
        play_on(party, seed, 100)
        if len([c for c in party[0].table.ledger.claims if c.kind == "contents" and c.player == "yamada"]) > 1:
            break
    state = party[0].table.engine.state
    assert len(shown) > 1, "two task forces were shown"
    assert all(len([m for m in state.markers if ship in state.members(m)]) < 2 for ship in state.units)
    named(party, "yamada", "contents")


def test_a_sealed_order_with_a_ship_in_two_forces_changes_nothing() -> None:
    """[PW-RUL-05] It does not stand when it is opened; who then states what was there before has not lied."""
    party = two_people("coral-sea", forces="sealed")
    double: Plain = {"core": ["CVL4", "AA1"], "screen": ["CL8"]}
    to_seal: Plain = {"organize": {"J3": double, "J4": {"core": ["CVL4", "CVS4", "CL1"], "screen": ["APD5", "CA2"]}}}
    play_until(party, "seal", "Rabaul")
    with sealing_anything():
        send(party, Draft(orders=[{"seal": to_seal, "seat": "japan"}]))
    play_until(party, "orders", "air unit to another base")
    send(party, Draft(orders=["done", {"show": "J3"}]))
    play_on(party, 1, 1)
    stated = [c.value for c in party[0].table.ledger.claims if c.kind == "contents"]
    assert stated == [{"core": ["CVL4 Shoho", "AA1 Transports"], "screen": ["CA1 Aoba", "CA2 Furutaka"]}]
    assert audited(party) is None


def play_until(party: list[Person], what: str, about: str) -> Person:
    """Quiet play until somebody has to send this; the person."""
    for _ in range(200):
        due = party[0].table.due
        writer = next(p for p in party if p.name == due.player)
        if due.what == what and about in english(due.detail):
            return writer
        send(party, decide(writer, random.Random(0), passive))
    raise AssertionError(f"{what} {about} is never due")


def test_a_false_answer_when_forces_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reaction player states a better condition than his intelligence dice gave him."""
    better: dict[Plain, Plain] = {"surprise": "ambush", "intercept": "ambush", "ambush": "cv-ambush", "cv-ambush": "surprise"}
    lies(monkeypatch, "yamada", condition=lambda claim, truth: better[truth])
    for seed in range(1, 9):
        party = two_people("guadalcanal")
        play_on(party, seed, 60)
        if any(e.kind == "condition" and e.player == "yamada" for e in party[0].table.ledger.claims):
            break
    named(party, "yamada", "condition")


def scouted(monkeypatch: pytest.MonkeyPatch, misstated: Callable[[int], int]) -> tuple[list[Person], list[tuple[int, int]]]:
    """Coral Sea with every level 1 report misstated: the party and what was true and said."""
    said: list[tuple[int, int]] = []

    def change(claim: Claim, truth: Any) -> Plain:
        if list(truth) != ["ships"]:
            known: Plain = truth
            return known
        said.append((truth["ships"], misstated(truth["ships"])))
        return {"ships": misstated(truth["ships"])}

    lies(monkeypatch, "yamada", report=change)
    for seed in range(20):
        party = two_people("coral-sea", forces="sealed")
        said.clear()
        play_on(party, seed, 60)
        if said and said[0][0] > 1:
            return party, said
    raise AssertionError("no report of several ships")


def test_a_number_misstated_by_half_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    party, _ = scouted(monkeypatch, lambda ships: ships + ships // 2)
    assert audited(party) is None


def test_a_number_misstated_by_more_than_half(monkeypatch: pytest.MonkeyPatch) -> None:
    party, said = scouted(monkeypatch, lambda ships: ships + ships // 2 + 1)
    finding = named(party, "yamada", "report")
    assert f"'ships': {said[0][1]}" in english(finding.what) and f"'ships': {said[0][0]}" in english(finding.what)


NEAR: dict[str, Any] = {"at": "1426", "side": "japan"}


def flying_past(aboard: bool) -> list[Person]:
    """Allied bombers are ordered to Port Moresby, where a sealed Japanese force lies with aircraft or without."""
    core = ["CV5 Shokaku", "CV6 Zuikaku"] if aboard else ["CA3 Myoko"]
    fleets = {
        "J1": {**NEAR, "core": core},
        "A2": {"at": "0722", "core": ["CA1 Australia"], "side": "allies"},
    }
    changes = {"fleets": fleets, "aboard": {core[0]: ["5th Carrier Division A less 3"]} if aboard else {}, "seaplanes": []}
    party = two_people("coral-sea", changes, forces="sealed")
    while True:
        due, request = party[0].table.due, party[0].table.engine.request
        writer = next(p for p in party if p.name == due.player)
        if due.what == "orders" and isinstance(request, Ask) and (request.kind, request.seat) == ("rebase", "allies"):
            send(party, Draft(orders=[{"rebase": {"3rd Bomb Group": 1426}}]))
            play_on(party, 1, 2)
            return party
        send(party, decide(writer, random.Random(0), passive))


@pytest.mark.parametrize("aboard", [True, False])
def test_the_owner_answers_truly_whether_his_aircraft_are_near(aboard: bool) -> None:
    party = flying_past(aboard)
    assert [c.value for c in party[0].table.ledger.claims if c.kind == "aircraft"] == [aboard]
    assert audited(party) is None


@pytest.mark.parametrize("aboard", [True, False])
def test_a_false_answer_about_hidden_aircraft(aboard: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Aircraft that cannot be there, and aircraft that are denied."""
    lies(monkeypatch, "yamada", aircraft=lambda claim, truth: not truth)
    party = flying_past(aboard)
    named(party, "yamada", "aircraft")


# -- the length of an operation ----------------------------------------------------------------------------------------

OPERATION: dict[str, Plain] = {
    "operation-bid": {"bid": 6},
    "activate": {"activate": {"hq": "South Pacific", "units": ["CA1 Australia"]}},
}
MORE: Plain = {"activate": {"hq": "South Pacific", "units": ["CV3 Yorktown", "CV4 Saratoga"]}}


def until_stated(kind: str, planned: dict[str, Plain], **options: Plain) -> list[Person]:
    """Guadalcanal: quiet play, the Allies as planned, until a statement of this kind has been made."""
    party = two_people("guadalcanal", None, **options)

    def choose(ask: Ask | Commit, dice: random.Random) -> Plain:
        return planned[ask.kind] if ask.seat == "allies" and ask.kind in planned else passive(ask, dice)

    for _ in range(300):
        if any(c.kind == kind for c in party[0].table.ledger.claims):
            return party
        writer = next(p for p in party if p.name == party[0].table.due.player)
        send(party, decide(writer, random.Random(0), choose))
    raise AssertionError(f"nothing is stated about {kind}")


def an_operation(length: int, until: str) -> list[Person]:
    """An Allied operation of so many days, sealed, until a statement of this kind."""
    return until_stated(until, {**OPERATION, "length": {"days": length}, **({"join": MORE} if until == "common" else {})})


def stated(party: list[Person], kind: str) -> list[Plain]:
    return [c.value for c in party[0].table.ledger.claims if c.kind == kind]


@pytest.mark.parametrize("length", [14, 21])
def test_a_false_end_marker(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Said to be false when it is the true one, and the other way round."""
    lies(monkeypatch, "nowak", **{"end marker": lambda claim, truth: not truth})
    party = an_operation(length, "end marker")
    assert stated(party, "end marker") == [length != 14]
    named(party, "nowak", "end marker")


@pytest.mark.parametrize("length", [14, 28])
def test_common_activations_within_ten_points_of_the_sealed_length(length: int) -> None:
    party = an_operation(length, "common")
    assert stated(party, "common") == [length == 14]
    assert audited(party) is None


@pytest.mark.parametrize("length", [14, 28])
def test_a_false_statement_of_common_activations(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", common=lambda claim, truth: not truth)
    named(an_operation(length, "common"), "nowak", "common")


# -- aircraft over command links ---------------------------------------------------------------------------------------

APART: Plain = {"organize": {"A1": {"core": ["CV3 Yorktown"]}, "A2": {"core": ["CV4 Saratoga"]}}}
CARRIERS: dict[str, Plain] = {
    "operation-bid": {"bid": 30},
    "activate": {"activate": {"hq": "South Pacific", "units": ["CV3 Yorktown", "CV4 Saratoga"]}},
    "hide": {"hide": "0135"},
    "task forces": APART,
}


def carriers_sail() -> list[Person]:
    """Guadalcanal: two carriers, each in a sealed task force, lie where their aircraft reach over enemy links."""
    party = two_people("guadalcanal", forces="sealed")
    state = party[0].table.engine.state
    way = shortest(state.board, 135, 935, state.board.sea) or []

    def choose(ask: Ask | Commit, dice: random.Random) -> Plain:
        if ask.kind == "stop":
            return {"stop": "no"}
        if ask.seat == "allies" and ask.kind == "contact":
            at = party[0].table.engine.state.markers["A1"].at
            rest = way[way.index(at) + 1 :] if at in way else way
            return {"sail": {"A1": rest[0], "A2": rest[0]}} if rest else "end"
        return CARRIERS[ask.kind] if ask.seat == "allies" and ask.kind in CARRIERS else passive(ask, dice)

    for _ in range(120):
        if stated(party, "cover"):
            return party
        due = party[0].table.due
        writer = next(p for p in party if p.name == due.player)
        draft = decide(writer, random.Random(0), choose)
        if english(due.detail).startswith("length of the operation"):
            draft = Draft(orders=[*draft.orders, APART], standing={"hide": "ask me"})
        send(party, draft)
    raise AssertionError("nothing is stated about aircraft")


def test_hidden_aircraft_over_enemy_links_are_stated() -> None:
    party = carriers_sail()
    assert stated(party, "cover") == [{"0935": "1E"}]
    assert party[0].table.engine.state.markers["A1"].handle, "nothing is shown"
    assert audited(party) is None


def test_hidden_aircraft_over_enemy_links_that_are_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", cover=lambda claim, truth: {})
    named(carriers_sail(), "nowak", "cover")


# -- command points ----------------------------------------------------------------------------------------------------

KEPT: Plain = {"allocate": {"South Pacific": 5, "reserve": {"month": 35, "points": 30}}}


@pytest.mark.parametrize(("bid", "stands"), [(5, 5), (6, 0)])
def test_a_bid_beyond_the_sealed_points_of_every_headquarters_is_none(bid: int, stands: int) -> None:
    party = until_stated("bid", {**OPERATION, "allocate": KEPT, "operation-bid": {"bid": bid}}, points="sealed")
    assert stated(party, "bid") == [stands]
    assert audited(party) is None


def test_a_bid_of_points_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    lies(monkeypatch, "nowak", bid=lambda claim, truth: 6)
    named(until_stated("bid", {**OPERATION, "allocate": KEPT}, points="sealed"), "nowak", "bid")


@pytest.mark.parametrize("honest", [True, False])
def test_points_spent_beyond_the_total(honest: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A support base for one point of a headquarters to which nothing was allocated."""
    if not honest:
        lies(monkeypatch, "nowak", afford=lambda claim, truth: True)
    nothing: Plain = {"allocate": {"South Pacific": 0}}
    base: Plain = {"base": {"at": 1426, "hq": "South Pacific"}}
    party = until_stated("afford", {"allocate": nothing, "engineering": base}, points="sealed")
    assert stated(party, "afford") == [not honest]
    assert (1426 in party[0].table.engine.state.osbs) != honest
    if honest:
        assert audited(party) is None
    else:
        named(party, "nowak", "afford")


def test_sealed_points_in_lockstep_and_a_clean_audit() -> None:
    party = two_people("guadalcanal", points="sealed", forces="sealed")
    play_on(party, 3, 120)
    assert {"afford", "bid"} <= {c.kind for c in party[0].table.ledger.claims}
    assert audited(party) is None


def test_a_bid_opened_differently_is_refused_at_once() -> None:
    """The range bid of a naval combat that has been sealed."""
    party = two_people("savo-island")
    dice = random.Random(2)
    bid: dict[str, Plain] = {"bid": "short"}
    for _ in range(100):
        due, request = party[0].table.due, party[0].table.engine.request
        writer = next(p for p in party if p.name == due.player)
        if due.what == "seal" and isinstance(request, Simultaneous) and request.asks[0].kind == "bid":
            send(party, Draft(orders=[{"seal": bid, "seat": due.seat}]))
            other = next(p for p in party if p is not writer)
            send(party, decide(other, dice))
            break
        send(party, decide(writer, dice))
    document = dict(writer.write(Draft()).document)
    assert document["open"][0]["order"] == bid
    document["open"] = [{**document["open"][0], "order": {"bid": "medium"}}, *document["open"][1:]]
    text, _ = strict_yaml.read_document(strict_yaml.write_document(writer.sign(document)))
    with pytest.raises(ProtocolError) as caught:
        take(other.table, text, other.fetch)
    assert caught.value.outcome is Outcome.BAD_OPENING


def test_a_private_die_committed_to_as_other_than_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    party = two_people("guadalcanal")

    def better(made: DrawMade, items: list[Plain]) -> list[Plain]:
        return [[1]] if made.sides and items != [[1]] else items

    lies(monkeypatch, "yamada", dice=better)
    play_on(party, 1, 30)
    assert any(d.player == "yamada" and d.sides for d in party[0].table.ledger.draws)
    named(party, "yamada", "other items")


# -- a lie or a difference between programs ----------------------------------------------------------------------------


def test_an_auditor_whose_program_asks_otherwise_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    party = two_people("coral-sea", forces="sealed")
    play_on(party, 1, 40)
    monkeypatch.setattr(searching, "level_of", lambda rolled, levels: 3)
    with pytest.raises(ProtocolError) as caught:
        audited(party)
    assert caught.value.outcome is Outcome.DIVERGED and "programs differ" in str(caught.value)


def test_an_auditor_whose_program_finds_another_state_accuses_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    party = two_people("coral-sea", forces="sealed")
    play_on(party, 2, 150)
    sound = sealed_fleets._sound
    monkeypatch.setattr(sealed_fleets, "_sound", lambda *told: ({**sound(*told)[0], "screen": []}, {}))
    with pytest.raises(ProtocolError) as caught:
        audited(party)
    assert caught.value.outcome is Outcome.DIVERGED and "programs differ" in str(caught.value)
