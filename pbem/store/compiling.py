"""Scenario YAML to one self-contained JSON document, so that no command parses large YAML.

python -m pbem.store.compiling            # all scenarios of a checkout
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical
from pbem.shipped import data_folder


def compile_scenario(path: Path) -> bytes:
    """Canonical JSON of a scenario: what it `extends` comes first, and files that it names as values are read in."""
    import yaml

    def read(name: str) -> Any:
        return yaml.load((path.parent / name).read_text("utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))

    scenario = read(path.name)
    if "extends" in scenario:
        scenario = {**read(scenario.pop("extends") + ".yaml"), **scenario}
    parts = {k: read(v) for k, v in scenario.items() if isinstance(v, str) and v.endswith(".yaml")}
    return canonical(_text_keys({"name": path.stem, **scenario, **parts}))


def _text_keys(plain: Any) -> Any:
    """JSON has no numbers as keys."""
    if isinstance(plain, dict):
        return {str(k): _text_keys(v) for k, v in plain.items()}
    return [_text_keys(v) for v in plain] if isinstance(plain, list) else plain


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
