"""Heals in folder and record, by rows and rules: what is signed beside them, which wait, how one is taken or comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import healing
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store import heal_record, heals, pen, record
from pbem.store.disk import Disk
from tests.runtime.desks import GAME

KEY, PREV = "my key", "aa" * 32
LOST = (
    "you have signed file {}, which the heal does not hold: its link would not be burnt. `pbem heal --anew` writes one that "
    "holds it"
)


def turn(seq: int = 7, player: str = "nowak", **more: Any) -> dict[str, Any]:
    return {"type": "turn", "player": player, "seq": seq, "prev": PREV, "link": "cc" * 32, "orders": [seq], **more}


def healing_of(*versions: list[dict[str, Any]], seq: int = 9, place: int = 7, **more: Any) -> dict[str, Any]:
    """A heal of these versions; it keeps the first one."""
    held = versions or ([turn()], [turn(orders=["x"])])
    kept = {"to": held[0][-1]["seq"], "prev": document_id(held[0][-1])}
    forked = {"player": "nowak", "seq": place}
    return {"type": "heal", "game": GAME, "seq": seq, **kept, "versions": [*held], "forked": forked, **more}


class Session:
    """What heals ask of a session: a log of these files, what lies beside it, a record in a home of its own."""

    def __init__(self) -> None:
        self.files: list[dict[str, Any]] = []
        self.lying: list[dict[str, Any]] = []
        self.not_taken: list[dict[str, Any]] = []
        self.done: list[Any] = []
        self.me: Any = SimpleNamespace(player="nowak")
        self.charter, self.table = SimpleNamespace(game_id=GAME), SimpleNamespace(name="newest")
        self.game, self.scenario = "a game", "a scenario"
        self.folder = SimpleNamespace(
            log=SimpleNamespace(files=lambda: [*self.files]),
            disk=Disk(),
            drafts=lambda: [*self.lying],
            aside=lambda: [*self.not_taken],
            secrets=lambda: self.me,
            add=self._add,
            write_copy=lambda kind, document: self.done.append((f"copy of {kind}", document)),
        )

    def _add(self, kind: str, document: dict[str, Any], received: str) -> None:
        self.done.append((kind, document, received))
        self.files.append(document)

    def now(self) -> str:
        return "t"

    def forget(self) -> None:
        self.done.append("forget")

    def signed(self, made: dict[str, Any], player: str = "nowak") -> dict[str, Any]:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            made_row = record.heal_row(made, player, KEY) if made["type"] == "heal" else record.row_of(made, KEY, None)
            rows.append("signed", made_row, "then")
        return made

    def noted(self, kind: str, made: dict[str, Any]) -> None:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            rows.append(kind, {"id": document_id(made), "seq": None, "to": ""}, "t")

    def sign(self, made: dict[str, Any]) -> None:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            heal_record.sign(self, rows, made, KEY)  # type: ignore[arg-type]

    def rows(self) -> list[dict[str, Any]]:
        return self.ask(lambda rows: rows.rows)

    def ask(self, what: Callable[[record.Record], Any]) -> Any:
        with pen.held(self) as rows:  # type: ignore[arg-type]
            return what(rows)

    def void(self) -> set[str]:
        return self.ask(lambda rows: heal_record.void(self.files, rows))  # type: ignore[no-any-return]

    def unsettled(self) -> list[str]:
        return self.ask(lambda rows: heal_record.unsettled(self.files, rows, "nowak"))  # type: ignore[no-any-return]


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    return Session()


def refused(call: Callable[[], Any]) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


def short(made: dict[str, Any]) -> str:
    return document_id(made)[:12]


# -- signing -----------------------------------------------------------------------------------------------------------


def test_a_heal_is_signed_once_by_each_player(session: Any) -> None:
    made = healing_of()
    session.signed(made, "dubois")
    for _ in range(2):
        session.sign(made)
    (other, mine) = session.rows()
    assert (other["player"], mine["player"], mine["kind"], mine["about"]) == ("dubois", "nowak", "signed", "heal 9")
    assert mine["document"] == made and mine["key"] == KEY
    assert session.ask(lambda rows: [e["received"] for e in rows.log.entries]) == ["then", "t"]
    session.signed(turn(2))
    session.signed(turn(3, about="heal in its orders"))
    assert session.ask(heal_record.signed) == [made, made]
    assert session.ask(lambda rows: heal_record.signed_at(rows, made, "nowak")) == "t"
    assert session.ask(lambda rows: heal_record.signed_at(rows, made, "dubois")) == "then"
    assert session.ask(lambda rows: heal_record.signed_at(rows, made, "smith")) == ""
    assert session.ask(lambda rows: heal_record.signed_at(rows, healing_of(seq=10), "nowak")) == ""


@pytest.mark.parametrize(
    ("signers", "silent", "noted"),
    [
        (["nowak"], [], True),
        (["nowak", "dubois"], ["dubois"], True),
        (["nowak"], ["nowak"], False),
        (["dubois"], [], False),
        ([], [], False),
    ],
)
def test_a_heal_that_bears_this_players_signature_is_signed_here_too(
    signers: list[str], silent: list[str], noted: bool, session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Made at another machine, or before the record was lost; the umpire's for who was silent binds nobody."""
    made = {**healing_of(), **({"signatures": dict.fromkeys(signers, "made")} if signers else {})}
    table: Any = SimpleNamespace(ledger=SimpleNamespace(keys={"nowak": KEY, "dubois": "another"}))

    def checked(at: Any, document: Any) -> list[str]:
        assert (at, document) == (table, made)
        return silent

    monkeypatch.setattr(healing, "check_signatures", checked)
    session.signed(made, "yamada")
    for _ in range(2):
        heal_record.note_signed(session, made, table)
    mine = [row for row in session.rows() if row["player"] == "nowak"]
    assert [(row["kind"], row["about"], row["key"], row["document"]) for row in mine] == (
        [("signed", "heal 9", KEY, made)] if noted else []
    )
    assert session.ask(lambda rows: heal_record.signed_at(rows, made, "nowak")) == ("t" if noted else "")
    assert session.unsettled() == ([document_id(made)] if noted else [])
    session.me = None
    heal_record.note_signed(session, made, table)
    assert len(session.rows()) == 1 + noted, "a spectator signs nothing"


