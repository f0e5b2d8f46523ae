"""The runtime's small parts each by itself: the hand, the ledger, what one player knows, openings against promises."""

from __future__ import annotations

import hashlib
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.flow import Ask, Claim
from pbem.protocol import draws, keys, seals
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.hand import FileSupply, Hand, NoSupply, verb_of
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.knowledge import Knowledge, Unknown, draw_items
from pbem.runtime.ledger import DrawMade, DrawTree, Entry, KeyHeld, Ledger, Offer, Rolled, RulesInForce, Seal
from pbem.runtime.proofs import check_opening, fits
from tests.toygame.party import NONCE, Person, fixed

GAME, SEED = "ab" * 32, "cd" * 32
YAMADA, NOWAK = Person("yamada", ["blue"]), Person("nowak", ["red"])
MASTER, OTHER = YAMADA.master_of(""), YAMADA.master_of("second")
POOL = ["ace", "king", "queen", "ten"]


# -- the hand ------------------------------------------------------------------------------------------------------


def ask(*verbs: str) -> Ask:
    return Ask("red", "x", "1", "x", lambda order: order, verbs)


@pytest.mark.parametrize(
    ("order", "verb"),
    [
        (" Done ", "done"),
        ({" Move ": 1}, "move"),
        ({"a": 1, "b": 2}, ""),
        ({}, ""),
        (5, ""),
        (None, ""),
        (["x"], ""),
    ],
)
def test_the_verb_of_an_order(order: Any, verb: str) -> None:
    assert verb_of(order) == verb


def test_a_hand_offers_its_next_order_to_a_question_of_its_verb() -> None:
    hand = Hand("nowak", 3, [{"move": 1}, "done"])
    assert hand.has_orders and hand.offers_answer_to(ask()) and hand.offers_answer_to(ask("halt", "move"))
    assert not hand.offers_answer_to(ask("done"))
    hand.next = 1
    assert hand.has_orders and hand.offers_answer_to(ask("done")) and not hand.offers_answer_to(ask("move"))
    hand.next = 2
    assert not hand.has_orders and not hand.offers_answer_to(ask("done")) and not hand.offers_answer_to(ask())
    empty = Hand("nowak", 3)
    assert (empty.orders, empty.next, empty.seals, empty.state, empty.turned, empty.openings, empty.problems) == (
        [],
        0,
        0,
        None,
        [],
        [],
        [],
    )
    assert empty.unsealed is None and isinstance(empty.supply, NoSupply) and not empty.has_orders


def test_a_file_opens_each_thing_once() -> None:
    one, two, stated = {"handle": "a", "order": 1}, {"handle": "b", "order": 2}, {"claim": 0, "value": True}
    supply = FileSupply([one, "nonsense", two, stated, {"handle": "a", "order": 3}])
    claim = Claim("red", "x", "y", "1", lambda reveal: True)
    assert supply.unused == [one, two, stated, {"handle": "a", "order": 3}] and supply.reveal is None
    assert supply.opening("b") == two and supply.opening("b") is None and supply.opening("zz") is None
    assert supply.claim(1, claim) is None and supply.claim(0, claim) == stated and supply.claim(0, claim) is None
    assert supply.opening("a") == one and supply.opening("a") == {"handle": "a", "order": 3} and supply.unused == []
    assert NoSupply().opening("a") is None and NoSupply().claim(0, claim) is None and NoSupply().reveal is None


# -- the ledger ----------------------------------------------------------------------------------------------------


def test_the_names_of_what_was_drawn() -> None:
    assert DrawMade(3, "nowak", "red", SEED, 5, 2).handles() == ["red:draw3:0", "red:draw3:1"]
    assert DrawMade(3, "nowak", "red", SEED, 5, 2, sides=6).handles() == ["red:draw3:0"]
    assert DrawMade(3, "nowak", "red", SEED, 5, 0).handles() == []


def test_a_key_signs_from_its_first_file_on() -> None:
    ledger = Ledger(held=[KeyHeld("nowak", "old", 0), KeyHeld("yamada", "his", 0), KeyHeld("nowak", "new", 7)])
    assert [ledger.key_at("nowak", seq) for seq in (0, 6, 7, 99)] == ["old", "old", "new", "new"]
    assert ledger.key_at("yamada", 7) == "his"
    with pytest.raises(ProtocolError) as refused:
        ledger.key_at("smith", 3)
    assert (refused.value.outcome, str(refused.value)) == (Outcome.WRONG_KEY, "smith does not sign in this game")
    late = Ledger(held=[KeyHeld("smith", "late", 5)])
    with pytest.raises(ProtocolError):
        late.key_at("smith", 4)
    assert late.key_at("smith", 5) == "late"


