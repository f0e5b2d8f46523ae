"""The manual: a topic is a Markdown file of pbem/manual, which the package brings."""

from __future__ import annotations

import re
from pathlib import Path

from pbem.kernel.canon import Plain
from pbem.kernel.orders import nearest, unreadable
from pbem.kernel.wording import msg, verbatim

FOLDER = Path(__file__).parent.parent / "manual"
_PICTURE = re.compile(r"(?m)^\[?!\[.*\n\n?")
_LINK = re.compile(r"\[([^\]\[]+)\]\(([^()\s]+)\)")


def topics() -> dict[str, str]:
    """Every topic with its title."""
    return {path.stem: _title(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.md"))}


def show(topic: str) -> tuple[Plain, str]:
    """The list of topics, or the text of one. Raises Rejected for a topic that there is not."""
    known = topics()
    if not topic:
        wide = max(map(len, known))
        lines = [f"{name:{wide}}  {title}" for name, title in known.items()]
        return {**known}, "\n".join([*lines, "", "pbem manual TOPIC shows one"])
    name = topic.lower().removesuffix(".md")
    if name not in known:
        raise unreadable(msg("the manual has no topic {topic!r}", topic=topic), nearest(name, [*known]) or verbatim(*known))
    text = (FOLDER / f"{name}.md").read_text("utf-8")
    return {"topic": name, "title": known[name], "text": text}, _for_a_terminal(text)


def _title(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ")


def _for_a_terminal(text: str) -> str:
    """Without pictures; a link to another topic names the command, any other only what it is about."""
    return _LINK.sub(_named, _PICTURE.sub("", text)).strip()


def _named(link: re.Match[str]) -> str:
    words, target = link[1], link[2]
    return f"{words} (pbem manual {target.removesuffix('.md')})" if (FOLDER / target).parent == FOLDER else words
