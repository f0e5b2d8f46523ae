"""A session's single steps with everything around them in view: what each hands on, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import Struct

from pbem.kernel.wording import msg
from pbem.protocol import keys
from pbem.protocol import slips as signed_slips
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import desk as desks
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from pbem.store import announcing, clock, enclosing, heal_record, mending, outgoing, pen, sets, waits
from pbem.store import session as sessions
from pbem.store.session import Session

GAME, HEAD = "ab" * 32, "cd" * 32
S: Any = Session


class Fake(SimpleNamespace):
    """A session of whose parts each answers with its name; `done` says what was asked."""

    def __init__(self, **more: Any) -> None:
        self.done: list[Any] = []
        log = SimpleNamespace(slips=lambda: ["slip"], files=lambda: [{"seq": 0}, {"seq": 1}])
        folder = SimpleNamespace(log=log, fetch="fetch", secrets=lambda: self.me)
        for name in ("add", "save_checkpoint", "save_secrets"):
            setattr(folder, name, self.asked(name))
        self.me = SimpleNamespace(player="nowak", sealed={}, by_holds=[])
        due = SimpleNamespace(what="orders", player="nowak")
        table = Table("table")
        table.due, table.result = due, None
        charter = SimpleNamespace(game_id=GAME, version=2)
        super().__init__(
            folder=folder,
            table=table,
            charter=charter,
            head=HEAD,
            private="key",
            secrets=lambda: "secrets",
            _table="old",
            _unheard=None,
        )
        self.__dict__.update(more)

    def asked(self, name: str, answer: Any = None) -> Callable[..., Any]:
        def call(*words: Any, **more: Any) -> Any:
            self.done.append((name, *words, *([more] if more else [])))
            return answer

        return call


class Table(SimpleNamespace):
    """A table known by its name; a fork is another one."""

    def __init__(self, name: str, last: str = HEAD) -> None:
        super().__init__(
            name=name, ledger=SimpleNamespace(entries=[SimpleNamespace(id=one) for one in ("x", "y", last)], held=[])
        )

    def fork(self) -> Table:
        return Table(f"fork of {self.name}")

    def to_plain(self) -> str:
        return f"plain {self.name}"


class Taken(Struct, frozen=True):
    """What came of a file."""

    table: Any
    words: str = "what it did"


def patched(monkeypatch: pytest.MonkeyPatch, fake: Fake, where: Any, name: str, answer: Any = None) -> None:
    monkeypatch.setattr(where, name, fake.asked(name, answer))


def test_a_draft_and_a_desk_see_the_same_things(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    for where, name in ((sessions, "compose"), (desks, "Desk"), (sets, "written_out"), (announcing, "salt")):
        patched(monkeypatch, fake, where, name, name)
    assert S.try_out(fake, "draft") == "compose" and S.desk(fake) == "Desk" == S.desk(fake, "text")
    (_, *composed), (_, _, no_text), (_, *bare), (_, _, text), (_, *desk) = fake.done
    assert (no_text, text) == ("", "text") and fake.done[1][1] is fake
    assert composed[:4] == [fake.table, "secrets", "draft", "fetch"]
    for found, salt in ((bare, bare[3]), (desk, desk[3])):
        assert found[:3] == [fake.table, "secrets", "fetch"] and found[4] == "written_out"
        assert salt(1, 2, "order") == "salt" and fake.done[-1] == ("salt", fake, 1, 2, "order")
    composed[4](3)
    assert fake.done[-1] == ("salt", fake, 3)


# -- signing and keeping -----------------------------------------------------------------------------------------------


@pytest.fixture
def signing(monkeypatch: pytest.MonkeyPatch) -> Fake:
    fake = Fake()
    patched(monkeypatch, fake, sessions, "take", "taken")
    patched(monkeypatch, fake, sessions.turnfile, "sign", {"seq": 2})
    patched(monkeypatch, fake, keys, "public_text", "public")
    for where, names in ((pen, ("write_row", "vouch")), (outgoing, ("put_out", "back_up"))):
        for name in names:
            patched(monkeypatch, fake, where, name)
    fake._keep = fake.asked("keep")
    return fake


def test_the_steps_of_a_signature(signing: Fake) -> None:
    made = {"seq": 2}
    assert S.sign_and_keep(signing, SimpleNamespace(document="draft", sealed={}), "key") == made
    table, folder = signing.table, signing.folder
    assert signing.done == [
        ("sign", "draft", "key"),
        ("take", table, made, "fetch"),
        ("public_text", "key"),
        ("write_row", signing, made, "public", {}),
        ("keep", made, "taken"),
        ("put_out", signing, made, table),
        ("vouch", folder, GAME),
        ("back_up", signing),
    ]


def test_what_a_file_carries_besides_its_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake.sign_and_keep, fake.try_out = fake.asked("sign", "document"), fake.asked("try", "composed")
    patched(monkeypatch, fake, sessions.overdue, "check_open")
    fake.why_unsure = fake.asked("why_unsure", "")
    patched(monkeypatch, fake, announcing, "announcements", {"next_chain": "chain"})
    carries = {"replacement": ({"replaces": "x"}, ["refusal"]), "carried": ["carried"], "untaken_slips": ["untaken"]}
    for name, answer in {"check_sealed": None, **carries}.items():
        patched(monkeypatch, fake, enclosing, name, answer)
    draft = Draft(["halt"], extra={"more": 1}, slips=["own"])  # type: ignore[list-item]
    assert S.write(fake, draft) == "document"
    assert draft.extra == {"more": 1, "next_chain": "chain", "replaces": "x"}
    assert draft.slips == ["own", "refusal", "carried", "untaken"]
    assert fake.done == [
        ("check_open", fake.table),
        ("why_unsure",),
        ("check_sealed", fake),
        ("replacement", fake),
        ("carried", fake),
        ("announcements", fake, True),
        ("untaken_slips", fake, draft),
        ("try", draft),
        ("sign", "composed", "key"),
    ]
    patched(monkeypatch, fake, enclosing, "carried", [])
    S.write(fake, Draft([]))
    assert ("announcements", fake, False) in fake.done


def test_seals_are_kept_before_the_row(signing: Fake) -> None:
    signing.me.sealed["one"] = 1
    S.sign_and_keep(signing, SimpleNamespace(document="draft", sealed={"two": 2}), "key")
    assert signing.me.sealed == {"one": 1, "two": 2}
    steps = [step for step in signing.done if step[0] in ("save_secrets", "write_row")]
    assert steps == [("save_secrets", signing.me), ("write_row", signing, {"seq": 2}, "public", {"two": 2})]


def test_a_file_is_kept_in_log_and_checkpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: "now")
    fake = Fake()
    S._keep(fake, {"seq": 2}, Taken(Table("new")))
    assert fake.done == [("add", "file", {"seq": 2}, "now"), ("save_checkpoint", "plain new")] and fake._table.name == "new"

    def full(*_: Any) -> None:
        raise OSError

    fake.folder.add = full
    with pytest.raises(OSError):
        S._keep(fake, {"seq": 2}, Taken(Table("newer")))
    assert fake._table is None, "the log says how far it came"


# -- taking ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def taking(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The game is over by a resignation (`late`), before which a file was signed."""
    fake = Fake()
    fake.table.due.what = "nothing"
    patched(monkeypatch, fake, sessions, "take", Taken(Table("taken")))
    monkeypatch.setattr(slips, "resignations", lambda found: [s for s in found if s != "other"])
    patched(monkeypatch, fake, slips, "note_beside")
    fake.folder.log.slips = lambda: ["late", "later", "other"]
    fake.replayed = fake.asked("replayed", Table("unheard", "zz"))
    return fake


