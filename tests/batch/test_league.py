"""A league: ratings that anyone can compute again, games that count only when they hold, and a site of them."""

from __future__ import annotations

import base64
import json
import re
import shutil
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from math import exp, log
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.batch import league
from pbem.batch.cache import Cache
from pbem.batch.jobs import Job
from pbem.batch.ratings import Played, ratings
from pbem.cli import league as site
from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol.outcomes import ProtocolError
from pbem.report import render
from pbem.report.languages import language
from pbem.store import unsending
from tests.batch import played
from tests.commands import inside, must, run
from tests.manual import page, told

pytestmark = pytest.mark.in_turn(2)

ATOM = "{http://www.w3.org/2005/Atom}"
HOSTILE = '<script>alert(1)</script>"&<img src=x>\u202e'


# -- ratings ------------------------------------------------------------------------------------------------------------------


def test_one_game_by_bisection() -> None:
    """By symmetry the two are as far above the mean as below; their distance solves one equation."""
    low, high = 0.0, 1000.0
    for _ in range(60):
        r = (low + high) / 2
        slope = (0.5 - 1 / (1 + exp(-r * log(10) / 400))) + (1 - 1 / (1 + exp(-2 * r * log(10) / 400)))
        low, high = (r, high) if slope > 0 else (low, r)
    one, other = ratings([Played(("nowak",), ("yamada",), 2)])
    assert (one.name, one.elo, other.elo) == ("nowak", 1500 + round(low), 1500 - round(low)) and one.elo > 1550
    assert one.error == other.error > 300 and (one.won, other.lost) == (1, 1)


def test_the_order_of_games_does_not_matter_and_more_of_them_say_more() -> None:
    games = [Played(("nowak",), ("yamada",), 2), Played(("yamada",), ("dubois",), 1), Played(("dubois",), ("nowak",), 2)]
    assert ratings(games) == ratings(games[::-1])
    assert ratings(games * 20)[0].error < ratings(games)[0].error / 3
    turned = [Played(g.other, g.one, 2 - g.points) for g in games]
    assert ratings(turned) == ratings(games)


def test_expected_and_real_points_agree() -> None:
    """At the maximum what each has won is what was expected of him, the drawn game against a mean player included."""
    games = [Played(("a",), ("b",), 2)] * 7 + [Played(("b",), ("c",), 2)] * 5 + [Played(("c",), ("a",), 1)] * 4
    elo = {r.name: r.elo for r in ratings(games)}

    def expected(difference: float) -> float:
        return 1 / (1 + 10 ** (-difference / 400))

    for name in elo:
        real, due = 0.5, expected(elo[name] - 1500)
        for game in games:
            if name in (*game.one, *game.other):
                mine, theirs = (game.one[0], game.other[0]) if name in game.one else (game.other[0], game.one[0])
                real += game.points / 2 if name in game.one else 1 - game.points / 2
                due += expected(elo[mine] - elo[theirs])
        assert abs(real - due) < 0.02


def test_a_side_is_the_mean_of_its_players_and_nobody_plays_himself() -> None:
    rated = {r.name: r for r in ratings([Played(("a", "b"), ("c",), 2), Played(("d",), ("d",), 2)])}
    assert rated["a"].elo == rated["b"].elo > 1500 > rated["c"].elo and "d" not in rated
    assert abs(rated["c"].elo - 1500) > rated["a"].elo - 1500


KEYS = {"nowak": "ssh-ed25519 AAAAkey1", "yamada": "ssh-ed25519 AAAAkey2"}


# -- tables -------------------------------------------------------------------------------------------------------------------


def summary(game: str, **more: Any) -> dict[str, Any]:
    seats = [
        {"seat": "red", "side": "red", "side_told": "Red", "player": "nowak"},
        {"seat": "blue", "side": "blue", "side_told": "Blue", "player": "yamada"},
    ]
    return {
        "game": game * 8, "folder": game, "system": "skirmish", "title": "Skirmish", "scenario": "hill", "heading": "Turn 1",
        "files": 5, "rolls": 2, "head": "0" * 64, "since": "2026-01-01T00:00:00Z", "until": "", "fault": "", "over": True,
        "winner": "red", "state": "over", "due": "", "seats": seats, "keys": KEYS,
        "luck": [{"player": "nowak", "value": "+1.0", "unit": "hits", "p": "0.5", "suspect": False}],
        "turns": [{"turn": 1, "players": [{"player": "nowak", "hand": 2, "automatic": 1, "luck": "+1.0"}]}],
        "pages": {"report.html": "games/x/report.html"}, **more,
    }  # fmt: skip


