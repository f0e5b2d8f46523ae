"""The test vectors by subject; tests/protocol/make_vectors.py writes them to tests/vectors."""
