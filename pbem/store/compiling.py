"""Scenario YAML to one self-contained JSON document, so that no command parses large YAML.

python -m pbem.store.compiling            # all scenarios of a checkout
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical
from pbem.store.library import data_folder


def compile_scenario(path: Path) -> bytes:
    """Canonical JSON of a scenario with the files that it names under `map` and `charts` read in."""
    import yaml

    def read(name: str) -> Any:
        return yaml.load((path.parent / name).read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    scenario = read(path.name)
    parts = {key: read(scenario.pop(key)) for key in ("map", "charts") if key in scenario}
    return canonical({"name": path.stem, **scenario, **parts})


def scenario_files() -> list[Path]:
    """Every scenario of a checkout: the YAML files that have a title."""
    found = sorted(data_folder("scenarios").glob("*/*.yaml"))
    return [p for p in found if any(line.startswith("title:") for line in p.read_text("utf-8").splitlines())]


def main() -> None:
    """Compile all scenarios in place."""
    for path in scenario_files():
        target = path.parent / "compiled" / f"{path.stem}.json"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(compile_scenario(path))


if __name__ == "__main__":
    main()
