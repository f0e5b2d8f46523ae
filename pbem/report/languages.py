"""Messages in the languages of the rulebooks' readers, from gettext catalogues: for reports, for commands, for each game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from gettext import GNUTranslations, NullTranslations
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.games import Module
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Argument, Message, Term, msg, number_told, verbatim
from pbem.report.offered import LANGUAGES as LANGUAGES
from pbem.report.offered import short_of as short_of
from pbem.shipped import data_folder

if TYPE_CHECKING:
    from pbem.games.index import RuleIndex

GENERAL = ("report", "cli")  # catalogues of every game
RULES = "rules_"  # before the folder of a game: the catalogue of its index of rules


class Language(Struct, frozen=True):
    """One language with the catalogues that are in use."""

    code: str
    catalogue: NullTranslations

    def text(self, value: Argument) -> str:
        """A message, a list of messages or a plain value as text."""
        if isinstance(value, Message):
            return self._form(value).format_map({name: self.text(given) for name, given in value.args.items()})
        if isinstance(value, Term):
            return self.text(value.words)
        if isinstance(value, tuple):
            return ", ".join(self.text(part) for part in value)
        return number_told(value) if isinstance(value, int) else str(value)

    def _form(self, message: Message) -> str:
        if not message.id:
            return ""
        if not message.plural:
            return self.catalogue.gettext(message.id)
        n = message.args["n"]
        assert isinstance(n, int)
        return self.catalogue.ngettext(message.id, message.plural, n)


@cache
def language(code: str, games: Sequence[str] = ()) -> Language:
    """A language by its code (`pl`, or `pl_PL.UTF-8`), with the catalogues of some games. Raises Rejected."""
    short = short_of(code)
    if short in ("", "c", "posix"):
        short = "en"
    if short not in LANGUAGES:
        raise unreadable(msg("there is no language {code!r}", code=code), verbatim(*LANGUAGES))
    catalogue: NullTranslations = NullTranslations()
    if short != "en":
        for name in (*GENERAL, *games):
            catalogue = _chained(catalogue, _read(short, name))
    return Language(short, catalogue)


def rules_in(code: str, game: Module) -> RuleIndex:
    """A game's rules and cards in a language, text by text: English where there are no words yet.

    `code`: as in `Language.code`. Catalogue and index are read when the first text is asked for.
    """
    return game.index().said(partial(rule_said, code, game.folder)) if code != "en" else game.index()


def rule_said(code: str, game: str, english: str) -> str:
    """One text of a game's index of rules, or of what its charts rest on, in a language. `game`: its folder."""
    return _rules(code, game).gettext(english) if english else ""


@cache
def _rules(code: str, game: str) -> NullTranslations:
    """What the rules alone say, and behind it what the game says: names of cards stand there."""
    return _chained(_chained(NullTranslations(), _read(code, game)), _read(code, RULES + game))


def _read(code: str, name: str) -> GNUTranslations | None:
    path = data_folder("templates") / "locale" / code / "LC_MESSAGES" / f"{name}.mo"
    if not path.exists():
        return None  # a game without a catalogue speaks English
    with path.open("rb") as file:
        return GNUTranslations(file)


def _chained(first: NullTranslations, more: GNUTranslations | None) -> NullTranslations:
    if more is None:
        return first
    more.add_fallback(first)
    return more
