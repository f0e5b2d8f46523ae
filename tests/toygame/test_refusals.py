"""Every refusal of a file in its exact words: what a player reads when the other's program says no."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.kernel.orders import Problem
from pbem.protocol import chain, draws, ids, slips, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips as slips_taken
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from tests.toygame.party import NONCE, Person, fixed, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_seats import agree, named, nearly_used_up, seat
from tests.toygame.test_skirmish import choose, people
from tests.toygame.test_slips import refusal, slip
from tests.toygame.test_umpire import stalled, stand_in, with_umpire

Told = tuple[Outcome, str]
OTHER = "ab" * 32


def told(error: ProtocolError | Refused) -> Told:
    return error.outcome, str(error)


def by_all(party: list[Person], document: dict[str, Any]) -> Told:
    """What everybody else says to this file."""
    return told(refused(party, document))


def by_himself(attempt: Callable[[], Any]) -> Told:
    """What the author's own program says."""
    with pytest.raises((ProtocolError, Refused)) as caught:
        attempt()
    return told(caught.value)


def deliver(party: list[Person], document: dict[str, Any]) -> None:
    for person in party:
        person.receive(strict_yaml.write_document(document))


def at_the_march(**charter: Any) -> tuple[list[Person], Person]:
    party = people(**charter)
    return party, advance_to(party, "red", "march")


def until(party: list[Person], wanted: Callable[[list[Person]], Any], seed: int = 5) -> Person:
    dice = random.Random(seed)
    for _ in range(200):
        if wanted(party):
            return due(party)
        send(party, choose(due(party), dice))
    raise AssertionError("never came")


# -- header, place, keys -------------------------------------------------------------------------------------------


def test_the_game_and_its_version() -> None:
    party, writer = at_the_march()
    game = party[0].table.charter.game_id
    assert by_all(party, signed(writer, Draft(orders=["halt"]), game=OTHER)) == (
        Outcome.FOREIGN_GAME,
        f"belongs to game {OTHER[:8]}, not {game[:8]}",
    )
    assert by_all(party, signed(writer, Draft(orders=["halt"]), pbem=1)) == (
        Outcome.UNREADABLE,
        "this game is played under version 2 of the protocol: pbem: 2",
    )


def test_the_place() -> None:
    party, writer = at_the_march()
    last = party[0].table.last
    assert by_all(party, signed(writer, Draft(orders=["halt"]), seq=last + 3)) == (
        Outcome.WAITING,
        f"file {last + 3} came before file {last + 1}",
    )
    assert by_all(party, signed(writer, Draft(orders=["halt"]), prev=OTHER)) == (
        Outcome.BAD_CHAIN,
        f"file {last + 1} does not follow the log's file {last}",
    )
    dubois = named(party, "dubois")
    header = writer.write(Draft(orders=["halt"])).document
    assert by_all(party, dubois.sign({**header, "player": "dubois"})) == (
        Outcome.WRONG_KEY,
        f"file {last + 1} is due from nowak, not from dubois",
    )
    assert by_all(party, dubois.sign({**header, "player": "stranger"})) == (
        Outcome.WRONG_KEY,
        "stranger does not play in this game",
    )


def test_a_place_that_is_filled() -> None:
    party, writer = at_the_march()
    seq = party[0].table.last + 1
    one, two = signed(writer, Draft(orders=["go"])), signed(writer, Draft(orders=["halt"]))
    parted = signed(writer, Draft(orders=["halt"]), prev=OTHER)
    his = named(party, "dubois").sign({**one, "player": "dubois"})
    deliver(party, one)
    assert by_all(party, one) == (Outcome.ALREADY_KNOWN, f"file {seq} by nowak is already in the log")
    assert by_all(party, two) == (Outcome.EQUIVOCATION, f"another file {seq} by nowak is already in the log")
    assert by_all(party, his) == (Outcome.WRONG_KEY, f"file {seq} in the log is by nowak")
    outcome, why = by_all(party, parted)
    assert outcome is Outcome.BAD_CHAIN and why.startswith(f"this file {seq} of nowak follows another file {seq - 1} than")


def test_the_link() -> None:
    party, writer = at_the_march()
    seq, shown = party[0].table.last + 1, party[0].table.ledger.chains["nowak"].shown
    why = (Outcome.BAD_CHAIN, f"the link of file {seq} is not nowak's next one")
    for link in (OTHER, writer.secrets().link(shown + 2), writer.secrets().link(shown)):
        assert by_all(party, signed(writer, Draft(orders=["halt"]), link=link)) == why


