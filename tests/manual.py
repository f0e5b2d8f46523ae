"""The pages that users follow: README.md and the topics of the manual, their command lines and order files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parent.parent
FRONT = ROOT / "README.md"
TOPICS = {path.stem: path for path in sorted((ROOT / "pbem" / "manual").glob("*.md"))}


def page(topic: str) -> str:
    """The text of a topic."""
    return TOPICS[topic].read_text("utf-8")


def front(heading: str) -> str:
    """A section of README.md."""
    return FRONT.read_text("utf-8").split(f"## {heading}\n")[1].split("\n## ")[0]


def blocks(text: str, kind: str) -> list[str]:
    """Blocks of code: sh, yaml, text."""
    return re.findall(rf"(?m)^```{kind}\n(.*?)^```", text, re.DOTALL)


def words_of(block: str) -> list[list[str]]:
    """The command lines of a block, word by word, without `pbem`."""
    return [shlex.split(line, comments=True)[1:] for line in block.splitlines() if line.startswith("pbem ")]


def told(text: str) -> list[list[str]]:
    """Every command line that a page has to be typed."""
    return [words for block in blocks(text, "sh") for words in words_of(block)]


def order_files(text: str) -> list[str]:
    """Every order file of a page."""
    return [block for block in blocks(text, "yaml") if block.startswith("orders:")]