def test_where_nobody_has_resigned_a_file_is_taken_at_the_newest_table(taking: Fake) -> None:
    def plain(prev: str = HEAD) -> None:
        taking.done.clear()
        assert S._try(taking, {"prev": prev}).table.name == "taken" and taking._unheard is None
        assert taking.done == [("take", taking.table, {"prev": prev}, "fetch")]

    plain("another")
    taking.table.due.what = "orders"
    plain()
    taking.table.due.what, taking.folder.log.slips = "nothing", lambda: ["other"]
    plain()


@pytest.mark.parametrize("why", ["the game is over", "there is another key"])
def test_a_file_is_taken_as_if_nobody_had_resigned_and_then_it_counts_or_not(
    why: str, taking: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    after = Table("after")
    after.ledger.held = ["one", "another"]
    patched(monkeypatch, taking, sessions, "take", Taken(after))
    if why == "there is another key":
        taking.table.due.what = "orders"
    found = S._try(taking, {"prev": HEAD})
    replayed, took, noted = taking.done[-3:]
    assert len(taking.done) == (4 if why == "there is another key" else 3), "only then it is tried as it is"
    assert replayed == ("replayed", {"passing_over": ["late", "later"]})
    assert took[1].name == "unheard" and took[2:] == ({"prev": HEAD}, "fetch")
    assert noted[0] == "note_beside" and noted[1].name == "fork of after" and noted[2] == ["late", "later"]
    assert taking._unheard is after and found.table is noted[1] and found.words == "what it did"


def test_the_table_without_the_resignation_is_used_while_it_is_the_newest(
    taking: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    patched(monkeypatch, taking, sessions, "take", Taken(Table("after")))
    for last, again in ((HEAD, False), ("older", True)):
        taking.done.clear()
        taking._unheard = Table("kept", last)
        S._try(taking, {"prev": HEAD})
        assert [step[0] for step in taking.done] == [*(["replayed"] if again else []), "take", "note_beside"]
        assert [s[1].name for s in taking.done if s[0] == "take"] == ["unheard" if again else "kept"]


def test_a_file_goes_through_its_checks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake._check_late, fake._try, fake._keep = fake.asked("late"), fake.asked("try", "taken"), fake.asked("keep")
    monkeypatch.setattr(pen, "note_shown", lambda at, file: fake.done.append(("shown", at is fake, file)))
    assert S.take(fake, "file") == "taken"
    assert fake.done == [("late", "file"), ("try", "file"), ("shown", True, "file"), ("keep", "file", "taken")]


def test_after_an_answer_nothing_is_taken_without_the_question() -> None:
    fake = Fake()
    for asked in (None, {"player": "yamada"}):
        fake.promised = fake.asked("promised", asked)
        if asked is None:
            S._check_late(fake, "file")
            continue
        with pytest.raises(ProtocolError) as caught:
            S._check_late(fake, "file")
        assert (caught.value.outcome, str(caught.value)) == (
            Outcome.REFUSED,
            "yamada asked after a restore what you hold, and you have answered that you hold no such file: at its place only "
            "one that carries his question counts",
        )
    assert fake.done == [("promised", "file")] * 2


def test_what_was_promised_is_asked_of_players_of_newer_games(monkeypatch: pytest.MonkeyPatch) -> None:
    fake, question = Fake(), {"slip": "restored"}
    document = {"player": "yamada", "seq": 3}
    patched(monkeypatch, fake, enclosing, "not_carried", ["slip"])
    patched(monkeypatch, fake, slips, "promised", question)
    found = S.promised(fake, document)
    assert found == question and found is not question
    assert fake.done == [("not_carried", fake, "yamada", 3), ("promised", fake.table, document, ["slip"], "nowak")]
    patched(monkeypatch, fake, slips, "promised")
    assert S.promised(fake, document) is None
    fake.done.clear()
    fake.charter.version = 1
    assert S.promised(fake, document) is None
    fake.charter.version, fake.me = 2, None
    assert S.promised(fake, document) is None and fake.done == []


# -- by itself ---------------------------------------------------------------------------------------------------------


def test_a_program_writes_what_is_no_decision_while_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions.first_set, "of_first_file", lambda session: {"a": "set"} if isinstance(session, Fake) else {})
    for due, seated, waiting, unsure, written in (
        *((2, True, [], "", 2), (0, True, [], "", 0), (2, True, [], "a reason", 0)),
        *((2, False, [], "", 0), (2, True, ["a heal"], "", 0)),
    ):
        fake = Fake(is_seated=seated, left=due)

        def write(draft: Any, fake: Fake = fake) -> str:
            assert draft == Draft([], {"a": "set"})
            fake.left -= 1
            return f"file {fake.left}"

        fake.owes_what_is_no_decision = fake.owes_a_file = lambda fake=fake: fake.left > 0
        fake._held_orders = lambda table: []
        fake.write = write
        fake.writes_by_itself = lambda fake=fake: S.writes_by_itself(fake)
        fake.why_unsure = fake.asked("why_unsure", unsure)
        patched(monkeypatch, fake, heal_record, "waiting", waiting)
        patched(monkeypatch, fake, waits, "waits", False)
        assert S.answer_by_itself(fake) == ["file 1", "file 0"][:written], (due, seated, waiting, unsure)
        asked = [step for step in fake.done if step[0] == "why_unsure"]
        assert asked == [("why_unsure",)] * (max(written, 1) if due else 0)
        assert fake.kept_back is None and (("waits", fake.folder) in fake.done) is (due > 0)
        assert all(step == ("waiting", fake) for step in fake.done if step[0] == "waiting")


def test_a_file_that_waits_is_kept_back_and_those_before_it_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions.first_set, "of_first_file", lambda session: {"a": "set"} if isinstance(session, Fake) else {})
    for wait, noted, written in ((True, False, 1), (None, True, 1), (None, False, 2), (False, True, 2)):
        fake = Fake(left=2)

        def write(draft: Any, fake: Fake = fake) -> str:
            fake.left -= 1
            return "file"

        behind = SimpleNamespace(table="behind")
        fake.owes_what_is_no_decision = fake.owes_a_file = lambda fake=fake: fake.left > 0
        fake._held_orders = lambda table: []
        fake.writes_by_itself = lambda: True
        fake.write = write
        fake.asked_behind = lambda fake=fake, behind=behind: behind if fake.left == 1 else None
        patched(monkeypatch, fake, waits, "waits", noted)
        assert S.answer_by_itself(fake, wait=wait) == ["file"] * written, (wait, noted)
        assert fake.kept_back == (behind if written == 1 else None)


