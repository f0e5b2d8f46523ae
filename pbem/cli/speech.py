"""The language of the person at the keyboard: what commands say goes through here. Programs (`--json`) are told in English.

The language is that of `--language`, or PBEM_LANGUAGE, or the machine's own where pbem speaks it (LC_ALL, LC_MESSAGES, LANG);
the words of a game are those of the game at hand.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.report.offered import LANGUAGES, short_of

if TYPE_CHECKING:
    from pbem.games import Module
    from pbem.games.index import RuleIndex
    from pbem.kernel.orders import Problem
    from pbem.kernel.wording import Argument, Message
    from pbem.report.languages import Language

VARIABLE = "PBEM_LANGUAGE"
_OF_THE_MACHINE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set counts, as for every program


class _Command:
    """What the command line says of language and game; empty where it says nothing."""

    def __init__(self) -> None:
        self.code = ""
        self.game: Path | None = None
        self.catalogue = ""  # of that game, once it is known


_command = _Command()


def begin(code: str) -> None:
    """A command begins, with the language that is named before it."""
    _command.code, _command.game, _command.catalogue = code, None, ""


def use(code: str) -> str:
    """The language that a command's own option names."""
    _command.code = code or _command.code
    return code


def of_game(path: Path) -> Path:
    """This command is about that game folder: its game's words come first."""
    _command.game, _command.catalogue = path, ""
    return path


@contextmanager
def for_others() -> Iterator[None]:
    """What is written to other players meanwhile is in English: nobody knows which language they read."""
    before, _command.code = _command.code, "en"
    try:
        yield
    finally:
        _command.code = before


def tongue() -> Language:
    """The language in use. Raises Rejected where there is no such language."""
    from pbem.report.languages import language

    code = "en" if "--json" in sys.argv else _command.code or os.environ.get(VARIABLE, "") or _of_the_machine()
    return language(code, _catalogues() if code not in ("", "en") else ())


def of_words(words: Sequence[str]) -> str:
    """The language of help and of what is wrong with the words of a command: they name it, or else the environment."""
    if "--json" in words:
        return "en"
    named = [later for word, later in pairwise(words) if word == "--language"]
    named += [word.partition("=")[2] for word in words if word.startswith("--language=")]
    short = short_of(next(filter(None, (*named, os.environ.get(VARIABLE))), "") or _of_the_machine())
    return short if short in LANGUAGES else "en"


def _of_the_machine() -> str:
    """The machine's language where pbem speaks it, else English."""
    named = next((os.environ[name] for name in _OF_THE_MACHINE if os.environ.get(name)), "")
    short = short_of(named.partition("@")[0])
    return short if short in LANGUAGES else "en"


def check() -> None:
    """Where the language that was asked for is none: English from here on, to say so."""
    from pbem.kernel.orders import Rejected

    try:
        tongue()
    except Rejected:
        _command.code = "en"


def _catalogues() -> tuple[str, ...]:
    """Those of all games, that of the game at hand last: it is asked first."""
    from pbem.games import BUILT_IN

    known = [name.replace("-", "_") for name in BUILT_IN]
    if _command.game is not None and not _command.catalogue:
        with suppress(Exception):  # a folder that cannot be read: what is wrong with it is said in general words
            _command.catalogue = _system(_command.game)
    return (*known, _command.catalogue) if _command.catalogue else tuple(known)


def _system(path: Path) -> str:
    from pbem.store.folder import GameFolder

    return str(GameFolder(path).draft()["system"]).replace("-", "_")


def text(value: Argument) -> str:
    """A message, a list of messages or a plain value in the language in use."""
    return tongue().text(value)


def speak(id: str, /, **args: Argument) -> str:
    """A sentence in the language in use."""
    from pbem.kernel.wording import msg

    return text(msg(id, **args))


def labelled(label: Argument, said: Argument) -> str:
    """`label: said`, with the colon as the language in use sets it."""
    from pbem.kernel.wording import linked

    return text(linked(": ", label, said))


def is_yes(answer: str) -> bool:
    """Yes, in English or in the language in use."""
    return answer.strip().lower() in ("y", "yes", speak("y"), speak("yes"))


def is_meant(lines: Iterable[str], question: str) -> bool:
    """Whether somebody at a terminal says yes to what these lines tell; without one nobody has said so."""
    if not sys.stdin.isatty():
        return False
    print(*lines, sep="\n")
    return is_yes(input(f"{question} "))


def make_sure(lines: Iterable[str], refusal: Message, question: str = "") -> None:
    """Ask at a terminal whether what these lines tell is meant. Raises ProtocolError where nobody says so."""
    from pbem.protocol.outcomes import Outcome, ProtocolError

    if not is_meant(lines, question or speak("Is that meant? [y/N]")):
        raise ProtocolError(Outcome.REFUSED, refusal)


def speak_counted(one: str, many: str, n: int, /, **args: Argument) -> str:
    """A sentence whose form depends on the number n."""
    from pbem.kernel.wording import counted

    return text(counted(one, many, n, **args))


def rules_of(game: Module) -> RuleIndex:
    """A game's rules and cards in the language in use."""
    from pbem.report.languages import rules_in

    return rules_in(tongue().code, game)


def problem(wrong: Problem) -> str:
    """What is wrong with an order, with its verdict, rule and what would be legal."""
    return text(wrong.told)
