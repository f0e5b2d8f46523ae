"""The genuine files of the mangler's tests, here too."""

from tests.transport.test_mangler import files

__all__ = ["files"]
