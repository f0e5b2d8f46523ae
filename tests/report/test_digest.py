"""The digest: golden ones of a game of each system; nothing in it that the report does not hold; the same on every machine.

`python -m tests.report.test_digest` writes the golden digests anew.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from msgspec import Struct
from msgspec.structs import replace

from pbem import games
from pbem.kernel.events import Marked, Rewound
from pbem.kernel.wording import Declared, Message, Term, Told, msg
from pbem.report import render, story
from pbem.report.announced import Declarations, announced
from pbem.report.changes import SPLIT
from pbem.report.digest import LISTED, MOST, digest
from pbem.report.journeys import WAY
from pbem.report.languages import LANGUAGES, Language, language
from pbem.report.steps import history
from pbem.report.view import FileView, Line, ReportView, Roll
from pbem.runtime.table import Table
from tests.empire_of_the_sun import hidden_play, test_plans
from tests.next_war import party as next_war
from tests.pacific_war import party as pacific_war
from tests.report import recorded
from tests.toygame.party import send

GOLDEN = Path(__file__).parent / "golden" / "digests"
SYSTEMS = ("axis_and_allies_pacific", "empire_of_the_sun", "next_war", "pacific_war")


def told(table: Table, log: Any, first: int = 1) -> ReportView:
    """What happened from a file on, with the throws weighed where the game can do that."""
    start = Table.start(table.charter, table.game, table.engine.scenario)
    steps = [*history(start, log[1:], lambda seq: log[seq])]
    words, chances = games.load(table.game.name).words(), table.game.chances()
    return story.report(words, steps[first - 1 :], steps[-1].taken.table, lambda seq: log[seq], chances=chances)


@cache
def view(system: str) -> ReportView:
    """The view of a game of some files."""
    match system:
        case "axis_and_allies_pacific":
            return told(recorded.seated("yamada").table, recorded.documents())
        case "next_war":
            return told(next_war.played()[0].table, next_war.played()[0].log)
        case "pacific_war":
            return told(pacific_war.engagement().table, pacific_war.engagement().log)
    people, dice = hidden_play.two_people("year-1942"), random.Random(4)
    for _ in range(40):
        writer = next(p for p in people if p.name == people[0].table.due.player)
        send(people, hidden_play.decide(writer, dice))
    return told(people[0].table, people[0].log)


def tongue(system: str, code: str = "en") -> Language:
    return language(code, (system,))


def lines(made: ReportView, system: str = SYSTEMS[0]) -> list[str]:
    return [*map(tongue(system).text, digest(made).lines)]


def goldens() -> Iterator[tuple[str, str]]:
    for system in SYSTEMS:
        for code in LANGUAGES:
            yield f"{system}.{code}.txt", render.brief(digest(view(system)), "txt", tongue(system, code))
            for made in (of_one_file(*one) for one in (*DECLARED, ("pacific_war", 1)) if one[0] == system):
                yield f"{system}.file-{made.last}.{code}.txt", render.brief(digest(made), "txt", tongue(system, code))


@pytest.mark.parametrize("system", SYSTEMS)
def test_golden(system: str) -> None:
    made = {name: text for name, text in goldens() if name.startswith(system)}
    assert made == {path.name: path.read_text("utf-8") for path in GOLDEN.glob(f"{system}.*")}


def leaves(value: Any) -> Iterator[str]:
    """Every text inside, arguments of arguments too."""
    if isinstance(value, Message):
        yield value.id
        for given in value.args.values():
            yield from leaves(given)
    elif isinstance(value, Term):
        yield from leaves(value.words)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple | list):
        for part in value:
            yield from leaves(part)
    elif isinstance(value, Struct):
        for name in value.__struct_fields__:
            yield from leaves(getattr(value, name))


OWN = re.compile(r"[\d .]*|(\{\w+\}[ .;:–]*)+")  # dice, numbers, sentences that only link others


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_name_stands_in_the_report_too(system: str) -> None:
    """What the digest puts into its own sentences is what the report says, word for word."""
    known = {*leaves(view(system))} | {
        text for o in view(system).overviews for row in o.rows for text in leaves([*row.values()])
    }
    said = [text for line in digest(view(system)).lines for given in line.args.values() for text in leaves(given)]
    own = catalogued()
    assert len(said) > 10 and [text for text in said if text not in known | own and not OWN.fullmatch(text)] == []


def catalogued() -> set[str]:
    """The digest's own sentences, and the words for a number of hits and a player."""
    source = "".join((Path(render.__file__).parent / f"{part}.py").read_text("utf-8") for part in ("digest", "changes"))
    return {*re.findall(r'"((?:[^"\\]|\\.)*)"', source)} | {o.spoken for s in SYSTEMS for o in view(s).overviews}