def test_the_tree_of_a_draw_key() -> None:
    first, second, third = DrawTree("nowak", "r0", 0, 0), DrawTree("nowak", "r1", 1024, 9), DrawTree("nowak", "r2", 1030, 20)
    ledger = Ledger(trees=[first, DrawTree("yamada", "y", 0, 0), second, third])
    assert ledger.tree_of("nowak", 0, 0) == first and ledger.tree_of("nowak", 1023, 99) == first
    assert ledger.tree_of("nowak", 1024, 9) == second and ledger.tree_of("nowak", 1024, 8) is None
    assert ledger.tree_of("nowak", 1030, 20) == third and ledger.tree_of("nowak", 1030, 19) == second
    assert ledger.tree_of("nowak", 2053, 20) == third and ledger.tree_of("nowak", 2054, 20) is None
    assert ledger.tree_of("nowak", 2047, 19) == second and ledger.tree_of("nowak", 2048, 19) is None
    assert ledger.tree_of("smith", 0, 0) is None
    ledger.draw_counts["nowak"] = 1000
    assert ledger.draw_keys_left("nowak") == 1030 + 1024 - 1000 and ledger.draw_keys_left("yamada") == 1024


def test_draws_that_nobody_has_committed_to_and_where_a_handle_came_from() -> None:
    one, two = (DrawMade(j, "nowak", "red", SEED, 5, 2) for j in (0, 1))
    his = DrawMade(0, "yamada", "blue", SEED, 5, 2)
    ledger = Ledger(draws=[one, two, his], commits={"nowak 0": ["x"], "yamada 1": ["y"]})
    assert ledger.uncommitted("nowak") == [two] and ledger.uncommitted("yamada") == [his]
    assert ledger.draw_of("red:draw1:1") is two and ledger.draw_of("blue:draw0:0") is his
    assert ledger.draw_of("red:draw1:2") is None and ledger.draw_of("red:seal3:0") is None


def test_the_rules_in_force_are_the_last() -> None:
    assert Ledger(rules=[RulesInForce(1, 0), RulesInForce(3, 7), RulesInForce(4, 9)]).rules_version == 4


@pytest.mark.parametrize(
    ("detail", "ends"),
    [
        ({"offer": {"draw": True}}, True),
        ({"offer": {"draw": False}}, False),
        ({"offer": {"undo": 3}}, False),
        ({"offer": "draw"}, False),
        ({"draw": True}, False),
        ("offer", False),
        (None, False),
    ],
)
def test_who_accepts_a_draw_ends_the_game(detail: Any, ends: bool) -> None:
    assert Offer(3, "id", "nowak", "offer", 4, ["yamada"], detail).is_draw is ends


def entries(*types: str) -> list[Entry]:
    return [Entry(f"id {n}", "nowak", type_) for n, type_ in enumerate(types)]


@pytest.mark.parametrize(
    ("types", "newest"),
    [
        (("charter",), 0),
        (("charter", "void", "heal"), 0),
        (("charter", "turn"), 1),
        (("charter", "turn", "void"), 1),
        (("charter", "turn", "turn", "heal", "void"), 2),
        (("charter", "turn", "void", "turn"), 3),
    ],
)
def test_the_newest_file_of_a_player(types: tuple[str, ...], newest: int) -> None:
    assert Ledger(entries(*types)).newest == newest


def test_the_place_where_the_next_link_is_shown() -> None:
    ledger = Ledger(entries("charter", "turn", "turn", "turn", "turn"))
    for seq in (1, 2, 4):
        ledger.mark(seq, link=f"link {seq}")
    assert [ledger.behind(k) for k in range(6)] == [1, 2, 4, 4, 0, 0]


def test_one_file_is_marked_and_a_copy_is_another() -> None:
    ledger = Ledger(entries("charter", "turn", "turn"))
    copy = ledger.fork()
    assert copy == ledger and copy is not ledger
    copy.mark(1, decides=True, of="yamada")
    assert copy.entries[1] == Entry("id 1", "nowak", "turn", decides=True, of="yamada")
    assert ledger.entries == entries("charter", "turn", "turn"), "the other stays as it was"


