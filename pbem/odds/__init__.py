"""Probabilities of battles and a test of dice that may be looked at at any time; knows no game."""
