"""Opposites made by a prefix: hyper-/hypo-, pro-/anti-, over-/under-, un-, in-, non-, dis-."""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

_FACING = (
    ("hyper", "hypo"), ("pro", "anti"), ("over", "under"), ("up", "down"), ("intra", "extra"),
    ("pre", "post"), ("endo", "exo"), ("macro", "micro"), ("homo", "hetero"), ("mono", "poly"),
    ("afferent", "efferent"), ("long", "short"), ("high", "low"),
)  # fmt: skip
_DENYING = ("un", "in", "im", "non", "dis", "ir", "anti", "de", "sub")
_SHORTEST_REST = 5  # letters after the prefix; fewer make words like "income" and "unit"


_PREFIXED = re.compile("|".join({p for pair in _FACING for p in pair} | set(_DENYING)))


def prefix_opposites(claim: Set[str], evidence: Set[str]) -> tuple[tuple[str, str], ...]:
    """Pairs (word of the claim, word of the evidence) that differ by an opposing prefix only.

    Words come without hyphens; one that both texts have is left out.
    """
    mine, theirs = claim - evidence, evidence - claim
    pairs = {(word, other) for word in mine for other in _opposites(word) if other in theirs}
    return tuple(sorted(pairs | {(p, w) for w in theirs for p in _undenied(w) if p in mine}))


@lru_cache(maxsize=20_000)
def _opposites(word: str) -> tuple[str, ...]:
    """The word with a facing prefix, or with a denying one taken off."""
    if len(word) < _SHORTEST_REST or not _PREFIXED.match(word):
        return ()
    facing = [
        other + word[len(prefix) :]
        for pair in _FACING
        for prefix, other in (pair, pair[::-1])
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_REST
    ]
    return (*facing, *_undenied(word))


@lru_cache(maxsize=20_000)
def _undenied(word: str) -> tuple[str, ...]:
    return tuple(
        word[len(prefix) :]
        for prefix in _DENYING
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_REST
    )