def test_a_seed_is_turned_by_a_die_or_by_a_card() -> None:
    ledger = Ledger(rolled=[Rolled(3, 0, "x", 6, "1", [4])], draws=[DrawMade(0, "nowak", "red", SEED, 5, 1, source=7)])
    assert [ledger.turned(source) for source in (3, 7, 5, 0)] == [True, True, False, False]


# -- draw keys -----------------------------------------------------------------------------------------------------


def trees(*masters: bytes) -> list[DrawTree]:
    return [DrawTree("yamada", draws.root(NONCE, m), 1024 * i, 10 * i) for i, m in enumerate(masters)]


def test_draw_keys_of_one_master() -> None:
    held = DrawKeys(Ledger(trees=[*trees(MASTER), DrawTree("nowak", "x", 0, 0)]), "yamada", NONCE, [MASTER])
    assert held[5] == draws.draw_secret(MASTER, 5) and held.path(5) == draws.path(NONCE, MASTER, 5)


def test_draw_keys_of_two_masters() -> None:
    ledger = Ledger(trees=trees(MASTER, OTHER), draws=[DrawMade(1024, "yamada", "blue", SEED, 12, 1, source=11)])
    held = DrawKeys(ledger, "yamada", NONCE, [OTHER, MASTER])
    assert held[5] == draws.draw_secret(MASTER, 5) and held[1024] == draws.draw_secret(OTHER, 1024)
    assert held.path(1024) == draws.path(NONCE, OTHER, 0)
    ledger.source = 15
    assert held[1025] == draws.draw_secret(OTHER, 1025), "the next draw is turned by the newest seed"
    ledger.source = 9
    with pytest.raises(LookupError) as lacking:
        held[1025]
    known = "the key of draw 1025 is not in this folder: whoever held the seat before has it. "
    assert str(lacking.value) == known + "`pbem seat secrets FILE` takes what he hands over"


def test_draw_keys_that_somebody_else_showed() -> None:
    shown = {"3": {"key": "aa" * 32, "path": ["bb"]}}
    held = DrawKeys(Ledger(trees=trees(OTHER)), "yamada", NONCE, [MASTER, MASTER], shown)
    assert held[3] == bytes.fromhex("aa" * 32) and held.path(3) == ["bb"]
    with pytest.raises(LookupError, match="the key of draw 4 "):
        held[4]
    nobody = DrawKeys(Ledger(trees=trees(MASTER, OTHER)), "yamada", NONCE, [])
    with pytest.raises(LookupError, match="the key of draw 0 "):
        nobody[0]


def test_another_players_draws_do_not_say_which_tree_serves() -> None:
    ledger = Ledger(trees=trees(MASTER, OTHER), source=15)
    ledger.draws = [
        DrawMade(1024, "nowak", "red", SEED, 3, 1, source=1),
        DrawMade(1023, "yamada", "blue", SEED, 3, 1, source=1),
    ]
    held = DrawKeys(ledger, "yamada", NONCE, [MASTER, OTHER])
    assert held[1024] == draws.draw_secret(OTHER, 1024)


# -- what one player knows -----------------------------------------------------------------------------------------

CARDS = DrawMade(0, "yamada", "blue", SEED, 5, 3, "deck", POOL, [])
LATER = DrawMade(1, "yamada", "blue", "ef" * 32, 6, 1, "deck", [*POOL, "jack"], ["blue:draw0:0", "jack"])
DIE = DrawMade(2, "yamada", "blue", SEED, 7, 2, label="scouting", sides=6)
HIS = DrawMade(0, "nowak", "red", SEED, 5, 1, "deck", POOL, [])
SECRETS = {j: draws.draw_secret(MASTER, j) for j in range(3)}
SEALED = {"yamada:seal4:0": {"order": 3, "salt": "11" * 32}}


def ledger() -> Ledger:
    held = [KeyHeld("yamada", YAMADA.record.key, 0), KeyHeld("nowak", NOWAK.record.key, 0)]
    return Ledger(draws=[CARDS, LATER, DIE, HIS], held=held, keys={h.player: h.key for h in held})


def knowledge(of: Ledger | None = None, secrets: Any = SECRETS) -> Knowledge:
    return Knowledge("yamada", secrets, SEALED, of or ledger(), GAME)