def test_a_key_that_was_given_up() -> None:
    party, nowak = at_the_march()
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    nowak.begin("second")
    document = nowak.write(Draft(orders=["halt"])).document
    nowak.private = nowak.key_of("")
    assert by_all(party, nowak.sign(document)) == (
        Outcome.WRONG_KEY,
        f"signed with a key that does not hold at file {document['seq']}",
    )


# -- chains and draw keys ------------------------------------------------------------------------------------------


def renewal(person: Person, life: str = "next") -> dict[str, Any]:
    return {"next_chain": {"tip": person.record_of(life).chain, "length": person.length}}


def test_a_next_chain_is_announced_once_and_copied_from_nobody() -> None:
    party, writer = at_the_march()
    copied = {"next_chain": {"tip": named(party, "yamada").record.chain, "length": 512}}
    why = (Outcome.REFUSED, "this tip is in the log already: one of two has copied the other's")
    assert by_himself(lambda: writer.write(Draft(orders=["halt"], extra=copied))) == why
    send(party, Draft(orders=["go"], extra=renewal(writer)))
    again = Draft(orders=["let pass"], extra=renewal(writer))
    assert by_himself(lambda: due(party).write(again)) == why


def test_a_second_announcement_before_the_first_took_over() -> None:
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    writer = advance_to(party, "red", "card")
    send(party, Draft(orders=["pass"], extra=renewal(writer)))
    assert due(party) is writer
    bid = [{"seal": 3, "seat": "rust"}]
    assert by_himself(lambda: writer.write(Draft(orders=bid, extra=renewal(writer, "third")))) == (
        Outcome.BAD_CHAIN,
        "nowak has announced a next chain already",
    )


def test_a_chain_that_ends_must_be_renewed() -> None:
    party = people()
    writer = due(party)
    party[0].table.ledger.chains[writer.name].left = writer.table.ledger.chains[writer.name].left = 64
    seq = party[0].table.last + 1
    assert by_himself(lambda: writer.write(Draft())) == (
        Outcome.BAD_CHAIN,
        f"fewer than 64 links left: file {seq} must announce next_chain",
    )
    writer.table.ledger.chains[writer.name].left = 65
    assert writer.write(Draft()).document["seq"] == seq
    writer.table.ledger.chains[writer.name].left = 0
    assert by_himself(lambda: writer.write(Draft())) == (
        Outcome.BAD_CHAIN,
        f"the link of file {seq} is not {writer.name}'s next one",
    )


def test_draw_keys_that_end_must_be_renewed_once_and_by_nobodys_root() -> None:
    party = nearly_used_up(draws.LEAVES - 63)
    writer = due(party)
    root = draws.root(NONCE, writer.master_of("later"))
    assert by_himself(lambda: writer.write(Draft())) == (
        Outcome.BAD_CHAIN,
        "fewer than 64 draw keys left: file 1 must announce next_draws",
    )
    copied = named(party, "yamada").record.draws
    assert by_himself(lambda: writer.write(Draft(extra={"next_draws": copied}))) == (
        Outcome.REFUSED,
        "this root is in the log already: one of two has copied the other's",
    )
    assert writer.write(Draft(extra={"next_draws": root})).document["next_draws"] == root
    enough = nearly_used_up(draws.LEAVES - 64)
    assert due(enough).write(Draft()).document["seq"] == 1


def test_next_draw_keys_are_announced_once() -> None:
    party = nearly_used_up(0)
    writer = due(party)
    send(party, Draft(extra={"next_draws": draws.root(NONCE, writer.master_of("later"))}))
    until(party, lambda p: due(p) is writer, 1)
    draft = Draft(choose(writer, random.Random(1)).orders, extra={"next_draws": draws.root(NONCE, fixed("again"))})
    assert by_himself(lambda: writer.write(draft)) == (
        Outcome.BAD_CHAIN,
        "nowak has announced next draw keys already",
    )


# -- orders --------------------------------------------------------------------------------------------------------


def problems(attempt: Callable[[], Any]) -> list[Problem]:
    with pytest.raises(Refused) as caught:
        attempt()
    assert caught.value.outcome is Outcome.REFUSED and str(caught.value) == "; ".join(map(str, caught.value.problems))
    return caught.value.problems


