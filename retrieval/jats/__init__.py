"""Reading JATS XML: `read_jats` for one article, `read_jats_set` for every article of a file."""

from retrieval.jats.reader import read_jats, read_jats_set

__all__ = ["read_jats", "read_jats_set"]
