"""`pbem manual` as a user meets it: the topics, one of them, one that is misspelt."""

from __future__ import annotations

import json

import pytest

from pbem import games
from pbem.cli.manual import FOLDER, TITLES
from pbem.kernel.wording import english
from tests.commands import must, run
from tests.manual import TOPICS, page


def test_it_lists_every_topic_with_its_title() -> None:
    shown = must("manual")
    assert [line.split()[0] for line in shown.split("\n\n")[0].splitlines()] == [*TOPICS]
    assert "Lost disks, copies, two machines" in shown and "pbem manual TOPIC" in shown
    assert list(json.loads(must("manual", "--json"))) == [*TOPICS]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_shown_without_links_and_pictures(topic: str) -> None:
    shown = must("manual", topic)
    assert shown.startswith(f"# {json.loads(must('manual', '--json'))[topic]}\n")
    assert "](" not in shown and ".assets" not in shown
    plain = json.loads(must("manual", topic, "--json"))
    assert plain["topic"] == topic and plain["text"] == page(topic)


def test_titles_are_those_of_the_pages_in_the_language_of_the_reader() -> None:
    assert {topic: english(title) for topic, title in TITLES.items()} == {
        path.stem: path.read_text("utf-8").partition("\n")[0].removeprefix("# ") for path in sorted(FOLDER.glob("*.md"))
    }
    for code, words in {
        "cs": "Ztracené disky",
        "fr": "Disques perdus",
        "pl": "Utracone dyski",
        "ru": "Потерянные диски",
    }.items():
        shown = must("--language", code, "manual")
        assert words in shown and "Orders by clicking" not in shown and "shows one" not in shown
    assert "Lost disks" in must("--language", "fr", "manual", "--json")


def test_a_link_to_another_topic_names_the_command() -> None:
    assert "Hidden forces (pbem manual hidden-forces) are options" in must("manual", "pacific-war")


def test_an_unknown_topic_names_the_nearest() -> None:
    done = run("manual", "deadline")
    assert done.code == 1 and "no topic 'deadline'" in done.err and "did you mean deadlines" in done.err
    assert "hidden-forces" in run("manual", "../x").err


def test_every_game_has_its_topic() -> None:
    assert set(games.BUILT_IN) <= set(TOPICS)
