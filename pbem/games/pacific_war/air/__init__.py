"""Air missions from the order to the landing: flight, combat over the target, strikes, patrols, paradrops."""