def test_what_was_only_noted_is_no_signature(session: Any) -> None:
    made = healing_of()
    with pen.held(session) as rows:
        rows.append("yielded", {"id": document_id(made), "player": "nowak", "seq": None, "to": ""}, "t")
    assert session.ask(lambda rows: heal_record.signed_at(rows, made, "nowak")) == ""


def test_a_heal_holds_every_own_file_behind_the_parting(session: Any) -> None:
    made = healing_of([turn(7), turn(8, "yamada")], [turn(7, orders=["x"])])
    for file in (turn(6), turn(7), turn(7, orders=["x"]), turn(9, "dubois")):
        session.signed(file)
    session.signed(healing_of(seq=12, place=10, instead=[document_id(made)]))
    session.noted("yielded", healing_of(seq=12, place=10, instead=[document_id(made)]))
    session.sign(made)
    lost = [session.signed(turn(8)), session.signed(turn(7, orders=["y"]))]
    named = ", ".join(f"{file['seq']} ({short(file)})" for file in lost)
    assert refused(lambda: session.sign(made)) == (Outcome.REFUSED, LOST.format(named))
    assert len(session.ask(heal_record.signed)) == 2


def test_after_a_heal_was_taken_here_what_was_signed_behind_it_is_no_loss(session: Any) -> None:
    made, later = healing_of(), turn(10)
    lost = session.signed(turn(8))
    for other in (None, healing_of(seq=10)):
        if other is not None:
            session.noted("healed", other)
        session.signed(later)
        assert refused(lambda: session.sign(made))[0] is Outcome.REFUSED
    session.noted("healed", made)
    session.signed(turn(11))
    named = f"8 ({short(lost)}), 10 ({short(later)}), 10 ({short(later)})"
    assert refused(lambda: session.sign(made)) == (Outcome.REFUSED, LOST.format(named)), "11 came behind it"
    session.files = [made]
    session.sign(made)


def test_a_heal_that_was_marked_among_rows_of_others(session: Any) -> None:
    made = healing_of()
    session.noted("yielded", made)
    session.signed(turn(8))
    assert refused(lambda: session.sign(made))[0] is Outcome.REFUSED, "only a row of this kind says that it was taken"


def test_another_heal_is_signed_only_where_it_stands_instead(session: Any) -> None:
    first, second = healing_of(), healing_of(seq=10)
    session.sign(first)
    said = (
        f"you have signed another heal ({short(first)}), and this one does not stand instead of it: `pbem heal --anew` "
        "writes one that does"
    )
    assert refused(lambda: session.sign(second)) == (Outcome.REFUSED, said)
    assert refused(lambda: session.sign({**second, "instead": [PREV]})) == (Outcome.REFUSED, said)
    session.sign({**second, "instead": [document_id(first)]})
    session.noted("yielded", first)
    session.noted("yielded", {**second, "instead": [document_id(first)]})
    session.sign(second)


