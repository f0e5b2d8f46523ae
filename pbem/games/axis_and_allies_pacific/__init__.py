"""Axis & Allies Pacific 1940."""
