"""Readers of the public labelled sets and of a user's own files, one file a shape."""
