"""Help, and what is wrong with the words of a command, are said in the language of whoever asks; what is typed stays."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from pbem.cli import helping, speech
from pbem.cli.app import app
from pbem.report.languages import LANGUAGES
from tests.commands import run
from tests.report import catalogues
from tests.report.catalogues import TRANSLATED

EXAMPLE = re.compile(r"(?<!`)pbem [a-z].*$", re.MULTILINE)
OPTION = re.compile(r"--[a-z]+")
HEADINGS = {"en": "Options:", "pl": "Opcje:", "ru": "Параметры:", "fr": "Options\N{NO-BREAK SPACE}:", "cs": "Volby:"}
EVERY: Any = typer.main.get_command(app)
NAMES = [(), *((name,) for name in EVERY.commands)]
NAMES += [(name, part) for name, one in EVERY.commands.items() for part in getattr(one, "commands", ())]


def joined(shown: str) -> str:
    """Help without its line breaks."""
    return " ".join(shown.replace("\N{NO-BREAK SPACE}", " ").split())


def english_of(command: Any) -> Iterator[str]:
    """What a command and its parameters say in English, beyond names and things to type."""
    yield from (one.help for one in (command, *command.params) if one.help and len(one.help.split()) > 2)


def found(words: tuple[str, ...]) -> Any:
    command = EVERY
    for word in words:
        command = command.commands[word]
    return command


@pytest.mark.parametrize("code", LANGUAGES)
def test_help_has_the_headings_and_sentences_of_its_language(code: str) -> None:
    shown = run("--language", code, "new", "--help").out
    assert HEADINGS[code] in shown and "--lost-keys" in shown and "pbem new pacific --option bid=6" in joined(shown)
    assert (code == "en") == ("Show this message and exit." in shown) == ("Usage: " in shown) == ("[required]" in shown)
    assert (code == "en") == ("Draft a charter" in shown) == ("[default: hints]" in joined(shown)), shown


@pytest.mark.parametrize("code", TRANSLATED)
@pytest.mark.parametrize("words", NAMES, ids=" ".join)
def test_nothing_of_a_help_is_english(code: str, words: tuple[str, ...]) -> None:
    shown = joined(run("--language", code, *words, "--help").out)
    listed = list(getattr(found(words), "commands", ()))
    left = [said for said in english_of(found(words)) if joined(said) in shown and helping.words_of(code)(said) != said]
    assert left == [] and all(f" {name} " in shown for name in listed)
    assert not re.search(r"\b(Usage|Commands|default|required|Show this)\b", shown), shown


@pytest.mark.parametrize("code", TRANSLATED)
def test_what_is_typed_in_a_help_is_that_of_the_english_one(code: str) -> None:
    for id, told in catalogues.translations(code, helping.DOMAIN).items():
        assert isinstance(id, str) and isinstance(told, str)
        shown = helping.words_of(code)(id)
        assert sorted(OPTION.findall(shown)) == sorted(OPTION.findall(id)), shown
        assert EXAMPLE.findall(shown) == EXAMPLE.findall(id), shown


WRITTEN_ALIKE = {"fr": {"source", "version"}, "pl": {"folder", "FOLDER", "system"}}  # as in English


@pytest.mark.parametrize("code", TRANSLATED)
def test_names_of_arguments_and_kinds_of_values_are_those_of_the_language(code: str) -> None:
    told = {id: helping.words_of(code)(id) for id in (*helping.ARGUMENTS, *helping.VALUES)}
    assert {id for id, word in told.items() if word == id} <= WRITTEN_ALIKE.get(code, set()), told
    names = {one.metavar or one.name for words in NAMES for one in found(words).params if one.param_type_name == "argument"}
    assert {name.removesuffix("...") for name in names} <= set(helping.ARGUMENTS), "every one is listed"
    shown = run("--language", code, "check", "--help").out
    assert f"[{told['file']}]" in shown and told["<str>"] in shown and "<str>" not in shown
    listed = run("--language", code, "inbox", "--help").out
    assert f"{told['FOLDER']}..." in listed and ("FOLDER" in listed) == (code == "pl"), listed


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("new",), "Brakuje argumentu 'folder'."),
        (("nwe",), "Nie ma polecenia 'nwe'. Czy chodzi o 'new'?"),
        (("xyzzy",), "Nie ma polecenia 'xyzzy'."),
        (("new", "a", "--foo"), "Nie ma opcji --foo (możliwe opcje: --option)"),
        (("status", "--foo"), "Nie ma opcji --foo"),
        (("new", "a", "--grace"), "Opcja '--grace' wymaga wartości."),
        (("status", "--json=1"), "Opcja '--json' nie przyjmuje wartości."),
        (("games", "a", "b"), "Za dużo argumentów (a b)"),
        (("undo", "x"), "Zła wartość dla 'cel': 'x' nie jest liczbą całkowitą."),
        (("arena", "next-war", "--games", "0"), "Zła wartość dla '--games': 0 nie mieści się w zakresie x>=1."),
        (("key", "a", "--new", "--use", "b"), "Zła wartość: albo --new, albo --use PLIK"),
        (("join", "a"), "Brakuje opcji '--as'."),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_what_is_wrong_with_the_words_is_said_in_polish(words: tuple[str, ...], said: str) -> None:
    done = run("--language", "pl", *words)
    assert done.code == 2 and done.out == "" and done.err.splitlines()[-1] == f"Błąd: {said}"
    assert run(*words).err.startswith("Usage: ") == done.err.startswith("Użycie: ") == ("\nPomoc: `" in done.err)


@pytest.mark.parametrize("code", LANGUAGES)
def test_errors_in_five_languages(code: str) -> None:
    for words in (("new",), ("nwe",), ("new", "a", "--foo"), ("undo", "x"), ("games", "a")):
        before, done = run(*words, "--language", "en"), run("--language", code, *words)
        assert done.code == 2
        english = any(word in done.err for word in ("Usage", "Try '", "Error", "issing", "o such", "nvalid", "Got un"))
        assert english == (code == "en"), done.err
        assert before.err != done.err or code == "en"


def test_english_errors_are_those_of_the_library() -> None:
    done = run("nwe")
    assert (done.code, done.out) == (2, "")
    usage, hint, *rest = done.err.splitlines()  # how the program is called is taken from how it was begun
    assert usage.startswith("Usage: ") and usage.endswith(" [OPTIONS] COMMAND [ARGS]...")
    assert hint.startswith("Try '") and hint.endswith(" --help' for help.") and rest == ["", ERROR]


ERROR = "Error: No such command 'nwe'. Did you mean 'new'?"


@pytest.mark.parametrize(
    ("words", "machine", "code"),
    [
        (("status", "--help"), {}, "en"),
        (("status", "--help"), {"LANG": "pl_PL.UTF-8"}, "pl"),
        (("status", "--help"), {"LANG": "pl_PL.UTF-8", "PBEM_LANGUAGE": "cs"}, "cs"),
        (("status", "--help"), {"LANG": "de_DE.UTF-8"}, "en"),
        (("--language=fr", "status", "--help"), {"PBEM_LANGUAGE": "cs"}, "fr"),
        (("check", "--help", "--language", "ru"), {}, "ru"),
        (("--language", "tlh", "status", "--help"), {}, "en"),
        (("status", "--json", "--help"), {"LANG": "pl_PL.UTF-8"}, "en"),
    ],
)
def test_the_language_is_that_of_the_words_or_of_the_environment(
    words: tuple[str, ...], machine: dict[str, str], code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", speech.VARIABLE):
        monkeypatch.delenv(name, raising=False)
    for name, value in machine.items():
        monkeypatch.setenv(name, value)
    assert HEADINGS[code] in run(*words).out


def test_a_command_that_was_left_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def left(_: Any) -> None:
        raise EOFError

    monkeypatch.setattr(EVERY, "invoke", left)
    monkeypatch.setattr("pbem.cli.app._program", lambda code: EVERY)
    done = run("--language", "cs", "games")
    assert done.code == 1 and done.err.strip() == "Přerušeno!"


def test_what_the_library_is_not_known_to_say_stays() -> None:
    assert helping.sentence(helping.words_of("pl"), "Error: quite another thing") == "Błąd: quite another thing"
    assert helping.sentence(helping.words_of("pl"), "") == ""


def test_english_help_reads_no_catalogue() -> None:
    code = "import sys; from pbem.cli.app import main\ntry: main()\nexcept SystemExit: print('pbem.cli.helping' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code, "--language", "en", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("False\n")