def test_orders_that_are_left_over() -> None:
    _, writer = at_the_march()
    (problem,) = problems(lambda: writer.write(Draft(orders=["go", "go"])))
    assert problem.order == 1 and str(problem) == (
        "not allowed: this order and what follows it is left over: yamada has to send orders [S5]; "
        "what is to hold beyond the dice is a standing order or a plan"
    )


def test_all_that_is_wrong_with_a_file_stands_in_order() -> None:
    _, writer = at_the_march()
    found = problems(lambda: writer.write(Draft(orders=["run", "fly", "halt"], standing={"loss": [{"do": 1, "odd": 2}]})))
    assert [p.order for p in found] == [None, 0, 1]
    assert str(found[0].reason) == "standing order 'loss', clause 1: unknown key 'odd'"
    assert [str(p.reason) for p in found[1:]] == ["'run'", "'fly'"]


def test_a_file_brings_what_is_asked_and_the_same_record() -> None:
    party, writer = at_the_march()
    asked = party[0].table.due
    assert by_all(party, signed(writer, Draft(orders=["halt"]), orders=[])) == (
        Outcome.REFUSED,
        f"brings nothing of what is asked: orders ({asked.detail})",
    )
    state = writer.write(Draft(orders=["halt"])).document["state"]
    assert by_all(party, signed(writer, Draft(orders=["halt"]), state=OTHER)) == (
        Outcome.DIVERGED,
        f"state before the orders: file says {OTHER[:16]}, here it is {state[:16]}",
    )
    added = [{"roll": 0, "label": "luck", "sides": 6, "dice": [6]}]
    assert by_all(party, signed(writer, Draft(orders=["halt"]), dice=added)) == (
        Outcome.BAD_DICE,
        f"roll 0: file says {added}, the seed gives []",
    )


def test_invented_and_left_out_dice() -> None:
    party = people()
    writer = until(party, lambda p: p[0].table.due.what == "witness" and due(p).write(Draft()).document.get("dice"))
    document = writer.write(Draft()).document
    (rolled, *_) = document["dice"]
    wrong = {**rolled, "dice": [7 - d for d in rolled["dice"]]}
    assert by_all(party, writer.sign({**document, "dice": [wrong, *document["dice"][1:]]})) == (
        Outcome.BAD_DICE,
        f"roll 0: file says {[wrong]}, the seed gives {[rolled]}",
    )
    assert by_all(party, writer.sign({**document, "dice": document["dice"][1:]}))[0] is Outcome.BAD_DICE
    without = {k: v for k, v in document.items() if k != "dice"}
    if len(document["dice"]) == 1:
        assert by_all(party, writer.sign(without)) == (Outcome.BAD_DICE, f"roll 0: file says [], the seed gives {[rolled]}")
    more = [*document["dice"], {**rolled, "roll": 9}]
    assert by_all(party, writer.sign({**document, "dice": more})) == (
        Outcome.BAD_DICE,
        f"roll {len(document['dice'])}: file says {more[-1:]}, the seed gives []",
    )


# -- commitments and openings --------------------------------------------------------------------------------------


def committing(party: list[Person]) -> tuple[Person, dict[str, Any]]:
    writer = until(party, lambda p: due(p).write(choose(due(p), random.Random(1))).document.get("commit"), 1)
    return writer, writer.write(choose(writer, random.Random(1))).document


def test_commitments_are_owed_once_and_for_every_item() -> None:
    party = people()
    writer, document = committing(party)
    (owed, *_) = document["commit"]
    j, name = owed["draw"], writer.name

    def without(**changes: Any) -> Told:
        return by_all(party, writer.sign({**{k: v for k, v in document.items() if k != "commit"}, **changes}))

    assert without() == (Outcome.BAD_OPENING, f"{name} owes commitments to draw {j}")
    assert without(commit=[*document["commit"], owed]) == (Outcome.BAD_OPENING, f"{name} commits to a draw twice")
    cut = [{**owed, "items": owed["items"][:-1]}, *document["commit"][1:]]
    assert without(commit=cut) == (Outcome.BAD_OPENING, f"draw {j} has {len(owed['items'])} items")
    invented = [*document["commit"], {"draw": 99, "items": []}]
    assert without(commit=invented) == (Outcome.BAD_OPENING, "commits to draw 99, which was not made")
    deliver(party, writer.sign(document))
    until(party, lambda p: due(p) is writer, 2)
    again = choose(writer, random.Random(1))
    assert by_all(party, signed(writer, again, commit=[owed])) == (Outcome.BAD_OPENING, f"{name} commits to a draw twice")


