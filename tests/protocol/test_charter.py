"""The charter: how it is drafted, joined, signed and judged, with the words of every refusal."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from pbem.protocol import chain, charter, keys
from pbem.protocol.charter import Charter, Player, Seat
from pbem.protocol.deadlines import Overdue
from pbem.protocol.outcomes import Outcome, ProtocolError
from tests.toygame.party import NONCE, Person

SEATS = {"red": "allies", "rust": "allies", "blue": "axis"}
YAMADA, NOWAK, DUBOIS, SMITH = (
    Person("yamada", ["blue"]),
    Person("nowak", ["red"]),
    Person("dubois", ["rust"]),
    Person("smith", []),
)
Change = Callable[[dict[str, Any]], Any]


def draft(version: int = 2, **more: Any) -> dict[str, Any]:
    scenario = {"name": "test", "hash": "00" * 32}
    made = charter.new_draft("skirmish", "1st", 1, NONCE, scenario, {"bids": "sealed"}, SEATS, version=version)
    return {**made, **more}


def joined(*, umpire: str = "", version: int = 2, **more: Any) -> dict[str, Any]:
    """Three players in their seats; `umpire`: smith's role."""
    made = draft(version, **more)
    if umpire:
        made = charter.appoint(made, SMITH.record, umpire, SMITH.escrow_public if umpire == "escrow" else "")
    for person in (YAMADA, NOWAK, DUBOIS):
        escrow = person.escrow("", SMITH.escrow_public) if umpire == "escrow" else ""
        made = charter.join(made, person.record, person.seats, escrow)
    return made


def signed(document: dict[str, Any], *persons: Person) -> dict[str, Any]:
    for person in persons or (YAMADA, NOWAK, DUBOIS):
        document = charter.sign(document, person.name, person.private)
    return document