# -- what waits --------------------------------------------------------------------------------------------------------


def test_a_heal_waits_until_it_or_another_of_its_fork_is_taken(session: Any) -> None:
    made = session.signed(healing_of())
    session.signed(healing_of(seq=11), "dubois")
    name = document_id(made)
    assert session.unsettled() == [name] == heal_record.waiting(session)
    for first, last, settles in ((7, 9, True), (8, 9, False), (6, 8, True), (6, 7, False), (5, 12, True)):
        session.files = [turn(), healing_of(seq=last, place=first)]
        assert session.unsettled() == ([] if settles else [name]), (first, last)
    session.files = [{**healing_of(seq=9), "type": "void"}]
    assert session.unsettled() == [name]
    session.files = []
    session.noted("healed", made)
    assert session.unsettled() == [name]
    session.noted("yielded", made)
    assert session.unsettled() == []
    session.me = None
    assert heal_record.waiting(session) == []


def test_beside_a_heal_that_waits_nothing_is_signed_until_it_is_dropped(session: Any) -> None:
    def check() -> None:
        session.ask(lambda rows: heal_record.check_settled(session.files, rows, "nowak"))

    check()
    made = session.signed(healing_of())
    said = (
        f"you have signed a heal ({short(made)}) that not all have signed yet; a file signed now would not be in it. Nothing "
        "was signed; `pbem heal --drop` waits for it no longer"
    )
    assert refused(check) == (Outcome.WAITING, said)
    session.ask(lambda rows: heal_record.check_settled(session.files, rows, "dubois"))
    assert session.ask(lambda rows: heal_record.drop(session, rows)) == [document_id(made)]
    assert session.rows()[-1] == {"id": document_id(made), "seq": None, "to": "", "kind": "yielded"}
    assert session.ask(lambda rows: rows.log.entries[-1]["received"]) == "t"
    check()
    assert session.ask(lambda rows: heal_record.drop(session, rows)) == []


def test_where_the_record_is_lost_the_folder_shows_own_files(session: Any) -> None:
    made = healing_of([turn(7), turn(8, "yamada")], [turn(7, orders=["x"])])

    def check() -> None:
        heal_record.check_holds_known(session, made)

    session.files = [
        {"type": "charter"},
        *(turn(6), turn(7), turn(8, "dubois", signed_by="smith")),
        *({"type": "void", "seq": 8}, healing_of(seq=9)),
    ]
    session.not_taken = [turn(7, orders=["x"]), turn(8, signed_by="smith")]
    check()
    aside, standing = turn(8, orders=["y"]), turn(7, "dubois", signed_by="nowak")
    session.not_taken += [aside]
    assert refused(check) == (Outcome.REFUSED, LOST.format(f"8 ({short(aside)})"))
    session.files.append(standing)
    assert refused(check) == (Outcome.REFUSED, LOST.format(f"7 ({short(standing)}), 8 ({short(aside)})"))


# -- what is void ------------------------------------------------------------------------------------------------------


def test_each_heal_of_the_log_is_marked_once(session: Any) -> None:
    one, two = healing_of(), healing_of(seq=12, place=10)
    session.noted("yielded", two)
    session.files = [turn(), one, turn(10), two]
    for _ in range(2):
        session.ask(lambda rows: heal_record.mark(session.files, rows, "w"))
    assert session.rows()[1:] == [
        {"id": document_id(one), "seq": 9, "kind": "healed"},
        {"id": document_id(two), "seq": 12, "kind": "healed"},
    ]
    assert session.ask(lambda rows: [e["received"] for e in rows.log.entries]) == ["t", "w", "w"]


def test_void_is_what_was_signed_before_a_heal_behind_its_parting_and_does_not_stand(session: Any) -> None:
    made = healing_of([turn(7)], [turn(7, orders=["x"])])
    before = [turn(8, orders=["z"]), turn(7, orders=["x"]), turn(6, orders=["a"]), turn(7)]
    for file in before:
        session.signed(file)
    session.signed(healing_of(seq=20))
    session.files = [turn(6), turn(7), {"type": "void", "seq": 8}, made]
    assert session.void() == set(), "it was not taken at this machine"
    session.noted("healed", made)
    session.signed(turn(10))
    session.noted("healed", made)
    assert session.void() == {document_id(file) for file in before[:2]}
    session.files.pop()
    assert session.void() == set()