def private(made: DrawMade) -> bytes:
    return draws.private_value(SECRETS[made.j], bytes.fromhex(made.seed))


def test_what_a_draw_gives() -> None:
    shuffled = draws.shuffle(private(CARDS), sorted(POOL), 3)
    mixed = DrawMade(0, "yamada", "blue", SEED, 5, 3, "deck", [*reversed(POOL)], [])
    assert draw_items(CARDS, SECRETS[0], []) == shuffled == draw_items(mixed, SECRETS[0], [])
    assert draw_items(CARDS, SECRETS[0], ["king"]) == draws.shuffle(private(CARDS), ["ace", "queen", "ten"], 3)
    assert draw_items(DIE, SECRETS[2], []) == [list(draws.private_dice(private(DIE), "scouting", 2, 6))]
    assert mixed.base == [*reversed(POOL)]


def test_a_player_knows_his_own_and_what_is_public() -> None:
    mine = knowledge()
    first = draws.shuffle(private(CARDS), sorted(POOL), 3)
    assert mine.items(CARDS) == first and mine.items(CARDS) is mine.items(CARDS)
    assert [mine.reveal(f"blue:draw0:{i}") for i in range(3)] == first
    left = sorted({*POOL} - {first[0]})
    assert mine.reveal("blue:draw1:0") == draws.shuffle(private(LATER), left, 1)[0]
    assert mine.reveal("yamada:seal4:0") == 3 and mine.reveal("blue:draw2:0") == mine.items(DIE)[0]
    mine.ledger.opened["red:draw0:0"] = "ace"
    mine.ledger.opened["blue:draw0:1"] = "shown"
    assert mine.reveal("red:draw0:0") == "ace" and mine.reveal("blue:draw0:1") == "shown"
    del mine.ledger.opened["red:draw0:0"]
    for handle in ("red:draw0:0", "nowak:seal3:0", "blue:draw9:0", "blue:draw0:3"):
        with pytest.raises(Unknown) as unknown:
            mine.reveal(handle)
        assert unknown.value.args == (handle,)


def test_the_hand_holds_what_was_drawn_and_not_shown() -> None:
    mine = knowledge()
    first = mine.items(CARDS)
    expected = {item: f"blue:draw0:{i}" for i, item in enumerate(first)}
    expected[str(mine.items(LATER)[0])] = "blue:draw1:0"
    assert mine.hand("blue") == expected and mine.hand("red") == {}
    mine.ledger.opened["blue:draw0:1"] = first[1]
    without_it = {item: f"blue:draw0:{i}" for i, item in enumerate(first) if i != 1}
    assert mine.hand("blue") == {**without_it, str(mine.items(LATER)[0]): "blue:draw1:0"}
    without = knowledge(secrets={1: SECRETS[1], 2: SECRETS[2]})
    assert without.hand("blue") == {}, "draw 1 needs draw 0, whose key somebody else has"
    only_first = knowledge(secrets={0: SECRETS[0]})
    assert set(only_first.hand("blue").values()) == {"blue:draw0:0", "blue:draw0:1", "blue:draw0:2"}


def test_what_the_owner_promises_and_opens() -> None:
    mine = knowledge()
    salts = [draws.salt(SECRETS[0], i) for i in range(3)]
    key = keys.key_bytes(YAMADA.record.key)
    promised = [draws.commitment(GAME, key, 0, i, salts[i], item) for i, item in enumerate(mine.items(CARDS))]
    assert mine.commitments(CARDS) == promised
    assert mine.opening("blue:draw0:2") == {"handle": "blue:draw0:2", "item": mine.items(CARDS)[2], "salt": salts[2].hex()}
    assert mine.opening("yamada:seal4:0") == {"handle": "yamada:seal4:0", "order": 3, "salt": "11" * 32}
    assert (
        mine.opening("red:draw0:0") is None and mine.opening("nowak:seal3:0") is None and mine.opening("blue:draw9:0") is None
    )
    claim = Claim("blue", "x", "y", "1", lambda reveal: reveal("yamada:seal4:0") == 3)
    assert mine.claim(4, claim) == {"claim": 4, "value": True}


