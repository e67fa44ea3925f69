"""A text as words with their places and clauses: what polarity and overlap are read from."""

from __future__ import annotations

import re
from dataclasses import dataclass

from retrieval.stemming import stem
from retrieval.text import word_set

_TOKEN = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*\+?|[,;:()\[\]]|\.(?=\s|$)")
_CLAUSE_WORDS = word_set(
    "but although though however whereas while yet except nevertheless despite"
)
_BORDERS = _CLAUSE_WORDS | {";", ":", "."}
_UNFINISHED = word_set("vs al fig figs e.g i.e cf ca approx dr no eq ref refs spp sp")
_FUNCTION = word_set(
    """
    a an and are as at be been being both but by can could did do does for from had has have he her
    however i if in into is it its may might no nor not of on or our she should so such than that the
    their them then there these they this those though to under upon via was we were when where
    whether which while who will with within without would although whereas among between during
    after before over also only each per vs versus compared relative
    """
)
_SPELLED = str.maketrans({"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "κ": "kappa",
                          "ε": "epsilon", "ζ": "zeta", "θ": "theta", "λ": "lambda", "μ": "mu"})  # fmt: skip
_DRUG = re.compile(
    r".{2,}(?:mab|nib|statin|pril|sartan|olol|azole|cillin|mycin|vir|formin|gliptin|gliflozin|glutide"
    r"|parin|platin|taxel|rubicin|setron|caine|dronate|oxetine)"
)
_NUMBER = re.compile(r"[\d.,+-]+")


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text in order, in parallel tuples.

    `lower` holds words and marks (",", "("); `stems` the stem of a content word, "" for marks,
    numbers and function words; `clauses` the number of the clause each stands in: a clause ends at
    ";", ":", "." and at words like "but", and what stands in brackets is a clause of its own.
    """

    lower: tuple[str, ...]
    stems: tuple[str, ...]
    clauses: tuple[int, ...]
    entities: frozenset[str]


def split_words(text: str) -> Words:
    """The words of a normalised text (`retrieval.text.normalise`)."""
    raw = _TOKEN.findall(text)
    lower = tuple(word.lower() for word in raw)
    stems = tuple(map(_content_stem, lower))
    entities = frozenset(
        entity_key(word)
        for word, key in zip(raw, stems, strict=True)
        if key and len(word) > 1 and _is_entity(word)
    )
    return Words(lower, stems, _clauses(lower), entities)


def entity_key(word: str) -> str:
    """One spelling of a gene's or drug's name: "TGF-β1", "TGFβ1", "TGF-beta1" → "tgfbeta1"."""
    return word.lower().translate(_SPELLED).replace("-", "")


def _is_entity(word: str) -> bool:
    """Looks like the name of a gene, protein, variant or drug: capitals, digits, Greek, endings."""
    if word.isascii() and word.isalpha() and word[1:].islower():
        return _DRUG.fullmatch(word.lower()) is not None
    capitals = sum(map(str.isupper, word))
    has_digit = any(map(str.isdigit, word))
    return capitals > 1 or (has_digit and any(map(str.isalpha, word))) or not word.isascii()


def _content_stem(word: str) -> str:
    if word in _FUNCTION or not word[0].isalnum() or _NUMBER.fullmatch(word):
        return ""
    return stem(word.replace("-", "").translate(_SPELLED))


def _clauses(words: tuple[str, ...]) -> tuple[int, ...]:
    """Number the clauses; after a closing bracket the clause before it goes on."""
    numbers, open_clauses = [], [0]
    last = 0
    for i, word in enumerate(words):
        if word in "([":
            last += 1
            open_clauses.append(last)
        elif word in ")]" and len(open_clauses) > 1:
            open_clauses.pop()
        elif word in _BORDERS and not (word == "." and i and words[i - 1] in _UNFINISHED):
            last += 1
            open_clauses[-1] = last
        numbers.append(open_clauses[-1])
    return tuple(numbers)
