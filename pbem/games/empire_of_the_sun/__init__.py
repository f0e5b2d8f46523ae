"""Empire of the Sun, first edition 2005 and second edition 2015."""
