"""Message ids of templates and words, and their catalogues: `python -m tests.report.catalogues` brings them up to date.

It adds new ids without a translation, drops ids that are gone, and compiles; a test then names what is not translated.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel.messages import pofile
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo

from pbem import games
from pbem.games.data import data_folder
from pbem.report.languages import GENERAL, LANGUAGES
from pbem.report.maps.hex_land import LINES, RIVERS
from pbem.store.library import load_scenario, scenario_names

ROOT = Path(__file__).resolve().parents[2]
KEYWORDS = {"msg": None, "_": None, "speak": None, "counted": (1, 2), "ngettext": (1, 2), "speak_counted": (1, 2)}
COMMANDS = (
    "board",
    "cli",
    "kernel",
    "odds",
    "protocol",
    "runtime",
    "store",
    "transport",
)  # layers whose messages commands tell
TRANSLATED = tuple(code for code in LANGUAGES if code != "en")
Id = str | tuple[str, str]


def domains() -> dict[str, list[Path]]:
    """Catalogue name -> the files whose messages it holds."""
    reports, commands = GENERAL
    found = {reports: [*(ROOT / "pbem" / "report").rglob("*.py"), *data_folder("templates").glob("re*/*.j2")]}
    found[commands] = [path for layer in COMMANDS for path in (ROOT / "pbem" / layer).rglob("*.py")]
    found[commands] += [ROOT / "pbem" / "games" / "__init__.py"]
    for game in sorted(games.load(name).folder for name in games.BUILT_IN):
        found[game] = sorted((ROOT / "pbem" / "games" / game).rglob("*.py"))
    return found


def ids(domain: str) -> dict[Id, str]:
    """Every message id of a catalogue, with the place where it stands first."""
    found: dict[Id, str] = {}
    told = ids(GENERAL[0]) if domain == GENERAL[1] else {}  # what reports say already has its translation there
    for path in sorted(domains()[domain]):
        for message in _ids_of(path):
            if message not in told:
                found.setdefault(message, path.relative_to(ROOT).as_posix())
    if domain == GENERAL[0]:
        found.update(dict.fromkeys(_legends(), "templates"))
    return {**found, **dict.fromkeys(_names(domain), f"scenarios/{domain}")}


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
    if domain in GENERAL:
        return
    game = games.load(domain.replace("_", "-"))
    for scenario in scenario_names(game):
        yield from game.words().scenario_names(load_scenario(game, scenario))


def _ids_of(path: Path) -> Iterator[Id]:
    method = "python" if path.suffix == ".py" else "jinja2.ext:babel_extract"
    options = {} if path.suffix == ".py" else {"trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}
    with path.open("rb") as file:
        for _, message, _, _ in extract(method, file, keywords=KEYWORDS, options=options):
            yield tuple(message) if isinstance(message, tuple | list) else message


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


def timeless(code: str, domain: str, entries: Iterable[Message] = ()) -> Timeless:
    """A catalogue of some entries."""
    made = Timeless(locale=code, domain=domain, header_comment=f"# {LANGUAGES[code]}, {domain}", fuzzy=False)
    for entry in entries:
        if entry.id:
            made.add(entry.id, entry.string, locations=entry.locations)
    return made


def compiled(code: str, domain: str) -> bytes:
    """A committed catalogue as the program reads it."""
    buffer = io.BytesIO()
    write_mo(buffer, timeless(code, domain, catalogue(code, domain)))
    return buffer.getvalue()


def update(code: str, domain: str) -> None:
    """The catalogue with exactly today's ids, and its compiled form."""
    path = po_path(code, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    old = catalogue(code, domain) if path.exists() else Catalog(locale=code, domain=domain)
    new = timeless(code, domain)
    for message, place in ids(domain).items():
        held = old.get(message[0] if isinstance(message, tuple) else message)
        empty = ("",) * new.num_plurals if isinstance(message, tuple) else ""
        new.add(message, held.string if held and held.id == message else empty, locations=[(place, None)])
    buffer = io.BytesIO()
    pofile.write_po(buffer, new, width=128)
    path.write_bytes(buffer.getvalue())
    path.with_suffix(".mo").write_bytes(compiled(code, domain))


if __name__ == "__main__":
    for name in domains():
        for language in TRANSLATED:
            update(language, name)
