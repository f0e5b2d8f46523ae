"""Which machine this is: the system's own id, hashed; never a network address, which other programs can read."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

_FILES = ("/etc/machine-id", "/var/lib/dbus/machine-id", "/etc/hostid")


def machine_id() -> str:
    """PBEM_MACHINE, which names a machine without an id of its own (a container), else the system's id; hashed."""
    named = os.environ.get("PBEM_MACHINE") or _of_the_system()
    return hashlib.sha256(f"pbem machine {named}".encode()).hexdigest()[:32]


def _of_the_system() -> str:
    for name in _FILES:
        with suppress(OSError):
            text = Path(name).read_text("ascii", "replace").strip()
            if text:
                return text
    if sys.platform == "win32":
        return _of_the_registry()
    return _of_the_platform() if sys.platform == "darwin" else ""


def _of_the_registry() -> str:
    """Windows: MachineGuid, made when the system was installed."""
    with suppress(ImportError, OSError):
        import winreg

        path = "SOFTWARE\\Microsoft\\Cryptography"
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, path) as key:  # type: ignore[attr-defined,unused-ignore]
            return str(winreg.QueryValueEx(key, "MachineGuid")[0])  # type: ignore[attr-defined,unused-ignore]
    return ""


def _of_the_platform() -> str:
    """macOS: IOPlatformUUID."""
    with suppress(OSError, subprocess.SubprocessError):
        command = ["ioreg", "-rd1", "-c", "IOPlatformExpertDevice"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout
        return next((line.split('"')[3] for line in told.splitlines() if "IOPlatformUUID" in line), "")
    return ""