def test_what_does_not_hold_does_not_count() -> None:
    tables = league.tables([summary("a"), {"folder": "b", "fault": "bad signature"}, summary("c", over=False, due="yamada")])
    assert [r.won + r.lost for r in tables.players] == [1, 1]
    assert [s["folder"] for s in tables.faulty] == ["b"] and [s["folder"] for s in tables.due] == ["c"]


def test_who_waits_longest_stands_first() -> None:
    waiting = [summary(n, over=False, since=f"2026-01-0{d}T00:00:00Z") for n, d in (("a", 3), ("b", 1), ("c", 2))]
    tables = league.tables(waiting)
    assert [s["folder"] for s in tables.due] == ["b", "c", "a"] and [s["folder"] for s in tables.games] == ["a", "c", "b"]


def test_a_key_is_a_person() -> None:
    other = {"nowak": "ssh-ed25519 AAAAother9", "yamada": "ssh-ed25519 AAAAkey2"}
    tables = league.tables([summary("a"), summary("b", keys=other, since="2026-01-02T00:00:00Z")])
    assert {r.name: r.won for r in tables.players} == {"nowak (AAkey1)": 1, "nowak (other9)": 1, "yamada": 0}


def test_sides_have_tables_of_their_own() -> None:
    [system] = league.tables([summary("a"), summary("b", winner=""), summary("c", winner="blue")]).systems
    red, blue = system.sides
    assert (red.score.won, red.score.drawn, red.score.lost) == (1, 1, 1) and red.interval == blue.interval
    assert [r.name for r in red.players] == ["nowak"] and [r.name for r in blue.players] == ["yamada"]


class Tags(HTMLParser):
    """The tags of a page and the schemes of its links."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]


def test_what_players_wrote_is_text() -> None:
    seats = [{"seat": s, "side": s, "side_told": HOSTILE, "player": HOSTILE + s} for s in ("red", "blue")]
    keys = {HOSTILE + s: f"ssh-ed25519 {s}" for s in ("red", "blue")}
    hostile = {"title": HOSTILE, "scenario": HOSTILE, "heading": HOSTILE, "state": HOSTILE, "seats": seats, "keys": keys}
    luck = [{"player": HOSTILE + "red", "value": HOSTILE, "unit": HOSTILE, "p": HOSTILE, "suspect": True}]
    turns = [{"turn": 1, "players": [{"player": HOSTILE + "red", "hand": 1, "automatic": 1, "luck": HOSTILE}]}]
    due = summary("b", **hostile, over=False, due=HOSTILE, until="2026-01-01T00:00:00Z")
    shown = [summary("a", **hostile, luck=luck, turns=turns), due]
    shown.append({"folder": HOSTILE, "fault": HOSTILE})
    tables, called = league.tables(shown), league.names(shown[:2])
    values = {"title": HOSTILE, "tables": tables, "called": called, "updated": site.NEVER, "address": "", "id": HOSTILE}
    page = render.page("league/index.html.j2", language("en", ()), **values)
    assert not {"script", "img"} & {*Tags(page).tags} and "\u202e" not in page and page.count("alert(1)") > 10
    feed = render.page("league/feed.xml.j2", language("en", ()), recent=tables.games, **values)
    assert ElementTree.fromstring(feed).findtext(f"{ATOM}title") == HOSTILE.replace("\u202e", "\ufffd")


def events(calendar: str) -> list[dict[str, str]]:
    """The events of a calendar, unfolded; every line of it is as long as it may be."""
    assert calendar.endswith("END:VCALENDAR\r\n") and all(len(line.encode()) <= 75 for line in calendar.split("\r\n"))
    found: list[dict[str, str]] = []
    for line in calendar.replace("\r\n ", "").split("\r\n"):
        name, _, value = line.partition(":")
        if line == "BEGIN:VEVENT":
            found.append({})
        elif found and line != "END:VEVENT":
            found[-1].setdefault(name, value)
    return found


def test_the_calendar_has_a_day_for_each_game_that_somebody_is_due_in() -> None:
    waits = {"over": False, "due": "yamada", "until": "2026-01-04T12:30:00Z"}
    shown = [
        summary("a", **waits),
        summary("b", over=False, due="yamada"),
        summary("c"),
        summary("d", **waits, title="Ł, x; y" * 20),
    ]
    tables, called = league.tables(shown), league.names(shown)
    first, second = events(league.calendar(tables.due, called))
    assert (first["DTSTART"], first["DTSTAMP"]) == ("20260104T123000Z", "20260101T000000Z")
    assert first["SUMMARY"] == "yamada: Skirmish\\, hill" and first["UID"] != second["UID"]
    assert second["SUMMARY"] == "yamada: " + "Ł\\, x\\; y" * 20 + "\\, hill", "long lines are folded between letters"


def test_nobody_writes_lines_of_his_own_into_the_calendar() -> None:
    hostile = summary("a", over=False, due="a\r\nEND:VEVENT", until="2026-01-04T12:30:00Z", title="x\nBEGIN:VEVENT\r")
    calendar = league.calendar([hostile], {})
    assert calendar.count("BEGIN:VEVENT") == 2 and len(events(calendar)) == 1, "the second one is a part of a summary"


# -- the cache ----------------------------------------------------------------------------------------------------------------


def test_a_cache_keeps_and_forgets_nothing_else(tmp_path: Path) -> None:
    for value in ({"a": [1, None]}, {"a": "ł"}):
        with Cache.opened(tmp_path / "c") as cache:
            cache.put("k", value)
            assert cache.get("other") is None
        with Cache.opened(tmp_path / "c") as cache:
            assert cache.get("k") == value
    (tmp_path / "d").write_text("no database, but a text that is long enough to be taken for one by nobody" * 20)
    with pytest.raises(ProtocolError, match="cannot be used"), Cache.opened(tmp_path / "d"):
        pass


# -- the command --------------------------------------------------------------------------------------------------------------

ALLIED, FOES = ["allied"], ["non-allied"]


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games that a resignation has ended, one that goes on, one that has not begun."""
    root = tmp_path_factory.mktemp("league")
    for name, one, other, loser in (
        ("a", "nowak", "yamada", "yamada"),
        ("b", "yamada", "nowak", "yamada"),
        ("c", "nowak", "yamada", ""),
    ):
        played.game(root, name, "next-war", "training", {one: ALLIED, other: FOES}, most=3, resigns=loser)
    must("new", str(root / "d"), "--system", "next-war", "--scenario", "training")
    return root


