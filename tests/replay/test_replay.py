"""What a replay holds: the log, public words and pictures; small."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from pbem.report.filmstrip import Filmstrip, Palette, cut
from tests.replay.games import content, recorded_page
from tests.report import recorded


def test_the_page_holds_the_log_as_it_was_signed() -> None:
    data = content(recorded_page())
    assert [data["charter"], *data["files"]] == list(recorded.documents())
    assert len(data["scenes"]) == len(data["boards"]) == len(recorded.documents())


def test_the_page_holds_no_secret() -> None:
    secrets = json.loads(recorded.LOG.with_name("recorded_secrets.json").read_text("utf-8"))
    public = json.dumps(recorded.documents())
    kept = {salt for sealed in secrets.values() for salt in re.findall(r"[0-9a-f]{64}", json.dumps(sealed))}
    hidden = {word for word in kept if word not in public}
    assert hidden
    shown = recorded_page() + json.dumps(content(recorded_page()))
    assert [word for word in hidden if word in shown] == []


def test_everything_is_inside_and_only_its_own_script_may_run() -> None:
    html = recorded_page()
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy[1]
    assert re.findall(r"(?:src|href)=", html.partition("<body")[0]) == []
    assert "http://" not in html.replace("http://www.w3.org/2000/svg", "") and "https://" not in html


# -- many pictures -----------------------------------------------------------------------------------------------------------


def pictures_of(strip: Filmstrip) -> list[str]:
    """The pictures again, as the page puts them together."""
    pieces, made = list(strip.pieces), []
    now: list[int] = []
    changes: Any = strip.changes
    for steps in changes:
        for at, gone, come in reversed(steps):
            now[at : at + gone] = come
        made.append("".join(pieces[number] for number in now))
    return made


PICTURES = [
    "<svg><g><path/></g></svg>",
    "<svg><g><path/><use/>text</g></svg>",
    "<svg><g><path/><use/>text</g></svg>",
    "<svg></svg>",
    "<svg>" + "".join(f"<g><path d='{n}'/></g>" for n in range(400)) + "</svg>",
    "<svg>" + "".join(f"<g><path d='{n * (n % 7 > 0)}'/></g>" for n in range(400)) + "</svg>",
    "<svg><g><path/></g></svg>",
]


def test_pictures_come_back_as_they_were() -> None:
    strip = Filmstrip()
    for picture in PICTURES:
        strip.add([picture])
    assert pictures_of(strip) == PICTURES


def test_what_stays_is_kept_once() -> None:
    strip = Filmstrip()
    strip.add([PICTURES[4]])
    before = len(strip.pieces)
    strip.add([PICTURES[5]])
    strip.repeat()
    assert len(strip.pieces) == before
    assert pictures_of(strip)[2] == PICTURES[5]


@pytest.mark.parametrize("picture", PICTURES)
def test_pieces_are_the_whole(picture: str) -> None:
    assert "".join(cut(picture)) == picture


def test_a_palette_learns_dark_colours_by_comparing() -> None:
    palette, drawn = Palette(), []

    def dark() -> str:
        drawn.append(1)
        return '<a fill="#000000" stroke="#111111"/>'

    light = '<a fill="#ffffff" stroke="#eeeeee"/>'
    palette.learn(light, dark)
    palette.learn(light, dark)
    assert drawn == [1]
    assert palette.numbered(light) == '<a fill="var(--m0)" stroke="var(--m1)"/>'
    assert palette.css(dark=False) == "--m0:#ffffff;--m1:#eeeeee;"
    assert palette.css(dark=True) == "--m0:#000000;--m1:#111111;"
