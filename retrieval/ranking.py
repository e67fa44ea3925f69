"""BM25 over the paragraphs of the papers found, and over their sentences (rank-bm25)."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from typing import TypeVar

from rank_bm25 import BM25Okapi

from retrieval.text import tokens

Item = TypeVar("Item")


class BM25(BM25Okapi):  # type: ignore[misc]
    """BM25 whose idf is never zero or negative: log(1 + (N - n + 0.5) / (n + 0.5)).

    rank-bm25's own idf scores a term in half of the texts 0, and every term 0 or less in corpora
    of one or two texts; the form here is Lucene's.
    """

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {
            term: log(1 + (self.corpus_size - n + 0.5) / (n + 0.5)) for term, n in nd.items()
        }


def bm25_scores(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text against the query, 0 or more; 0 for a text that shares no term."""
    words = [tokens(text) for text in texts]
    terms = sorted(set(tokens(query)))
    if not terms or not any(words):
        return [0.0] * len(texts)
    return [float(score) for score in BM25(words).get_scores(terms)]


def best(items: Sequence[Item], scores: Sequence[float], count: int) -> list[tuple[Item, float]]:
    """The `count` best items with their scores, best first, ties in the order given."""
    order = sorted(range(len(items)), key=lambda i: (-scores[i], i))
    return [(items[i], scores[i]) for i in order[:count]]
