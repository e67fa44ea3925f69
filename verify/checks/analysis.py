"""One text, analysed once: its words, negations, directions, quantities, hedges."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.stemming import stem
from retrieval.text import normalise, word_set
from verify.checks.alignment import Side, places_of
from verify.checks.negation import negations
from verify.checks.polarity import signals
from verify.checks.quantities import Quantity, read_quantities
from verify.checks.quantity_match import Placed
from verify.checks.words import Words, split_words

CONTEXT = 70  # characters either side of a quantity that say what it is about
MOST_QUANTITIES = 64  # of one text that are compared; bounds the time taken
_WORD = re.compile(r"[^\W\d_]{3,}(?:-[^\W_]+)*")
_EDGE = re.compile(r"[;]|\. |, (?:and|but|while|whereas) ")
_HEDGES = word_set(
    """
    may might could possibly possible perhaps probably potentially potential suggest suggests
    suggested suggesting suggestive appear appears appeared seem seems seemed likely unlikely unclear
    uncertain hypothesize hypothesized hypothesise hypothesised hypothesis speculate speculated
    controversial inconclusive debated putative presumably apparently whether preliminary
    conceivable plausible propose proposed
    """
)
FULLY_HEDGED = 2  # hedges that count as full


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the checks know of one text; `plain` holds its content words without hyphens."""

    text: str
    side: Side
    quantities: tuple[Quantity, ...]
    placed: tuple[Placed, ...]
    hedges: tuple[str, ...]
    plain: frozenset[str]

    @property
    def words(self) -> Words:
        """The text's words."""
        return self.side.words

    @property
    def hedge(self) -> float:
        """How hedged the text is: 0 not at all, 1 by two words or more."""
        return min(1.0, len(self.hedges) / FULLY_HEDGED)


@lru_cache(maxsize=4096)
def analyse(text: str) -> Analysis:
    """Analyse a claim or a sentence; kept for the 4,096 texts used last. Never raises."""
    normalised = normalise(text)
    words = split_words(normalised.text)
    denied = negations(words)
    found = read_quantities(normalised)
    return Analysis(
        text=text,
        side=Side(words, denied, signals(words, denied), places_of(words)),
        quantities=found,
        placed=tuple(_placed(text, quantity) for quantity in found[:MOST_QUANTITIES]),
        hedges=tuple(
            word
            for before, word in zip(("", *words.lower), words.lower, strict=False)
            if word in _HEDGES and before not in ("more", "less", "as", "most", "least")
        ),
        plain=frozenset(w.replace("-", "") for w, key in zip(words.lower, words.stems) if key),
    )


def _placed(text: str, quantity: Quantity) -> Placed:
    quote = text[quantity.start : quantity.end]
    change = text[max(0, quantity.start - 6) : quantity.start].endswith((" by ", " by a "))
    return Placed(quantity, quote, _near(text, quantity), change)


def _near(text: str, quantity: Quantity) -> frozenset[str]:
    """Stems of the words around a quantity, up to the borders of its clause."""
    before = _EDGE.split(text[max(0, quantity.start - CONTEXT) : quantity.start])[-1]
    after = _EDGE.split(text[quantity.end : quantity.end + CONTEXT])[0]
    found = _WORD.findall(f"{before} {after}".lower())
    return frozenset(stem(word) for word in found if word not in _VAGUE)


_VAGUE = word_set(
    """
    the and for with was were are had has have than from that this which who not but into its their
    about approximately least more less between percent per cent patients group groups study compared
    versus over under after before during out all both among those
    """
)
