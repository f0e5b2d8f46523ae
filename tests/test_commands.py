"""The command line: start-up imports, help for every command, README's commands, plain errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = ("yaml", "cryptography", "jinja2", "email", "pydantic", "rich", "pbem.games.axis_and_allies_pacific.game")


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pbem", *words], cwd=cwd or ROOT, capture_output=True, text=True, check=False)


def test_a_trivial_command_imports_nothing_heavy() -> None:
    code = f"import sys; import pbem.cli.app; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_command_of_the_readme_exists_and_has_help() -> None:
    text = (ROOT / "README.md").read_text()
    listed = text.split("## Commands")[1].split(";")[0]
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
        (["scenarios", "chess"], 1, "no system"),
        (["check", "missing.yaml"], 5, ""),
        (["nonsense"], 2, ""),
    ],
)
def test_errors_are_plain_sentences_with_their_code(words: list[str], code: int, said: str) -> None:
    done = run(*words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr and "Traceback" not in done.stderr


def test_json_for_programs() -> None:
    assert json.loads(run("games", "--json").stdout)["axis-and-allies-pacific"]
    assert json.loads(run("status", "-g", "nowhere", "--json").stdout)["outcome"] == "unreadable"


def test_the_demo_leaves_a_proof_that_stock_tools_check(tmp_path: Path) -> None:
    done = (
        run("demo", "--to", "d", cwd=tmp_path)
        if False
        else subprocess.run(
            [sys.executable, "-m", "pbem", "demo", "--to", str(tmp_path / "d")],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    )
    assert done.returncode == 0, done.stderr
    assert "refused as a whole" in done.stdout and "[PUR-01]" in done.stdout
    assert "signatures, chain, dice and rules agree" in done.stdout
    proved = subprocess.run(["sh", "check.sh"], cwd=tmp_path / "d" / "proof", capture_output=True, text=True, check=False)
    assert "PROVED" in proved.stdout, proved.stdout
    assert (tmp_path / "d" / "map.svg").read_text().startswith("<svg")


def test_a_changed_proof_is_not_proved(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pbem", "demo", "--to", str(tmp_path / "d")], cwd=ROOT, capture_output=True, check=True
    )
    folder = tmp_path / "d" / "proof"
    order = folder / "order.json"
    order.write_bytes(order.read_bytes().replace(b'"seq":1', b'"seq":9'))
    proved = subprocess.run(["sh", "check.sh"], cwd=folder, capture_output=True, text=True, check=False)
    assert proved.returncode == 1 and "NOT PROVED" in proved.stdout
