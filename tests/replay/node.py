"""Runs the JavaScript verifier in node; a test that needs it skips visibly where there is no node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed (apt install nodejs)")


def run(script: str, *arguments: str, stdin: Any = None) -> Any:
    """What a script of this folder prints, as a plain value; `stdin` is given to it as JSON."""
    assert NODE is not None
    given = "" if stdin is None else json.dumps(stdin)
    done = subprocess.run([NODE, str(HERE / script), *arguments], input=given, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