def test_promises_are_made_with_the_key_of_their_file() -> None:
    of = ledger()
    of.held.append(KeyHeld("yamada", YAMADA.record_of("second").key, 8))
    of.keys["yamada"] = YAMADA.record_of("second").key
    new, old = (keys.key_bytes(YAMADA.record_of(life).key) for life in ("second", ""))
    item, salt = knowledge(of).items(CARDS)[0], draws.salt(SECRETS[0], 0)
    assert knowledge(of).commitments(CARDS)[0] == draws.commitment(GAME, new, 0, 0, salt, item)
    of.committed_in["yamada 0"] = 6
    assert knowledge(of).commitments(CARDS)[0] == draws.commitment(GAME, old, 0, 0, salt, item)


# -- openings against promises -------------------------------------------------------------------------------------


def promised() -> Ledger:
    """A ledger in which yamada has promised his three cards and his die, and sealed a 3."""
    of = ledger()
    for made in (CARDS, DIE):
        of.commits[f"yamada {made.j}"] = knowledge(of).commitments(made)
        of.committed_in[f"yamada {made.j}"] = 6
    made = seals.seal(GAME, keys.key_bytes(YAMADA.record.key), 4, 0, bytes.fromhex("11" * 32), 3)
    of.seals["yamada:seal4:0"] = Seal("yamada", 4, 0, made, "bid")
    return of


HANDLES = ("blue:draw0:0", "blue:draw0:2", "blue:draw2:0", "yamada:seal4:0")


@pytest.mark.parametrize("handle", HANDLES)
def test_an_opening_fits_its_promise_alone(handle: str) -> None:
    of = promised()
    entry: Any = knowledge(of).opening(handle)
    assert fits(of, GAME, handle, entry)
    what = "order" if "order" in entry else "item"
    assert not fits(of, "00" * 32, handle, entry)
    assert not fits(of, GAME, handle, {**entry, "salt": "00" * 32})
    assert not fits(of, GAME, handle, {**entry, what: "other"})
    assert not fits(of, GAME, handle, {k: v for k, v in entry.items() if k != what})
    table: Any = SimpleNamespace(ledger=of, charter=SimpleNamespace(game_id=GAME))
    assert check_opening(table, handle, entry) == entry[what]
    with pytest.raises(ProtocolError) as refused:
        check_opening(table, handle, {**entry, what: "other"})
    assert refused.value.outcome is Outcome.BAD_OPENING
    assert str(refused.value) == f"the opening of {handle} does not fit what was committed to"
    of.held[0] = KeyHeld("yamada", NOWAK.record.key, 0)
    assert not fits(of, GAME, handle, entry)


def test_nothing_fits_what_was_not_promised() -> None:
    of = promised()
    entry: Any = {**knowledge(of).opening("blue:draw0:0"), "order": 1}  # type: ignore[dict-item]
    for handle in ("blue:draw0:1", "blue:draw1:0", "red:draw0:0", "blue:draw0:9", "nobody:seal1:0"):
        assert not fits(of, GAME, handle, entry)


@pytest.mark.parametrize(
    ("handle", "item", "good"),
    [
        ("blue:draw0:0", "ace", True),
        ("blue:draw0:0", "jack", False),
        ("blue:draw2:0", [1, 6], True),
        ("blue:draw2:0", [0, 6], False),
        ("blue:draw2:0", [1, 7], False),
        ("blue:draw2:0", [1], False),
        ("blue:draw2:0", [1, 2, 3], False),
        ("blue:draw2:0", [1, True], False),
        ("blue:draw2:0", "ace", False),
        ("blue:draw2:0", None, False),
    ],
)
def test_what_a_draw_does_not_hold_cannot_be_opened_though_it_was_promised(handle: str, item: Any, good: bool) -> None:
    of = promised()
    j, i = int(handle[9]), int(handle[-1])
    salt = fixed("a salt")
    lie = draws.commitment(GAME, keys.key_bytes(YAMADA.record.key), j, i, salt, item)
    of.commits[f"yamada {j}"][i] = lie
    table: Any = SimpleNamespace(ledger=of, charter=SimpleNamespace(game_id=GAME))
    entry = {"handle": handle, "item": item, "salt": salt.hex()}
    if good:
        assert check_opening(table, handle, entry) == item
        return
    with pytest.raises(ProtocolError) as refused:
        check_opening(table, handle, entry)
    assert refused.value.outcome is Outcome.BAD_OPENING
    assert str(refused.value) == f"{handle} cannot be what its opening says: the draw does not hold it"


def test_fixed_bytes_are_what_they_are() -> None:
    assert fixed("yamada", "draws") == hashlib.sha256(b"yamada draws").digest() == MASTER
