"""Where this program keeps keys and the record of signatures."""

from __future__ import annotations

import os
from pathlib import Path


def home() -> Path:
    """PBEM_HOME, else the XDG configuration folder."""
    if "PBEM_HOME" in os.environ:
        return Path(os.environ["PBEM_HOME"])
    return Path(os.environ.get("XDG_CONFIG_HOME", Path.home() / ".config")) / "pbem"
