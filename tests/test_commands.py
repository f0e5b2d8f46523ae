"""The command line: start-up imports, help for every command, the manual's commands, plain errors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.commands import inside, must, prepare
from tests.commands import run as program
from tests.manual import FRONT, TOPICS, front, order_files, page, told

ROOT = Path(__file__).parent.parent
SYSTEM = "axis-and-allies-pacific"
HEAVY = ("yaml", "cryptography", "jinja2", "email", "pydantic", "rich", "pbem.games.axis_and_allies_pacific.game")


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pbem", *words], cwd=cwd or ROOT, capture_output=True, text=True, check=False)


def test_a_trivial_command_imports_nothing_heavy() -> None:
    code = f"import sys; import pbem.cli.app; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_command_of_the_manual_exists_and_has_help() -> None:
    listed = page("commands").split(";")[0]
    names = [w for w in listed.replace("\n", " ").split("`") if w.strip() and w.strip().isidentifier()]
    helped = run("--help").stdout
    assert len(names) >= 25
    for name in names:
        assert name in helped
    for name in ("send", "receive", "prove"):
        assert "pbem " + name in run(name, "--help").stdout


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["status", "-g", "/nowhere"], 5, "no game folder"),
        (["rules", "axis-and-allies-pacifc"], 1, "axis-and-allies-pacific"),
        (["rules", "9.2.4"], 1, "name the game before it"),
        (["scenarios", "chess"], 1, "no system"),
        (["check", "missing.yaml"], 5, ""),
        (["nonsense"], 2, ""),
    ],
)
def test_errors_are_plain_sentences_with_their_code(words: list[str], code: int, said: str) -> None:
    done = run(*words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("section", "said"), [("9.2.4", "support.py:"), ("8.5.8.2.1", "sealift.py:"), ("A-30", "Airfield, Town, Installation")]
)
def test_rules_finds_sections_of_any_depth_and_rulings(section: str, said: str) -> None:
    assert said in run("rules", "next-war", section).stdout


def test_json_for_programs() -> None:
    assert json.loads(run("games", "--json").stdout)["axis-and-allies-pacific"]
    assert json.loads(run("status", "-g", "nowhere", "--json").stdout)["outcome"] == "unreadable"


def test_the_demo_leaves_a_proof_that_stock_tools_check(tmp_path: Path) -> None:
    done = run("demo", "--to", str(tmp_path / "d"))
    assert done.returncode == 0, done.stderr
    assert "refused as a whole" in done.stdout and "[PUR-01]" in done.stdout
    assert "signatures, chain, dice and rules agree" in done.stdout
    proved = subprocess.run(["sh", "check.sh"], cwd=tmp_path / "d" / "proof", capture_output=True, text=True, check=False)
    assert proved.returncode == 0 and "NOT PROVED" not in proved.stdout and "PROVED" in proved.stdout, proved.stdout
    assert (tmp_path / "d" / "map.svg").read_text().startswith("<svg")
    assert "signs nothing" not in run("status", "-g", str(tmp_path / "d" / "axis")).stdout


def test_a_changed_proof_is_not_proved(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pbem", "demo", "--to", str(tmp_path / "d")], cwd=ROOT, capture_output=True, check=True
    )
    folder = tmp_path / "d" / "proof"
    order = folder / "order.json"
    kept = order.read_bytes()
    order.write_bytes(re.sub(rb'"seq":\d+', b'"seq":99', kept))
    assert order.read_bytes() != kept
    proved = subprocess.run(["sh", "check.sh"], cwd=folder, capture_output=True, text=True, check=False)
    assert proved.returncode == 1 and "NOT PROVED" in proved.stdout


# -- the lines of README and manual ----------------------------------------------------------------------------------------


@pytest.fixture
def yamada(tmp_path: Path) -> Iterator[Path]:
    """A machine on which the manual's orders are drafted in a running game."""
    (tmp_path / "made").mkdir()
    moments = prepare(tmp_path / "made")
    shutil.copytree(moments["running"] / "home", tmp_path / "home")
    shutil.copytree(moments["running"] / "axis", tmp_path / "pacific")
    (tmp_path / "orders.yaml").write_text(order_files(page(SYSTEM))[0])
    with inside(tmp_path):
        yield tmp_path


@pytest.mark.parametrize("topic", ["odds", "replay"])
def test_lines_of_the_manual_run_as_they_stand(topic: str, yamada: Path) -> None:
    lines = told(page(topic))
    assert lines
    for words in lines:
        assert must(*words)


def test_the_mail_lines_of_the_manual_run_as_they_stand(yamada: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("aiosmtpd")
    from tests.transport.servers import PASSWORD, USER, certificate, smtp_server

    if shutil.which("dovecot", path="/usr/sbin:/usr/bin:/usr/local/sbin") is None:
        pytest.skip("needs dovecot (apt-get install dovecot-imapd)")
    from tests.transport.servers import dovecot

    (yamada / "tls").mkdir()
    cert = certificate(yamada / "tls")
    monkeypatch.setenv("SSL_CERT_FILE", str(cert[0]))
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", PASSWORD)
    must("send", "orders.yaml", "-g", "pacific", "--yes")
    must("mail", "setup", "-g", "pacific")
    settings = Path("pacific/mail.yaml").read_text()
    with dovecot(*cert) as imap, smtp_server(*cert, "none") as office:
        smtp = f"smtp:\n  host: localhost\n  port: {office.port}\n  security: none\n"
        fetched = f"imap:\n  host: localhost\n  port: {imap.tls}\n  user: {USER}\n"
        Path("pacific/mail.yaml").write_text(settings.split("smtp:")[0] + smtp + fetched)
        lines = told(page("mail"))
        assert [w[:2] for w in lines] == [*(["mail", w] for w in ("send", "fetch", "run", "remind")), ["inbox", "downloads"]]
        Path("downloads").mkdir()
        for words in lines:
            must(*words)
    assert len(office.mails) == 2  # the charter and the orders, once each


def test_the_lines_for_learning_start_and_end(tmp_path: Path) -> None:
    with inside(tmp_path):
        for words in told(front("Learn it in the terminal")):
            done = program(*words, stdin="")
            assert done.code == 0 and "Traceback" not in done.err, (words, done)


def test_every_command_line_of_readme_and_manual_is_run_by_a_test() -> None:
    headings = re.findall(r"(?m)^## (.*)$", FRONT.read_text("utf-8"))
    followed = {"Learn it in the terminal", "A game in ten minutes"}  # the latter: tests/cli/test_readme.py
    assert {heading for heading in headings if told(front(heading))} == followed
    elsewhere = {
        "keys": "test_agent",
        "referees": "test_dispute_readme",
        "own-scenarios": "test_scenario_check",
        "orders": "test_drafting",
        "talk": "test_talking",
        "board": "test_page",  # in tests/board
        "many-games": "test_league",  # in tests/batch
        "live": "test_live",  # in tests/live
    }
    elsewhere |= dict.fromkeys(("deadlines", "accidents"), "test_trust_readme")  # in tests/cli
    assert {topic for topic in TOPICS if told(page(topic))} == {"odds", "replay", "mail", *elsewhere}
