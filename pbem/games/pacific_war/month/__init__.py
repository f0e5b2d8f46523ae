"""The month: points, intelligence, shipping, bombing, replacements, reinforcements, repair, strategic orders."""
