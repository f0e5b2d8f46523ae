"""An order file on its way, on a tiny game: what it says is what would be sent, its notes too."""

from __future__ import annotations

from pbem.runtime.desk import Desk
from tests.runtime.test_living import people


def desk_of(text: str) -> Desk:
    person = people()[0]
    return Desk(person.table, person.secrets(), person.fetch, lambda *_: b"\7" * 32, text)


def test_the_file_has_the_note_that_the_text_has_now() -> None:
    desk = desk_of("orders:\n- buy: 1\nnote: first\n")
    assert desk.compose().document["note"] == ["first"] == [*desk.draft.note]
    for note in ("second", "third"):
        desk.edit(f"orders:\n- buy: 1\n- buy: 2\n- end\nnote: {note}\n")
        document = desk.compose().document
        assert document["note"] == [note] and document["orders"] == [{"buy": 1}, {"buy": 2}], "without what is refused"
    desk.say("note", "fourth")
    assert desk.compose().document["note"] == ["fourth"]
