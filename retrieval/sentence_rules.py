"""Does a sentence end at this full stop? Rules for scientific English, from the words around it."""

from __future__ import annotations

import re
from enum import Enum, auto

from retrieval.text import word_set


class Ending(Enum):
    """Whether a sentence ends: surely, surely not, or pySBD is to be asked."""

    YES = auto()
    NO = auto()
    ASK = auto()


# Abbreviations that always have something after them.
_NEVER_LAST = word_set(
    """
    fig figs eq eqs eqn vs cf viz e.g eg i.e ie ca approx Dr Drs Mr Mrs Ms prof St suppl supp
    FIG FIGS EQ incl excl subsp ssp var sv serov comb abbr eds esp sensu
    """
)
# Abbreviations that announce a number or a label, and may also be ordinary words.
_BEFORE_NUMBER = word_set(
    """
    no nos vol vols p v pp pg ref refs tab sec sect ch chap art ser exp expt ver app appl ext
    lot cat nr nrs n°
    """
)
# Abbreviations that may end a sentence; the word that follows tells.
_MAY_BE_LAST = word_set(
    """
    al etc spp sp inc ltd co corp jr sr dept univ assoc resp jan feb mar apr jun jul aug sep
    sept oct nov dec cv str gmbh
    """
)
_UNITS = word_set(
    """
    g mg kg µg μg ng pg l ml µl μl dl m cm mm µm μm nm s sec min h hr hrs d wk mo yr mol mmol
    nmol mM µM μM nM Hz kHz MHz Da kDa bp kb U IU Gy mSv cGy kcal kJ V mV mA °C K ppm
    """
)
_CLASSES = word_set(
    """
    vitamin vitamins hepatitis influenza type group grade class cohort arm protein factor
    subunit complex immunoglobulin cyclosporin coenzyme panel site stage category child-pugh
    apolipoprotein hemoglobin haemoglobin cytochrome domain isoform genotype strain clade
    """
)
_STARTERS = word_set(
    """
    a about above according across additionally after again all also although among an and any
    are as at background based because before being besides between both but by can clinical
    collectively compared conclusion conclusions consequently consistent conversely current
    currently data design despite did do does during each early either elevated even every
    evidence experiments few finally findings first five for four from further furthermore given
    has have he hence her here high higher his how however i identification if importantly in
    increased indeed instead interestingly interpretation is it its lastly later less loss low
    lower main many meanwhile methods mice more moreover most mutations neither nevertheless next
    no none nonetheless notably not of on once one only or other others our outcomes overall
    overexpression participants patients previous previously purpose randomized rather recent
    recently results retrospective second secondary setting several she significant significantly
    similar similarly since six so some specifically studies study subsequent subsequently such
    surprisingly taken ten that the their then there thereby therefore these they third this
    those three through thus to together treatment twelve two under unlike until upon using was
    we were what when where whereas whether which while who whose why with within without
    women yet you
    """
)
SECTION_TITLES = (
    "abstract|introduction|background|context|aims?|objectives?|purpose|rationale|methods?|"
    "materials and methods|methodology|study design|design|settings?|participants|patients|"
    "interventions?|main outcome measures?|measurements?|results?|findings|discussion|"
    "interpretation|conclusions?|limitations|significance|funding|acknowledge?ments|references|"
    "key ?words|highlights|summary|supplementary materials?|trial registration"
)