def test_what_is_held_is_written_and_goes_into_the_file_that_would_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions.first_set, "of_first_file", lambda session: {"a": "set"} if isinstance(session, Fake) else {})
    monkeypatch.setattr(sessions, "document_id", lambda document: f"id of {document}")
    for no_decision, wait, given in ((False, False, ["x"]), (True, True, ["x"]), (False, True, []), (True, False, [])):
        fake = Fake(left=1, drafts=[], asked=[])

        def write(draft: Any, fake: Fake = fake) -> str:
            fake.left -= 1
            fake.drafts.append([*draft.orders])
            return "file"

        def held(table: Any, fake: Fake = fake, given: list[str] = given) -> list[str]:
            fake.asked.append(table)
            return given

        fake.owes_a_file = lambda fake=fake: fake.left > 0
        fake.owes_what_is_no_decision = lambda no_decision=no_decision: no_decision
        fake.asked_behind = lambda no_decision=no_decision: SimpleNamespace(table="behind") if no_decision else None
        fake._held_orders, fake.writes_by_itself, fake.write = held, lambda: True, write
        written = S.answer_by_itself(fake, wait=wait)
        assert written == (["file"] if given or no_decision else [])
        assert fake.drafts == ([given] if written else []) and fake.kept_back is None
        assert fake.asked == ["behind" if no_decision and wait else fake.table]
        assert fake.me.by_holds == (["id of file"] if given else []), "what a hold has decided is told from one's own"
        assert fake.done[-1:] == ([("save_secrets", fake.me)] if given else [])


