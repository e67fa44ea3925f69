"""The words that the library's full-text index holds, and the query made of a claim.

FTS5 stems (Porter) and drops accents; here we do what it can't: one spelling of signs, Greek
letters by name, "IL-6", "IL6" and "IL 6" alike, and the first five letters of each word as a word
of its own, so that "microglia" meets "microglial" and "hypertension" "antihypertensive"'s kin.
Chosen on SciFact's 809 training claims over its 5,183 abstracts (nDCG@10, recall at 20, at 100):
plain FTS5 0.705, 0.851, 0.930; with split letters and digits 0.713, 0.865, 0.929; with the
beginnings of words as well 0.712, 0.873, 0.936. `tests/benchmarks/library_add.py` measures it.
"""

from __future__ import annotations

import re

from retrieval.text import normalise

BEGINNING = 5  # letters
LONGEST_QUERY = 200
"""Most different words of one query; 20,000 characters of text would take seconds to search."""

_GREEK_LETTERS = "αβγδεζηθικλμνξοπρςστυφχψω"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho"
    " sigma sigma tau upsilon phi chi psi omega"
)
_SPELLED = str.maketrans(
    {
        letter: f"-{name}-"  # a piece of its own in "TGFβ1" too
        for letter, name in zip(_GREEK_LETTERS, _GREEK_NAMES.split(), strict=True)
    }
)
_COMPOUND = re.compile(r"[^\W_]+(?:[-/'.]{1,2}[^\W_]+)*")
_PIECE = re.compile(r"[^\W\d_]+|\d+")
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    a an the of in on at to for from by with and or not no nor is are was were be been being has
    have had do does did can could may might will would shall should this that these those it
    its their there than then as into between among during within via which who whom whose what
    when where how why such also but if both each other more most some any all he she they we
    our his her you your i
    """,
    )
)


def index_words(text: str) -> list[str]:
    """The words of `text` in order, lower case: letters and digits apart, and together as well."""
    words = []
    for found in _COMPOUND.finditer(normalise(text).text.lower().translate(_SPELLED)):
        pieces = _PIECE.findall(found.group())
        words += pieces
        if len(pieces) > 1 and any(map(str.isdecimal, pieces)):
            words.append("".join(pieces))
    return words


def beginnings(words: list[str]) -> list[str]:
    """The first five letters of each longer word, marked so that they meet no whole word."""
    return [f"zz{w[:BEGINNING]}" for w in words if len(w) > BEGINNING and w not in _STOP_WORDS]


def match_any(text: str) -> tuple[str, str] | None:
    """Two FTS5 queries for any of the words of `text`: with the beginnings of words, and without.

    None if `text` has none but stop words. Only letters and digits in quotes reach FTS5, so no
    input can be taken for its query language. Of very long texts the first 200 words count.
    """
    distinct = dict.fromkeys(w for w in index_words(text) if w not in _STOP_WORDS)
    words = list(distinct)[:LONGEST_QUERY]
    if not words:
        return None
    return _any(words + list(dict.fromkeys(beginnings(words)))), _any(words)


def _any(words: list[str]) -> str:
    return " OR ".join(f'"{word}"' for word in words)
