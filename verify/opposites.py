"""Opposites made by a prefix: hyper-/hypo-, pro-/anti-, over-/under-, un-, in-, non-, dis-."""

from __future__ import annotations

from collections.abc import Iterable, Set

_FACING = (
    ("hyper", "hypo"), ("pro", "anti"), ("over", "under"), ("up", "down"), ("intra", "extra"),
    ("pre", "post"), ("endo", "exo"), ("macro", "micro"), ("homo", "hetero"), ("mono", "poly"),
    ("afferent", "efferent"), ("long", "short"), ("high", "low"),
)  # fmt: skip
_DENYING = ("un", "in", "im", "non", "dis", "ir", "anti", "de", "sub")
_SHORTEST_REST = 5  # letters after the prefix; fewer make words like "income" and "unit"


def prefix_opposites(claim: Set[str], evidence: Set[str]) -> tuple[tuple[str, str], ...]:
    """Pairs (word of the claim, word of the evidence) that differ by an opposing prefix only.

    A word that both texts have is left out.
    """
    return tuple(
        (word, other)
        for word in sorted(claim - evidence)
        for other in _opposites(word)
        if other in evidence and other not in claim
    )


def _opposites(word: str) -> Iterable[str]:
    word = word.replace("-", "")
    for pair in _FACING:
        for prefix, facing in (pair, pair[::-1]):
            if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_REST:
                yield facing + word[len(prefix) :]
    if len(word) >= _SHORTEST_REST:
        yield from (prefix + word for prefix in _DENYING)
    for prefix in _DENYING:
        if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_REST:
            yield word[len(prefix) :]