def test_what_is_due_of_a_program_is_composed_and_kept_where_its_player_is_asked_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for owes, asked, kept in ((True, "a question", True), (True, None, False), (False, "a question", False)):
        composed, fake = SimpleNamespace(table="table behind it"), Fake()
        fake.owes_what_is_no_decision = lambda owes=owes: owes
        fake.try_out = fake.asked("try out", composed)
        patched(monkeypatch, fake, sessions, "question_of", asked)
        assert S.asked_behind(fake) is (composed if kept else None), (owes, asked)
        steps = [("try out", Draft()), ("question_of", "table behind it", "nowak")]
        assert fake.done == (steps if owes else [])


def test_the_place_of_a_file_that_is_kept_back() -> None:
    fake = Fake()
    fake.table.last = 4
    for owes, may, opens, behind, place in (
        *((True, True, True, "composed", 5), (False, True, True, "composed", 0), (True, False, True, "composed", 0)),
        *((True, True, False, "composed", 0), (True, True, True, None, 0)),
    ):
        fake.owes_what_is_no_decision = lambda owes=owes: owes
        fake.writes_by_itself = lambda may=may: may
        fake.folder.private = SimpleNamespace(opens_unasked=lambda opens=opens: opens)
        fake.asked_behind = lambda behind=behind: behind
        assert S.place_kept_back(fake) == place


