"""A player's own things beside the log: a scenario of one's own and where its values stand, sets of standing orders, pins."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.orders import Problem, Rejected
from pbem.kernel.wording import Message, msg, verbatim
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.protocol.strict_yaml import read_document
from pbem.runtime.paper import read_paper
from pbem.store import own, sets, talk
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.own import OwnScenario, Spot, read_own, read_part


def refused(call: Any) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        call()
    return caught.value.outcome, str(caught.value)


# -- scenarios -------------------------------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a scenario; the shipped ones of its game lie in `shipped/next_war`."""
    monkeypatch.setattr(own, "data_folder", lambda name: tmp_path / name)
    for name in ("scenarios/next_war", "here"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "here"


def put(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)


def spots(found: OwnScenario) -> list[tuple[str, str]]:
    return [(f"{spot.file.name}:{spot.line}:{spot.column}", str(why)) for spot, why in found.broken]


def at(found: OwnScenario, *path: Any, word: str = "") -> str:
    spot = found.spot(path, word)
    return f"{spot.file.name}:{spot.line}:{spot.column}"


def test_a_scenario_of_one_file_has_the_name_of_its_file(here: Path) -> None:
    put(here, valley="game: next-war\ntitle: A valley\n")
    found = read_own(here / "valley.yaml")
    assert found.plain == {"name": "valley", "game": "next-war", "title": "A valley"} and found.broken == []
    put(here, named="name: other\n")
    assert read_own(here / "named.yaml").plain == {"name": "other"}
    assert own.is_file("x.yaml") and own.is_file("x.json") and not own.is_file("yaml") and not own.is_file("x.yml")


def test_what_it_extends_comes_first_and_parts_are_read_in(here: Path) -> None:
    put(
        here,
        valley="extends: base\ngame: next-war\ntitle: Own\nmap: map.yaml\n",
        base="title: Base\nunits: units.yaml\nturns: 3\n",
    )
    put(here, units="- {name: A}\n- {name: B}\n", map="hexes: [1]\n")
    found = read_own(here / "valley.yaml")
    assert found.plain == {
        "name": "valley",
        "game": "next-war",
        "title": "Own",
        "map": {"hexes": [1]},
        "units": [{"name": "A"}, {"name": "B"}],
        "turns": 3,
    }
    assert found.broken == []
    assert at(found, "title") == "valley.yaml:3:8" and at(found, "turns") == "base.yaml:3:8"
    assert at(found, "units", 1, "name") == "units.yaml:2:10" and at(found, "map", "hexes") == "map.yaml:1:8"
    assert at(found, "nothing") == at(found) == "valley.yaml:1:1" and at(found, "units", 7) == "units.yaml:1:1"


def test_what_lies_beside_it_goes_before_what_is_shipped(here: Path) -> None:
    shipped = here.parent / "scenarios/next_war"
    put(shipped, base="title: Shipped\nmap: map.yaml\n", map="hexes: [shipped]\n")
    put(here, valley="extends: base\ngame: next-war\n")
    assert read_own(here / "valley.yaml").plain["map"] == {"hexes": ["shipped"]}
    put(here, map="hexes: [own]\n")
    found = read_own(here / "valley.yaml").plain
    assert (found["title"], found["map"]) == ("Shipped", {"hexes": ["own"]})


def test_files_that_are_not_there_are_named_with_what_is_nearest(here: Path) -> None:
    put(here, valley="game: next-war\nextends: korae\nmap: mapp.yaml\nunits: zzzzzzzz.yaml\n", map="a: 1\n")
    put(here.parent / "scenarios/next_war", korea="a: 1\n")
    found = read_own(here / "valley.yaml")
    assert found.plain == {"name": "valley", "game": "next-war"}
    (extended, why), (mapped, hint), (units, none) = spots(found)
    assert (extended, mapped, units) == ("valley.yaml:2:10", "valley.yaml:3:6", "valley.yaml:4:8")
    assert why.startswith("korae.yaml: there is no such file; ") and "korea" in why
    assert hint.startswith("mapp.yaml: there is no such file; ") and "map" in hint
    assert none == "zzzzzzzz.yaml: there is no such file"


def test_files_that_cannot_be_read_are_named_with_line_and_column(here: Path) -> None:
    put(
        here, valley="extends: base\nmap: map.yaml\nunits: units.yaml\n", base="a: 1\na: 2\n", map="b: 1\nb: 2\n", units="- [\n"
    )
    found = read_own(here / "valley.yaml")
    assert found.plain == {"name": "valley"}
    first, second, third = spots(found)
    assert first == ("valley.yaml:1:10", "base.yaml: line 2, column 1: the key 'a' stands twice")
    assert second[0] == "map.yaml:2:1" and third[0].startswith("units.yaml:")
    assert refused(lambda: read_own(here / "base.yaml")) == (Outcome.UNREADABLE, "line 2, column 1: the key 'a' stands twice")
    with pytest.raises(FileNotFoundError):
        read_own(here / "none.yaml")


def test_words_are_found_where_they_stand(here: Path) -> None:
    put(here, valley="# inf\nunits: [inf, infantry, re-inf, inf]\ncity: {inf: x,\n  inf2: inf}\n")
    found = read_own(here / "valley.yaml")
    assert at(found, "units", word="inf") == "valley.yaml:2:9" and at(found, "units", word="infantry") == "valley.yaml:2:14"
    assert at(found, "city", "inf", word="inf") == "valley.yaml:3:8", "a key stands before its value"
    assert at(found, "city", "inf2", word="inf") == "valley.yaml:4:9"
    assert at(found, "units", word="nothing") == "valley.yaml:2:8"
    assert at(found, "units", 1, word="units") == "valley.yaml:2:14"
    assert str(Spot(Path("a/b"), 3, 4)) == "a/b:3:4"


def test_a_word_that_is_key_and_value_is_found_where_it_is_meant(here: Path) -> None:
    put(here, valley="city: {inf: inf}\nunits: [inf, inf]\n")
    found = read_own(here / "valley.yaml")
    assert at(found, "city", "inf") == "valley.yaml:1:13" and at(found, "city", "inf", word="inf") == "valley.yaml:1:8"
    assert at(found, "units", 0, word="inf") == "valley.yaml:2:9" and at(found, "units", 1, word="inf") == "valley.yaml:2:14"


def test_what_has_no_place_is_told_by_the_nearest_that_has_one(here: Path) -> None:
    put(here, valley="\ntown:\n  gate: {open: 1}\n")
    found = read_own(here / "valley.yaml")
    assert at(found, "town", "gate", "shut") == at(found, "town", "gate") == "valley.yaml:3:9"
    put(here, valley="\ntown: 1\n")
    assert at(read_own(here / "valley.yaml"), "town", word="town") == "valley.yaml:2:1", "behind an empty line"


def test_a_scenario_is_no_list_and_no_noise(here: Path) -> None:
    for content in (b"- a\n- b\n", b"title: \xff\n"):
        (here / "valley.yaml").write_bytes(content)
        assert refused(lambda: read_own(here / "valley.yaml"))[0] is Outcome.UNREADABLE, content


def test_values_deep_in_what_is_extended_have_their_places(here: Path) -> None:
    put(here, valley="extends: base\n", base="blue: {hq: 0}\nred: {hq: {at: 1}}\ngreen: {hq: 2}\n")
    found = read_own(here / "valley.yaml")
    assert at(found, "red", "hq", "at") == "base.yaml:2:16" and at(found, "red", "hq") == "base.yaml:2:11"
    assert at(found, "blue", "hq") == "base.yaml:1:12" and at(found, "green", "hq") == "base.yaml:3:13"


def test_the_name_that_is_nearest_is_sought_without_its_ending(here: Path) -> None:
    put(here, valley="extends: bsa\nmap: mop.yaml\n", bas="a: 1\n", map="a: 1\n")
    assert spots(read_own(here / "valley.yaml")) == [
        ("valley.yaml:1:10", "bsa.yaml: there is no such file; did you mean bas?"),
        ("valley.yaml:2:6", "mop.yaml: there is no such file; did you mean map?"),
    ]


def test_a_part_that_cannot_be_read_is_named_by_its_place_or_its_beginning(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(here, valley="map: map.yaml\n", map="a: {b: 1, b: 2}\n")
    assert spots(read_own(here / "valley.yaml")) == [("map.yaml:1:11", "the key 'b' stands twice")]

    def read(data: bytes) -> Any:
        if data.startswith(b"a:"):
            raise unreadable(msg("too much"))
        return read_document(data)

    monkeypatch.setattr(own, "read_document", read)
    assert spots(read_own(here / "valley.yaml")) == [("map.yaml:1:1", "too much")]


def test_a_part_by_itself(here: Path) -> None:
    put(here, charts="a:\n  b: 1\n")
    source, plain = read_part(here / "charts.yaml")
    assert plain == {"a": {"b": 1}} and str(source.spot(("a", "b"))) == f"{here / 'charts.yaml'}:2:6"
    missing = here / "none.yaml"
    assert refused(lambda: read_part(missing)) == (Outcome.UNREADABLE, f"there is no file {missing}")


def test_lists_stand_for_themselves_and_nothing_else_does(here: Path) -> None:
    put(here, valley="units: units.yaml\n", units="# armies\n- A\n\n- B: 1\n  c: 2\n")
    found = read_own(here / "valley.yaml")
    assert found.plain["units"] == ["A", {"B": 1, "c": 2}] and at(found, "units", 1, "c") == "units.yaml:5:6"
    put(here, units="- A\nb: 1\n")
    assert "units" not in read_own(here / "valley.yaml").plain
    put(here, units="a:\n- A\n")
    assert read_own(here / "valley.yaml").plain["units"] == {"a": ["A"]}


@pytest.mark.usefixtures("ascii_system")
def test_a_scenario_that_was_put_together_before(tmp_path: Path) -> None:
    path = tmp_path / "scenario.json"
    path.write_text('{"a": "Łódź"}', "utf-8")
    assert own.read_compiled(path) == {"a": "Łódź"}
    for damage in (b"", b"\0" * 9, b"[]", b"\xff", b'{"a": '):
        path.write_bytes(damage)
        assert refused(lambda: own.read_compiled(path)) == (Outcome.UNREADABLE, f"{path} is no scenario")


# -- sets of standing orders -----------------------------------------------------------------------------------------


@pytest.fixture
def session(tmp_path: Path) -> Any:
    (tmp_path / "sets").mkdir()
    game = SimpleNamespace(
        sets=lambda: {"quick": {"react": "pass"}, "slow": {}}, legs=lambda state, order: [order] * len(order)
    )
    table = SimpleNamespace(engine=SimpleNamespace(state="state"))
    return SimpleNamespace(folder=SimpleNamespace(path=tmp_path), game=game, table=table)


def test_an_own_set_goes_before_the_games(session: Any) -> None:
    assert sets.named(session, "quick") == {"react": "pass"} and sets.own_sets(session.folder.path) == {}
    put(session.folder.path / "sets", quick="react: fire\n", mine="a: {b: c}\n", also="x: y\n")
    assert sets.named(session, "quick") == {"react": "fire"} and sets.named(session, "mine") == {"a": {"b": "c"}}
    assert [*sets.own_sets(session.folder.path)] == ["also", "mine", "quick"]
    for name in ("none", 7, None, ["quick"]):
        assert refused(lambda name=name: sets.named(session, name)) == (  # type: ignore[misc]
            Outcome.UNREADABLE,
            f"there is no set of standing orders {name!r}; there are also, mine, quick, quick, slow",
        )


def test_the_orders_of_a_plan_s_steps_are_named_one_by_one(session: Any) -> None:
    plan = [{"do": ["ab", "c"], "when": "x"}, {"do": "pass"}, "done", {"seal": 1}]
    asked: list[Any] = []
    session.game.legs = lambda state, order: [asked.append((state, order)), *order][1:]
    assert sets.legs(session, plan) == [{"do": ["a", "b", "c"], "when": "x"}, *plan[1:]]
    assert asked == [("state", "ab"), ("state", "c")]

    def unread(state: Any, order: Any) -> Any:
        raise Rejected([Problem("cannot be read", verbatim(f"no way {order}"))])

    session.game.legs = unread
    assert refused(lambda: sets.legs(session, plan)) == (Outcome.UNREADABLE, "cannot be read: no way ab")


def test_a_set_that_cannot_be_read_is_named_with_its_line(session: Any) -> None:
    put(session.folder.path / "sets", bad="b: 1\nc: {a: 1, a: 2}\n", nested="set: quick\n")
    with pytest.raises(ProtocolError) as caught:
        sets.named(session, "bad")
    assert caught.value.outcome is Outcome.UNREADABLE
    assert str(caught.value) == "line 2, column 11: bad.yaml: the key 'a' stands twice"
    assert isinstance(caught.value.message.args["wrong"], Message), "it is told in the player's language"
    assert refused(lambda: sets.named(session, "nested")) == (Outcome.UNREADABLE, "nested.yaml: a set names no other set")


def test_what_stands_beside_a_set_goes_before_it(session: Any) -> None:
    assert sets.spelled(session, {"a": "b"}) == {"a": "b"} and sets.spelled(session, {}) == {}
    assert sets.spelled(session, {"set": "quick", "other": "x"}) == {"react": "pass", "other": "x"}
    assert sets.spelled(session, {"react": "fire", "set": "quick"}) == {"react": "fire"}
    assert sets.spelled(session, {"react": {"do": "fire"}}) == {"react": [{"do": "fire"}]}, "a clause without its list"
    plain = "orders:\n- done\n# a remark\nstanding: {a: pass}\n"
    assert sets.written_out(session, plain) == plain
    written = sets.written_out(session, "orders:\n- done\n# a remark\nstanding: {set: quick}\n")
    assert "# a remark" in written and "react: pass" in written and "quick" not in written


def test_an_order_of_a_plan_that_stands_for_several_is_written_out(session: Any) -> None:
    plain = "orders:\n- done\n# a remark\nplan:  # mine\n- {at: march, do: [x, y]}\n- {at: rest}\n- odd\n"
    assert sets.written_out(session, plain) == plain, "each is one"
    longer = plain.replace("[x, y]", "[go, x]")
    written = read_paper(sets.written_out(session, longer))
    assert written.draft.plan == [{"at": "march", "do": ["go", "go", "x"]}, {"at": "rest"}, "odd"]
    assert written.orders == ("done",) and "# a remark" in written.text
    both = read_paper(sets.written_out(session, longer + "standing: {set: quick}\n"))
    assert (both.draft.standing, both.draft.plan[0]) == ({"react": "pass"}, {"at": "march", "do": ["go", "go", "x"]})


# -- holds -----------------------------------------------------------------------------------------------------------


WAKES = {"when": "fuel < 3", "do": "ask me"}


@pytest.fixture
def holding(session: Any) -> Any:
    """Nowak holds the seats red and rust; the game knows the facts of red as it stands."""
    facts = {("state", "red"): {"fuel": 7, "turn": 1}}
    session.game.facts = lambda state, seat: facts[state, seat]
    session.charter = SimpleNamespace(seats_of=lambda player: {"nowak": ["red", "rust"]}[player])
    session.me = SimpleNamespace(player="nowak")
    session.table = SimpleNamespace(engine=SimpleNamespace(state="state"))
    return session


def test_a_hold_answers_alike_until_something_happens(holding: Any) -> None:
    entry = {"kinds": ["join", "common"], "answer": "halt", "until": "fuel < 3"}
    clauses = [WAKES, {"do": "halt"}]
    assert sets.spelled(holding, {"hold": [entry]}) == {"join": clauses, "common": clauses}
    assert sets.spelled(holding, {"hold": entry}) == {"join": clauses, "common": clauses}, "one needs no list"
    assert sets.spelled(holding, {"hold": {"kinds": "join"}}) == {"join": [{"do": "done"}]}, "done, and for ever"
    assert sets.spelled(holding, {"hold": {"kinds": "join", "until": ""}}) == {"join": [{"do": "done"}]}
    assert sets.spelled(holding, {"hold": []}) == {}


def test_entries_of_a_hold_stand_in_their_order(holding: Any) -> None:
    first, then = {"kinds": "join", "until": "fuel < 3", "answer": "a"}, {"kinds": ["common", "join"], "answer": "b"}
    assert sets.spelled(holding, {"hold": [first, then]}) == {
        "join": [WAKES, {"do": "a"}, {"do": "b"}],
        "common": [{"do": "b"}],
    }


def test_a_hold_goes_before_the_set_and_what_stands_beside_it_before_both(holding: Any) -> None:
    put(holding.folder.path / "sets", mine="join: set\ncommon: set\nother: set\nhold: {kinds: fourth, until: fuel < 3}\n")
    found = sets.spelled(holding, {"set": "mine", "hold": {"kinds": ["join", "common"]}, "common": "beside"})
    fourth = {"fourth": [WAKES, {"do": "done"}]}
    assert found == {"join": [{"do": "done"}], "common": "beside", "other": "set", **fourth}


@pytest.mark.parametrize(
    "entry",
    [
        "join",
        7,
        {},
        {"kinds": []},
        {"kinds": [1]},
        {"kinds": ["join", None]},
        {"kinds": {"join": 1}},
        {"kinds": "join", "until": 3},
        {"kinds": "join", "until": None},
        {"kinds": "join", "answers": "x"},
    ],
)
def test_what_is_no_entry_of_a_hold_is_told(holding: Any, entry: Any) -> None:
    told = (Outcome.UNREADABLE, "hold: an entry is kinds, answer, until")
    assert refused(lambda: sets.spelled(holding, {"hold": [entry]})) == told
    assert refused(lambda: sets.spelled(holding, {"hold": [{"kinds": "join"}, entry]})) == told


def test_a_hold_waits_for_nothing_that_the_game_does_not_know(holding: Any) -> None:
    for until, why in (
        ("feul < 3", "until: there is no fact 'feul'; did you mean fuel?"),
        ("fuel <", "condition 'fuel <': a fact, a number or a word is missing"),
    ):
        with pytest.raises(ProtocolError) as caught:
            sets.spelled(holding, {"hold": {"kinds": "join", "until": until}})
        assert (caught.value.outcome, str(caught.value)) == (Outcome.UNREADABLE, f"hold: {why}")
        assert isinstance(caught.value.message.args["wrong"], Message), "it is told in the player's language"


def test_a_hold_in_an_order_file_is_written_out(holding: Any) -> None:
    written = read_paper(sets.written_out(holding, "orders:\n- done\n# a remark\nstanding: {hold: {kinds: join}}\n"))
    assert written.draft.standing == {"join": [{"do": "done"}]} and "# a remark" in written.text


# -- pins ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> GameFolder:
    return GameFolder.create(tmp_path / "game", {})


def test_a_place_has_one_pin(folder: GameFolder) -> None:
    assert talk.pins(folder) == {} and talk.visible_pins(folder) == ()
    talk.pin(folder, "0711", "mines?")
    talk.pin(folder, "0712", "sub")
    talk.pin(folder, "0711", "no mines")
    assert talk.pins(folder) == {"0712": "sub", "0711": "no mines"}
    assert talk.visible_pins(folder) == (), "whoever watches has none"
    folder.save_secrets(PlayerSecrets.fresh("nowak"))
    assert talk.visible_pins(folder) == [("0712", "sub"), ("0711", "no mines")]
    talk.pin(folder, "0712", "")
    talk.pin(folder, "9999", "")
    assert talk.pins(folder) == {"0711": "no mines"}


def test_pins_have_bounds(folder: GameFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (talk.MOST_PINS, talk.MOST_LETTERS) == (200, 500)
    monkeypatch.setattr(talk, "MOST_PINS", 2)
    monkeypatch.setattr(talk, "MOST_LETTERS", 3)
    talk.pin(folder, "a", "xyz")
    talk.pin(folder, "b", "x")
    too_large = (Outcome.TOO_LARGE, "a pin holds 3 letters, and a map 2 pins")
    assert refused(lambda: talk.pin(folder, "a", "wxyz")) == too_large == refused(lambda: talk.pin(folder, "c", "x"))
    talk.pin(folder, "b", "y")
    talk.pin(folder, "c", "")
    assert talk.pins(folder) == {"a": "xyz", "b": "y"}


def test_damaged_pins_are_told_and_hide_nothing_else(folder: GameFolder) -> None:
    folder.save_secrets(PlayerSecrets.fresh("nowak"))
    path = folder.path / "private/pins.json"
    for damage in (b"", b"\0" * 9, b"[]", b'{"a": 1}', b'{"a": "x"'):
        path.write_bytes(damage)
        told = (Outcome.LOG_DAMAGED, f"{path} cannot be read: delete it, and pin anew")
        assert refused(lambda: talk.pins(folder)) == told == refused(lambda: talk.pin(folder, "a", "x"))
        assert talk.visible_pins(folder) == () and path.read_bytes() == damage
    path.unlink()
    talk.pin(folder, "a", "x")
    assert json.loads(path.read_bytes()) == {"a": "x"}
