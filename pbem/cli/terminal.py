"""Lines from the keyboard for `pbem play`, or from anywhere, and what the player is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from msgspec import Struct

from pbem.cli import guiding
from pbem.cli.shell import harmless
from pbem.kernel.wording import Argument, msg
from pbem.report.languages import Language


class Leave(Exception):
    """The player goes; the game waits."""


class Talk(Struct):
    """A terminal, or lines from anywhere."""

    read: Callable[[str], str]
    language: Language

    def say(self, text: str) -> None:
        """A text for the player."""
        print(harmless(text))

    def speak(self, id: str, /, **args: Argument) -> str:
        """A sentence in the player's language."""
        return self.language.text(msg(id, **args))

    def ask(self, prompt: str) -> str:
        """The next line. Raises Leave at the end of the input."""
        try:
            return self.read(prompt).strip()
        except EOFError:
            raise Leave from None


def terminal(words: Callable[[], Sequence[str]]) -> Callable[[str], str]:
    """Lines from the keyboard, the tabulator completing from `words`; without a terminal plain lines from standard input."""
    if not sys.stdin.isatty():
        return _plain_line
    try:
        import readline
    except ImportError:
        return input

    def complete(text: str, state: int) -> str | None:
        candidates = guiding.candidates_for(text, words())
        return candidates[state] if state < len(candidates) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t\n:,")
    readline.parse_and_bind("tab: complete")
    return input


def _plain_line(prompt: str) -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    print(harmless(f"{prompt}{line.rstrip()}"))
    return line
