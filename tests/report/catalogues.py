"""Message ids of templates and words, and their catalogues: `python -m tests.report.catalogues` brings them up to date.

It adds new ids without a translation, drops ids that are gone, and compiles; a test then names what is not translated.

`--gaps LANG DOMAIN [PART] > gaps.yaml` writes what has no translation, `--fill LANG DOMAIN gaps.yaml` takes what was written
behind each `text:` of it. The domains `rules_GAME` are the index of rules and the cards (`PARTS`): they hold what is translated
so far, the rest is shown in English; how much is missing stands in untranslated.yaml and may only fall.
"""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import typer
import yaml
from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo

from pbem import games
from pbem.cli import helping
from pbem.cli.app import app
from pbem.report.languages import GENERAL, LANGUAGES, RULES
from pbem.report.maps.hex_land import LINES, RIVERS
from pbem.shipped import data_folder
from pbem.store.library import load_scenario, scenario_names
from tests.report.typesetting import typeset

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"msg": None, "_": None, "speak": None, "counted": (1, 2), "ngettext": (1, 2), "speak_counted": (1, 2)}
COMMANDS = (
    "batch",
    "board",
    "cli",
    "kernel",
    "odds",
    "protocol",
    "runtime",
    "store",
    "transport",
)  # whose messages commands tell
PARTS = (
    "titles",
    "says",
    "rulings",
)  # of a game's index: what is looked for, what rules and cards say, decisions and what they rest on
UNTRANSLATED = Path(__file__).parent / "untranslated.yaml"
PLURALS = {  # of each language: how many forms, and which one n takes; babel's own differ from one release to the next
    "cs": (3, "((n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2)"),
    "fr": (2, "(n > 1)"),
    "pl": (3, "(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"),
    "ru": (3, "(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2)"),
}
TRANSLATED = tuple(code for code in LANGUAGES if code != "en")
Id = str | tuple[str, str]


def domains() -> dict[str, list[Path]]:
    """Catalogue name -> the files whose messages it holds."""
    reports, commands = GENERAL
    found = {reports: [*(ROOT / "pbem" / "report").rglob("*.py"), *data_folder("templates").glob("*/*.j2")]}
    found[commands] = [path for layer in COMMANDS for path in (ROOT / "pbem" / layer).rglob("*.py")]
    found[commands] += [ROOT / "pbem" / "games" / "__init__.py"]
    found[helping.DOMAIN] = [Path(helping.__file__)]
    found[commands].remove(*found[helping.DOMAIN])
    for game in sorted(games.load(name).folder for name in games.BUILT_IN):
        found[game] = sorted((ROOT / "pbem" / "games" / game).rglob("*.py"))
    return found


def rule_domains() -> dict[str, str]:
    """Catalogue of an index of rules -> the name of its game."""
    found = {RULES + games.load(name).folder: name for name in sorted(games.BUILT_IN)}
    return {domain: name for domain, name in found.items() if games.load(name).index().entries}


def rule_ids(domain: str) -> dict[str, dict[str, str]]:
    """Every text of an index of rules, with options and what charts rest on: part -> text -> the rule, card or ruling.

    A text stands in one part, with the place where it stands first. Names of cards that the game itself tells have their
    translation in its own catalogue.
    """
    game = games.load(rule_domains()[domain])
    index, charts, names = game.index(), game.charts(), frozenset(_names(game.folder))
    entries, cards = index.entries.values(), index.cards.values()
    told = names & {c.name for c in cards}
    placed = [
        *((str(place), e.id) for e in entries for place in e.at.values()),
        *((k, c.id) for c in cards for k in (c.type, c.kind)),
    ]
    titles = [
        *((option.text, option.name) for option in game.options),
        *((e.title, e.id) for e in entries),
        *((c.name, c.id) for c in cards),
        *placed,
    ]
    says = [("note", index.note), *((e.id, text) for e in entries for text in (e.says, e.why))]
    says += [(c.id, text) for c in cards for text in (c.says, c.values, c.when, *c.differs.values())]
    says += [(r.id, r.says) for r in charts.reasons().values()] if charts is not None else []
    found: dict[str, dict[str, str]] = {part: {} for part in PARTS}
    for text, place in titles:
        if text not in told and any(map(str.isalpha, text)):
            found["titles"].setdefault(text, place)
    for place, text in says:
        if text and text not in found["titles"]:
            found["says"].setdefault(text, place)
    for ruling in index.rulings.values():
        for text in (ruling.decision, ruling.source):
            if not found["titles"].keys() | found["says"].keys() >= {text}:
                found["rulings"].setdefault(text, ruling.id)
    return found