def test_whose_program_owes_a_file() -> None:
    fake = Fake()
    for what, owes in (("witness", True), ("orders", False), ("nothing", False)):
        fake.table.due.what = what
        fake.owes_a_file = lambda fake=fake: S.owes_a_file(fake)
        assert S.owes_what_is_no_decision(fake) is owes
    fake.table.due.what, fake.table.result = "witness", "won"
    assert not S.owes_what_is_no_decision(fake)
    fake.table.result, fake.table.due.player = None, "yamada"
    assert not S.owes_what_is_no_decision(fake)
    fake.table.due.player, fake.me = None, None
    assert not S.owes_what_is_no_decision(fake)


# -- slips -------------------------------------------------------------------------------------------------------------


def test_a_slip_is_about_the_log_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    patched(monkeypatch, fake, signed_slips, "make", "made")
    patched(monkeypatch, fake, signed_slips, "sign", "signed")
    assert S.sign_slip(fake, "request", {"text": "?"}) == "signed" == S.sign_slip(fake, "head", {}, "another key")
    assert fake.done == [
        ("make", "request", GAME, HEAD, "nowak", {"text": "?"}, 2),
        ("sign", "made", "key"),
        ("make", "head", GAME, HEAD, "nowak", {}, 2),
        ("sign", "made", "another key"),
    ]


def test_a_slip_is_signed_with_the_newest_key_of_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    held = [("nowak", "old"), ("nowak", "new"), ("yamada", "other")]
    fake.table.ledger.held = [SimpleNamespace(player=player, key=key) for player, key in held]
    patched(monkeypatch, fake, pen, "write_slip_row", "row")
    patched(monkeypatch, fake, pen, "about", "a subject")
    slip = {"player": "nowak"}
    assert S.sign_row(fake, slip) == "row"
    assert fake.done == [("about", slip), ("write_slip_row", fake, slip, "new", "a subject")]


def test_a_slip_is_added_once_and_whoever_holds_the_table_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: "now")
    fake = Fake(_unheard="unheard")
    patched(monkeypatch, fake, slips, "note")
    S.add_slip(fake, "slip")
    assert fake.done == [] and fake._unheard == "unheard"
    S.add_slip(fake, "new")
    added, noted, saved = fake.done
    assert added == ("add", "slip", "new", "now") and noted == ("note", fake._table, "new")
    assert saved == ("save_checkpoint", "plain fork of table") and fake._table.name == "fork of table" and fake._unheard is None

    def full(*_: Any) -> None:
        raise OSError

    fake.folder.add = full
    with pytest.raises(OSError):
        S.add_slip(fake, "newer")
    assert fake._table is None


def test_what_is_withdrawn_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: "now")
    monkeypatch.setattr(sessions, "document_id", lambda document: f"id {document['seq']}")
    fake = Fake()
    fake._withdraw = lambda *words, **more: S._withdraw(fake, *words, **more)
    S.withdraw(fake, "a refusal")
    S.withdraw_from(fake, 0, unsent=["x"])
    assert fake.done == [
        ("add", "withdrawn", {"seq": 1, "id": "id 1", "refusal": "a refusal"}, "now"),
        ("add", "withdrawn", {"seq": 0, "id": "id 0", "refusal": None, "unsent": ["x"]}, "now"),
    ]
    assert fake._table is None


# -- at work -----------------------------------------------------------------------------------------------------------


def test_a_session_at_work_is_locked_read_again_and_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()

    @contextmanager
    def locked() -> Iterator[None]:
        fake.done.append("lock")
        yield
        fake.done.append("unlock")

    fake.folder.lock, fake.folder.forget_log = locked, fake.asked("forget_log")
    patched(monkeypatch, fake, mending, "mend")
    monkeypatch.setattr(Session, "open", fake.asked("open", fake))
    with Session.at_work("path") as session:  # type: ignore[arg-type]
        assert session is fake  # type: ignore[comparison-overlap]
        fake.done.append("at work")
    steps = ["lock", ("forget_log",), ("mend", fake), "at work", "unlock"]
    assert fake.done == [("open", "path", {"to_mend": True}), *steps]


def test_what_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: "now")
    session: Any = Session(SimpleNamespace(forget_log=lambda: None))  # type: ignore[arg-type]
    session._table, session._unheard = "table", "unheard"
    session.forget()
    assert session._table is None is session._unheard and session.now() == "now" and session.caught_up == []