def test_openings_that_nobody_asked_for() -> None:
    party, writer = at_the_march()
    extra = {"handle": "x", "item": 1, "salt": OTHER}
    assert by_all(party, signed(writer, Draft(orders=["halt"]), open=[extra])) == (
        Outcome.BAD_OPENING,
        f"opens what nobody asked for: {extra}",
    )


# -- offers --------------------------------------------------------------------------------------------------------

DRAW = Draft(type="offer", extra={"offer": {"draw": True}})


def test_an_offer_needs_orders_to_give_and_no_other_offer() -> None:
    party = people()
    writer = until(party, lambda p: p[0].table.due.what == "witness")
    assert by_himself(lambda: writer.write(DRAW)) == (
        Outcome.REFUSED,
        "an offer is made by the player who has orders to give, with no dice to come",
    )
    other = until(party, lambda p: p[0].table.due.what == "orders", 1)
    accept, decline = Draft(type="accept", extra={"accepts": OTHER}), Draft(type="decline")
    assert by_himself(lambda: other.write(accept)) == (Outcome.REFUSED, "there is no such offer to accept")
    assert by_himself(lambda: other.write(decline)) == (Outcome.REFUSED, "there is no offer to decline")


def test_an_offer_is_answered_by_each_in_turn() -> None:
    party, writer = at_the_march()
    send(party, DRAW)
    offer, table = party[0].table.ledger.offer, party[0].table
    assert offer is not None and (offer.by, offer.type, offer.to, offer.waiting) == ("nowak", "offer", 0, ["dubois", "yamada"])
    assert (offer.seq, offer.detail) == (table.last, {"offer": {"draw": True}})
    assert (table.due.player, table.due.what, str(table.due.detail)) == ("dubois", "accept", "offer offered by nowak")
    assert by_himself(lambda: due(party).write(Draft(type="accept", extra={"accepts": OTHER}))) == (
        Outcome.REFUSED,
        "there is no such offer to accept",
    )
    assert by_himself(lambda: due(party).write(Draft(orders=["halt"]))) == (
        Outcome.REFUSED,
        f"answer the offer of file {table.last} first: accept or decline",
    )
    send(party, Draft(type="accept", extra={"accepts": offer.id}))
    table = party[0].table
    assert (table.due.player, table.due.what, str(table.due.detail)) == ("yamada", "accept", "offer offered by nowak")
    send(party, Draft(type="decline"))
    assert party[0].table.ledger.offer is None and due(party) is writer and party[0].table.result is None


def test_an_undo_names_a_file_with_orders() -> None:
    party, writer = at_the_march()
    decided = [i for i, e in enumerate(party[0].table.ledger.entries) if e.decides]
    quiet = next(i for i, e in enumerate(party[0].table.ledger.entries) if i and not e.decides)
    for to in (quiet, party[0].table.last + 1):
        undo = Draft(type="undo", extra={"to": to})
        assert by_himself(lambda undo=undo: writer.write(undo)) == (  # type: ignore[misc]
            Outcome.REFUSED,
            f"file {to} holds no orders to take back",
        )
    send(party, Draft(type="undo", extra={"to": decided[0]}))
    offer = party[0].table.ledger.offer
    assert offer is not None and (offer.type, offer.to, offer.detail) == ("undo", decided[0], {})


# -- seats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "outcome", "why"),
    [
        ({"player": "stranger"}, Outcome.REFUSED, "stranger holds no seat in this game"),
        ({"player": "yamada"}, Outcome.WRONG_KEY, "only yamada himself can change his key: the charter allows nobody else"),
        (
            {"key": Person("yamada", []).record.key},
            Outcome.REFUSED,
            "this key is in the log already: one of two has copied the other's",
        ),
        (
            {"chain": Person("yamada", []).record.chain},
            Outcome.REFUSED,
            "this tip is in the log already: one of two has copied the other's",
        ),
        (
            {"draws": Person("yamada", []).record.draws},
            Outcome.REFUSED,
            "this root is in the log already: one of two has copied the other's",
        ),
        ({"escrow": "A" * 107 + "="}, Outcome.BAD_CHAIN, "a new chain brings its escrow where the umpire holds one, else none"),
        ({"key": "ssh-ed25519 x"}, Outcome.WRONG_KEY, "a public key reads `ssh-ed25519 AAAA...`, without a comment"),
    ],
)
def test_a_seat_file_that_does_not_fit(changes: dict[str, Any], outcome: Outcome, why: str) -> None:
    party, nowak = at_the_march()
    assert by_himself(lambda: nowak.write(seat(nowak, party[0].table.last + 4, **changes))) == (outcome, why)


