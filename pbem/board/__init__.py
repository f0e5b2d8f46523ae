"""The board: orders by clicking, on a page that this program serves to its own machine alone."""
