"""The shared part of the bots."""