@pytest.mark.parametrize("start", [3, 5])
def test_a_new_key_holds_behind_the_last_acceptance(start: int) -> None:
    party, nowak = at_the_march()
    last = party[0].table.last
    assert by_himself(lambda: nowak.write(seat(nowak, last + start))) == (
        Outcome.REFUSED,
        f"the new key holds from file {last + 4}, not {last + start}",
    )


def test_a_seat_file_is_agreed_to_by_everybody_but_who_lost_his_key() -> None:
    party, nowak = at_the_march(lost_keys="others")
    dubois = named(party, "dubois")
    document = dubois.sign(dubois.write(seat(nowak, party[0].table.last + 3, holder="Jones")).document)
    deliver(party, document)
    offer = party[0].table.ledger.offer
    assert offer is not None and (offer.type, offer.by, offer.waiting) == ("seat", "dubois", ["yamada"])
    assert offer.detail == {"seat": document["seat"]}
    agree(party)
    held = party[0].table.ledger.held[-1]
    assert (held.player, held.key, held.since, held.holder) == (
        "nowak",
        nowak.record_of("second").key,
        document["seq"] + 2,
        "Jones",
    )
    fresh = party[0].table.ledger.chains["nowak"]
    assert (fresh.last, fresh.left, fresh.shown) == (nowak.record_of("second").chain, 512, 0)
    assert nowak.record_of("second").chain in party[0].table.ledger.tips


# -- the umpire ----------------------------------------------------------------------------------------------------


def test_an_umpire_shows_the_link_that_is_due_and_nothing_else() -> None:
    party = with_umpire("escrow")
    smith = named(party, "smith")
    writer = advance_to(party, "red", "march")
    decided = signed(writer, Draft(orders=["halt"]))
    why = (Outcome.REFUSED, "the umpire shows a link that is due; decisions stay with their owner")
    assert by_all(party, smith.sign({**decided, "signed_by": "smith"})) == why
    stalled(party)
    for more, named_ in (
        ({"standing": {"loss": ["foot"]}}, "standing"),
        ({"commit": [{"draw": 0, "items": []}], "next_draws": OTHER}, "commit, next_draws"),
    ):
        assert by_all(party, stand_in(smith, **more)) == (Outcome.REFUSED, f"the umpire brings no {named_}")  # type: ignore[arg-type]
    undo = {k: v for k, v in stand_in(smith).items() if k not in ("orders", "dice")}
    assert by_all(party, smith.sign({**undo, "type": "undo", "to": 1})) == why


def test_only_an_umpire_with_the_escrow_signs_for_another() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    ally = next(p for p in party if p.seats and p is not player)
    why = (Outcome.WRONG_KEY, "only an umpire who holds the escrow signs for another player")
    assert by_all(party, ally.sign({**player.write(Draft()).document, "signed_by": ally.name})) == why
    witness = with_umpire("witness")
    document = {**due(witness).write(Draft()).document, "signed_by": "smith"}
    assert by_all(witness, named(witness, "smith").sign(document)) == why


def test_a_stand_in_and_the_players_own_file_are_the_same_dice() -> None:
    party = with_umpire("escrow")
    player = stalled(party)
    own = player.sign(player.write(Draft()).document)
    document = stand_in(named(party, "smith"))
    deliver(party, document)
    seq = document["seq"]
    assert by_all(party, own) == (
        Outcome.ALREADY_KNOWN,
        f"file {seq} has been turned with the same link: the dice are the same",
    )
    other = chain.link(NONCE, player.chain_of(""), player.length, 400)
    assert by_all(party, player.sign({**own, "link": other})) == (
        Outcome.BAD_CHAIN,
        f"the link of this file {seq} is not {player.name}'s next one",
    )


# -- slips ---------------------------------------------------------------------------------------------------------


def checked(party: list[Person], document: dict[str, Any], seq: int = 0) -> Told:
    return by_himself(lambda: slips_taken.check(party[0].table, document, seq))


