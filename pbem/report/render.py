"""Templates: only from the project's own folder, undefined names are errors, HTML and SVG are escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.store.library import data_folder

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The one Jinja2 environment."""
    from jinja2 import FileSystemLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    made = ImmutableSandboxedEnvironment(
        loader=FileSystemLoader(str(data_folder("templates"))),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=lambda name: bool(name) and (".svg" in name or ".html" in name),
    )
    made.filters["md"] = markdown
    return made


def render(template: str, **values: Any) -> str:
    """A template filled in."""
    return environment().get_template(template).render(**values)


def markdown(text: object) -> str:
    """Text that Markdown shows as it is."""
    escaped = str(text)
    for mark in "\\`*_{}[]<>#|!~":
        escaped = escaped.replace(mark, "\\" + mark)
    return escaped
