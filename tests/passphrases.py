"""Passphrases in tests: what lies behind them is derived quickly where it is not the price that is tried."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pbem.protocol import keys
from pbem.store import private, vault

SOURCES = ("PBEM_PASSPHRASE", "PBEM_PASSPHRASE_FILE", "SSH_AUTH_SOCK")


def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scrypt and bcrypt at next to nothing. A program of its own refuses locks that are made so."""
    monkeypatch.setattr(vault, "N", 2**4)
    monkeypatch.setattr(vault, "_LEAST_N", 2**4)
    monkeypatch.setattr(keys, "ROUNDS", 1)


@contextmanager
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No passphrase or agent around, nothing remembered from another test, nothing that costs."""
    cheap(monkeypatch)
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    for name in SOURCES:
        monkeypatch.delenv(name, raising=False)
    private.forget()
    try:
        yield
    finally:
        private.forget()
