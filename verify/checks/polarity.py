"""Which way a text says things go: its direction words, chained, negated and placed.

"Loss of PTEN increases AKT" says that PTEN lowers AKT: direction words that govern one another are
chained into one signal whose sign is their product. A negated direction ("did not increase") is
neither direction: it is its own state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from retrieval.text import word_set
from verify.checks.lexicon import BAD, DIRECTIONS, GOOD, Entry
from verify.checks.negation import Negations
from verify.checks.words import Words

MOST_SIGNALS = 64  # of one text; far more than a sentence has, and it bounds the time taken
_RISK = Entry("protective/risk", "valence", -1)  # "a risk factor"
_LINKS = word_set(
    "of in the a an to its their for on by and/or significantly markedly strongly that which is are"
    " was were be been being can could may might would will further partially completely also"
)
_CHAIN_BREAKS = word_set("and or than compared versus vs with while when but ,")
_MODIFIER_ENDS = ("induced", "mediated", "dependent", "stimulated", "activated", "inhibited",
                  "associated", "related", "regulated", "driven", "treated", "triggered",
                  "positive", "negative", "grown", "containing")  # fmt: skip
_NOUN_ENDS = ("ion", "ions", "loss", "deficiency", "knockdown", "knockout", "blockade", "absence",
              "inhibitor", "inhibitors", "antagonist", "antagonists", "agonist", "agonists",
              "removal", "withdrawal", "silencing", "deficient", "activator", "blockers",
              "blocker", "haploinsufficiency", "lack", "lacking", "without")  # fmt: skip
_VERB_ENDS = ("ed", "es", "s", "ing", "led")
_LONGEST_SUBJECT = 10  # words between "inhibition of ..." and its verb
_NEAREST_NOUN = 5  # words after a direction word in which its object is looked for
_PLACES = word_set(
    "urinary limb limbs extremity extremities respiratory back bound gastrointestinal"
)


@dataclass(frozen=True, slots=True)
class Signal:
    """A direction stated at word `at`: `sign` +1 or -1 on an `axis`, `negated` or not.

    `pairs` names the opposites it was made of, with their signs; `at` is the last of its words.
    """

    axis: str
    sign: int
    negated: bool
    at: int
    pairs: tuple[tuple[str, int], ...]


def signals(words: Words, negated: Negations) -> tuple[Signal, ...]:
    """Every direction stated, in order: chained amounts, other axes, and derived good-or-bad."""
    found = [
        (i, entry)
        for i, word in enumerate(words.lower)
        if len(word) > 2 and i not in negated.open_words and (entry := _entry(word, words.lower, i))
    ]
    stated = _chained(words, negated.negated, found[:MOST_SIGNALS])
    stated = _with_ellipses(words, stated)[:MOST_SIGNALS]
    return (*stated, *_valences(words, stated))


def _entry(word: str, words: Sequence[str], i: int) -> Entry | None:
    entry = DIRECTIONS.get(word)
    if word == "risk" and words[i + 1 : i + 2] in (("factor",), ("factors",), ("marker",)):
        return _RISK
    if entry is None and "-" in word:
        entry = _compound(word)
    if entry is None or _is_other_sense(word, words, i):
        return None
    return entry


def _compound(word: str) -> Entry | None:
    """The entry of "up-regulated" or "PTEN-deficient"; "TNF-induced" only tells which noun."""
    whole = DIRECTIONS.get(word.replace("-", ""))
    if whole is not None or word.endswith(_MODIFIER_ENDS):
        return whole
    return DIRECTIONS.get(word.rpartition("-")[2])


def _is_other_sense(word: str, words: Sequence[str], i: int) -> bool:
    """Whether the word states no direction here: "more than 50", "at least", "no longer"."""
    following = words[i + 1] if i + 1 < len(words) else ""
    before = words[i - 1] if i else ""
    if word in ("more", "less", "fewer", "greater", "higher", "lower", "longer"):
        bound = following == "than" and i + 2 < len(words) and words[i + 2][0].isdigit()
        return bound or (word == "longer" and before == "no") or following in _PLACES
    if word in ("without", "lack", "lacks", "lacking", "lacked"):
        return before == "or"  # "with or without"
    if word == "least":
        return before == "at"
    if word in ("most", "best", "late", "early", "earlier", "later"):
        return before in ("at", "the") or following == "of"
    return False


def _chained(
    words: Words, negated: Sequence[bool], found: Sequence[tuple[int, Entry]]
) -> list[Signal]:
    stated: list[Signal] = []
    for i, entry in found:
        signal = Signal(entry.axis, entry.sign, negated[i], i, ((entry.pair, entry.sign),))
        if stated and _governs(words, stated[-1], signal):
            signal = _joined(stated.pop(), signal)
        stated.append(signal)
    return stated


def _governs(words: Words, first: Signal, second: Signal) -> bool:
    """Does the first direction act on the second ("reduced activation", "loss of X raises")?"""
    if not first.axis == second.axis == "amount":
        return False
    if words.clauses[first.at] != words.clauses[second.at]:
        return False
    between = words.lower[first.at + 1 : second.at]
    if len(between) > _LONGEST_SUBJECT or any(word in _CHAIN_BREAKS for word in between):
        return False
    others = sum(word not in _LINKS for word in between)
    noun = words.lower[first.at].endswith(_NOUN_ENDS)
    verb = words.lower[second.at].endswith(_VERB_ENDS)
    return others <= 1 or (noun and verb)


def _with_ellipses(words: Words, stated: list[Signal]) -> list[Signal]:
    """Add what is left out: "depends on A but not on B" states the direction again, denied."""
    repeated = []
    for i in range(1, len(words.lower)):
        if words.lower[i] != "not" or words.lower[i - 1] not in ("but", "and", ","):
            continue
        before = [s for s in stated if s.at < i]
        if before and not any(s.at > i and words.clauses[s.at] == words.clauses[i] for s in stated):
            last = before[-1]
            repeated.append(Signal(last.axis, last.sign, not last.negated, i, last.pairs))
        if len(repeated) == MOST_SIGNALS:
            break
    return sorted([*stated, *repeated], key=lambda s: s.at)


def _joined(first: Signal, second: Signal) -> Signal:
    """One signal of both; two negations within it cancel out."""
    return Signal(
        "amount",
        first.sign * second.sign,
        first.negated or second.negated,
        second.at,
        (*first.pairs, *second.pairs),
    )


def _valences(words: Words, stated: Sequence[Signal]) -> list[Signal]:
    """More of something good or less of something bad is good."""
    derived = []
    for signal in stated:
        if signal.axis != "amount":
            continue
        harms = signal.pairs[-1][0] == "enhance/impair" and len(signal.pairs) > 1
        worth = 1 if harms else _worth_of_object(words, signal.at)
        if worth:
            derived.append(Signal("valence", signal.sign * worth, signal.negated, signal.at, ()))
    return derived


def _worth_of_object(words: Words, at: int) -> int:
    """+1 or -1 for the first good or bad noun after the word; 0 for none."""
    for i in range(at + 1, min(at + 1 + _NEAREST_NOUN, len(words.lower))):
        word = words.lower[i]
        if words.clauses[i] != words.clauses[at] or word in _CHAIN_BREAKS:
            break
        if word in BAD or word in GOOD:
            return 1 if word in GOOD else -1
    return 0
