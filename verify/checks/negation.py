"""Which words of a text are negated, and how far each negation reaches.

A negation ends at its clause's border and at a comma that begins something new, so a "no" in one
clause never silences another; two negations of one word cancel out ("not without").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from retrieval.text import word_set
from verify.checks.lexicon import DIRECTIONS
from verify.checks.words import Words

LONGEST_SCOPE = 14  # words; long enough for "no significant differences between A and B in ..."
NOUN_SCOPE = 5  # words, for "little", "lack of" and the like, which negate a noun phrase
_THAT_WITHIN = 4  # words in which "no evidence that" is recognised

_CLAUSE_CUES = word_set(
    "not no cannot never neither nor none fail fails failed failing failure unable n't hardly barely"
    " scarcely unlikely ain't nothing nobody"
)
_NOUN_CUES = word_set(
    "without lack lacks lacked lacking absence little negligible minimal nonsignificant"
    " insignificant non-significant rather instead few"
)
_BOTH = _CLAUSE_CUES | _NOUN_CUES
# After a cue these make it something else than a negation.
_NO_NEGATION = {
    "not": word_set("only just merely simply solely exclude rule ruled excluded least unlike"),
    "cannot": word_set("exclude rule"),
    "no": word_set("doubt exception less fewer"),
    "little": word_set("by"),
    "few": word_set("days weeks months years hours minutes seconds"),
    "nothing": word_set("but"),
    "unable": word_set("exclude"),
}
_BEFORE = {"few": "a", "little": "a"}  # "a few", "a little" assert
_UNMEASURED = word_set(
    "measured assessed determined evaluated examined investigated tested studied reported known"
    " clear available understood elucidated established explored addressed recorded assayed analyzed"
    " analysed quantified collected characterized characterised described defined understood"
    " conclusive certain"
)
_ADVERBS = word_set(
    "yet been be fully well directly systematically previously completely formally specifically"
    " experimentally currently clearly so"
)
_OF_THINGS = word_set("without lack lacks lacked lacking absence")
_DENIABLE = word_set("evidence any change changes benefit consensus")
_FINITE = word_set("is are was were has have had did does do can may might will")
_LIST_ENDS = word_set("or nor and")
_NEW_START = word_set(
    "we it they this these he she which who whose where suggesting indicating showing but"
    " although whereas while thus therefore so because since as there our is are was were"
)
_REACH_OF_LIST = 6


@dataclass(frozen=True, slots=True)
class Negations:
    """`negated[i]` says whether word i is negated, an even number of times counting as not.

    `cues` counts the negations found; `unmeasured` is True where something was "not measured",
    which is no negative result. `open_words` are those that state nothing: what was not measured,
    and what follows "whether".
    """

    negated: tuple[bool, ...]
    cues: int
    unmeasured: bool
    open_words: frozenset[int]


def negations(words: Words) -> Negations:
    """Find every negation and what it reaches."""
    negated = [False] * len(words.lower)
    cues, unmeasured = 0, False
    open_words = set(_questioned(words))
    for i, word in enumerate(words.lower):
        cue = "not" if word.endswith("n't") and word != "n't" else word
        if cue not in _BOTH or _is_idiom(cue, words.lower, i):
            continue
        if cue in ("not", "no", "never", "n't", "none") and _is_unmeasured(words.lower, i):
            unmeasured = True
            open_words.update(_subject(words, i))
            continue
        cues += not (cue == "nor" and negated[i])  # "neither A nor B" is one negation
        for at in _scope(words, i, cue):
            negated[at] = cue == "nor" or not negated[at]
    return Negations(tuple(negated), cues, unmeasured, frozenset(open_words))


def _is_idiom(cue: str, words: Sequence[str], i: int) -> bool:
    following = words[i + 1] if i + 1 < len(words) else ""
    if cue in ("rather", "instead"):
        return following not in ("than", "of")
    if cue == "no" and following == ".":  # "No. 5"
        return True
    if cue in _OF_THINGS:
        return not _denies_an_effect(words, i) or words[i - 1 : i] == ("or",)
    return following in _NO_NEGATION.get(cue, ()) or (i > 0 and words[i - 1] == _BEFORE.get(cue))


def _is_unmeasured(words: Sequence[str], i: int) -> bool:
    """Whether "not" leads to "measured" or the like, with nothing but adverbs between."""
    for word in words[i + 1 : i + 5]:
        if word in _UNMEASURED:
            return True
        if word not in _ADVERBS:
            return False
    return False


def _subject(words: Words, cue_at: int) -> Iterator[int]:
    """The words before "was not measured", back to the border of what it is said of."""
    for at in range(cue_at - 1, max(-1, cue_at - 1 - LONGEST_SCOPE), -1):
        if words.clauses[at] != words.clauses[cue_at] or words.lower[at] in ("and", ","):
            return
        yield at


def _questioned(words: Words) -> Iterator[int]:
    """The words after "whether", to the end of its clause; "whether or not" asks nothing."""
    for i, word in enumerate(words.lower):
        if word != "whether" or words.lower[i + 1 : i + 2] == ("or",):
            continue
        for at in range(i + 1, min(len(words.lower), i + 1 + LONGEST_SCOPE)):
            if words.clauses[at] != words.clauses[i] or words.lower[at] == ",":
                break
            yield at


def _scope(words: Words, cue_at: int, cue: str) -> Iterator[int]:
    """The words that the cue reaches; an aside in brackets is passed over."""
    of_noun = cue in _NOUN_CUES
    limit = NOUN_SCOPE if of_noun else LONGEST_SCOPE
    reported = "that" in words.lower[cue_at + 1 : cue_at + 1 + _THAT_WITHIN]
    for at in range(cue_at + 1, min(len(words.lower), cue_at + 1 + limit)):
        word = words.lower[at]
        if words.clauses[at] != words.clauses[cue_at]:
            continue
        if word == "," and not reported and not _goes_on(words.lower, at):
            return
        if of_noun and word in _FINITE:
            return
        yield at


def _goes_on(words: Sequence[str], comma: int) -> bool:
    """A comma within a list ("A, B, or C") doesn't end a negation."""
    following = words[comma + 1 : comma + 1 + _REACH_OF_LIST]
    if following and (following[0] in DIRECTIONS or following[0] == "and"):
        return False
    for word in following:
        if word in _LIST_ENDS:
            return True
        if word in _NEW_START:
            return False
    return False


def _denies_an_effect(words: Sequence[str], i: int) -> bool:
    """Whether an effect is lacking ("lack of effect") rather than a thing ("lack of PTEN")."""
    return any(word in DIRECTIONS or word in _DENIABLE for word in words[i + 1 : i + 4])
