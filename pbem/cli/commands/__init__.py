"""The commands as they are declared, by chapter. The modules beside this package do the work."""