@pytest.fixture(scope="module")
def made(games: Path) -> Iterator[Path]:
    """The site of these games."""
    done: Any = json.loads(must("league", str(games), "--to", str(games / "site"), "--processes", "1", "--json"))
    assert (done["games"], done["new"], done["faulty"]) == (3, 3, [])
    yield games / "site"


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_the_site_has_standings_calendar_and_pages(made: Path) -> None:
    page = (made / "index.html").read_text("utf-8")
    assert "3 games, 1 of them goes on" in page and "Next War" in page and "as Non-Allied" in page
    standing = page.split("Standings")[1].split("</table>")[0]
    assert standing.index("nowak") < standing.index("yamada")
    for link in [part.split('"')[0] for part in page.split('href="')[1:]]:
        assert link.startswith("#") or (made / link).exists(), link
    assert sum(name.startswith("games/") for name in everything(made)) == 9
    due = page.split("Who is due")[1].split("<h2>")[0]
    assert due.count("<tr>") == 2 and 'datetime="20' in due


def test_a_game_is_told_turn_by_turn_with_files_and_luck(made: Path) -> None:
    page = (made / "index.html").read_text("utf-8")
    tables = [part.split("</table>")[0] for part in page.split("turn by turn")[1:]]
    assert len(tables) == 3 and all("files by hand" in t and "luck (steps)" in t for t in tables)
    files = [int(n) for n in re.findall(r"(\d+) files", page)]
    for table, number in zip(tables, files, strict=False):
        counted = re.findall(r"</bdi></td><td class=\"n\">(\d+)</td><td class=\"n\">(\d+)</td>", table)
        assert sum(int(hand) + int(automatic) for hand, automatic in counted) == number


def test_the_calendar_is_linked_where_somebody_is_due(made: Path) -> None:
    assert 'href="calendar.ics"' in (made / "index.html").read_text("utf-8")
    assert len(events((made / "calendar.ics").read_bytes().decode("utf-8"))) <= 1


def test_the_feed_is_one(made: Path) -> None:
    feed = ElementTree.parse(made / "feed.xml").getroot()
    assert feed.tag == f"{ATOM}feed" and all(
        feed.findtext(ATOM + tag) for tag in ("id", "title", "updated", "author/" + ATOM + "name")
    )
    entries = feed.findall(f"{ATOM}entry")
    assert len({entry.findtext(f"{ATOM}id") for entry in entries}) == len(entries) == 3
    for entry in entries:
        link = entry.find(f"{ATOM}link")
        assert link is not None and (made / link.attrib["href"]).exists()
        assert entry.findtext(f"{ATOM}title") and str(entry.findtext(f"{ATOM}updated")).endswith("Z")
    assert feed.findtext(f"{ATOM}updated") == max(str(entry.findtext(f"{ATOM}updated")) for entry in entries)