def test_of_two_heals_each_makes_void_what_was_signed_before_it(session: Any) -> None:
    one, two = healing_of(), healing_of(seq=12, place=10)
    first, second = session.signed(turn(8)), turn(11)
    session.noted("healed", one)
    session.signed(second)
    session.noted("healed", two)
    session.files = [one, two]
    assert session.void() == {document_id(first), document_id(second)}


# -- which lie here ----------------------------------------------------------------------------------------------------


def test_heals_that_may_still_come_into_force(session: Any) -> None:
    one, other = healing_of(), healing_of(seq=10, place=9)
    assert heals.known(session) == []
    session.lying = [one, other, {**healing_of(), "game": "bb" * 32}]
    assert heals.known(session) == [one, other] and heals.known(session)[0] is not one
    session.files = [turn(), healing_of(seq=9, place=6)]
    assert heals.known(session) == [other], "the fork of the first is healed already"
    for first, last, settles in ((7, 9, True), (8, 9, False), (6, 7, False), (6, 8, True)):
        session.files = [turn(), healing_of(seq=last, place=first, to=4)]
        assert (one in heals.known(session)) is not settles, (first, last)
    session.files = [turn(), {**other, "to": 1, "instead": [document_id(one)]}]
    assert one not in heals.known(session)
    session.files = [turn(), one]
    assert heals.known(session) == [other]
    session.files = []
    newer = healing_of(seq=11, place=9, instead=[document_id(other)])
    session.lying = [one, other, newer]
    assert heals.known(session) == [one, newer]


