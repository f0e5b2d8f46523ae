"""What a charter binds its players to is told before it is signed, and nothing in it changes unnoticed on its way."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import strict_yaml
from tests.commands import ALLIES, inside, must, run

USUAL = "An answer is due within 72 h; 48 h after a claim follows: nothing"
KEYS = "A lost key: an ally may give the seat a new one when all others agree."


@pytest.fixture
def drafted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A draft of yamada's with a bid, in which nowak has taken the Allies."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    with inside(tmp_path):
        must("new", "axis", "--option", "bid=6")
        must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
        must("join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "allies")
        yield tmp_path


def altered(path: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """The charter as somebody else sends it."""
    document = strict_yaml.read_document(path.read_bytes())[0]
    change(document)
    (path.parent.parent / "sent.yaml").write_text(strict_yaml.write_document(document), "utf-8")
    return "sent.yaml"


def test_new_join_and_accept_tell_the_terms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    with inside(tmp_path):
        told = must("new", "axis", "--option", "bid=6", "--no-hints", "--then", "loss", "--slots", "06:00,18:00")
        terms = told.splitlines()[:7]
        assert terms[0] == "Axis & Allies Pacific 1940, scenario spring-1940"
        assert terms[1].startswith("option bid = 6, usually 0: IPC that Japan's opponents pay")
        assert terms[2].startswith("options as usual: ") and "bid" not in terms[2] and "round-limit = 0" in terms[2]
        assert terms[3] == "An answer is due within 72 h; 48 h after a claim follows: loss"
        assert terms[4:6] == [KEYS, "Hints of the program are forbidden."] and "06:00, 18:00" in terms[6]
        must("join", "--as", "yamada", "--seats", "japan", "-g", "axis")
        for command in (
            ["join", "axis/charter.yaml", "--as", "nowak", "--seats", ALLIES, "--answers", "-g", "allies"],
            ["accept", "-g", "allies"],
            ["accept", "allies/charter.yaml", "--yes", "-g", "axis"],
        ):
            seen = must(*command).splitlines()
            assert seen[:3] == [terms[0], "yamada: japan", f"nowak: {ALLIES.replace(',', ', ')}"]
            assert seen[3:10] == [*terms[1:6], "nowak answers the reactions of allies.", terms[6]], command


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda d: d["options"].update(bid=0), "option bid = 0, in your draft 6: IPC that Japan's opponents"),
        (lambda d: d["options"].update({"round-limit": 4}), "option round-limit = 4, in your draft 0: "),
        (lambda d: d["overdue"].update(then="loss"), "after a claim follows: loss; no longer: " + USUAL),
        (lambda d: d.pop("overdue"), "no longer: " + USUAL),
        (lambda d: d.pop("lost_keys"), "A lost key: nobody may give the seat a new one.; no longer: " + KEYS),
        (lambda d: d.update(hints="forbidden"), "Hints of the program are forbidden."),
        (lambda d: d.update(pace={"slots": ["06:00"]}), "Files with decisions leave at these times alone (UTC): 06:00."),
        (lambda d: d.update(answers={"allies": "nowak"}), "nowak answers the reactions of allies."),
        (lambda d: d.update(note=["The loser pays."]), "note: The loser pays."),
    ],
)
def test_terms_that_are_not_those_of_the_own_draft_are_not_signed_unasked(drafted: Path, change: Any, line: str) -> None:
    sent = altered(drafted / "allies" / "charter.yaml", change)
    before = (drafted / "axis" / "charter.yaml").read_bytes()
    done = run("accept", sent, "-g", "axis")
    assert done.code and line in done.err and "pbem accept --yes" in done.err, done
    assert (drafted / "axis" / "charter.yaml").read_bytes() == before, "nothing is signed and nothing kept"
    assert "nowak to go" in must("accept", sent, "--yes", "-g", "axis")


def test_who_takes_a_seat_is_no_change_of_the_terms(drafted: Path) -> None:
    assert "yamada to go" in must("accept", "-g", "allies")
    assert "The game has begun." in must("accept", "allies/charter.yaml", "-g", "axis")


def test_at_a_terminal_it_is_asked(drafted: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from pbem.cli import setup

    sent = Path(altered(drafted / "allies" / "charter.yaml", lambda d: d["options"].update(bid=0)))
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    answers = ["", "y"]
    monkeypatch.setattr("builtins.input", lambda question: answers.pop(0) if question == "Is that meant? [y/N] " else "?")
    with pytest.raises(Exception, match="nothing is signed"):
        setup.accept(Path("axis"), sent)
    assert "option bid = 0, in your draft 6" in capsys.readouterr().out
    assert setup.accept(Path("axis"), sent)[0]["unsigned"] == ["nowak"] and not answers  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("role", "line"),
    [("escrow", "Umpire: dubois, with the escrow; he can open every chain."), ("witness", "Umpire: dubois, as a witness.")],
)
def test_an_umpire_is_told_with_what_he_can_read(role: str, line: str, drafted: Path) -> None:
    must("new", "other")
    must("umpire", "join", "other/charter.yaml", "--as", "dubois", "--role", role, "-g", "umpire")
    took = ("join", "umpire/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "other")
    asked = run(*took)
    assert asked.code and line in asked.err and "`pbem join --yes` says that it is meant" in asked.err, (
        "other terms than his own"
    )
    assert line in must(*took, "--yes")


@pytest.mark.parametrize("command", ["join", "umpire join"])
def test_who_stands_in_a_draft_of_other_terms_than_his_own_is_asked(command: str, drafted: Path) -> None:
    must("new", "own", "--option", "bid=2")
    took = [*command.split(), "axis/charter.yaml", "--as", "smith", "-g", "own"]
    took += ["--seats", ALLIES] if command == "join" else ["--role", "witness"]
    must("new", "axis2", "--option", "bid=6")
    took[len(command.split())] = "axis2/charter.yaml"
    before = Path("own/charter.yaml").read_bytes()
    done = run(*took)
    assert done.code and "option bid = 6, in your draft 2: " in done.err and f"`pbem {command} --yes`" in done.err
    assert Path("own/charter.yaml").read_bytes() == before, "nothing is done"
    must(*took, "--yes")
    assert "smith" in Path("own/charter.yaml").read_text()


def test_who_joins_a_second_time_with_a_file_of_the_same_terms_is_not_asked(drafted: Path) -> None:
    must("new", "later")
    must("umpire", "join", "later/charter.yaml", "--as", "smith", "--role", "witness", "-g", "umpire")
    must("join", "umpire/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "third")
    again = run("join", "umpire/charter.yaml", "--as", "yamada", "--seats", "japan", "-g", "third")
    assert "not those of your draft" not in again.err + again.out


def test_a_draft_that_cannot_be_played_is_refused_before_anybody_takes_a_seat(drafted: Path) -> None:
    sent = altered(drafted / "axis" / "charter.yaml", lambda d: d["options"].pop("bid"))
    done = run("join", sent, "--as", "nowak", "--seats", ALLIES, "-g", "other")
    assert done.code and "the charter names other options" in done.err and not (drafted / "other").exists()


def test_programs_get_the_terms_as_they_stand_in_the_charter(drafted: Path) -> None:
    plain = json.loads(must("accept", "-g", "allies", "--json"))["terms"]
    assert plain["options"]["bid"] == 6 and plain["scenario"]["name"] == "spring-1940" and plain["lost_keys"] == "others"
    assert plain["overdue"] == {"after": "72h", "grace": "48h", "then": "nothing"} and "hints" not in plain


def test_what_an_option_may_be_is_listed() -> None:
    told = must("scenarios", "empire-of-the-sun")
    assert "option rules = 2nd-2015, or 1st-2005: the edition" in told and "option bid = 0, or from −10 to 10: " in told
    options = json.loads(must("scenarios", "empire-of-the-sun", "--json"))["options"]
    assert options[0]["choices"] == ["2nd-2015", "1st-2005"] and options[0]["default"] == "2nd-2015"
