"""What the page is answered: sheets, steps, sending once, news, several games, several players at one machine, the bot."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.board.order_file import ChangedElsewhere, DraftFile
from pbem.board.server import Server
from pbem.cli import local
from pbem.kernel.forms import VERB, Partial, Pick, form_of, verbs_of
from pbem.kernel.wording import verbatim
from pbem.report import board as shown
from pbem.report.languages import LANGUAGES, language
from pbem.report.verbs import name_of
from pbem.shipped import data_folder
from pbem.store.disk import Disk
from pbem.store.session import Session
from tests.board.serving import ask, found, post, send, served, unsent, usual
from tests.commands import must, run
from tests.generic.test_forms import GAMES, moments

TWO = "orders:\n  - done\n  - move: 3 infantry from Kwangsi to Yunnan\n  - done\n"


def give(server: Server, data: bytes) -> list[str]:
    """Mail or a file, as the page hands it in."""
    answer = send(server, "POST", "/receive", usual(server, data, "application/octet-stream"), data)
    assert answer.status == 200
    return list(answer.plain["lines"])


def sent(server: Server, text: str, **mine: Any) -> Any:
    """A file from its text to its signature, as the page goes about it; `mine`: game and seat, at one machine."""
    sheet = ask(server, "/sheet", text=text, seen=ask(server, "/changes", **mine)["draft"], **mine)
    digest = ask(server, "/review", **mine)["digest"]
    return ask(server, "/send", text=text, seen=sheet["changes"]["draft"], head=sheet["head"], digest=digest, **mine)


# -- the order file ----------------------------------------------------------------------------------------------------


def test_every_edit_is_on_the_disk(server: Server, folder: Path) -> None:
    file = unsent(folder)
    assert not file.exists()
    sheet = ask(server, "/take", verb="buy", chosen=[["unit", "infantry", 2]], seen="")
    assert file.read_text() == "orders:\n  - buy: 2 infantry\n" == sheet["desk"]["text"]
    sheet = ask(server, "/undo", seen=sheet["changes"]["draft"])
    assert "infantry" not in file.read_text()
    assert not list(folder.glob("yamada/*.new"))


def test_a_change_that_the_page_has_not_seen_is_not_overwritten(server: Server, folder: Path) -> None:
    file = unsent(folder)
    file.write_text(TWO)
    for address, more in (
        ("/take", {"verb": "buy", "chosen": [["unit", "infantry", 2]]}),
        ("/undo", {}),
        ("/remove", {"at": 0}),
        ("/sheet", {"text": "orders: []\n"}),
        ("/send", {"text": "orders: []\n", "head": "", "digest": ""}),
    ):
        answer = post(server, address, {"game": 0, "seen": "", **more})
        assert answer.status == 409 and answer.plain["theirs"] == TWO, address
    assert file.read_text() == TWO


def test_the_same_text_again_is_no_change(tmp_path: Path) -> None:
    file = DraftFile(tmp_path / "o.yaml", Disk())
    stamp = file.save("a", "")
    assert file.save("a", "something older") == stamp
    with pytest.raises(ChangedElsewhere) as changed:
        file.save("b", "something older")
    assert (changed.value.text, changed.value.stamp) == ("a", stamp)


def test_another_file_may_be_named(folder: Path) -> None:
    file = folder / "orders.yaml"
    file.write_text("# mine\norders:\n  - buy: 1 tank\n")
    with served(folder / "yamada", file) as server:
        sheet = ask(server, "/sheet")
        assert sheet["desk"]["orders"][0]["text"] == "buy: 1 tank"
        ask(server, "/take", verb="done", chosen=[], seen=sheet["changes"]["draft"])
        assert file.read_text() == "# mine\norders:\n  - buy: 1 tank\n  - done\n"


def test_an_order_that_does_not_stand_is_listed_and_can_be_removed(server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders:\n  - buy: 99 tank\n  - done\n")
    sheet = ask(server, "/sheet")
    assert [o["stands"] for o in sheet["desk"]["orders"]] == [False, False]
    assert sheet["desk"]["trouble"][0].startswith("line 2: ")
    assert post(server, "/review", {"game": 0}).status == 422
    sheet = ask(server, "/remove", at=0, seen=sheet["changes"]["draft"])
    assert not sheet["desk"]["trouble"] and [o["stands"] for o in sheet["desk"]["orders"]] == [True]


def test_picks_that_make_no_order_say_why(server: Server) -> None:
    answer = post(server, "/take", {"game": 0, "verb": "buy", "chosen": [["unit", "tank", 50]], "seen": ""})
    assert answer.status == 422 and "26" in " ".join(answer.plain["problems"])


# -- sending -----------------------------------------------------------------------------------------------------------


def test_a_file_is_sent_once(server: Server, folder: Path) -> None:
    done = sent(server, TWO)
    assert done["seq"] == 1 and done["post"].startswith("-----BEGIN PBEM TURN-----")  # type: ignore[index]
    assert not unsent(folder).exists()
    assert ask(server, "/sheet")["files"] == 1
    assert not ask(server, "/sheet")["mine"]


def test_what_was_not_seen_is_not_signed(server: Server, folder: Path) -> None:
    sheet, digest = ask(server, "/sheet", text=TWO, seen=""), ask(server, "/review")["digest"]
    log = (folder / "yamada" / "log.jsonl").read_bytes()
    seen = sheet["changes"]["draft"]
    for head, agreed, told in (("0" * 64, digest, "file 0 has come meanwhile"), (sheet["head"], "", "look again")):
        answer = post(server, "/send", {"game": 0, "text": TWO, "seen": seen, "head": head, "digest": agreed})
        assert answer.status == 422 and told in answer.plain["problems"][0]
    assert (folder / "yamada" / "log.jsonl").read_bytes() == log
    assert unsent(folder).read_text() == TWO


def test_another_program_at_work_is_no_accident(server: Server, folder: Path) -> None:
    sheet, digest = ask(server, "/sheet", text=TWO, seen=""), ask(server, "/review")["digest"]
    told = {"game": 0, "text": TWO, "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": digest}
    with Session.at_work(folder / "yamada"):
        answer = post(server, "/send", told)
        assert answer.status == 422 and "another program is at work" in answer.plain["problems"][0]
    assert post(server, "/send", told).status == 200


def test_two_at_once_sign_one_file(server: Server, folder: Path) -> None:
    sheet, digest = ask(server, "/sheet", text=TWO, seen=""), ask(server, "/review")["digest"]
    told = {"game": 0, "text": TWO, "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": digest}
    statuses: list[int] = []
    threads = [threading.Thread(target=lambda: statuses.append(post(server, "/send", told).status)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses.count(200) == 1
    assert Session.open(folder / "yamada").table.last == 1


def test_the_board_and_the_command_line_take_turns(server: Server, folder: Path) -> None:
    """The log is whole, and never are there two files of one number."""
    file = folder / "o.yaml"
    for n in range(6):
        text = "orders:\n  - buy: 1 infantry\n"
        if n % 2:
            sent(server, text)
        else:
            file.write_text(text)
            must("send", str(file), "-g", str(folder / "yamada"), "--yes")
    session = Session.open(folder / "yamada")
    assert session.table.last == 6 and session.replayed().last == 6
    assert must("verify", "-g", str(folder / "yamada"))


def test_the_button_is_named_after_what_is_lost(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbem.runtime.desk import Desk
    from tests.cli.test_giving_up import LOST

    before = ask(server, "/review")
    assert before["button"] == "Send" and not before["final"]
    monkeypatch.setattr(Desk, "consequences", lambda self: (LOST,))
    now = ask(server, "/review")
    assert now["button"] == "Send all the same: 1 fighter, Japan: no landing place is left"
    assert now["groups"][0]["kind"] == "lost" and now["groups"][0]["told"][0]["final"] and now["digest"] != before["digest"]


def test_odds_of_the_battles_ahead(server: Server) -> None:
    ask(server, "/sheet", text=TWO, seen="")
    assert any("battle for Yunnan" in line for line in ask(server, "/odds")["lines"])
    sent(server, TWO)
    assert ask(server, "/odds")["lines"] == [], "while the other is due"


# -- mail and news -----------------------------------------------------------------------------------------------------


def test_the_answer_comes_in_and_is_shown_file_by_file(server: Server, folder: Path) -> None:
    sent(server, TWO)
    must("receive", str(folder / "yamada" / "outbox"), "-g", str(folder / "nowak"))
    told = give(server, (folder / "nowak" / "outbox" / "0002-nowak.eml").read_bytes())
    assert "done: file 2 of nowak" in told[0]
    assert ask(server, "/games")["games"][0]["news"] == 1
    scenes = ask(server, "/replay")["scenes"]
    assert [(s["seq"], s["player"]) for s in scenes] == [(1, "yamada"), (2, "nowak")]
    assert any(line["dice"] for scene in scenes for block in scene["blocks"] for line in block["lines"])
    first, second = (ask(server, "/map", scene=n)["layers"] for n in (0, 1))
    assert first["base"] == second["base"] and first != second
    assert ask(server, "/map", scene=2)["view"] == ""


def test_a_layer_that_the_page_holds_is_not_sent_again(server: Server) -> None:
    whole = ask(server, "/map")
    held = {**{name: layer[0] for name, layer in whole["layers"].items()}, "places": whole["places"][0]}
    again = ask(server, "/map", held=held)
    assert {layer[1] for layer in again["layers"].values()} == {None} and again["places"][1] is None
    ask(server, "/sheet", text=TWO, seen="")
    moved = ask(server, "/map", held=held)["layers"]
    assert moved["base"][1] is None
    assert "Yunnan" in moved["stacks"][1] and "var(--m" in moved["arrows"][1]
    assert len(gzip.compress((moved["stacks"][1] + moved["arrows"][1]).encode(), 1)) < 20_000
    light, dark = (re.findall(r"--m(\d+):(#\w{6})", part) for part in ask(server, "/map", held=held)["colours"].split("@media"))
    used = {number for _, text in whole["layers"].values() for number in re.findall(r"var\(--m(\d+)\)", text)}
    assert used <= {n for n, _ in light} == {n for n, _ in dark} and light != dark


def test_pins_are_on_the_map_of_their_owner(server: Server, folder: Path) -> None:
    assert ask(server, "/map")["layers"]["pins"][1] == ""
    must("pin", "Yunnan", "3 fighters <next> turn", "-g", str(folder / "yamada"))
    whole = ask(server, "/map")["layers"]
    assert "3 fighters &lt;next&gt; turn" in whole["pins"][1] and "fighters &lt;" not in whole["stacks"][1]
    with served(folder / "nowak") as other:
        assert ask(other, "/map")["layers"]["pins"][1] == ""


def test_what_is_no_mail_of_ours_is_named(server: Server) -> None:
    assert give(server, b"hello") != []
    assert give(server, b"\x00\xff" * 50) != []


def test_several_games_and_their_mail(folder: Path, tmp_path: Path) -> None:
    both = tmp_path / "both"
    shutil.copytree(folder / "yamada", both / "one")
    other = tmp_path / "other"
    mine = found(other)
    shutil.copytree(mine, both / "two")
    (both / "broken").mkdir()
    (both / "broken" / "pbem.json").write_text("{")
    for keys in (folder / "keys", other / "keys"):
        shutil.copytree(keys, tmp_path / "home", dirs_exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_HOME", str(other / "keys"))
        with served(both) as server:
            rows = {row["name"]: row for row in ask(server, "/games")["games"]}
            assert set(rows) == {"one", "two", "broken"} and rows["broken"]["wrong"] and rows["two"]["mine"]
            number = rows["two"]["number"]
            assert ask(server, "/sheet", game=number)["name"] == "two"
            assert post(server, "/sheet", {"game": rows["broken"]["number"]}).status == 422


# -- one machine -------------------------------------------------------------------------------------------------------


def test_players_at_one_machine_see_their_own_hand_only(folder: Path) -> None:
    (folder / "play.json").write_text(json.dumps({"bots": []}))
    with served(folder) as server:
        rows = {row["player"]: row["number"] for row in ask(server, "/games")["games"]}
        assert post(server, "/sheet", {"game": rows["yamada"]}).status == 422
        seat = ask(server, "/sit")
        assert seat["number"] == rows["yamada"]
        assert post(server, "/sheet", {"game": rows["nowak"], "seat": seat["seat"]}).status == 422
        mine = {"game": rows["yamada"], "seat": seat["seat"]}
        sheet = ask(server, "/sheet", **mine, text="orders:\n" + "  - done\n" * 3, seen="")
        digest = ask(server, "/review", **mine)["digest"]
        told = {"text": sheet["desk"]["text"], "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": digest}
        ask(server, "/send", **mine, **told)
        assert post(server, "/sheet", mine).status == 422  # the curtain has fallen
        assert ask(server, "/sit")["number"] == rows["nowak"]
        assert Session.open(folder / "nowak").table.last == Session.open(folder / "yamada").table.last >= 1


def test_the_bot_answers_at_once(tmp_path: Path) -> None:
    run("play", str(tmp_path / "solo"), "--bot", stdin="")
    with served(tmp_path / "solo") as server:
        seat = ask(server, "/sit")
        mine = {"game": seat["number"], "seat": seat["seat"]}
        files = ask(server, "/sheet", **mine)["files"]
        sheet = ask(server, "/sheet", **mine, text="orders:\n" + "  - done\n" * 3, seen="")
        digest = ask(server, "/review", **mine)["digest"]
        told = {"text": sheet["desk"]["text"], "seen": sheet["changes"]["draft"], "head": sheet["head"], "digest": digest}
        ask(server, "/send", **mine, **told)
        seat = ask(server, "/sit")
        now = ask(server, "/sheet", game=seat["number"], seat=seat["seat"])
        assert now["files"] > files + 1 and now["mine"]
        players = {s["player"] for s in ask(server, "/replay", game=seat["number"], seat=seat["seat"])["scenes"]}
        assert players == {"axis", "allies"}


# -- every game, every language ----------------------------------------------------------------------------------------

SMALL = {
    "next-war": "training",
    "empire-of-the-sun": "south-pacific",
    "pacific-war": "coral-sea",
    "axis-and-allies-pacific": "spring-1940",
}


@pytest.mark.parametrize("system", games.BUILT_IN)
def test_every_game_is_played_by_picks(system: str, tmp_path: Path) -> None:
    seats = games.load(system).seats
    sides = {side: [seat for seat in seats if seats[seat] == side] for side in seats.values()}
    local.found(tmp_path / "g", system, SMALL[system], [], sides)
    (tmp_path / "g" / "play.json").write_text(json.dumps({"bots": []}))
    with served(tmp_path / "g") as server:
        seat = ask(server, "/sit")
        mine = {"game": seat["number"], "seat": seat["seat"]}
        drawn = ask(server, "/map", **mine)
        places = {name for at, _, also in drawn["places"][1] for name in (at, *also)}
        assert drawn["layers"]["stacks"][1] and len(places) > 50
        sheet = ask(server, "/sheet", **mine)
        picks = picked(server, mine, sheet["step"]["verb"], [], sheet["step"])
        assert picks is not None
        sheet = ask(server, "/take", **mine, **picks, seen=sheet["changes"]["draft"])
        assert not sheet["desk"]["trouble"] and sheet["desk"]["orders"]


def picked(server: Server, mine: dict[str, Any], verb: str, chosen: list[Any], step: Any) -> dict[str, Any] | None:
    """The first picks that make an order, tried one after the other."""
    if step["orders"]:
        return {"verb": verb, "chosen": chosen}
    verbs = [{"slot": "verb", **v} for v in step["verbs"] if not verb and not chosen]
    for pick in [*verbs, *(p for p in step["picks"] if not p["why"])][:6]:
        named = pick["value"] if pick["slot"] == "verb" else verb
        more = chosen if pick["slot"] == "verb" else [*chosen, [pick["slot"], pick["value"], 1]]
        found = picked(server, mine, named, more, ask(server, "/step", **mine, verb=named, chosen=more))
        if found is not None:
            return found
    return None


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_words_of_the_page(code: str) -> None:
    words = shown.vocabulary(language(code))
    assert words.keys() == shown.PAGE.keys()
    assert "{player}" in str(words["curtain"]) and "{number}" in str(words["many"])
    if code != "en":
        english = shown.vocabulary(language("en"))
        assert [key for key in words if words[key] == english[key]] in ([], ["text"], ["base"], ["text", "base"])


def test_every_word_that_the_scripts_say_is_known() -> None:
    scripts = "".join(path.read_text("utf-8") for path in (data_folder("templates") / "board").glob("*.js"))
    said = set(re.findall(r"\b(?:say|tool|button|on|change)\('(\w+)'", scripts)) | set(re.findall(r"'(help_\w+)'", scripts))
    leads = {"attack", "land", "retreat", "base", "enters-zone"}
    assert said <= set(shown.PAGE)
    assert {word for word in set(shown.PAGE) - said - leads if f"'{word}'" not in scripts} == set()


@pytest.mark.parametrize("title", GAMES)
def test_verbs_have_words_in_every_language(title: str) -> None:
    met: set[str] = set()
    for _, question, _ in moments(title, 1):
        verbs = [Pick(VERB, verb, verbatim(verb)) for verb in verbs_of(question)]
        found = (*form_of(question).step(Partial()).picks, *verbs)
        met |= {
            pick.value
            for pick in found
            if pick.slot == VERB and name_of(pick) is pick.name and pick.name == verbatim(pick.value)
        }
    assert met <= {"china", "arcadia"}, "each verb has a name in the player's language, but for proper names"
    assert name_of(Pick("word", "J1", verbatim("J1"))) == verbatim("J1")
    assert language("cs").text(name_of(Pick(VERB, "move", verbatim("move")))) == "pohyb"