_WORD = re.compile(r"[^\s()\[\]{}\"“”‘’/,;:]*\Z")
_LABEL = re.compile(
    r"(?:^|[.!?]\s+)\d{1,2}(?:\.\d{1,2}){0,3}\Z"
    r"|^(?:[A-Z]|[a-h]|[ivx]{1,4}|[IVX]{1,4})\Z"
    r"|[:;]\s+[1-9]\Z"
)
_LIST_LABEL = re.compile(r"(?:[ivx]{1,4}|[a-h])\)\s+[A-Z]")
_INITIALS = re.compile(r"(?:[A-Z]\.-?)*[A-Z]")
_ONE_CAPITAL = re.compile(r"[A-Z]\.")
_DOTTED = re.compile(r"[A-Za-z]{1,2}(?:\.[A-Za-z]{1,2})+")
_SHORT_NAME = re.compile(r"[A-Z][a-z]{1,3}")
_NUMBERISH = re.compile(r"[(\[#~<>≤≥±]?\s?(?:[A-Z]{0,2}\d|[IVX]+\b|[A-Z]\b)")
_OPENING = re.compile(r"[\"'`“‘«(\[\u200b\u200e\u200f\ufeff]*")
_FOOTNOTE = re.compile(r"(?:[*†‡§¶#•‣▪■●©]+|[-–]\s|—)\s?(?=\S)")
_MIXED_NAME = re.compile(
    r"\(?(?:[α-ωΑ-Ω][\w-]*|(?:alpha|beta|gamma|delta|kappa)-\w+|[a-z][\w'′-]*[A-Z\d][\w'′/-]*)"
    r"(?=[\s,)]|\Z)"
)
_UNIT_POWER = re.compile(r"(?:kg|cm|mm|m|s|min|h|d|l|ml|mL)[-−–^]?\d\b")
_NUMBER_WORDS = re.compile(r"\d[\d.,]*%?(?:-\w+)?\s+[A-Za-z(]")
_TITLE_WORD = re.compile(r"(?:[A-Z][a-z]+(?:-[a-z]+)?|A|An|I)(?=[\s,:]|\Z)")
_GLUED_TITLE = re.compile(r"(?:Results?|Conclusions?|Methods?|Background|Objectives?)(?=[A-Z:])")
_PLAIN_WORD = re.compile(r"(?:\w+-)?[a-z]{3,}")
_LONG_WORD = re.compile(r"[a-z]{5,}")
_CITED_WORD = re.compile(r"[A-Za-z-]*[a-z]{3}|")


def word_before(left: str) -> str:
    """The word that ends `left`, without brackets and quotes; may be empty."""
    return _WORD.search(left).group()  # type: ignore[union-attr]


def may_be_cited(left: str) -> bool:
    """Whether digits glued to the full stop after `left` are a citation ("results.12 We")."""
    word = word_before(left)
    if not word:
        return left.endswith((")", "]"))
    return bool(_CITED_WORD.fullmatch(word)) and not _is_abbreviation(word)


def ending(left: str, stop: str, right: str, *, glued: bool, cited: bool) -> Ending:
    """Whether a sentence ends between `left` + `stop` and `right`.

    `left` reaches back to the start of the block or some 50 characters; `stop` is the full stop
    with closing quotes and brackets; `glued`: no blank before `right`; `cited`: a citation stands
    between `stop` and `right`.
    """
    word = word_before(left)
    if stop[0] in "。！？．":
        return Ending.YES
    if glued:
        return _if(_ends_glued(left, word, right, cited))
    if stop[0] != "." or stop.startswith(".."):
        return _if(_opens(right))
    if _is_label(left):
        return Ending.NO
    if _is_abbreviation(word):
        return _after_abbreviation(word, right, cited)
    if _INITIALS.fullmatch(word):
        return _after_initials(word, left, right)
    return _after_word(word, right)


def _if(condition: bool) -> Ending:
    return Ending.YES if condition else Ending.NO


def _is_label(left: str) -> bool:
    """Whether `left` ends in the number of a section or list item: "2.1", "A", but not "vs. 2"."""
    found = _LABEL.search(left)
    return bool(found) and not _is_abbreviation(word_before(left[: found.start()]))  # type: ignore[union-attr]


def _is_abbreviation(word: str) -> bool:
    return any(_known(word, words) for words in (_NEVER_LAST, _BEFORE_NUMBER, _MAY_BE_LAST))


def _known(word: str, words: frozenset[str]) -> bool:
    # neither "V" of "V. cholerae" is "v.", nor "CF" (cystic fibrosis) "cf."
    return word in words or (word[1:].islower() and word.lower() in words)