@pytest.mark.parametrize("system", SYSTEMS)
def test_fifteen_sentences_at_most(system: str) -> None:
    assert 5 <= len(digest(view(system)).lines) < MOST


def test_long_lists_are_cut_and_say_by_how_much() -> None:
    game = view(SYSTEMS[0])
    places = [f"Place {n}" for n in range(10 * len(game.control))]
    control = tuple(
        Line(msg("{place}: held by {before} before, by {after} now", place=p, before="A", after="B")) for p in places
    )
    many = replace(game, control=control, politics=control, income=game.income * 9)
    assert any(f", and {len(control) - SPLIT} more (A → B)." in line for line in lines(many))
    moved = tuple(Line(msg("Track {t} moved", t=n)) for n in range(LISTED["control"] + 3))
    assert any(line.endswith("; and 3 more.") for line in lines(replace(many, control=moved)))
    assert len(lines(many)) < MOST


def test_what_changed_more_than_once_is_told_once() -> None:
    held = msg("{place}: held by {before} before, by {after} now")
    there = [("Wake", "A", "B"), ("Guam", "A", "B"), ("Wake", "B", "C"), ("Guam", "B", "A")]
    control = tuple(Line(Message(held.id, {"place": p, "before": b, "after": a})) for p, b, a in there)
    politics = tuple(Line(msg("divisions in China: {n}", n=n)) for n in (10, 9))
    told = " ".join(lines(replace(view(SYSTEMS[0]), control=control, politics=politics)))
    assert "Wake (A → C)." in told and "Guam" not in told, "what came back is no change"
    assert "divisions in China: 9" in told and "divisions in China: 10" not in told


@pytest.mark.parametrize("code", LANGUAGES)
def test_numbers_have_the_decimal_mark_of_the_language(code: str) -> None:
    told = render.brief(digest(view(SYSTEMS[0])), "txt", language(code))
    assert ("0.3" in told) == (code == "en") and ("0,3" in told) == (code != "en")
    assert not re.search(r"^ *[:;!?] ", told, re.MULTILINE), "no line begins with a mark"


def test_where_nothing_was_fought_over_it_says_so() -> None:
    chapters = (replace(view(SYSTEMS[0]).chapters[0], blocks=[]),)
    quiet = replace(view(SYSTEMS[0]), chapters=chapters, control=(), losses=(), income=(), fired=())
    quiet = replace(quiet, declared=(), files=tuple(replace(f, orders=(), answers=()) for f in quiet.files))
    quiet = replace(quiet, rolls=())
    assert lines(quiet) in (["Nothing was fought over, taken or lost."], ["No battle, no loss, no conquest."])


def moved(made: ReportView, *lines: Line, **more: Any) -> ReportView:
    """The view with one phase of these lines, and nothing that was fought over, taken or lost."""
    chapter = replace(made.chapters[0], blocks=[replace(made.chapters[0].blocks[1], kind="phase")])
    chapter.blocks[0].lines[:] = lines
    quiet: dict[str, Any] = {"chapters": (chapter,), "control": (), "losses": (), "income": (), "fired": (), **more}
    return replace(made, **quiet)


def test_where_nothing_else_happened_the_latest_moves_are_told() -> None:
    game = view("pacific_war")
    went = [Line(msg("{n} hexes", n=n), topic="move") for n in range(9)]
    aside = [Line(msg("built"), topic="build"), Line(msg("thrown"), topic="move", roll=rolled("a", 6, 1))]
    (told,) = [line for line in lines(moved(game, *went, *aside)) if "hexes" in line]
    assert told.split(". ", 1)[1] == "3 hexes; 4 hexes; 5 hexes; 6 hexes; 7 hexes; 8 hexes; and 3 more."
    assert told.split(". ", 1)[0] in ("Moves", "On the move")
    assert not [line for line in lines(moved(game, *aside)) if "On the move" in line or "Moves" in line]
    fell = moved(game, *went, control=(Line(msg("Manila fell")),))
    assert not [line for line in lines(fell) if "hexes" in line], "who reads what fell need not read who went where"


