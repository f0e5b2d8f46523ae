"""How many clicks orders take: a whole stack two, a short answer one, a file that asks nothing more one to send."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.board.answers import MOST as MOST_LISTED
from pbem.board.answers import listed
from pbem.board.server import Server
from pbem.cli import local
from pbem.games.pacific_war.board import distance
from pbem.kernel.forms import form_of, verdict
from pbem.runtime.composing import Draft
from pbem.runtime.paper import read_paper
from pbem.store.paths import own_keys
from pbem.store.session import Session
from tests.board.clicking import Clicker
from tests.board.hands import button, come, key
from tests.board.serving import ask, post, served, unsent
from tests.board.test_turns import asked, at_one_machine
from tests.browser import Page, needs_browser
from tests.generic.test_forms import GAMES, moments

pytestmark = pytest.mark.in_turn(3)

OPENING = [
    {"buy": {"transport": 2, "artillery": 1, "infantry": 2}},
    {"declare war": ["united-kingdom", "united-states"]},
    {"move": {"units": {"battleship": 1}, "from": "sz-33", "to": "sz-35"}},
    {"move": {"units": {"fighter": 1}, "from": "formosa", "to": "sz-35"}},
    {"move": {"units": {"strategic-bomber": 2}, "from": "japan", "to": "sz-35"}},
    {"move": {"units": {"infantry": 3}, "from": "kiangsi", "to": "kwangtung"}},
    {"move": {"units": {"infantry": 3}, "from": "kwangsi", "to": "kwangtung"}},
    {"move": {"units": {"infantry": 2, "artillery": 1}, "from": "jehol", "to": "chahar"}},
    {"move": {"units": {"infantry": 1}, "from": "shantung", "to": "anhwe"}},
    "done",
]
MOST = 31  # clicks and keys of this opening, sending it included; it took 44 when the units of a stack had to be picked first


def alone(folder: Path, system: str, scenario: str, me: str) -> Path:
    """The folder of one person who plays against the bot, at his turn."""
    at_one_machine(folder, system, scenario)
    players = [path.parent.name for path in folder.glob("*/pbem.json")]
    (folder / "play.json").write_text(json.dumps({"bots": [player for player in players if player != me]}))
    return folder / me


@needs_browser
def test_an_opening_takes_few_clicks(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    hands = Clicker(chromium, folder / "yamada")
    for order in OPENING:
        hands.order(order)
    assert chromium.ask("document.body.dataset.screen") == "review", "nothing more is asked: it can be sent"
    hands.send()
    spent = {kind: number for kind, number in hands.done.items() if kind != "files"}
    assert sum(spent.values()) <= MOST, spent


@needs_browser
def test_a_person_against_the_bot_needs_no_curtain_and_answers_with_three_clicks(chromium: Page, tmp_path: Path) -> None:
    me = alone(tmp_path / "g", "next-war", "training", "non-allied")
    with served(tmp_path / "g") as server:
        come(chromium, server, screen="news" if Session.open(me).table.last else "orders")
        for _ in range(4):
            hands = Clicker(chromium, me)
            if chromium.ask("document.body.dataset.screen") == "news":
                hands.press("turn")
            if asked(Session.open(me)) == "weather":
                hands.press("answer:0" if hands.has("answer:0") else "word:clear")
            else:
                hands.press("finish" if hands.has("finish") else "answer:0")
            hands.send()
            assert chromium.ask("document.body.dataset.screen") in ("news", "orders"), "nobody else sits here"
            assert sum(hands.done.values()) - hands.done["files"] <= 3, hands.told


@needs_browser
def test_one_key_ends_all_that_is_left(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    key(chromium, "e")
    assert chromium.ask("document.body.dataset.screen") == "review"
    assert "ended with no order in it" in chromium.text("#content"), "what is skipped is said before it is sent"
    key(chromium, "Escape")
    assert set(read_paper(unsent(folder).read_text()).orders) == {"done"}
    button(chromium, "tool:undo")
    assert not read_paper(unsent(folder).read_text()).orders, "it is one gesture"


def offered(sheet: Any) -> dict[str, Any]:
    """What the sheet offers for one press, by its key."""
    return {one["key"]: one for one in sheet["answers"]}


def test_a_standing_order_is_offered_on_the_spot(folder: Path) -> None:
    with own_keys(folder), local.at_work(folder) as party:
        party.send(Draft(["done", {"move": {"units": {"infantry": 3}, "from": "kwangsi", "to": "yunnan"}}, "done"]))
        while asked(party.one) != "casualties" or party.writer.me.player != "yamada":
            assert local.go_on(party, [*party.sessions]), "somebody has to lose something"
    with served(folder / "yamada") as server:
        sheet = ask(server, "/sheet")
        always = offered(sheet)["always:casualties"]
        several = len([key for key in offered(sheet) if key.startswith("answer:")]) > 1  # the dice decide who may be lost
        told = "Some answers at one press; others are picked below:" if several else ""
        assert "finish" not in offered(sheet) and sheet["some"] == told
        sheet = ask(server, always["address"], **always["body"], seen=sheet["changes"]["draft"])
        assert "standing:" in sheet["desk"]["text"] and not sheet["desk"]["trouble"]
        assert "always:casualties" not in offered(sheet)
        assert [o["text"] for o in sheet["desk"]["orders"]] and asked_kind(sheet) != "casualties", (
            "dice are known: it answers itself"
        )
        sheet = ask(server, "/undo", seen=sheet["changes"]["draft"])
        assert asked_kind(sheet) == "casualties" and "standing:" in sheet["desk"]["text"]


def asked_kind(sheet: Any) -> str:
    return str((sheet["desk"]["asked"] or {}).get("kind"))


def test_nothing_is_wrong_before_anything_is_chosen(tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "next-war", "gap")
    with own_keys(tmp_path / "g"), local.at_work(tmp_path / "g") as party:
        while asked(party.one) != "advance":
            assert local.go_on(party, [*party.sessions])
        me = tmp_path / "g" / party.writer.me.player
    with own_keys(tmp_path / "g"), served(me) as server:
        sheet = ask(server, "/sheet")
        assert sheet["step"]["verb"] == "advance" and not sheet["step"]["problems"] and not sheet["step"]["heard"]
        (back,) = [ask(server, "/step", **sheet["step"]["partial"], act="choose", slot="verb", value="advance")]
        assert not back["problems"]


def test_the_last_order_is_given_again_at_one_press(server: Server) -> None:
    sheet = ask(server, "/sheet", text="orders:\n  - done\n  - move: 1 infantry from Kwangsi to Yunnan\n", seen="")
    again = offered(sheet)["again"]
    assert again["text"] == "Again: move: 1 infantry from Kwangsi to Yunnan"
    for left in (1, 0):
        sheet = ask(server, again["address"], **again["body"], seen=sheet["changes"]["draft"])
        assert not sheet["desk"]["trouble"] and ("again" in offered(sheet)) == bool(left), "three stand there"
    assert len(sheet["desk"]["orders"]) == 4


def test_an_approach_goes_on_at_one_press(tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "pacific-war", "coral-sea")
    with own_keys(tmp_path / "g"), local.at_work(tmp_path / "g") as party:
        sailed = 0
        while sailed < 2 or asked(party.one) != "contact":
            sailed += asked(party.one) == "contact"
            assert local.go_on(party, [*party.sessions])
        places = {who: marker.at for who, marker in party.one.table.engine.state.markers.items()}
    with own_keys(tmp_path / "g"), served(tmp_path / "g" / "japan") as server:
        sheet = ask(server, "/sheet")
        again = offered(sheet)["again"]
        course = again["body"]["orders"][0]["sail"]
        assert course and all(distance(places[who], goal) == 1 for who, goal in course.items()), course
        sheet = ask(server, again["address"], **again["body"], seen=sheet["changes"]["draft"])
        assert not sheet["desk"]["trouble"] and again["text"] == f"Again: {sheet['desk']['orders'][0]['text']}"


@pytest.mark.parametrize("title", GAMES)
def test_short_answers_are_legal_and_save_clicks(title: str) -> None:
    found = 0
    for _, question, _ in moments(title, 1):
        form = form_of(question)
        desk: Any = SimpleNamespace(sheet=SimpleNamespace(asked=question, passed=()), form=lambda form=form: form)
        answers = [one for (one,) in listed(desk)]
        assert len(answers) <= MOST_LISTED and not verdict(question.read, answers)
        found += bool(answers)
    assert found, "some questions of the game are answered with one press"


def test_what_is_put_is_judged(server: Server) -> None:
    answer = post(server, "/put", {"game": 0, "orders": [{"buy": "99 tank"}], "seen": ""})
    assert answer.status == 422 and "26" in " ".join(answer.plain["problems"])
    assert post(server, "/put", {"game": 0, "orders": "done", "seen": ""}).status == 422
