"""The game folder: everything that touches the disk."""