def test_steps_of_one_journey_are_told_as_one() -> None:
    def step(who: str, origin: str, place: str) -> Line:
        return Line(msg("{things} from {origin} to {place}", things=who, origin=origin, place=place), topic="move")

    went = [step("J1", "Truk", "A"), step("A1", "Noumea", "B"), step("J1", "A", "Lae"), step("A2", "Cairns", "C")]
    went += [step("A2", "C", "Cairns"), step("J1", "Rabaul", "Buin"), Line(msg("barges"), topic="move")]
    (told,) = [line for line in lines(moved(view("pacific_war"), *went)) if "Noumea" in line]
    assert told.split(". ", 1)[1] == "A1 from Noumea to B; J1 from Truk to Lae; J1 from Rabaul to Buin; barges."


def test_who_went_the_same_way_is_told_together() -> None:
    def step(who: str, place: str) -> Line:
        sentence = msg("{things} from {origin} to {place}", things=(who,), origin="Rabaul", place=place)
        return Line(sentence, topic="move")

    went = [step("Marines", "Buna"), step("Engineers", "Buna"), step("J1", "Buin"), step("Guards", "Buna")]
    (told,) = [line for line in lines(moved(view("pacific_war"), *went)) if "Rabaul" in line]
    assert (
        told.split(". ", 1)[1] == "Marines, Engineers from Rabaul to Buna; J1 from Rabaul to Buin; Guards from Rabaul to Buna."
    )


def test_the_way_of_a_journey_is_left_to_the_long_report() -> None:
    """Every game's sentence with a way has one without it, and so has every language."""
    sailed = msg(
        "{power}, {how}, from {origin} via {way} to {place}: {things}", power="Japan", how="by sea", origin="Truk", way="A"
    )
    text = replace(sailed, args={**sailed.args, "place": "Lae", "things": "CV Akagi"})
    (told,) = [line for line in lines(moved(view("empire_of_the_sun"), Line(text, topic="move"))) if "Truk" in line]
    assert told.split(". ", 1)[1] == "Japan, by sea, from Truk to Lae: CV Akagi."
    for file in (Path(games.__file__).parents[2] / "templates/locale").glob("*/LC_MESSAGES/*.po"):
        known = {message.id for message in read_po(file.open("rb")) if message.string}
        assert all(id.replace(WAY, "") in known for id in known if isinstance(id, str) and WAY in id), file


def test_files_that_were_taken_back_are_named() -> None:
    game = view(SYSTEMS[0])
    back = tuple(replace(file, voided=file.seq in (1, 5)) for file in game.files)
    assert "Taken back: files 1, 5." in lines(replace(game, files=back))


def test_the_wording_hangs_on_the_files_alone() -> None:
    game, found = view(SYSTEMS[0]), set()
    for n in range(20):
        files = (FileView(1, "yamada", msg("orders"), f"{n:064x}", ("done",)),)
        made = replace(game, files=files)
        assert digest(made) == digest(replace(made, private=(("a", "b"),)))
        found.add(lines(made)[0])
    assert found == {"Orders came from: yamada (Axis).", "Orders by: yamada (Axis)."}


def thrown(made: ReportView, *rolls: Roll) -> str:
    """What is said of these rolls, in a game that weighs none."""
    chapter = replace(made.chapters[0], blocks=[replace(made.chapters[0].blocks[1], kind="phase")])
    chapter.blocks[0].lines[:] = [Line(msg("Roll: {label}", label=roll.label), roll=roll) for roll in rolls]
    return next((line for line in lines(replace(made, chapters=(chapter,))) if "Chance" in line), "")


def rolled(label: str, sides: int, *dice: int, **more: Any) -> Roll:
    return Roll(1, 1, 0, label, "", sides, dice, "", "", 2, "nowak", **more)


