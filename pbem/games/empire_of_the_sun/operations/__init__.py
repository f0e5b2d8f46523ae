"""[7.2] Steps 1 to 3 of an offensive: activation, movement in the order given, declaration of battle hexes."""