def test_a_slip_is_of_this_game_version_and_player() -> None:
    party, nowak = at_the_march()
    good = slip(nowak, "resignation", {"seats": ["red"]})
    slips_taken.check(party[0].table, good)
    game, head = party[0].table.charter.game_id, party[0].table.ledger.entries[-1].id

    def made(game: str = game, by: str = "nowak", version: int = 2) -> dict[str, Any]:
        return slips.sign(slips.make("resignation", game, head, by, {"seats": ["red"]}, version), nowak.private)

    assert checked(party, made(OTHER)) == (Outcome.FOREIGN_GAME, f"a slip of game {OTHER[:8]}")
    assert checked(party, made(version=1)) == (
        Outcome.UNREADABLE,
        "this game is played under version 2 of the protocol, the slip under another",
    )
    assert checked(party, made(by="zola")) == (Outcome.WRONG_KEY, "zola does not play in this game")
    assert checked(party, made(by="yamada")) == (Outcome.BAD_SIGNATURE, "the resignation slip is not signed by yamada")
    assert checked(party, {**good, "odd": 1}) == (Outcome.UNREADABLE, "slip: unknown key 'odd'")


def test_a_slip_is_signed_with_the_key_of_its_place() -> None:
    party, nowak = at_the_march()
    old = slip(nowak, "resignation", {"seats": ["red"]})
    proof = slip(nowak, "audit", {"keys": [], "open": []})
    send(party, seat(nowak, party[0].table.last + 4))
    agree(party)
    given_up = (Outcome.WRONG_KEY, "the resignation slip is signed with a key that nowak gave up")
    assert checked(party, old) == given_up and checked(party, old, party[0].table.last + 1) == given_up
    slips_taken.check(party[0].table, old, party[0].table.last)
    slips_taken.check(party[0].table, proof)


def test_a_slip_in_a_file_names_a_head_of_the_log() -> None:
    party, writer = at_the_march()
    foreign = slip(named(party, "dubois"), "resignation", {"seats": ["rust"]}, head=OTHER)
    assert by_all(party, signed(writer, Draft(orders=["halt"]), slips=[foreign])) == (
        Outcome.BAD_CHAIN,
        "the resignation slip of dubois names a head not in the log",
    )


def test_a_replacement_needs_a_refusal() -> None:
    party, writer = at_the_march()
    wrong = signed(writer, Draft(orders=["halt"]), state=OTHER)
    assert by_all(party, signed(writer, Draft(orders=["halt"]), replaces=ids.document_id(wrong))) == (
        Outcome.REFUSED,
        "replaces a file without the refusal of another player under slips",
    )


def test_a_file_that_was_refused_and_found_good() -> None:
    party, writer = at_the_march()
    seq, head = party[0].table.last + 1, party[0].table.ledger.entries[-1].id
    one = signed(writer, Draft(orders=["go"]))
    ally = refusal(named(party, "dubois"), one, head)
    two = signed(writer, Draft(orders=["halt"], extra={"replaces": ids.document_id(one)}, slips=[ally]))
    deliver(party, one)
    assert by_all(party, two) == (
        Outcome.DIVERGED,
        f"file {seq} was refused by another player and replaced, but this program finds it valid: programs disagree; "
        "log, file and refusal let a third judge",
    )
    forked = by_himself(lambda: slips_taken.check_fork(party[0].table, two, one))
    assert forked == (Outcome.DIVERGED, "one file replaces the other, which was refused: programs disagree")
    assert by_himself(lambda: slips_taken.check_fork(party[0].table, one, two)) == forked
    foreign = {**one, "game": OTHER}
    assert by_himself(lambda: slips_taken.check_fork(party[0].table, foreign, foreign)) == (
        Outcome.FOREIGN_GAME,
        "these files are not of this game",
    )
    stranger = {**one, "player": "zola"}
    assert by_himself(lambda: slips_taken.check_fork(party[0].table, stranger, stranger)) == (
        Outcome.WRONG_KEY,
        "zola does not play in this game",
    )


def test_orders_behind_the_end_of_the_game() -> None:
    _, writer = at_the_march()
    writer.table.ledger.agreed = "draw"
    writer.table.advance_nothing()
    (problem,) = problems(lambda: writer.write(Draft(orders=["go"])))
    assert str(problem) == "not allowed: the game is over: this order and what follows it is left over [protocol]"