def test_the_chance_of_a_throw_is_exact() -> None:
    game = view("next_war")
    assert thrown(game, rolled("a", 6, 3), rolled("b", 6, 6, 6)).endswith(
        "Roll: b; rolled 6 6. Chance of as high a throw or higher: about 3 in 100."
    )
    assert thrown(game, rolled("a", 10, 10, ten_is_zero=True)).endswith(
        "; rolled 0. Chance of as low a throw or lower: about 10 in 100."
    )
    hits = thrown(game, rolled("a", 6, 1, 1, 1, hit_at=1))
    assert hits.endswith("; rolled 1 1 1 – 3 hits, on average 0.5. Chance of as much or more: about 1 in 216.")
    assert thrown(game, rolled("a", 6, 5, 6, hit_at=4)).endswith(
        "0 hits, on average 1.3. Chance of as little or less: about 11 in 100."
    )


def test_a_throw_that_was_to_be_expected_has_decided_nothing() -> None:
    game = view("next_war")
    assert thrown(game, rolled("a", 6, 3, 4)) == thrown(game, rolled("a", 6, 1, 6, hit_at=2)) == ""
    assert thrown(game, rolled("a", 6, 3, 4), rolled("b", 6, 6)).endswith("or higher: about 17 in 100.")


def test_the_throw_that_told_most_is_that_of_the_greatest_value() -> None:
    game = view(SYSTEMS[0])
    throws = [line.throw for chapter in game.chapters for block in chapter.blocks for line in block.lines if line.throw]
    most = max(abs(throw.surplus * throw.worth) for throw in throws)
    said = next(line for line in lines(game) if "Chance" in line)
    assert len(throws) == len(game.rolls) and abs((1 - 2 / 6) * 3) == pytest.approx(most) and "1 hit, on average 0.3" in said


def test_what_a_reader_alone_knows_is_not_told() -> None:
    assert digest(recorded.view(reader="yamada")) == digest(recorded.view())


@cache
def of_one_file(system: str, seq: int) -> ReportView:
    """The view of one file of a recorded game."""
    match system:
        case "axis_and_allies_pacific":
            return told(recorded.seated("yamada").table, recorded.documents()[: seq + 1], seq)
        case "next_war":
            return told(next_war.played()[0].table, next_war.played()[0].log[: seq + 1], seq)
        case "empire_of_the_sun":
            people, dice = hidden_play.two_people("year-1942"), random.Random(4)
            for _ in range(seq):
                writer = next(p for p in people if p.name == people[0].table.due.player)
                send(people, hidden_play.decide(writer, dice))
            return told(people[0].table, people[0].log, seq)
    return told(pacific_war.engagement().table, pacific_war.engagement().log[: seq + 1], seq)


def one_file(system: str, seq: int) -> str:
    return " ".join(lines(of_one_file(system, seq), system))


QUIET = ("Nothing was fought over", "No battle, no loss")
DECLARED = {
    ("axis_and_allies_pacific", 1): "Japan attacks Hunan: 2 infantry; Yunnan: 1 fighter, 2 infantry, 1 artillery.",
    ("axis_and_allies_pacific", 6): "China attacks Chahar: 2 infantry; Yunnan: 4 infantry.",
    ("next_war", 4): "Non-Allied attacks 0705: 1/G (attack 7), 12/A (attack 4); lead unit: 1/G.",
    ("empire_of_the_sun", 5): "Offensive, Allies: A56 Typhoon Taskforce, played as event; led by Central Pacific HQ, "
    "up to 6 units; battle hexes: Guam 3814.",
}


@pytest.mark.parametrize(("system", "seq"), DECLARED)
def test_what_a_file_only_declares_is_named(system: str, seq: int) -> None:
    said = one_file(system, seq)
    assert re.search(r"(Declared|Announced)\. " + re.escape(DECLARED[system, seq]), said), said
    assert not any(words in said for words in QUIET)
    assert said.count("attacks Hunan") <= 1 and said.count("attacks 0705") <= 1, "nothing twice"