def ids(domain: str) -> dict[Id, str]:
    """Every message id of a catalogue, with the place where it stands first."""
    if domain in rule_domains():
        return {text: place for part in rule_ids(domain).values() for text, place in part.items()}
    found: dict[Id, str] = {}
    told = ids(GENERAL[0]) if domain == GENERAL[1] else {}  # what reports say already has its translation there
    for path in sorted(domains()[domain]):
        for message in _ids_of(path):
            if message not in told:
                found.setdefault(message, path.relative_to(ROOT).as_posix())
    if domain == GENERAL[0]:
        found.update(dict.fromkeys(_legends(), "templates"))
    if domain == helping.DOMAIN:
        found.update(_helps("pbem", typer.main.get_command(app)))
    return {**found, **dict.fromkeys(_names(domain), f"scenarios/{domain}")}


def _helps(name: str, command: Any) -> dict[Id, str]:
    """What a command and those under it say of themselves and of what they take."""
    found: dict[Id, str] = {one.help: name for one in (command, *command.params) if one.help}
    for word, part in getattr(command, "commands", {}).items():
        found = {**_helps(f"{name} {word}", part), **found}
    return found


def _legends() -> Iterator[str]:
    """Names in the legends of maps: of units, badges, signs, owners, terrains, lines, kinds of movement."""
    for path in sorted(data_folder("templates").glob("*/map_style.json")):
        plain = json.loads(path.read_text("utf-8"))
        for kind in ("owners", "units", "badges", "signs", "terrains"):
            yield from (given[0] for given in plain.get(kind, {}).values())
        yield from plain.get("words", {}).values()
    yield from (line.name for line in (LINES | RIVERS).values())
    yield from ("land", "air", "sea")


def _names(domain: str) -> Iterator[str]:
    """Names of a game's scenarios, which stand in no code."""
    if domain in (*GENERAL, helping.DOMAIN):
        return
    game = games.load(domain.replace("_", "-"))
    for scenario in scenario_names(game):
        yield from game.words().scenario_names(load_scenario(game, scenario))