def test_what_comes_back_goes_through_its_checks_too(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake._check_late, fake._try, fake._keep = fake.asked("late"), fake.asked("try", "taken"), fake.asked("keep")
    patched(monkeypatch, fake, sessions.turnfile, "read_turn", "read")
    S.keep_taken(fake, "file")
    assert fake.done == [("late", "file"), ("read_turn", "file"), ("try", "read"), ("keep", "file", "taken")]


def test_a_full_disk_behind_the_record_is_told(signing: Fake) -> None:
    for error, shown in ((OSError(28, "No space left"), "No space left"), (OSError("x"), "")):

        def full(*_: Any, error: OSError = error) -> None:
            raise error

        signing._keep = full
        with pytest.raises(ProtocolError) as caught:
            S.sign_and_keep(signing, SimpleNamespace(document="draft", sealed={}), "key")
        told = (
            f"file 2 is signed and kept in the record, but it did not fit into the folder ({shown}): make room, and the next "
            "command finishes it"
        )
        assert (caught.value.outcome, str(caught.value)) == (Outcome.NOT_WRITTEN, told)
    assert "put_out" not in [step[0] for step in signing.done]


def test_whoever_watches_writes_nothing() -> None:
    class Watching(Fake):
        def __getattribute__(self, name: str) -> Any:
            if name == "me":
                raise ProtocolError(Outcome.WRONG_KEY, msg("it watches"))
            return super().__getattribute__(name)

    with pytest.raises(ProtocolError, match="it watches"):
        S.write(Watching(), Draft([]))


def test_whoever_is_not_sure_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    patched(monkeypatch, fake, sessions.overdue, "check_open")
    fake.why_unsure = fake.asked("why_unsure", "a reason")
    patched(monkeypatch, fake, pen, "not_sure", ProtocolError(Outcome.WAITING, msg("not sure")))  # type: ignore[attr-defined]
    with pytest.raises(ProtocolError, match="not sure"):
        S.write(fake, Draft([]))
    assert fake.done == [("check_open", fake.table), ("why_unsure",), ("not_sure", "a reason")]


@pytest.mark.parametrize(("by_record", "by_question"), [("a", "b"), ("", "b"), ("", "")])
def test_a_folder_is_unsure_by_its_record_or_by_what_it_asks(
    monkeypatch: pytest.MonkeyPatch, by_record: str, by_question: str
) -> None:
    fake = Fake()
    patched(monkeypatch, fake, pen, "why_unsure", by_record)
    patched(monkeypatch, fake, enclosing, "why_not_carried", by_question)
    assert S.why_unsure(fake) == (by_record or by_question)
    assert fake.done == [("why_unsure", fake.folder, GAME), *([] if by_record else [("why_not_carried", fake)])]


@pytest.mark.parametrize(
    ("asked", "opens", "held"), [(None, True, ["hold"]), ("ask", False, ["hold"]), ("ask", True, []), (None, False, [])]
)
def test_no_hold_answers_where_nothing_is_asked_or_a_passphrase_or_a_hold_lacks(
    monkeypatch: pytest.MonkeyPatch, asked: Any, opens: bool, held: list[str]
) -> None:
    fake = Fake()
    fake.me.local_standing, fake.folder.private = held, SimpleNamespace(opens_unasked=lambda: opens)
    patched(monkeypatch, fake, sessions, "question_of", asked)
    patched(monkeypatch, fake, sessions.holds, "orders", ["pass"])
    assert S._held_orders(fake, "behind") == []
    assert fake.done == [("question_of", "behind", fake.me.player)]


def test_holds_are_asked_at_the_table_behind_and_tried_out_there(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = Fake()
    fake.me.local_standing, fake.folder.private = ["hold"], SimpleNamespace(opens_unasked=lambda: True)
    fake.knowledge = lambda: "knowledge"
    fake.try_out = fake.asked("try", SimpleNamespace(table="after"))
    patched(monkeypatch, fake, sessions, "question_of", "ask")
    patched(monkeypatch, fake, sessions.holds, "orders", ["pass"])
    assert S._held_orders(fake, "behind") == ["pass"]
    first, (name, *asked, tried) = fake.done
    assert first == ("question_of", "behind", fake.me.player)
    assert (name, *asked) == ("orders", "behind", fake.me.player, ["hold"], "knowledge")
    assert tried(["halt"]) == "after" and fake.done[-1] == ("try", Draft(["halt"]))
