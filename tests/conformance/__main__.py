"""`python -m tests.conformance [--without-rules] COMMAND...`: judges a verifier; exit code 1 where it differs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.conformance.driver import cases, command, differences


def main(words: list[str]) -> int:
    """The differences, one a line, and how many vectors were judged."""
    rules = "--without-rules" not in words
    verifier = [word for word in words if word != "--without-rules"]
    if not verifier:
        print(__doc__)
        return 2
    chosen = list(cases())
    with tempfile.TemporaryDirectory() as folder:
        found = differences(command(verifier), chosen, Path(folder), rules)
    for difference in found:
        print(difference)
    print(f"{len(chosen)} vectors, {len(found)} differences")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
