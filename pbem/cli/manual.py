"""The manual: a topic is a Markdown file of pbem/manual, which the package brings."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.cli.speech import speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import english, msg, verbatim

FOLDER = Path(__file__).parent.parent / "manual"
TITLES = {
    "accidents": msg("Lost disks, copies, two machines"),
    "axis-and-allies-pacific": msg("Axis & Allies Pacific 1940: an order file"),
    "board": msg("Orders by clicking"),
    "commands": msg("Every command and exit code"),
    "deadlines": msg("Names and deadlines"),
    "dice": msg("Why nobody can cheat with the dice"),
    "empire-of-the-sun": msg("Empire of the Sun: offensives and reactions"),
    "hidden-forces": msg("Hidden forces in Pacific War"),
    "hints": msg("Hints, reviews, levels"),
    "keys": msg("Keys, passphrases, backups"),
    "live": msg("Live, while both are there"),
    "mail": msg("By mail, without hands"),
    "many-games": msg("Many games: arena, forecast and league"),
    "next-war": msg("Next War: orders and standing orders"),
    "odds": msg("Odds and luck"),
    "orders": msg("Writing orders: what may come next, what a file gives up"),
    "own-scenarios": msg("Write your own map, units and charts"),
    "pacific-war": msg("Pacific War: orders, campaigns, your own charts"),
    "promises": msg("What pbem promises"),
    "referees": msg("For referees and spectators"),
    "replay": msg("The whole game as one page"),
    "reports": msg("Reports and maps"),
    "rules": msg("A rule or a card looked up"),
    "talk": msg("Saying something: notes, and pins for oneself"),
}  # topic -> its title, as the first line of its page says it
_PICTURE = re.compile(r"(?m)^\[?!\[.*\n\n?")
_LINK = re.compile(r"\[([^\]\[]+)\]\(([^()\s]+)\)")


def topics() -> dict[str, str]:
    """Every topic with its title in the language of the person at the keyboard."""
    return {topic: text(title) for topic, title in TITLES.items()}


def show(topic: str) -> tuple[Plain, str]:
    """The list of topics, or the text of one. Raises Rejected for a topic that there is not."""
    known = {one: english(title) for one, title in TITLES.items()}
    if not topic:
        wide = max(map(len, known))
        lines = [f"{name:{wide}}  {title}" for name, title in topics().items()]
        return {**known}, "\n".join([*lines, "", speak("`pbem manual TOPIC` shows one, in English")])
    name = topic.lower().removesuffix(".md")
    if name not in known:
        raise unreadable(msg("the manual has no topic {topic!r}", topic=topic), nearest(name, [*known]) or verbatim(*known))
    page = (FOLDER / f"{name}.md").read_text("utf-8")
    return {"topic": name, "title": known[name], "text": page}, _for_a_terminal(page)


def _for_a_terminal(page: str) -> str:
    """Without pictures; a link to another topic names the command, any other only what it is about."""
    return _LINK.sub(_named, _PICTURE.sub("", page)).strip()


def _named(link: re.Match[str]) -> str:
    words, target = link[1], link[2]
    return f"{words} (pbem manual {target.removesuffix('.md')})" if (FOLDER / target).parent == FOLDER else words