def test_standings_can_be_computed_from_the_results(made: Path) -> None:
    rows = json.loads((made / "results.json").read_text("utf-8"))
    assert len(rows) == 2
    counted = [
        Played(tuple(r["sides"]["allied"]), tuple(r["sides"]["non-allied"]), 2 * (r["winner"] == "allied")) for r in rows
    ]
    page = (made / "index.html").read_text("utf-8")
    for rating in ratings(counted):
        assert f'{rating.elo} <span class="small">± {rating.error}</span>' in page


def test_only_what_is_new_is_judged(games: Path, made: Path) -> None:
    before = everything(made)
    again: Any = json.loads(must("league", str(games), "--to", str(made), "--json"))
    assert again["new"] == 0 and everything(made) == before
    lost = next(made.glob("games/*/map.svg"))
    lost.unlink()
    again = json.loads(must("league", str(games), "--to", str(made), "--processes", "1", "--json"))
    assert again["new"] == 1 and everything(made) == before


def with_a_word_more(log: bytes) -> bytes:
    """The same log with a note in file 2 that nobody has signed; whoever did it has linked the entries anew."""
    lines, head = [], "0" * 64
    for n, line in enumerate(log.splitlines()):
        entry = {**json.loads(line), "prev": head}
        if n == 2:
            entry["document"]["note"] = ["I give up."]
        lines.append(canonical(entry))
        head = sha256_hex(lines[-1])
    return b"\n".join([*lines, b""])


def test_a_game_that_was_tampered_with_is_told_and_not_counted(games: Path, tmp_path: Path) -> None:
    shutil.copytree(games / "a", tmp_path / "games" / "a")
    for path in (tmp_path / "games").rglob("log.jsonl"):
        path.write_bytes(with_a_word_more(path.read_bytes()))
    done = run("league", str(tmp_path / "games"), "--to", str(tmp_path / "site"), "--processes", "1")
    assert done.code == 0 and "bad signature" in done.out
    page = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert "Not counted" in page and "No game is over yet" in page


def test_workers_get_no_key(games: Path) -> None:
    """No secret of a folder, and no private key of this machine, is in what a job carries."""
    found = site._look(games / "a" / "nowak")
    job = found.job
    carried = json.dumps(job.plain).encode() + zlib.decompress(base64.b64decode(str(job.arguments["log"])))
    assert b"nowak" in carried
    secrets = json.loads((games / "a" / "nowak" / "private" / "secrets.json").read_bytes())
    assert secrets["chain_secret"].encode() not in carried and secrets["draw_master"].encode() not in carried
    private = [
        path.read_bytes() for path in (games / "home").rglob("*") if path.is_file() and b"PRIVATE KEY" in path.read_bytes()
    ]
    assert private and not [key for key in private if key.splitlines()[1] in carried]


def test_a_worker_writes_no_other_pages_than_those_of_a_game(tmp_path: Path) -> None:
    job = Job("league game", {})
    with Cache.opened(tmp_path / "c") as cache:
        target = site._Site(to=tmp_path / "site", cache=cache, keys={job.id: "k" * 64})
        target.add(job, {"summary": {}, "pages": {"report.html": "good", "../../../bad.html": "bad", "index.html": "bad"}})
    assert [*everything(tmp_path / "site")] == ["games/kkkkkkkkkkkkkkkk/report.html"]
    assert not [*tmp_path.glob("**/bad.html")]


def test_files_of_an_own_folder_are_handed_out_with_the_site(games: Path, made: Path) -> None:
    told = [json.loads(path.read_bytes()) for path in games.glob(f"*/*/{unsending.HANDED_OUT}")]
    assert made.exists() and len(told) == 3 and {one["how"] for one in told} == {"league"}


def test_a_folder_without_games_is_told(tmp_path: Path) -> None:
    done = run("league", str(tmp_path), "--to", str(tmp_path / "site"))
    assert done.code == 1 and "holds no game folders" in done.err and not (tmp_path / "site").exists()


def test_the_lines_of_the_manual_run_as_they_stand(games: Path, tmp_path: Path) -> None:
    (tmp_path / "games").symlink_to(games)
    lines = [words for words in told(page("many-games")) if words[0] != "forecast"]  # played in test_forecast.py
    with inside(tmp_path):
        for words in lines:
            assert must(*words)
    assert [words[0] for words in lines] == ["arena", "league"]
    assert (tmp_path / "results.jsonl").exists() and (tmp_path / "site" / "index.html").exists()
