"""How a short report puts things together: moves, owners, money, the situation, and answers beside their questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from pbem import games
from pbem.kernel.wording import Argument, Message, Overview, counted, english, msg
from pbem.report.changes import new_rows, owners, sums
from pbem.report.digest import digest
from pbem.report.files import file_view
from pbem.report.journeys import journeys, led_once, together
from pbem.report.quoting import answer_told
from pbem.report.view import Line
from tests.report.test_digest import lines, moved, rolled, view


def went(power: str, origin: str, place: str, *things: Message | str) -> Message:
    return msg("{power} from {origin} to {place}: {things}", power=power, origin=origin, place=place, things=things)


def infantry(n: int) -> Message:
    return counted("{n} infantry", "{n} infantry", n)


def said(texts: Sequence[Argument]) -> list[str]:
    return [english(text) if isinstance(text, Message) else str(text) for text in texts]


def test_what_is_only_counted_is_one_number_from_wherever_it_came() -> None:
    moves = [went("Japan", "Anhwe", "Kiangsu", infantry(2)), went("China", "Hunan", "Kiangsu", infantry(1))]
    moves += [went("Japan", "Jehol", "Kiangsu", infantry(3)), went("Japan", "Anhwe", "Kiangsu", infantry(1))]
    assert said(journeys(moves)) == [
        "Japan from Anhwe, Jehol to Kiangsu: 6 infantry",
        "China from Hunan to Kiangsu: 1 infantry",
    ]
    named = [went("Japan", "Truk", "Lae", "J1"), went("Japan", "Rabaul", "Lae", "J2")]
    assert len(journeys(named)) == 2, "who came from where is known of units with names"


def test_what_neighbours_begin_with_is_said_once() -> None:
    moves = [went("Japan", "A", "B", "J1"), went("Japan", "C", "D", "J2"), went("China", "E", "F", "X"), msg("barges")]
    assert said(led_once(moves)) == [
        "Japan from A to B: J1",
        "from C to D: J2",
        "China from E to F: X",
        "barges",
    ]
    placed = [msg("{power}, placed in {place}: {things}", power="Japan", place=p, things=(t,)) for p, t in ("AX", "BY")]
    assert said(led_once(placed)) == ["Japan, placed in A: X", "B: Y"]
    assert said(led_once([msg("{a}: {b}", a=1, b=2), msg("{a}: {b}", a=1, b=3)])) == ["1: 2", "1: 3"]


def test_a_list_that_is_cut_begins_with_its_lead() -> None:
    many = [Line(went("Japan", f"A{n}", f"B{n}", f"J{n}"), topic="move") for n in range(9)]
    (told,) = [line for line in lines(moved(view("pacific_war"), *many)) if "J8" in line]
    assert told.split(". ", 1)[1].startswith("Japan from A3 to B3: J3; from A4 to B4: J4;")


def test_things_of_the_same_sentence_are_one_list() -> None:
    ready = [msg("{power}, into play: {things}", power="Japan", things=(t,)) for t in ("J1", "J2")]
    assert said(together([*ready, msg("day")])) == ["Japan, into play: J1, J2", "day"]


def test_places_that_went_the_same_way_are_named_together() -> None:
    held = msg("{place}: held by {before} before, by {after} now")
    there = [("Wake", "A", "B"), ("Guam", "A", "C"), ("Lae", "A", "B")]
    changes: list[Argument] = [Message(held.id, {"place": p, "before": b, "after": a}) for p, b, a in there]
    assert said(owners([*changes[:2], msg("the sea: nobody"), *changes[2:]])) == [
        "Wake, Lae (A → B)",
        "Guam (A → C)",
        "the sea: nobody",
    ]


def test_money_of_several_sources_is_one_sum_where_the_game_says_so() -> None:
    earned = [Line(msg("source"), short=msg("{who} earns {n} IPC", who=who, n=n)) for who, n in (("A", 9), ("B", 5), ("A", 5))]
    assert said(sums([*earned, Line(msg("Passes: {n}", n=1)), Line(msg("Passes: {n}", n=2))])) == [
        "A earns 14 IPC",
        "B earns 5 IPC",
        "Passes: 2",
    ]


def overview(*rows: tuple[str, int, int, int, int]) -> Overview:
    keys = ("who", "a", "b", "c", "d")
    return Overview(
        msg("Sides"),
        tuple((k, msg(k.upper())) for k in keys),
        tuple(dict(zip(keys, r, strict=True)) for r in rows),
        "{who}: {a}",
    )


def test_of_the_situation_only_what_is_new_is_told() -> None:
    before = overview(("Japan", 1, 2, 3, 4), ("Allies", 1, 2, 3, 4))
    now = overview(("Japan", 1, 2, 9, 4), ("Allies", 1, 2, 3, 4))
    assert said([*new_rows(before, now)]) == ["Japan: C 9."]
    assert said([*new_rows(before, overview(("Japan", 5, 6, 7, 8), ("Allies", 1, 2, 3, 4)))]) == ["Japan: 5"], (
        "all of it is new"
    )
    assert said([*new_rows(None, before)]) == ["Japan: 1", "Allies: 1"] and not [*new_rows(before, before)]


def nothing(word: str) -> None:
    return None


def test_an_answer_stands_beside_its_question() -> None:
    asked = {"search": msg("search, or none"), "stop": msg("whether it stops")}
    words: Any = type("Words", (), {"ASKED": asked})
    document = {"seq": 3, "player": "nowak", "orders": [{"search": {"A1": "CA5"}}, "done", {"stop": "no"}]}
    made = file_view(document, msg("orders"), "", False, nothing, words, ("search", "search", "stop"))
    assert said(made.answers) == ["search, or none – A1: CA5", "whether it stops – no"]
    only = file_view({**document, "orders": ["done"]}, msg("orders"), "", False, nothing, words, ("stop",))
    assert said(only.answers) == ["whether it stops – done"], "where nothing else is said, that is"


def test_of_a_secret_order_only_its_secrecy_is_told() -> None:
    assert english(answer_told({"sealed": "00" * 32}, nothing)) == "in secret"
    assert english(answer_told({"seal": {"bid": 3}, "seat": "japan"}, nothing)) == "in secret"
    assert english(answer_told("press", nothing)) == "press" and english(answer_told({"stop": "no"}, nothing)) == "no"


def test_every_order_of_a_game_says_what_it_has_answered() -> None:
    game = view("pacific_war")
    asked = games.load("pacific-war").words().ASKED
    first = game.files[0]
    assert said(first.answers)[0].startswith(english(asked["search"]) + " – ") and len(first.orders) == len(first.answers) == 1


def test_who_only_turned_the_dice_is_named() -> None:
    game = view("axis_and_allies_pacific")
    silent = tuple(replace(file, orders=()) for file in game.files)
    thrown = replace(game, files=silent, rolls=(rolled("a", 6, 1),))
    assert said(digest(thrown).lines)[0] in ("Dice turned by: nowak (Allies).", "Turned the dice: nowak (Allies).")
    assert not said(digest(replace(thrown, rolls=())).lines)[0].startswith(("Dice", "Turned"))


def test_an_offer_is_told() -> None:
    offer = Line(msg("yamada offers a draw."), topic="offer")
    told = lines(moved(view("pacific_war"), offer, files=(), rolls=()))
    assert "yamada offers a draw." in told and not any(line.startswith(("Nothing", "No battle")) for line in told)


def test_a_likely_throw_is_told_without_its_chance_where_nothing_else_is() -> None:
    thrown = Line(msg("Roll: a"), roll=rolled("a", 6, 4))
    told = lines(moved(view("next_war"), thrown))
    assert "Thrown: Roll: a; rolled 4." in told and not any("Chance" in line for line in told)
    long = Line(msg("Roll: die {die}; rolled", die=4), roll=rolled("a", 6, 4))
    assert "Thrown: Roll: die 4; rolled: 4." in lines(moved(view("next_war"), long)), "the long sentence ends before its die"
    short = replace(long, short=msg("Roll: hit"))
    assert "Thrown: Roll: hit; rolled 4." in lines(moved(view("next_war"), short))
    fell = moved(view("next_war"), thrown, control=(Line(msg("Manila fell")),))
    assert not any("Thrown" in line for line in lines(fell))