def _after_abbreviation(word: str, right: str, cited: bool) -> Ending:
    if _known(word, _NEVER_LAST):
        return Ending.NO
    if _known(word, _BEFORE_NUMBER):
        return _if(not _NUMBERISH.match(right) and not cited and _opens(right))
    if word == "al":
        return _if(_starts(right) and not cited)
    if _starts(right):
        return Ending.YES
    return Ending.ASK if right[:1].isupper() else Ending.NO


def _after_initials(word: str, left: str, right: str) -> Ending:
    """After "E" of "E. coli", "J.R", "U.S" — or "D" of "vitamin D"."""
    if _ONE_CAPITAL.match(right) or "-" in word:
        return Ending.NO
    if _starts(right):
        return Ending.YES
    before = left[: -len(word)].split()
    if len(word) == 1:
        return _if(bool(before) and before[-1].lower() in _CLASSES and _opens(right))
    return Ending.ASK if right[:1].isupper() else Ending.NO


def _after_word(word: str, right: str) -> Ending:
    if _FOOTNOTE.match(right):
        return Ending.YES
    first = right[_OPENING.match(right).end() :][:1]  # type: ignore[union-attr]
    if first.isupper():
        return _before_capital(word, right)
    if first.isdigit():
        return _before_digit(word, right)
    if word in _UNITS or _UNIT_POWER.match(right):
        return Ending.NO
    if _MIXED_NAME.match(right) or _LIST_LABEL.match(right):
        return Ending.YES
    return Ending.ASK if _LONG_WORD.fullmatch(word) and first.islower() else Ending.NO


def _before_capital(word: str, right: str) -> Ending:
    if _starts(right):
        return Ending.YES
    if not (_SHORT_NAME.fullmatch(word) or _DOTTED.fullmatch(word)):
        return Ending.YES
    chained = re.match(r"[A-Z][a-z]{0,7}\.", right)  # "Biol. Chem."
    return Ending.NO if chained else Ending.ASK


def _before_digit(word: str, right: str) -> Ending:
    if right[0] in "([":  # "(2) We" and "[32P]ATP" open a sentence, "(12 of 20" doesn't
        return _if(bool(re.match(r"\(\d{1,2}\)\s|\[\d{1,3}[A-Z]", right)))
    if word.isdigit():  # "in 2004. 12 patients", but "p = 0. 05"
        return _if(word != "0" and bool(_NUMBER_WORDS.match(right)))
    if _SHORT_NAME.fullmatch(word) or _DOTTED.fullmatch(word):  # "Chem. 266, 12442"
        return Ending.ASK if _NUMBER_WORDS.match(right) else Ending.NO
    return Ending.YES


def _ends_glued(left: str, word: str, right: str, cited: bool) -> bool:
    """A sentence whose blank was lost: "in vitro.We found", "(p<0.01).In", but not "H2A.Bbd"."""
    if _is_abbreviation(word) or not (_TITLE_WORD.match(right) or _GLUED_TITLE.match(right)):
        return False
    if cited or _PLAIN_WORD.fullmatch(word) or left.endswith((")", "]", "%")):
        return True
    whole = bool(re.search(r"\d\Z|[A-Z]{2}\Z", left))
    return whole and (_starts(right) or bool(_GLUED_TITLE.match(right)))


def _starts(right: str) -> bool:
    """Whether `right` opens with a word that often starts a sentence and is no name."""
    found = re.match(r"[\"'“‘«(\[]*([A-Z][a-z]*)(?=[\s,:-]|\Z)", right)
    return bool(found) and found[1].lower() in _STARTERS  # type: ignore[index]


def _opens(right: str) -> bool:
    """Whether `right` looks like the start of a sentence at all."""
    first = right[_OPENING.match(right).end() :][:1]  # type: ignore[union-attr]
    return first.isupper() or first.isdigit() or bool(_MIXED_NAME.match(right))
