"""Help and the errors of the command line itself in the language of the reader; in English nothing of this is read.

The words are those of a catalogue of its own, which holds the helps of all commands too: a help needs no other.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from gettext import GNUTranslations
from typing import Any

import typer

from pbem.cli.lazy import Command
from pbem.shipped import data_folder

DOMAIN = "help"
_PLACE = re.compile(r"\\\{(\w+)\\\}")
_VALUE = re.compile(r"<[a-z ]+>")
_EXTRAS = re.compile(r"(.*?)((?:^|  )\[)([^\[\]]*)\]", re.DOTALL)


def _(id: str) -> str:
    return id  # gathered for the catalogue


HEADINGS = (_("Arguments:"), _("Options:"), _("Commands:"))
USAGE = _("Usage: ")
PIECES = (_("[OPTIONS]"), _("COMMAND [ARGS]..."))
EXTRAS = (_("required"), _("default: {value}"), _("env var: {name}"))
# names of arguments, and kinds of values; what is not here is shown as it is
ARGUMENTS = (
    *(_("charter"), _("file"), _("folder"), _("kind"), _("name"), _("other"), _("place"), _("player"), _("scenario")),
    *(_("source"), _("system"), _("text"), _("then"), _("to"), _("topic"), _("version"), _("what"), _("words")),
    *(_("FOLDER"), _("FOLDER|HOST:PORT")),
)
VALUES = (_("<path>"), _("<str>"), _("<int>"), _("<int range>"))
OF_THE_LIBRARY = (
    _("Install completion for the current shell."),
    _("Show completion for the current shell, to copy it or customize the installation."),
    _("Show this message and exit."),
)
# those with more in them first: a sentence is that of the first pattern that it fits
SENTENCES = (
    _("Try '{command} {option}' for help."),
    _("Error: {what}"),
    _("Aborted!"),
    _("Missing command."),
    _("Missing argument {name}."),
    _("Missing option {name}."),
    _("No such option: {name} (Possible options: {names})"),
    _("No such option: {name}"),
    _("No such command {name}. Did you mean {names}?"),
    _("No such command {name}."),
    _("Option {name} requires an argument."),
    _("Option {name} does not take a value."),
    _("Got unexpected extra argument(s) ({words})"),
    _("Invalid value for {name}: {what}"),
    _("Invalid value: {what}"),
    _("{value} is not a valid boolean. Recognized values: {values}"),
    _("{value} is not a valid int."),
    _("{value} is not a valid float."),
    _("{value} is not in the range {range}."),
)

Words = Callable[[str], str]


@cache
def words_of(code: str) -> Words:
    """The words of help in a language."""
    if code == "en":
        return str
    with (data_folder("templates") / "locale" / code / "LC_MESSAGES" / f"{DOMAIN}.mo").open("rb") as file:
        catalogue = GNUTranslations(file)
    return lambda id: catalogue.gettext(id) if id else ""  # of nothing it would say what catalogue it is


def told(code: str, command: Command) -> Command:
    """A command, with those under it, whose help is in a language."""
    words = words_of(code)
    command.context_class = _context(code)
    for one in (command, *command.params):
        one.help = words(one.help) if one.help else one.help
    for argument in command.params:
        if isinstance(argument, typer.core.TyperArgument):
            argument.metavar = _named(words, argument)
    if isinstance(command, typer.core.TyperGroup):
        for part in command.commands.values():
            told(code, part)
    return command


def _named(words: Words, argument: typer.core.TyperArgument) -> str:
    """What an argument is called; with dots where there may be several."""
    name = argument.metavar or f"{argument.name}{'...' if argument.nargs != 1 else ''}"
    bare = name.removesuffix("...")
    return words(bare) + name[len(bare) :]


def show(code: str, error: Any) -> None:
    """Print an error of the command line itself."""
    if code == "en":
        error.show()
        return
    shown = io.StringIO()
    error.show(file=shown)
    for line in shown.getvalue().splitlines():
        print(sentence(words_of(code), line), file=sys.stderr)


def sentence(words: Words, english: str, known: Sequence[str] = SENTENCES) -> str:
    """What the library says, in other words, and so what stands in its places; what it is not known to say as it is."""
    for id in known:
        fits = re.fullmatch(_PLACE.sub(r"(?P<\1>.+?)", re.escape(id)), english, re.DOTALL)
        if fits:
            return words(id).format_map({place: sentence(words, text, known) for place, text in fits.groupdict().items()})
    return english


@cache
def _context(code: str) -> type[typer.Context]:
    class Context(typer.Context):
        formatter_class = staticmethod(partial(_Formatter, words_of(code)))  # type: ignore[assignment]

    return Context


class _Formatter(typer.Context.formatter_class):  # type: ignore[misc, valid-type]
    """Help with the headings of a language."""

    def __init__(self, words: Words, **how: Any) -> None:
        super().__init__(**how)
        self._words = words

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        for piece in PIECES:
            args = args.replace(piece, self._words(piece))
        super().write_usage(prog, args, prefix or self._words(USAGE))

    def write_heading(self, heading: str) -> None:
        self.write(f"{'':>{self.current_indent}}{self._words(heading + ':')}\n")

    def write_dl(self, rows: Sequence[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        told = [(_VALUE.sub(lambda kind: self._words(kind[0]), name), self._row(said)) for name, said in rows]
        super().write_dl(told, col_max, col_spacing)

    def _row(self, said: str) -> str:
        fits = _EXTRAS.fullmatch(said)
        if fits is None:
            return self._words(said)
        extras = [sentence(self._words, extra, EXTRAS) for extra in fits[3].split("; ")]
        return f"{self._words(fits[1])}{fits[2]}{'; '.join(extras)}]"
