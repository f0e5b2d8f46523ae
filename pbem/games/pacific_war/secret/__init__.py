"""Sealed forces and secret orders: what a side hides, states and shows."""
