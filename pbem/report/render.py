"""Templates: only from the project's own folder, undefined names are errors, every value is escaped for its format.

Reports: whatever a template shows (`{{ }}`) is translated and then escaped in one place, `_shown`; a template cannot forget
it. What is markup already is of the type Markup and passes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.kernel.orders import unreadable
from pbem.kernel.wording import Message, Overview, counted, msg, verbatim
from pbem.report.digest import Digest, digest
from pbem.report.escaping import ESCAPES
from pbem.report.languages import Language
from pbem.report.layout import fill, grid
from pbem.report.map_set import Maps
from pbem.report.offered import FORMATS as FORMATS
from pbem.report.offered import PLACES
from pbem.report.view import RefusalView, ReportView
from pbem.shipped import data_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jinja2 import Environment
    from jinja2.runtime import Context
    from markupsafe import Markup

    from pbem.games.index import Entry


NO_MAPS = Maps()
MARKUP = {"phpbb": "bbcode", "nodebb": "md", "discourse": "md", "reddit": "md", "plain": "txt"}


def report(
    view: ReportView,
    form: str,
    language: Language,
    maps: Maps = NO_MAPS,
    luck: str = "",
    cited: Mapping[str, Entry] | None = None,
) -> str:
    """A report in a format of FORMATS and a language. Raises Rejected.

    `maps`, `luck`: our own drawings; `cited`: rules that it cites, to be told at its foot (HTML).
    """
    short = digest(view).lines
    return _filled("report", form, view=view, short=short, language=language, maps=maps, luck=luck, cited=cited or {})


def news(view: ReportView, language: Language) -> str:
    """What happened, without situation, orders and proofs, as plain text for a terminal."""
    return _filled("news", "txt", view=view, language=language)


def brief(short: Digest, form: str, language: Language) -> str:
    """A digest. Raises Rejected."""
    if form == "txt":
        return _plain_brief(short, language)
    return _filled("brief", form, digest=short, language=language)


def _plain_brief(short: Digest, language: Language) -> str:
    """Without a template: each file that comes in is told so, and loading jinja would take longer than telling it."""

    def shown(value: Message | str) -> str:
        return ESCAPES["txt"](language.text(value))

    happened = [f"- {shown(line)}" for line in short.lines]
    due = shown(msg("Result") if short.over else msg("Next")) + shown(msg(":")) + " " + shown(short.due)
    return fill("\n".join([shown(short.game), shown(short.title), "", *happened, "", due]))


def post(short: Digest, place: str, language: Language, picture: str, blocks: str) -> str:
    """A digest for a place of PLACES, with a picture's address or "" and the signed files, armored. Raises Rejected."""
    if place not in PLACES:
        raise unreadable(msg("there is no place {place!r}", place=place), verbatim(*PLACES))
    form = MARKUP[place]
    told = brief(short, form, language).rstrip("\n")
    mark = _safe()
    values = {"digest": short, "told": mark(told), "picture": mark(picture), "blocks": mark(blocks.strip("\n"))}
    return _reports(form).get_template(f"reports/post.{place}.j2").render(language=language, **values).strip("\n") + "\n"


def _safe() -> type[Markup]:
    from markupsafe import Markup

    return Markup


def refusal(view: RefusalView, form: str, language: Language) -> str:
    """The report of a refused file. Raises Rejected."""
    return _filled("refusal", form, view=view, language=language)


def page(template: str, language: Language, **values: Any) -> str:
    """A page, or part of one, from an HTML template below templates/; what it shows is translated and escaped."""
    return _reports("html").get_template(template).render(language=language, **values)


def _filled(name: str, form: str, **values: Any) -> str:
    if form not in FORMATS:
        raise unreadable(msg("there is no format {form!r}", form=form), verbatim(*FORMATS))
    text = _reports(form).get_template(f"reports/{name}.{form}.j2").render(**values)
    return fill(text) if form == "txt" else _single_blank_lines(text)


def _single_blank_lines(text: str) -> str:
    lines = [line.rstrip() for line in text.splitlines()]
    kept = [line for i, line in enumerate(lines) if line or (i and lines[i - 1])]
    return "\n".join(kept).strip("\n") + "\n"


@cache
def _reports(form: str) -> Environment:
    """The environment of one format."""
    from jinja2 import pass_context
    from markupsafe import Markup

    escape = ESCAPES[form]

    @pass_context
    def shown(context: Context, value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape(context["language"].text(value)))

    @pass_context
    def as_grid(context: Context, overview: Overview) -> Markup:
        def text(value: Any) -> str:
            return escape(context["language"].text(value))

        rows = [[text(row[key]) for key, _ in overview.columns] for row in overview.rows]
        return Markup("\n".join(grid([text(heading) for _, heading in overview.columns], rows, text(msg(":")))))

    @pass_context
    def as_it_is(context: Context, own: Message) -> Markup:
        """Punctuation of a template, which is no markup where it stands."""
        return Markup(context["language"].text(own))

    made = _environment(autoescape=True, finalize=shown)
    made.filters.update({"grid": as_grid, "as_it_is": as_it_is})
    made.globals.update({"_": msg, "ngettext": counted, "sentence": Message, "markup": Markup})
    return made


def _environment(*, autoescape: bool, finalize: Callable[..., Any]) -> Environment:
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(str(data_folder("templates"))),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=autoescape,
        finalize=finalize,
        auto_reload=False,
    )
