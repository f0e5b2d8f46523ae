"""What is due, from whom, in which words, at every step of a game that asks for everything in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.games.module import GameModule, that_asks_all
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Option, Result
from pbem.kernel.events import Cursor, Scheduled, emit
from pbem.kernel.flow import Ask, Claim, Commit, Draw, Flow, Open, PrivateRoll, Roll, Simultaneous
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg
from pbem.protocol import dice
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import standing_orders
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import Fired, RulesInForce
from pbem.runtime.table import Due, Table, at_version
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import SkirmishState
from tests.toygame.test_refusals import by_all, by_himself, deliver

CARDS = ("ace", "king", "queen")


def reading(*known: Plain) -> Any:
    def read(order: Plain) -> Plain:
        if order not in known:
            raise illegal(f"{order!r} is not possible", "P0", f"{known}")
        return order

    return read


def ask(seat: str, kind: str, *known: Plain, **more: Any) -> Ask:
    return Ask(seat, kind, f"P {kind}", f"{kind}?", reading(*known), options=lambda: [*known], **more)


def parade(g: SkirmishState) -> Flow[None]:
    """[P1] Everything once; what comes next never depends on dice or cards."""
    yield ask("red", "step", "left", "right")
    yield ask("red", "only", "salute", forced="salute")
    g.hand = [*(yield Draw("red", "deck", CARDS, (), 2, "P draw"))]
    g.scout = yield PrivateRoll("blue", "scouting", 2, 6, "P scout")
    yield ask("blue", "pause", "wait", "go", default="wait")
    g.garrison = yield Commit("blue", "garrison", "P hide", "hide men", reading(0, 1, 2))
    yield Roll("luck", 3, 10, "P luck", "red")
    yield Roll("more luck", 1, 6, "P luck", "red")
    yield ask("red", "loss", "foot", "horse", reaction=True)
    bids = (ask("red", "bid", 0, 1, 2, default=0), ask("blue", "bid", 0, 1, 2, default=0))
    g.score = {**(yield Simultaneous(bids, "P bid"))}
    high = yield Claim("blue", "high", "scouting", "P claim", lambda reveal: sum(reveal(g.scout)) > 6)
    g.at = int(high)
    g.played = [(yield Open("red", g.hand[1], "P open"))]
    g.losses = [str((yield Open("blue", g.garrison, "P open")))]
    emit(g, Scheduled((("rest", ()),), "P1"))


def rest(g: SkirmishState) -> Flow[None]:
    """[P2] For ever."""
    while True:
        yield ask("red", "rest", "rest")


class Parade(GameModule[SkirmishState]):
    name, title, rules_version = "parade", "Parade", 1
    editions = ("1st",)
    seats: Mapping[str, str] = {"red": "allies", "rust": "allies", "blue": "axis"}
    options: Sequence[Option] = ()
    state_type = SkirmishState
    segments = {"parade": parade, "rest": rest}

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> SkirmishState:
        return SkirmishState(dict(options), stack=[Cursor("parade", [])])

    def attach(self, state: Any, scenario: Plain) -> None:
        return None

    def result(self, state: SkirmishState) -> Result | None:
        return None


GAME = Parade()


def people(**charter: Any) -> list[Person]:
    party = [Person("nowak", ["red"]), Person("dubois", ["rust"]), Person("yamada", ["blue"])]
    found_game(GAME, party, {}, **charter)
    return party


Told = tuple[str, str, str, str, str]


def told(due: Due) -> Told:
    """A due with its words in English."""
    return due.player, due.what, due.seat, str(due.detail), due.rule


def wanted(*parts: Any) -> Told:
    return told(Due(*parts))


def due(party: list[Person]) -> Told:
    (one,) = {told(p.table.due) for p in party}
    return one


def step(party: list[Person], draft: Draft | None = None) -> Told:
    send(party, draft or Draft())
    return due(party)


def test_every_request_is_due_from_its_player_in_its_words() -> None:
    party = people()
    assert due(party) == wanted("nowak", "orders", "red", "step?", "P step")
    assert step(party, Draft(orders=["left"])) == wanted("yamada", "witness")
    table = party[0].table
    assert (table.ledger.source, table.ledger.rolls, table.ledger.entries[1].decides) == (1, 0, True)
    assert step(party) == wanted("yamada", "seal", "blue", "hide men", "P hide")
    pause = Fired(2, "blue", "pause", "wait", "default")
    assert party[0].table.ledger.fired == [pause], "the only legal order is nobody's decision"
    assert step(party, Draft(orders=[2])) == wanted("nowak", "witness")
    assert step(party) == wanted("nowak", "orders", "red", "loss?", "P loss")
    assert step(party, Draft(orders=["foot"])) == wanted("nowak", "seal", "red", "bid?", "P bid")
    assert step(party, Draft(orders=[1])) == wanted("yamada", "orders", "blue", "bid?", "P bid")
    assert step(party, Draft(orders=[2])) == wanted("nowak", "open", "red", "red:seal6:0", "P bid")
    assert step(party) == wanted("yamada", "claim", "blue", "high scouting", "P claim")
    assert step(party) == wanted("nowak", "open", "red", "red:draw0:1", "P open")
    assert step(party) == wanted("yamada", "open", "blue", "blue:seal3:0", "P open")
    assert step(party) == wanted("nowak", "orders", "red", "rest?", "P rest")
    g = party[0].table.engine.state
    assert g.score == {"red": 1, "blue": 2} and g.losses == ["2"] and g.played[0] in CARDS


def played(party: list[Person]) -> Table:
    for draft in (["left"], None, [2], None, ["foot"], [1], [2], None, None, None, None):
        send(party, Draft(orders=draft) if draft else Draft())
    return party[1].table


def test_the_ledger_writes_everything_down() -> None:
    party = people()
    ledger = played(party).ledger
    assert [(d.j, d.player, d.seat, d.seq, d.count, d.source) for d in ledger.draws] == [
        (0, "nowak", "red", 2, 2, 1),
        (0, "yamada", "blue", 2, 2, 1),
    ]
    deck, scouting = ledger.draws
    assert (deck.pool, deck.base, deck.less, deck.label, deck.sides) == ("deck", [*CARDS], [], "", 0)
    assert (scouting.pool, scouting.base, scouting.label, scouting.sides) == ("", [], "scouting", 6)
    entries = ledger.entries
    seed = dice.seed(bytes.fromhex(entries[2].link), entries[0].id, 1, entries[1].id)
    assert deck.seed == scouting.seed == seed.hex()
    assert [(r.source, r.index, r.label, r.sides, r.rule) for r in ledger.rolled] == [
        (3, 0, "luck", 10, "P luck"),
        (3, 1, "more luck", 6, "P luck"),
    ]
    seed = dice.seed(bytes.fromhex(entries[4].link), entries[0].id, 3, entries[3].id)
    assert [tuple(r.dice) for r in ledger.rolled] == [dice.roll(seed, 0, "luck", 3, 10), dice.roll(seed, 1, "more luck", 1, 6)]
    assert {h: (s.player, s.seq, s.number, s.kind) for h, s in ledger.seals.items()} == {
        "blue:seal3:0": ("yamada", 3, 0, "garrison"),
        "red:seal6:0": ("nowak", 6, 0, "bid"),
    }
    (claim,) = ledger.claims
    assert (claim.n, claim.player, claim.seat, claim.kind, claim.about, claim.rule, claim.seq) == (
        0,
        "yamada",
        "blue",
        "high",
        "scouting",
        "P claim",
        9,
    )
    assert [i for i, e in enumerate(entries) if e.decides] == [1, 3, 5, 6, 7]
    assert set(ledger.opened) == {"red:seal6:0", "red:draw0:1", "blue:seal3:0"} and ledger.opened["blue:seal3:0"] == 2
    assert ledger.sealed_answers == {} and ledger.open_answers == {} and ledger.draw_counts == {"nowak": 1, "yamada": 1}
    assert ledger.rules == [RulesInForce(1, 0)] and (ledger.source, ledger.rolls) == (7, 0)


def test_a_table_survives_its_checkpoint_at_every_step() -> None:
    party = people()
    for draft in (["left"], None, [2], None, ["foot"], [1], [2], None, None, None, None, ["rest"]):
        table = party[0].table
        again = table.fork()
        assert again.to_plain() == table.to_plain() and again.due == table.due and again.module is GAME
        assert again.engine.state_hash() == table.engine.state_hash() and again.charter == table.charter
        send(party, Draft(orders=draft) if draft else Draft())


def test_the_sides_know_who_is_who() -> None:
    table = people()[0].table
    assert table.opponents("yamada") == ["nowak", "dubois"] and table.opponents("dubois") == ["yamada"]
    assert table.last == 0 and table.player_of("rust") == "dubois" and table.side_of("dubois") == "allies"
    assert table.witness("nowak", None) == "yamada" and table.witness("yamada", None) == "nowak"
    assert table.witness("yamada", "rust") == "dubois" and table.witness("nowak", "rust") == "yamada"
    assert table.result is None and table.no_die_is_known


def test_a_reaction_is_answered_by_who_was_named_for_it() -> None:
    party = people(answers={"allies": "dubois"})
    for draft in (["left"], None, [2], None):
        send(party, Draft(orders=draft) if draft else Draft())
    assert due(party) == wanted("dubois", "orders", "red", "loss?", "P loss")
    assert step(party, Draft(orders=["foot"]))[0] == "nowak"


# -- standing orders -----------------------------------------------------------------------------------------------


def until_the_loss(party: list[Person], standing: Any = None, sealed: Any = None) -> Told:
    send(party, Draft(orders=["left"], standing=standing or {}, sealed_standing=sealed or {}))
    send(party, Draft())
    send(party, Draft(orders=[2]))
    return step(party)


def test_a_standing_order_answers_and_is_told_with_its_clause() -> None:
    party = people()
    clauses = [{"do": "foot", "when": "never"}, {"do": "horse", "life": "once"}]
    assert until_the_loss(party, {"loss": clauses}) == wanted("nowak", "seal", "red", "bid?", "P bid")
    ledger = party[0].table.ledger
    assert ledger.fired[-1] == Fired(4, "red", "loss", "horse", "clause", 1, 2)
    (held,) = ledger.standing
    assert (held.seq, held.player, held.kind, held.spent, held.seals, held.scopes) == (1, "nowak", "loss", [1], [], [])
    assert held.clauses == [
        {"do": "foot", "when": "never", "scope": "", "life": "standing"},
        {"do": "horse", "when": "", "scope": "", "life": "once"},
    ]


@pytest.mark.parametrize("clauses", [[{"do": "ask me"}, {"do": "foot"}], [{"do": "fly"}], [{"do": "foot", "when": "never"}]])
def test_what_a_standing_order_does_not_answer_its_owner_is_asked(clauses: Any) -> None:
    party = people()
    assert until_the_loss(party, {"loss": clauses}) == wanted("nowak", "orders", "red", "loss?", "P loss")
    assert [f.kind for f in party[0].table.ledger.fired] == ["pause"]


def test_a_default_tells_why_the_standing_order_did_not_answer() -> None:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft(standing={"pause": [{"do": "run"}]}))
    assert (party[0].table.ledger.fired[-1].by, party[0].table.ledger.fired[-1].file) == ("default", 0), (
        "it counts from the next seed on"
    )
    other = people()
    send(other, Draft(orders=["left"]))
    assert standing_orders.in_force(other[0].table, "yamada", "pause") is None


def test_sealed_clauses_are_opened_one_after_the_other_until_one_answers() -> None:
    party = people()
    due_ = until_the_loss(party, sealed={"loss": [{"do": "foot", "when": "never"}, "horse"]})
    nowak = party[0]
    assert due_ == wanted("nowak", "seal", "red", "bid?", "P bid"), "the owner's own file turned the dice and opened them"
    ledger = nowak.table.ledger
    assert ledger.fired[-1] == Fired(4, "red", "loss", "horse", "clause", 1, 2)
    (held,) = ledger.standing
    assert held.seals == [f"nowak:seal1:{i}" for i in range(8)] and set(held.scopes) == {""}
    assert [h in ledger.opened for h in held.seals] == [True, True, *[False] * 6]


def test_a_sealed_clause_that_is_due_and_not_opened() -> None:
    party = people()
    send(party, Draft(orders=["left"], sealed_standing={"loss": ["horse"]}))
    send(party, Draft())
    send(party, Draft(orders=[2]))
    nowak = party[0]
    kept, nowak.sealed = nowak.sealed, {}
    assert step(party) == wanted("nowak", "open", "red", "nowak:seal1:0", "P loss")
    nowak.sealed = kept
    assert step(party) == wanted("nowak", "seal", "red", "bid?", "P bid")


def test_a_public_standing_order_bids_for_its_owner() -> None:
    party = people()
    send(party, Draft(orders=["left"], standing={"bid": 2}))
    send(party, Draft())
    send(party, Draft(orders=[2]))
    send(party, Draft())
    assert step(party, Draft(orders=["foot"])) == wanted("yamada", "orders", "blue", "bid?", "P bid")
    ledger = party[0].table.ledger
    assert ledger.open_answers == {"red": 2}
    assert ledger.fired[-1] == Fired(5, "red", "bid", 2, "clause", 1, 1)
    send(party, Draft(orders=[1]))
    assert party[0].table.engine.state.score == {"red": 2, "blue": 1}


# -- what is refused -----------------------------------------------------------------------------------------------


def at_the_seal() -> list[Person]:
    party = people()
    send(party, Draft(orders=["left"]))
    send(party, Draft())
    return party


def test_what_has_to_be_sealed_is_not_taken_openly() -> None:
    party = at_the_seal()
    yamada = party[2]
    document = yamada.write(Draft(orders=[2])).document
    for order in (2, {"sealed": "x"}, {"sealed": document["orders"][0]["sealed"], "more": 1}):
        outcome, why = by_all(party, yamada.sign({**document, "orders": [order]}))
        assert (outcome, why) == (Outcome.REFUSED, "cannot be read: garrison must be sealed [protocol]; sealed: <hash>")


def test_contents_that_may_not_be_hidden_are_refused_by_ones_own_program() -> None:
    party = at_the_seal()
    assert by_himself(lambda: party[2].write(Draft(orders=[9]))) == (
        Outcome.REFUSED,
        "not allowed: 9 is not possible [P0]; (0, 1, 2)",
    )


def test_an_open_bid_that_is_illegal_is_refused_and_a_sealed_one_counts_as_the_default() -> None:
    party = people()
    for draft in (["left"], None, [2], None, ["foot"], [{"seal": 7, "seat": "red"}]):
        send(party, Draft(orders=draft) if draft else Draft())
    assert by_himself(lambda: party[2].write(Draft(orders=[7]))) == (
        Outcome.REFUSED,
        "not allowed: 7 is not possible [P0]; (0, 1, 2)",
    )
    send(party, Draft(orders=[1]))
    send(party, Draft())
    assert party[0].table.engine.state.score == {"red": 0, "blue": 1}


def test_a_card_that_is_not_the_one_named() -> None:
    def show(g: SkirmishState) -> Flow[None]:
        (card,) = yield Draw("red", "deck", ("ace",), (), 1, "P draw")
        yield Open("red", card, "P open", shows="king")

    class Showing(Parade):
        segments = {**Parade.segments, "parade": show}

    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(Showing(), party, {})
    assert told(party[0].table.due) == wanted(
        "nowak", "start", "red", msg("no dice come from the charter: file 1 opens the game")
    )
    send(party, Draft())
    send(party, Draft())
    assert by_himself(lambda: party[0].write(Draft())) == (
        Outcome.BAD_OPENING,
        "red:draw0:0 is not king: the order names another card than the hand holds",
    )


def test_a_statement_that_the_rules_do_not_let_stand() -> None:
    def state(g: SkirmishState) -> Flow[None]:
        yield Claim("red", "men", "on the hill", "P claim", lambda reveal: 5, read=reading(3))

    class Stating(Parade):
        segments = {**Parade.segments, "parade": state}

    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(Stating(), party, {})
    assert told(party[0].table.due) == wanted("nowak", "claim", "red", "men on the hill", "P claim")
    assert by_himself(lambda: party[0].write(Draft())) == (Outcome.REFUSED, "not allowed: 5 is not possible [P0]; (3,)")


def test_rules_versions_that_a_program_has() -> None:
    class Second(Parade):
        rules_version = 2
        earlier = {1: GAME}

    assert at_version(Second(), 1) is GAME and at_version(GAME, 1) is GAME
    assert by_himself(lambda: at_version(Second(), 5)) == (
        Outcome.DIVERGED,
        "Parade is played under rules version 5; this program has 1, 2: use one that has it",
    )
    with pytest.raises(ProtocolError, match="this program has 1: use"):
        at_version(GAME, 2)


def test_rules_that_ask_otherwise_do_not_take_over() -> None:
    def other(g: SkirmishState) -> Flow[None]:
        yield ask("blue", "first", "yes")

    class Second(Parade):
        rules_version = 2
        earlier = {1: GAME}
        segments = {**Parade.segments, "parade": other}

    table = Table.start(people()[0].table.charter, Second(), None)
    assert by_himself(lambda: table.switch_rules(2)) == (
        Outcome.DIVERGED,
        "rules version 2 asks 'ask | blue | first | P first | parade', version 1 'ask | red | step | P step | parade'",
    )
    assert table.game is GAME and table.fork().game is GAME


def test_a_game_that_is_over_by_resignation_or_agreement() -> None:
    table = people()[0].table
    table.ledger.resigned = ["nowak"]
    assert table.result is None
    table.ledger.resigned.append("dubois")
    assert table.result == Result("axis", msg("{side} resigned", side="allies"), "protocol")
    table.advance_nothing()
    assert told(table.due) == wanted("", "nothing")
    other = people()[0].table
    other.ledger.resigned = ["yamada"]
    assert other.result == Result("allies", msg("{side} resigned", side="axis"), "protocol")
    other.ledger.agreed = "draw"
    assert other.result == Result(None, msg("a draw was agreed"), "protocol")
    fresh = people()[0].table
    fresh.advance_nothing()
    assert fresh.due.what == "orders"


def test_nobody_writes_when_the_game_is_over() -> None:
    party = people()
    document = party[0].sign(party[0].write(Draft(orders=["left"])).document)
    for person in party:
        person.table.ledger.agreed = "draw"
        person.table.advance_nothing()
    assert by_all(party, document) == (
        Outcome.WRONG_KEY,
        "file 1 is due from nobody: the game is over, not from nowak",
    )
    fresh = people()
    deliver(fresh, document)
    assert fresh[0].table.last == 1


def idle_first(g: SkirmishState) -> Flow[None]:
    """[P1] A question with nothing to decide comes between two with something; dice before and behind."""
    while True:
        yield ask("red", "step", "left", "right", verbs=("left", "right"))
        yield ask("blue", "pause", "wait", "go", verbs=("wait", "go"), idle="wait")
        yield ask("red", "rest", "rest", "sleep", verbs=("rest", "sleep"), idle="rest")
        yield Roll("luck", 1, 6, "P luck", "red")


class Idle(Parade):
    rules_version = 2
    segments = {**Parade.segments, "parade": idle_first}


def idlers(game: GameModule[SkirmishState]) -> list[Person]:
    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(game, party, {})
    return party


def fired(party: list[Person]) -> list[tuple[str, Plain, str]]:
    return [(f.kind, f.order, f.by) for f in party[0].table.ledger.fired]


def test_a_question_with_nothing_to_decide_passes_unasked() -> None:
    party = idlers(Idle())
    assert step(party, Draft(orders=["left"])) == wanted("yamada", "witness")
    assert fired(party) == [("pause", "wait", "default"), ("rest", "rest", "default")]


def test_an_order_at_hand_answers_it_all_the_same() -> None:
    party = idlers(Idle())
    assert step(party, Draft(orders=["left", "sleep"])) == wanted("yamada", "witness")
    assert fired(party) == [("pause", "wait", "default")] and party[0].table.ledger.entries[1].decides


def test_who_wants_to_be_asked_is_asked() -> None:
    party = idlers(Idle())
    assert step(party, Draft(orders=["left"], standing={"rest": "ask me"}))[1] == "orders"
    assert due(party) == wanted("nowak", "orders", "red", "rest?", "P rest")
    assert step(party, Draft(orders=["sleep"])) == wanted("yamada", "witness")


def test_an_earlier_version_asks_all() -> None:
    older = that_asks_all(Idle(), 1)
    party = idlers(older)
    assert (older.rules_version, Idle().rules_version) == (1, 2)
    assert step(party, Draft(orders=["left"])) == wanted("yamada", "orders", "blue", "pause?", "P pause")
    assert step(party, Draft(orders=["go"])) == wanted("nowak", "orders", "red", "rest?", "P rest")
