"""What players once lost without wanting it stands on the send screen: money, a phase, half a turn, aircraft."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.board.server import Server
from tests.board.hands import button, come
from tests.board.serving import ask, post, served, unsent
from tests.board.test_games import sent
from tests.browser import Page, needs_browser
from tests.cli.test_hints import EVERYTHING
from tests.commands import run

FAR_OUT = ("done", "declare war: united-states", "move: 1 fighter from SZ 6 to SZ 26", "engage: transports in SZ 26", "done")


def text(*orders: str) -> str:
    """An order file."""
    return "".join(["orders:\n", *(f"  - '{order}'\n" for order in orders)])


def reviewed(server: Server, *orders: str, **mine: Any) -> tuple[dict[str, list[str]], Any]:
    """What the send screen tells of these orders by kind, and the whole of it."""
    ask(server, "/sheet", text=text(*orders), seen=ask(server, "/changes", **mine)["draft"], **mine)
    whole = ask(server, "/review", **mine)
    return {group["kind"]: [one["text"] for one in group["told"]] for group in whole["groups"]}, whole


def test_a_surplus_done_ends_nothing_and_is_named(server: Server) -> None:
    given, whole = reviewed(server, EVERYTHING, "done")
    assert len(whole["left_out"]) == 1 and "`done` is left out" in whole["left_out"][0], whole
    assert "skipped" not in given and "combat moves" in given["unfinished"][0]
    given, whole = reviewed(server, "buy: 1 infantry", "done", "done")
    assert not whole["left_out"] and "combat moves" in given["skipped"][0]


def test_money_that_is_not_spent(server: Server) -> None:
    given, _ = reviewed(server, "buy: 1 infantry", "done", "move: 3 infantry from Kwangsi to Yunnan", "done")
    assert given["unspent"] == ["Japan keeps its money; IPC: 23 [PUR-01]"]


def test_half_a_phase(server: Server) -> None:
    open_given, _ = reviewed(server, EVERYTHING, "move: 3 infantry from Kwangsi to Yunnan")
    assert len(open_given["unfinished"]) == 1 and "combat moves" in open_given["unfinished"][0]
    given, _ = reviewed(server, EVERYTHING, "move: 3 infantry from Kwangsi to Yunnan", "done")
    assert "unfinished" not in given


def at_the_table(server: Server) -> dict[str, Any]:
    """Game and seat of whoever is asked now, at one machine."""
    sit = ask(server, "/sit")
    return {"game": sit["number"], "seat": sit["seat"]}


def test_a_carrier_that_does_not_come_cannot_be_sent(tmp_path: Path) -> None:
    """[AMB-PLEDGE] While it can still come, it has to; then nothing is lost."""
    run("play", str(tmp_path / "g"), stdin="")
    with served(tmp_path / "g") as server:
        sent(server, text(*FAR_OUT), **at_the_table(server))
        sent(server, text("scramble: none"), **at_the_table(server))
        mine = at_the_table(server)
        assert "noncombat" in ask(server, "/sheet", **mine)["bar"]
        stays = text("done")
        ask(server, "/sheet", text=stays, seen=ask(server, "/changes", **mine)["draft"], **mine)
        refused = post(server, "/review", mine)
        assert refused.status == 422 and "1 fighter in sea zone 26 [AMB-PLEDGE]" in refused.plain["problems"][0]
        comes = "move: 1 aircraft-carrier from SZ 6 to SZ 26"
        ask(server, "/sheet", text=text(comes, "done"), seen=ask(server, "/changes", **mine)["draft"], **mine)
        answer = post(server, "/review", mine)
        assert answer.status == 200 and not any(g["kind"] == "lost" for g in answer.plain["groups"]), answer.plain


@needs_browser
def test_the_screen_before_sending_shows_them(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(text("buy: 1 infantry", "done", "done"))
    come(chromium, server)
    button(chromium, "tool:send")
    said = chromium.text("#content")
    for words in ("Not spent", "Japan keeps its money; IPC: 23", "Skipped", "ended with no order in it: Japan: combat moves"):
        assert words in said, said
    assert not (folder / "yamada" / "outbox" / "0001-yamada.yaml").exists()
    unsent(folder).write_text(text(EVERYTHING, "done"))
    come(chromium, server)
    button(chromium, "tool:send")
    said = chromium.text("#content")
    assert "`done` is left out" in said and "Not finished" in said and "Skipped" not in said, said