def test_what_was_declared_and_fought_in_the_same_files_is_told_as_a_battle() -> None:
    assert all(str(one.fight) and one.text.id for one in view("next_war").declared) and view("next_war").declared
    for system in SYSTEMS:
        said = " ".join(lines(view(system), system))
        assert ("Declared. " in said or "Announced. " in said) == (system == "empire_of_the_sun"), said
    assert "Offensive, Allies: A31 Black Day" in " ".join(lines(view("empire_of_the_sun"))), "an offensive without battles"


def test_who_reacts_is_told_where_the_offensive_was_announced_before() -> None:
    """[7.25] [7.26] The reader has seen the offensive: condition and reaction are the news. Where it is told it leads them."""
    party = test_plans.found_out(test_plans.JAPAN, test_plans.ALLIES)
    person = party[0]
    (reacts,) = [d["seq"] for d in person.log if "react" in d.get("orders", [])]

    def since(first: int) -> str:
        return " ".join(lines(told(person.table, person.log, first), "empire_of_the_sun"))

    news = "Intelligence condition: Intercept; Reaction of Allies with: Far East Air Force (US)"
    assert news in since(reacts) and "Offensive, Japan" not in since(reacts)
    assert "Offensive, Japan" in since(1) and "Reaction of" not in since(1)


def test_a_battle_that_nothing_has_come_of_is_not_told_as_fought() -> None:
    said = one_file("next_war", 5)
    assert "Begun and not decided: 0705. Air Points of Allied in support: 2." in said
    assert "Fought over" not in said and "Battles" not in said and not any(words in said for words in QUIET)


def test_what_came_of_a_battle_or_of_a_die_beside_battles_is_told() -> None:
    told = (
        "Menado 2917 – Winner of the air-naval combat: Allies. Back to sea from Menado 2917: Korean Army. "
        "Manila/Corregidor 2813 – Winner of the air-naval combat: Japan. "
    )
    assert told in one_file("empire_of_the_sun", 18), "each with its place"
    one = "Balikpapan 2517. Winner of the air-naval combat: Japan. Winner of the ground combat: Japan. "
    assert one in one_file("empire_of_the_sun", 46), "of one its place is told already"
    assert "Forces of" not in one_file("empire_of_the_sun", 18), "how it began is told where nothing says what came of it"
    assert ". Submarine warfare: success. " in one_file("empire_of_the_sun", 39)
    assert one_file("empire_of_the_sun", 13).count("Intelligence: success") == 1, "what it said is not told as thrown once more"
    assert one_file("empire_of_the_sun", 53).count("Intelligence: success") == 2, "where it was rare"
    assert "The battle is over; left in Hunan: Japan. " in one_file("axis_and_allies_pacific", 2)
    assert "stays" not in " ".join(lines(view("empire_of_the_sun"), "empire_of_the_sun")), "what is as it was"


def test_where_nothing_happened_what_was_decided_or_ordered_is_told() -> None:
    assert one_file("next_war", 1).count(". Weather: Clear; Initiative: Non-Allied.") == 1
    assert "Decided: search, or none – A1: Chokai." in one_file("pacific_war", 1)
    assert "Decided: search, or none – pass." in one_file("pacific_war", 5)


def test_what_was_taken_back_is_not_told_as_declared() -> None:
    first, again = (Declared(msg("Battle hexes: {places}", places=(place,)), msg(place)) for place in ("Guam", "Wake"))
    made = Declarations([first])
    for event in (Marked("moves", "7.23"), again, Rewound("moves", "7.23"), again, Rewound("never marked", "5.32"), again):
        made.add(event, Told("battle", msg("said"), declares=(event,)) if isinstance(event, Declared) else None)
        assert made.standing in ([first], [first, again], [again], [])
    assert made.standing == [again]


def test_targets_of_one_kind_are_one_list() -> None:
    said = [Declared(msg("Battle hexes: {places}", places=(place,)), msg(place)) for place in ("Guam", "Wake", "Lae")]
    assert announced(said, {"Wake"}) == [msg("Battle hexes: {places}", places=("Guam", "Lae"))]
    other = Declared(msg("Besieged: {places}", places=("Bataan",)), msg("siege"))
    assert announced([said[0], other, said[2]], ()) == [said[0].text, other.text, said[2].text]


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, text in goldens():
        (GOLDEN / name).write_text(text, "utf-8")
