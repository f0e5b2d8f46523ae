"""Odds of a battle: the sequence of [GC] and [AMP] with probabilities for dice and standing orders for decisions."""
