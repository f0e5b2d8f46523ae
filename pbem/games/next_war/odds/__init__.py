"""Probabilities of combats: the game's own rules, followed through every die. Exact; floats, never in rules."""
