"""Retrieval: a claim goes in, papers with the sentences that may bear on it come out."""