def refusal(attempt: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as refused:
        attempt()
    return refused.value.outcome, str(refused.value)


def unreadable(attempt: Callable[[], Any]) -> str:
    outcome, why = refusal(attempt)
    assert outcome is Outcome.UNREADABLE
    return why


# -- drafts --------------------------------------------------------------------------------------------------------


def test_a_draft_has_empty_seats() -> None:
    assert draft() == {
        "pbem": 2,
        "type": "charter",
        "system": "skirmish",
        "rules": "1st",
        "rules_version": 1,
        "nonce": NONCE,
        "scenario": {"name": "test", "hash": "00" * 32},
        "options": {"bids": "sealed"},
        "seats": {seat: {"player": None, "side": side} for seat, side in SEATS.items()},
        "players": {},
        "umpire": None,
        "overdue": None,
        "signatures": {},
    }
    assert draft()["pbem"] == charter.VERSIONS[-1] == 2 and charter.CHAIN_LENGTH == 4096


def test_a_draft_is_of_its_own() -> None:
    scenario, options, late = {"name": "test", "hash": "00" * 32}, {"a": 1}, {"after": "3d", "grace": "1d", "then": "nothing"}
    made = charter.new_draft("s", "r", 1, NONCE, scenario, options, SEATS, overdue=late)  # type: ignore[arg-type]
    made["scenario"]["name"] = made["options"]["a"] = made["overdue"]["after"] = "x"
    assert scenario["name"] == "test" and options == {"a": 1} and late["after"] == "3d"


def test_a_draft_of_version_1_has_a_deadline_in_words() -> None:
    old = charter.new_draft("s", "r", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, SEATS, "3 days", 1)
    assert old["pbem"] == 1 and old["deadline"] == "3 days" and "overdue" not in old
    assert charter.read_charter(old).version == 1 and charter.read_charter(old).overdue is None
    assert charter.new_draft("s", "r", 1, NONCE, {"name": "t", "hash": "00" * 32}, {}, SEATS, version=1)["deadline"] is None
    assert unreadable(lambda: charter.read_charter({**old, "pbem": 2})) == "charter: unknown key 'deadline'"
    assert unreadable(lambda: charter.read_charter({**draft(), "pbem": 1})) == "charter: unknown key 'overdue'"


def test_what_a_charter_says() -> None:
    late = {"after": "3d", "grace": "12h", "then": "loss"}
    document = joined(umpire="escrow", overdue=late, lost_keys="umpire", answers={"allies": "nowak"})
    read = charter.read_charter(document)
    assert read == Charter(
        document=document,
        game_id=read.game_id,
        system="skirmish",
        rules="1st",
        rules_version=1,
        nonce=NONCE,
        scenario="test",
        scenario_hash="00" * 32,
        options={"bids": "sealed"},
        seats=(Seat("red", "nowak", "allies"), Seat("rust", "dubois", "allies"), Seat("blue", "yamada", "axis")),
        all_players=(SMITH.record, YAMADA.record, NOWAK.record, DUBOIS.record),
        umpire_name="smith",
        umpire_role="escrow",
        answers={"allies": "nowak"},
        escrow_key=SMITH.escrow_public,
        lost_keys="umpire",
        version=2,
        overdue=Overdue(72, 12, "loss"),
    )
    assert len(read.game_id) == 64
    plain = charter.read_charter(joined())
    assert (plain.umpire_name, plain.umpire_role, plain.answers, plain.escrow_key, plain.lost_keys) == ("", "", {}, "", "")
    assert plain.overdue is None and plain.document is not document


def test_hints_are_allowed_unless_the_charter_forbids_them() -> None:
    assert charter.read_charter(joined()).allows_hints
    assert not charter.read_charter({**draft(), "hints": "forbidden"}).allows_hints


def test_slots_are_no_further_apart_than_the_deadline() -> None:
    late = {"after": "12h", "grace": "12h", "then": "loss"}
    agreed = {"slots": ["06:00", "18:00"]}
    read = charter.read_charter(joined(pace=agreed, overdue=late))
    assert read.pace is not None and (read.pace.slots, read.pace.longest) == ((360, 1080), 720)
    assert charter.read_charter(joined()).pace is None
    for slots in (["06:00", "18:01"], ["06:00"]):
        said = unreadable(lambda slots=slots: charter.read_charter(joined(pace={"slots": slots}, overdue=late)))  # type: ignore[misc]
        assert said == "a wait from one slot of `pace` to the next is longer than the deadline"
    assert charter.read_charter(joined(pace={"slots": ["06:00"]})).pace is not None, "no deadline, no limit"


def test_who_plays_what() -> None:
    read = charter.read_charter(joined(umpire="witness"))
    assert read.players_in_order == ["nowak", "dubois", "yamada"]
    assert charter.read_charter(draft()).players_in_order == []
    assert read.player("dubois") == DUBOIS.record and read.player_of("blue") == "yamada"
    assert read.seats_of("nowak") == ["red"] and read.seats_of("smith") == []
    assert [read.side_of(name) for name in ("nowak", "yamada", "smith")] == ["allies", "axis", "umpire"]
    with pytest.raises(KeyError):
        read.player("nobody")
    both = charter.join(charter.join(draft(), YAMADA.record, ["blue"]), NOWAK.record, ["rust", "red"])
    assert charter.read_charter(both).seats_of("nowak") == ["red", "rust"]
    assert charter.read_charter(both).players_in_order == ["nowak", "yamada"]


def test_seats_stand_in_the_order_of_the_rules() -> None:
    read = charter.read_charter(joined())
    ordered = read.in_order({"blue": "axis", "red": "allies", "rust": "allies"})
    assert [s.name for s in ordered.seats] == ["blue", "red", "rust"] and ordered.game_id == read.game_id
    assert ordered.players_in_order == ["yamada", "nowak", "dubois"]
    others = [{"blue": "axis"}, {**SEATS, "green": "axis"}, {**SEATS, "rust": "axis"}]
    for seats in others:
        why = f"the seats and sides are not those of skirmish: {', '.join(seats)}"
        assert unreadable(lambda seats=seats: read.in_order(seats)) == why  # type: ignore[misc]


# -- joining -------------------------------------------------------------------------------------------------------


def test_a_player_joins_with_his_keys_and_signatures_fall() -> None:
    first = charter.join(draft(), NOWAK.record, ["red"])
    record = NOWAK.record
    assert first["players"] == {"nowak": {"key": record.key, "chain": record.chain, "chain_length": 512, "draws": record.draws}}
    assert {seat: held["player"] for seat, held in first["seats"].items()} == {"red": "nowak", "rust": None, "blue": None}
    assert [held["side"] for held in first["seats"].values()] == ["allies", "allies", "axis"]
    assert "escrow" not in first and draft()["players"] == {}
    again = charter.join({**signed(joined(), NOWAK)}, NOWAK.record, ["red"])
    assert again["signatures"] == {} and again["players"] == joined()["players"]
    more = charter.join(first, NOWAK.record, ["rust"])
    assert [held["player"] for held in more["seats"].values()] == ["nowak", "nowak", None]


def test_a_taken_or_unknown_seat_and_a_mixed_side_are_refused() -> None:
    first = charter.join(draft(), NOWAK.record, ["red"])
    assert unreadable(lambda: charter.join(first, YAMADA.record, ["green"])) == (
        "there is no seat 'green'; seats are red, rust, blue"
    )
    assert unreadable(lambda: charter.join(first, YAMADA.record, ["red"])) == "red is held by nowak already"
    assert unreadable(lambda: charter.join(first, NOWAK.record, ["blue"])) == "nowak holds seats of both sides"
    assert unreadable(lambda: charter.join(draft(), NOWAK.record, [])) == "nowak holds no seat"


def test_an_umpire_is_appointed_before_anybody_joins() -> None:
    witness = charter.appoint(draft(), SMITH.record, "witness")
    assert witness["umpire"] == {"player": "smith", "role": "witness"} and "escrow" not in witness
    assert list(witness["players"]) == ["smith"]
    holder = charter.appoint(draft(), SMITH.record, "escrow", SMITH.escrow_public)
    assert holder["umpire"] == {"player": "smith", "role": "escrow", "escrow_key": SMITH.escrow_public}
    assert holder["escrow"] == {}
    assert unreadable(lambda: charter.appoint(charter.join(draft(), NOWAK.record, ["red"]), SMITH.record, "witness")) == (
        "the umpire is appointed before the players join: they encrypt to his key or rely on his link"
    )


def test_every_player_gives_an_escrow_to_an_umpire_who_holds_one() -> None:
    document = joined(umpire="escrow")
    assert list(document["escrow"]) == ["yamada", "nowak", "dubois"]
    charter.verify(signed(document, YAMADA, NOWAK, DUBOIS, SMITH))
    why = "every player gives an escrow to an umpire who holds one, else nobody does"
    holder = charter.appoint(draft(), SMITH.record, "escrow", SMITH.escrow_public)
    assert unreadable(lambda: charter.join(holder, NOWAK.record, ["red"])) == why
    one = NOWAK.escrow("", SMITH.escrow_public)
    assert unreadable(lambda: charter.join(draft(), NOWAK.record, ["red"], one)) == why
    assert (
        unreadable(lambda: charter.join(charter.appoint(draft(), SMITH.record, "witness"), NOWAK.record, ["red"], one)) == why
    )
    assert unreadable(lambda: charter.read_charter({**document, "escrow": {**document["escrow"], "smith": one}})) == why
    assert unreadable(lambda: charter.join(holder, NOWAK.record, ["red"], "A" * 108)) == (
        "charter: escrow: nowak: 80 bytes in base64 are needed"
    )
    bad = {**document, "escrow": {**document["escrow"], "yamada": "A", "dubois": "B"}}
    assert unreadable(lambda: charter.read_charter(bad)) == "charter: escrow: yamada: 80 bytes in base64 are needed"


# -- who answers for a side ------------------------------------------------------------------------------------------


def test_one_player_answers_for_his_side() -> None:
    document = charter.answer_for_side(signed(joined(), NOWAK), "dubois")
    assert document["answers"] == {"allies": "dubois"} and document["signatures"] == {}
    document = charter.answer_for_side(document, "yamada")
    assert document["answers"] == {"allies": "dubois", "axis": "yamada"}
    assert charter.verify(signed(document)).answers == {"allies": "dubois", "axis": "yamada"}
    assert charter.answer_for_side(document, "nowak")["answers"]["allies"] == "nowak"


@pytest.mark.parametrize(("side", "name"), [("axis", "nowak"), ("allies", "yamada"), ("allies", "smith"), ("neutral", "nowak")])
def test_nobody_answers_for_the_other_side(side: str, name: str) -> None:
    document = {**joined(), "answers": {side: name}}
    why = f"{name} cannot answer the reactions of {side}: he holds no seat of it"
    assert unreadable(lambda: signed(document)) == why
    assert unreadable(lambda: charter.verify({**document, "signatures": signed(joined())["signatures"]})) == why


def test_the_umpire_answers_for_no_side() -> None:
    document = {**joined(umpire="witness"), "answers": {"umpire": "smith"}}
    assert "holds no seat of it" in unreadable(lambda: signed(document))


# -- signing -------------------------------------------------------------------------------------------------------


def test_each_signs_what_all_have_joined() -> None:
    document = joined()
    first = charter.sign(document, "nowak", NOWAK.private)
    assert list(first["signatures"]) == ["nowak"] and document["signatures"] == {}
    second = charter.sign(first, "yamada", YAMADA.private)
    assert list(second["signatures"]) == ["nowak", "yamada"]
    assert charter.verify(signed(second, DUBOIS)).is_complete
    assert {k: v for k, v in second.items() if k != "signatures"} == {k: v for k, v in document.items() if k != "signatures"}
    del document["signatures"]
    assert list(charter.sign(document, "nowak", NOWAK.private)["signatures"]) == ["nowak"]


def test_nobody_signs_while_a_seat_is_free() -> None:
    half = charter.join(draft(), NOWAK.record, ["rust"])
    expected = (Outcome.WAITING, "nobody has joined as red, blue yet")
    assert refusal(lambda: charter.sign(half, "nowak", NOWAK.private)) == expected
    assert refusal(lambda: charter.verify(half)) == expected


def test_nobody_signs_for_another() -> None:
    with pytest.raises(KeyError):
        charter.sign(joined(), "smith", SMITH.private)
    outcome, _ = refusal(lambda: charter.sign(joined(), "nowak", YAMADA.private))
    assert outcome is Outcome.BAD_SIGNATURE


def test_an_umpire_who_holds_the_escrow_signs_last() -> None:
    document = joined(umpire="escrow")
    assert refusal(lambda: signed(document, SMITH)) == (
        Outcome.WAITING,
        "the umpire signs last: yamada, nowak, dubois to go",
    )
    two = signed(document, NOWAK, DUBOIS)
    assert refusal(lambda: signed(two, SMITH)) == (Outcome.WAITING, "the umpire signs last: yamada to go")
    assert charter.verify(signed(two, YAMADA, SMITH)).is_complete
    assert charter.verify(signed(joined(umpire="witness"), SMITH, YAMADA, NOWAK, DUBOIS)).is_complete


def test_a_charter_is_complete_when_everybody_has_signed() -> None:
    assert not charter.read_charter(draft()).is_complete and not charter.read_charter(joined()).is_complete
    two = signed(joined(), NOWAK, DUBOIS)
    assert not charter.read_charter(two).is_complete and charter.read_charter(signed(two, YAMADA)).is_complete
    three = signed(joined(umpire="witness"))
    assert not charter.read_charter(three).is_complete
    half = charter.join(draft(), NOWAK.record, ["rust"])
    assert not charter.read_charter({**half, "signatures": signed(joined(), NOWAK)["signatures"]}).is_complete
    unsigned = joined()
    del unsigned["signatures"]
    assert not charter.read_charter(unsigned).is_complete


def test_all_signatures_are_checked() -> None:
    document = signed(joined())
    assert charter.verify(document).game_id == charter.read_charter(joined()).game_id
    lacking = copy.deepcopy(document)
    del lacking["signatures"]["dubois"]
    assert refusal(lambda: charter.verify(lacking)) == (Outcome.BAD_SIGNATURE, "dubois has not signed the charter")
    none = {k: v for k, v in document.items() if k != "signatures"}
    assert refusal(lambda: charter.verify(none)) == (Outcome.BAD_SIGNATURE, "yamada has not signed the charter")
    swapped = {**document, "signatures": {**document["signatures"], "nowak": document["signatures"]["dubois"]}}
    assert refusal(lambda: charter.verify(swapped))[0] is Outcome.BAD_SIGNATURE
    changed = {**document, "options": {}}
    assert refusal(lambda: charter.verify(changed))[0] is Outcome.BAD_SIGNATURE
    strangers = {**document["signatures"], "zola": document["signatures"]["nowak"], "smith": document["signatures"]["nowak"]}
    assert refusal(lambda: charter.verify({**document, "signatures": strangers})) == (
        Outcome.BAD_SIGNATURE,
        "smith has signed and does not play",
    )


# -- what is unfair ------------------------------------------------------------------------------------------------


def changed(change: Change, **how: Any) -> dict[str, Any]:
    document = copy.deepcopy(joined(**how))
    change(document)
    return document


def spare(name: str, **changes: Any) -> dict[str, Any]:
    """The keys of somebody else."""
    record = Person(name, []).record
    keys_of = {"key": record.key, "chain": record.chain, "chain_length": record.chain_length, "draws": record.draws}
    return {**keys_of, **changes}


UNFAIR: list[tuple[Change, str]] = [
    (lambda d: d["seats"]["blue"].update(side="allies"), "there are exactly two sides, not 1"),
    (lambda d: d["seats"]["rust"].update(side="neutral"), "there are exactly two sides, not 3"),
    (lambda d: d["seats"]["rust"].update(player="zola"), "rust is held by zola, who has no key here"),
    (lambda d: d["seats"]["rust"].update(player="yamada"), "yamada holds seats of both sides"),
    (lambda d: d["seats"]["rust"].update(player="nowak"), "dubois holds no seat"),
    (lambda d: d["players"].update(zola=spare("zola")), "zola holds no seat"),
    (lambda d: d.update(umpire={"player": "smith", "role": "witness"}), "the umpire smith has no key here"),
    (lambda d: d.update(umpire={"player": "nowak", "role": "witness"}), "the umpire nowak holds no seat"),
    (
        lambda d: d["players"]["nowak"].update(key=d["players"]["yamada"]["key"]),
        "two players have the same key: one of them has copied the other's",
    ),
    (
        lambda d: d["players"]["nowak"].update(chain=d["players"]["yamada"]["chain"]),
        "two players have the same chain: one of them has copied the other's",
    ),
    (
        lambda d: d["players"]["dubois"].update(draws=d["players"]["yamada"]["draws"]),
        "two players have the same draws: one of them has copied the other's",
    ),
]


@pytest.mark.parametrize(("change", "why"), UNFAIR, ids=[why for _, why in UNFAIR])
def test_what_is_unfair_is_refused(change: Change, why: str) -> None:
    assert unreadable(lambda: charter.read_charter(changed(change))) == why


def test_a_copy_of_the_umpires_keys_is_noticed_too() -> None:
    copied = changed(lambda d: d["players"]["nowak"].update(chain=d["players"]["smith"]["chain"]), umpire="witness")
    assert unreadable(lambda: charter.read_charter(copied)) == (
        "two players have the same chain: one of them has copied the other's"
    )


def test_a_key_of_small_order_is_refused() -> None:
    small = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
    document = changed(lambda d: d["players"]["nowak"].update(key=small))
    assert refusal(lambda: charter.read_charter(document))[0] is Outcome.WRONG_KEY
    assert keys.key_bytes(NOWAK.record.key)


UNSIGNABLE: list[tuple[Change, dict[str, Any], str]] = [
    (
        lambda d: d["umpire"].pop("escrow_key"),
        {"umpire": "escrow"},
        "an umpire who holds the escrow has an escrow_key, another one has none",
    ),
    (
        lambda d: d["umpire"].update(escrow_key="00" * 32),
        {"umpire": "witness"},
        "an umpire who holds the escrow has an escrow_key, another one has none",
    ),
    (
        lambda d: d.update(lost_keys="umpire"),
        {},
        "lost_keys says umpire, but there is none: he joins before the players (`pbem umpire join`)",
    ),
    (
        lambda d: d.update(overdue={"after": "3d", "grace": "1d", "then": "stand-in"}),
        {},
        "overdue says stand-in: that needs an umpire who holds the escrow",
    ),
    (
        lambda d: d.update(overdue={"after": "3d", "grace": "1d", "then": "stand-in"}),
        {"umpire": "witness"},
        "overdue says stand-in: that needs an umpire who holds the escrow",
    ),
]


@pytest.mark.parametrize(("change", "how", "why"), UNSIGNABLE)
def test_what_does_not_fit_together_may_be_drafted_and_not_signed(change: Change, how: dict[str, Any], why: str) -> None:
    document = changed(change, **how)
    charter.read_charter(document)
    assert unreadable(lambda: signed(document, NOWAK)) == why


SIGNABLE: list[tuple[Change, dict[str, Any]]] = [
    (lambda d: d.update(lost_keys="others"), {}),
    (lambda d: d.update(lost_keys="umpire"), {"umpire": "witness"}),
    (lambda d: d.update(lost_keys=None, note=["Good luck."]), {}),
    (lambda d: d.update(overdue={"after": "3d", "grace": "1d", "then": "stand-in"}), {"umpire": "escrow"}),
    (lambda d: d.update(overdue={"after": "3d", "grace": "1d", "then": "loss"}), {}),
]


@pytest.mark.parametrize(("change", "how"), SIGNABLE)
def test_what_fits_together_is_signed(change: Change, how: dict[str, Any]) -> None:
    document = changed(change, **how)
    everybody = (YAMADA, NOWAK, DUBOIS, *([SMITH] if how else []))
    assert charter.verify(signed(document, *everybody)).is_complete


def joined_by_nowak(version: int) -> dict[str, Any]:
    """Yamada in his seat, and a nowak in rust's with the keys of dubois."""
    taken = charter.join(draft(version), YAMADA.record, ["blue"])
    return charter.join(taken, Player("nowak", DUBOIS.record.key, DUBOIS.record.chain, 512, DUBOIS.record.draws), ["rust"])


def test_names_of_version_1_are_plain_and_those_of_version_2_differ() -> None:
    record = Player("Łukasz", NOWAK.record.key, NOWAK.record.chain, 512, NOWAK.record.draws)
    assert charter.read_charter(charter.join(draft(), record, ["red"])).player("Łukasz") == record
    plain = "Łukasz: a name has small letters, digits, hyphens; others are for games that begin with `pbem: 2`"
    assert unreadable(lambda: charter.join(draft(1), record, ["red"])) == plain
    assert unreadable(lambda: charter.appoint(draft(1), record, "witness")) == plain
    for key, value in (
        ("answers", {"allies": "Łukasz"}),
        ("signatures", {"Łukasz": "A" * 86 + "=="}),
        ("escrow", {"Łukasz": "A" * 107 + "="}),
    ):
        assert unreadable(lambda key=key, value=value: charter.read_charter({**joined(version=1), key: value})) == plain  # type: ignore
    unseated = draft(1)
    unseated["seats"]["red"]["player"] = "Łukasz"
    assert unreadable(lambda: charter.read_charter(unseated)) == plain
    assert unreadable(lambda: charter.read_charter(draft(1, umpire={"player": "Łukasz", "role": "witness"}))) == plain
    alike = Player("n0wak", record.key, record.chain, 512, record.draws)
    assert unreadable(lambda: charter.join(joined_by_nowak(2), alike, ["red"])) == (
        "the names nowak and n0wak look alike: one of the two takes another, such as n0wak-2"
    )
    old = charter.join(joined_by_nowak(1), alike, ["red"])
    assert [p.name for p in charter.read_charter(old).all_players] == ["yamada", "nowak", "n0wak"]


SHAPES: list[tuple[str, Any, str]] = [
    ("pbem", 3, "pbem: one of (1, 2) is needed"),
    ("pbem", True, "pbem: one of (1, 2) is needed"),
    ("type", "turn", "type: one of ('charter',) is needed"),
    ("system", "x" * 65, "system: text of at most 64 characters is needed"),
    ("rules", "x" * 65, "rules: text of at most 64 characters is needed"),
    ("rules_version", 0, "rules_version: a whole number from 1 to 1000000 is needed"),
    ("rules_version", 10**6 + 1, "rules_version: a whole number from 1 to 1000000 is needed"),
    ("nonce", "00", "nonce: 32 bytes in lower-case hex are needed"),
    ("scenario", {"name": "x" * 65, "hash": "00" * 32}, "scenario: name: text of at most 64 characters is needed"),
    ("scenario", {"name": "x"}, "scenario: hash is missing"),
    ("options", [], "options: a mapping is needed"),
    ("seats", {"RED": {"player": None, "side": "a"}}, "seats: RED: a name has small letters, digits, hyphens"),
    ("seats", {"red": {"player": "x y", "side": "a"}}, "seats: red: player: a name has up to 32 letters of one script"),
    ("seats", {"red": {"player": None, "side": "A"}}, "seats: red: side: a name has small letters, digits, hyphens"),
    ("players", {"x y": {}}, "players: x y: a name has up to 32 letters of one script"),
    ("umpire", {"player": "smith"}, "umpire: role is missing"),
    ("umpire", {"player": "smith", "role": "king"}, "umpire: role: one of ('witness', 'escrow') is needed"),
    ("answers", {"Axis": "nowak"}, "answers: Axis: a name has small letters, digits, hyphens"),
    ("escrow", {"nowak": "x" * 109}, "escrow: nowak: 80 bytes in base64 are needed"),
    ("lost_keys", "nobody", "lost_keys: one of ('umpire', 'others') is needed"),
    ("note", ["x" * 501], "note: item 1: text of at most 500 characters is needed"),
    ("note", ["x"] * 51, "note: a list of at most 50 is needed"),
    ("signatures", {"nowak": "x"}, "signatures: nowak: 64 bytes in base64 are needed"),
    (
        "overdue",
        {"after": "3 days", "grace": "1d", "then": "loss"},
        "overdue: after: hours or days are needed, such as 72h or 3d",
    ),
    ("odd", 1, "unknown key 'odd'"),
]


@pytest.mark.parametrize(("key", "value", "why"), SHAPES)
def test_a_charter_has_its_shape(key: str, value: Any, why: str) -> None:
    told = unreadable(lambda: charter.read_charter({**joined(), key: value}))
    assert told.startswith("charter: ") and why in told


@pytest.mark.parametrize(("length", "good"), [(63, False), (64, True), (65536, True), (65537, False)])
def test_a_chain_has_64_to_65536_links(length: int, good: bool) -> None:
    document = changed(lambda d: d["players"]["nowak"].update(chain_length=length))
    if good:
        assert charter.read_charter(document).player("nowak").chain_length == length
    else:
        assert "chain_length: a whole number from 64 to 65536 is needed" in unreadable(lambda: charter.read_charter(document))


@pytest.mark.parametrize(
    "key", ["pbem", "type", "system", "rules", "rules_version", "nonce", "scenario", "options", "seats", "players"]
)
def test_nothing_of_a_charter_may_be_missing(key: str) -> None:
    document = joined()
    del document[key]
    assert f"{key} is missing" in unreadable(lambda: charter.read_charter(document))


def test_the_longest_values_pass() -> None:
    long = joined(note=["x" * 500] * 50, system="s" * 64, rules="r" * 64, rules_version=10**6)
    assert charter.read_charter(long).system == "s" * 64
    assert chain.tip(NONCE, YAMADA.chain_of(""), 512) == charter.read_charter(long).player("yamada").chain
