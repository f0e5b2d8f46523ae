"""Units and installations: task forces, damage, dispersal, works."""