@cache
def _ids_of(path: Path) -> tuple[Id, ...]:
    """Those of one file, which does not change while this runs."""
    method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
    options = {} if path.suffix == ".py" else {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
    with path.open("rb") as file:
        found = [message for _, message, _, _ in extract(method, file, keywords=KEYWORDS, options=options)]
    return tuple(tuple(message) if isinstance(message, tuple | list) else message for message in found)


def po_path(code: str, domain: str) -> Path:
    return data_folder("templates") / "locale" / code / "LC_MESSAGES" / f"{domain}.po"


def catalogue(code: str, domain: str) -> Catalog:
    """A committed catalogue."""
    with po_path(code, domain).open("rb") as file:
        return pofile.read_po(file, locale=code, domain=domain)


class Timeless(Catalog):
    """A catalogue whose header names no time and no person: the same entries make the same bytes."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:  # type: ignore[override]
        plain = ("Content-Type", "text/plain; charset=utf-8")
        return [("Language", str(self.locale)), plain, ("Plural-Forms", self.plural_forms)]

    @property
    def num_plurals(self) -> int:
        """How many forms the language has here."""
        return PLURALS[str(self.locale)][0]

    @property
    def plural_expr(self) -> str:
        """Which form a number takes. Stated here, for newer releases of Babel count other forms."""
        return PLURALS[str(self.locale)][1]


def timeless(code: str, domain: str, entries: Iterable[Message] = ()) -> Timeless:
    """A catalogue of some entries."""
    made = Timeless(locale=code, domain=domain, header_comment=f"# {LANGUAGES[code]}, {domain}", fuzzy=False)
    for entry in entries:
        if entry.id:
            made.add(entry.id, entry.string, locations=entry.locations)
    return made


def compiled(code: str, domain: str) -> bytes:
    """A committed catalogue as the program reads it, its texts set as the language has it."""
    buffer, shown = io.BytesIO(), timeless(code, domain, catalogue(code, domain))
    for entry in shown:
        texts = entry.string if isinstance(entry.string, tuple) else (entry.string,)
        texts = tuple(typeset(code, text) for text in texts)
        entry.string = texts if isinstance(entry.string, tuple) else texts[0]
    write_mo(buffer, shown)
    return buffer.getvalue()


def update(code: str, domain: str, given: Mapping[Id, Id] | None = None) -> None:
    """The catalogue with exactly today's ids, and its compiled form. `given`: translations that are new."""
    path = po_path(code, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    known = {**translations(code, domain), **(given or {})}
    new, whole = timeless(code, domain), domain not in rule_domains()
    for message, place in ids(domain).items():
        empty = ("",) * new.num_plurals if isinstance(message, tuple) else ""
        if whole or known.get(message):
            new.add(message, known.get(message, empty), locations=[(place, None)])
    buffer = io.BytesIO()
    pofile.write_po(buffer, new, width=128)
    path.write_bytes(buffer.getvalue())
    path.with_suffix(".mo").write_bytes(compiled(code, domain))


def translations(code: str, domain: str) -> dict[Id, Id]:
    """Id -> translation, as the committed catalogue has them, the empty ones too."""
    return {entry.id: entry.string for entry in catalogue(code, domain) if entry.id} if po_path(code, domain).exists() else {}


# -- translating by hand ---------------------------------------------------------------------------------------------------


def check_named(code: str, domain: str, part: str = "") -> None:
    """Raises ValueError, with what there is, where a language, a catalogue or a part of one is named that there is none of."""
    parts = PARTS if domain in rule_domains() else ()
    known = {"language": TRANSLATED, "catalogue": (*domains(), *rule_domains()), f"part of {domain}": ("", *parts)}
    for (kind, words), word in zip(known.items(), (code, domain, part), strict=True):
        if word not in words:
            raise ValueError(f"there is no {kind} {word!r}: {', '.join(filter(None, words)) or 'it has no parts'}")


def gaps(code: str, domain: str, part: str = "") -> list[dict[str, Any]]:
    """What has no translation, as rows to be filled in: its place, its English (one or two forms), its text (as many forms).

    Raises ValueError for a name that is none.
    """
    check_named(code, domain, part)
    known, forms = translations(code, domain), PLURALS[code][0]
    wanted: Mapping[Any, str] = rule_ids(domain)[part] if part else ids(domain)
    rows = []
    for message, place in wanted.items():
        held = known.get(message, "")
        if not held or not all(held):
            texts: Any = [""] * forms if isinstance(message, tuple) else ""
            rows.append({"at": place, "english": [*message] if isinstance(message, tuple) else message, "text": texts})
    return rows


def fill(code: str, domain: str, rows: Iterable[Mapping[str, Any]]) -> int:
    """Rows of `gaps` taken back; those without a text are passed over. The number taken. Raises ValueError."""
    check_named(code, domain)
    known, given = ids(domain), {}
    for row in rows:
        message: Id = tuple(row["english"]) if isinstance(row["english"], list) else row["english"]
        text: Id = tuple(row["text"]) if isinstance(row["text"], list) else row["text"]
        if message not in known:
            raise ValueError(f"no message of {domain}: {message}")
        if text and all(text):
            given[message] = text
    update(code, domain, given)
    if domain in rule_domains():
        UNTRANSLATED.write_text(yaml.safe_dump(untranslated(), sort_keys=False), "utf-8")
    return len(given)


def untranslated() -> dict[str, dict[str, dict[str, int]]]:
    """How many texts of each index of rules have no translation: domain -> language -> part -> number."""
    return {d: {code: {part: len(gaps(code, d, part)) for part in PARTS} for code in TRANSLATED} for d in rule_domains()}


def main(words: list[str] | None = None) -> None:
    """The command of this module."""
    taken = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    taken.add_argument("--gaps", nargs="+", metavar=("LANG", "DOMAIN"))
    taken.add_argument("--fill", nargs=3, metavar=("LANG", "DOMAIN", "FILE"))
    asked = taken.parse_args(words)
    if asked.gaps and len(asked.gaps) not in (2, 3):
        taken.error("--gaps LANG DOMAIN [PART]")
    try:
        if asked.gaps:
            yaml.safe_dump(gaps(*asked.gaps), sys.stdout, allow_unicode=True, sort_keys=False, width=124)
        elif asked.fill:
            code, domain, file = asked.fill
            print(fill(code, domain, yaml.safe_load(Path(file).read_text("utf-8"))), "taken")
    except (ValueError, OSError, yaml.YAMLError) as wrong:
        taken.error(str(wrong))
    if asked.gaps or asked.fill:
        return
    for name in [*domains(), *rule_domains()]:
        for language in TRANSLATED:
            update(language, name)


if __name__ == "__main__":
    main()