def test_who_has_not_signed_a_heal(session: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(healing, "signers", lambda *of: asked.append(of) or ["dubois", "nowak", "yamada"])
    made = healing_of()
    assert heals.missing(session.table, made) == ["dubois", "nowak", "yamada"]
    assert heals.missing(session.table, {**made, "signatures": {"nowak": "x"}}) == ["dubois", "yamada"]
    assert asked[0] == (session.table, made)


def test_signatures_that_lie_here_are_joined(session: Any) -> None:
    assert refused(lambda: heals.with_known(session, {})) == (Outcome.WAITING, "no heal waits for signatures here")
    made = healing_of()
    assert heals.with_known(session, made) == made
    session.lying = [healing_of(seq=10), {**made, "signatures": {"dubois": "d", "nowak": "old"}}]
    joined = heals.with_known(session, {**made, "signatures": {"nowak": "n"}})
    assert joined == {**made, "signatures": {"dubois": "d", "nowak": "n"}}


# -- taking ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What tables were asked to judge; each is a new one, and nothing is refused."""
    seen: list[Any] = []
    table = SimpleNamespace(name="fresh")
    monkeypatch.setattr(Table, "start", lambda *of: seen.append(("start", *of)) or table)
    monkeypatch.setattr(heals, "take_in_place", lambda at, file, fetch: seen.append((at, file, fetch(0), fetch(file["seq"]))))
    take = lambda at, made, fetch, complete: seen.append((at, made, fetch(0), complete))  # noqa: E731
    monkeypatch.setattr(healing, "take", take)
    monkeypatch.setattr(healing, "check_signatures", lambda at, made: seen.append((at, made)) or made.get("signers", {}))
    return seen


CHARTER = {"type": "charter", "seq": 0}


def parted() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A log that parts at file 2, and a heal that goes on from the other version's file 2."""
    first = turn(1, "yamada")
    mine, kept = turn(2, prev=document_id(first)), turn(2, prev=document_id(first), orders=["x"])
    return [CHARTER, first, mine], healing_of([kept], [mine], seq=3, place=2, signers={"nowak": "n"})


def test_what_a_heal_keeps_is_judged_anew(session: Any, judged: list[Any]) -> None:
    session.files, made = parted()
    kept = made["versions"][0][0]
    table = heals.played(session, made, complete=False)
    assert judged == [
        ("start", session.charter, "a game", "a scenario"),
        (table, session.files[1], CHARTER, session.files[1]),
        (table, kept, CHARTER, kept),
        (table, made, CHARTER, False),
    ]


def test_a_complete_heal_is_taken_by_one_entry_and_marked(session: Any, judged: list[Any]) -> None:
    session.files, made = parted()
    heals.take(session, made)
    assert session.done == [("heal", made, "t"), "forget", ("copy of file", made["versions"][0][0])]
    assert [(row["kind"], row["id"]) for row in session.rows()] == [("healed", document_id(made))]
    assert (judged[-2][0].name, judged[-2][3]) == ("fresh", True)


def test_whoever_watches_takes_a_heal_and_has_no_record(session: Any, judged: list[Any]) -> None:
    session.files, made = parted()
    session.me = None
    heals.take(session, {**made, "signers": {}})
    assert session.done[0][0] == "heal" and session.rows() == []


def test_a_heal_that_others_signed_for_a_player_holds_all_that_he_has_signed(session: Any, judged: list[Any]) -> None:
    session.files, made = parted()
    lost = session.signed(turn(2, orders=["z"]))
    said = LOST.format(f"2 ({short(lost)})")
    assert refused(lambda: heals.take(session, {**made, "signers": {"dubois": "d"}})) == (Outcome.REFUSED, said)
    assert session.done == []
    heals.take(session, made)
    assert session.done and judged[-1][0].name == "fresh"


@pytest.mark.parametrize("place", [1, 2, 3])
def test_a_heal_in_the_log_gives_way_only_to_one_that_names_it(session: Any, judged: list[Any], place: int) -> None:
    files, made = parted()
    other = healing_of(seq=place, place=1)
    session.files = [*[*files, turn(3)][:place], other]
    named = {**made, "instead": [document_id(other)]}
    heals._check_instead(session, named)
    if place < 2:
        heals._check_instead(session, made)
        return
    said = f"this fork is healed at place {place} already, and this heal does not stand instead of that one"
    assert refused(lambda: heals.take(session, made)) == (Outcome.REFUSED, said)
    session.files.append(turn(place + 1))
    said = f"the game has gone on behind the heal at place {place}: that one holds"
    assert refused(lambda: heals.take(session, named)) == (Outcome.WAITING, said)


# -- coming back -------------------------------------------------------------------------------------------------------


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Heals that were taken; all have signed those that say so."""
    seen: list[Any] = []
    monkeypatch.setattr(heals, "take", lambda session, made: seen.append(made))
    monkeypatch.setattr(heals, "missing", lambda table, made: [] if table and made.get("complete") else ["dubois"])
    monkeypatch.setattr(heal, "read_heal", lambda made: {**made, "read": True})
    return seen


def test_a_heal_that_was_lost_comes_back_once(session: Any, taken: list[Any]) -> None:
    one, two, three = (healing_of(seq=seq, complete=True) for seq in (9, 10, 11))
    nothing = {"document": turn(), "answered": None}
    assert heals.recover(session, []) is False is heals.recover(session, [nothing])
    rows = [nothing, {"document": turn(10), "answered": one}, {"document": two, "answered": {}}]
    assert heals.recover(session, rows) is True and taken == [{**one, "read": True}]
    session.files = [one]
    assert heals.recover(session, rows) is True and taken[1:] == [{**two, "read": True}]
    session.files, session.lying = [one, two], [healing_of(seq=12), three]
    assert heals.recover(session, rows) is True and taken[2:] == [{**three, "read": True}]
    session.files.append(three)
    assert heals.recover(session, rows) is False and len(taken) == 3


def test_a_heal_that_does_not_fit_hinders_no_other(session: Any, taken: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (healing_of(seq=seq, complete=True) for seq in (9, 10))

    def take(of: Any, made: dict[str, Any]) -> None:
        if made["seq"] == 9:
            raise LookupError
        taken.append((of, made["seq"]))

    monkeypatch.setattr(heals, "take", take)
    session.lying = [one, two]
    assert heals.recover(session, []) is True and taken == [(session, 10)]
    session.lying = [one]
    assert heals.recover(session, []) is False


def test_heals_of_another_folder_are_brought(session: Any, taken: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    other: Any = Session()
    one, two, three, four = (healing_of(seq=seq) for seq in (9, 10, 11, 12))
    session.files, other.files = [turn(), one], [turn(), turn(8), one, two, three, four]

    def take(of: Any, made: dict[str, Any]) -> None:
        if made is two:
            raise ProtocolError(Outcome.WAITING, msg("no"))
        if made is three:
            raise Refused([])
        taken.append((of, made))

    monkeypatch.setattr(heals, "take", take)
    heals.bring(session, other)
    assert taken == [(session, four)]
