"""How quantities are written: patterns over normalised text, each bounded, so linear in time."""

from __future__ import annotations

import re

from retrieval.text import word_set
from verify.checks.number_words import DIGITS, MAGNITUDES, WORDS, any_of

_SIGNED = rf"(?:(?<![^\s(\[=<>≤≥~,;:±])[-+])?{DIGITS}"
_PERCENT = r" ?%| ?-?(?i:per ?cent)\b"

SKIPPED = re.compile(
    r"\[\d{1,4}(?:[-, ]{1,2}\d{1,4}){0,20}\]"  # reference numbers
    r"|\b10\.\d{4,9}/\S{1,200}|\bhttps?://\S{1,500}"
    r"|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\b(?: \d{4})?"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}:\d{2}(?::\d{2})?\b"
)
P_VALUE = re.compile(
    r"\b[Pp](?:[- ]?values?)?(?: for (?:trend|interaction|heterogeneity))? ?"
    rf"(?P<relation>[=<>≤≥]|of|was) ?(?P<low>{DIGITS})(?!/)"
)
_CI = r"(?:CIs?|CrI|(?i:(?:confidence|credible) intervals?))\b"
INTERVAL = re.compile(
    rf"(?:\b\d\d(?:\.\d)? ?% ?)?\b{_CI}(?: ?[(\[]CI[)\]])?[ ,:=(\[]{{0,4}}(?:of |from |was )?"
    rf"(?P<low>{_SIGNED})(?:{_PERCENT})?(?: ?- ?| to |, ?|; ?| and )(?P<high>[-+]?{DIGITS})(?!/)"
    rf"(?P<percent>{_PERCENT})?"
)
LEVEL = re.compile(rf"\b\d\d(?:\.\d)? ?% ?\(?(?={_CI})")
_RATIO_NAME = (
    r"(?:\ba?(?:HR|OR|RR|IRR|SMR|SIR)s?|\b(?i:(?:hazards?|odds|risk|rate|prevalence) ratios?"
    r"|relative risks?))\b"
)
RATIO = re.compile(
    rf"(?P<name>{_RATIO_NAME})(?:[ ,:=(\[]{{1,3}}a?(?:HR|OR|RR|IRR|SMR)\b[)\]]?)?"
    rf"[ ,:=(\[]{{1,3}}(?:of |was |is )?(?P<low>{DIGITS})(?! ?%|/)"
)
FACTORS = {
    "doubled": 2.0, "doubles": 2.0, "doubling": 2.0, "twice": 2.0, "twofold": 2.0,
    "tripled": 3.0, "triples": 3.0, "threefold": 3.0, "fourfold": 4.0, "quadrupled": 4.0,
    "fivefold": 5.0, "tenfold": 10.0, "halved": 0.5, "halves": 0.5,
}  # fmt: skip
FACTOR = re.compile(rf"\b(?:{any_of(FACTORS)})\b(?!-)")
BOUNDS = {
    ">": ("more than", "greater than", "larger than", "higher than", "longer than", "older than",
          "over", "above", "exceeding", "at least", "no less than", "not less than", "≥", ">"),
    "<": ("less than", "fewer than", "lower than", "smaller than", "shorter than", "younger than",
          "below", "under", "up to", "at most", "no more than", "not more than", "within", "≤",
          "<"),
    "~": ("about", "approximately", "around", "nearly", "almost", "roughly", "some", "circa", "~",
          "≈"),
    "=": ("=",),
}  # fmt: skip
RELATIONS = {word: relation for relation, words in BOUNDS.items() for word in words}
_SIGNS = "".join(word for word in RELATIONS if not word[0].isalpha())
_RELATION = rf"(?:[{_SIGNS}]|\b(?:{any_of(w for w in RELATIONS if w[0].isalpha())})\b)"
PART_COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}
PARTS = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "tenth": 10}
PART = re.compile(
    rf"(?:(?P<relation>{_RELATION}) ?)?\b(?:(?P<count>{any_of(PART_COUNTS)})[- ]"
    rf"(?P<part>{'|'.join(PARTS)})s?\b|[Hh]alf)(?= of\b| the\b| a\b|[.,;]|$)"
)
_MAGNITUDE = rf"(?: ?(?P<magnitude>{any_of(MAGNITUDES)})\b)?"
GENERAL = re.compile(
    rf"(?:(?P<relation>{_RELATION}) ?)?(?P<between>\b[Bb]etween (?=\S{{1,20}} and ))?"
    rf"(?<![^\W_]|/)(?<![^\W_][-.':*,^])(?P<low>{_SIGNED}|{WORDS})(?P<percent>{_PERCENT})?"
    rf"(?:(?P<join> ?- ?| to (?:about )?| ?± ?| ?\+/- ?|(?(between) and |(?!)))"
    rf"(?P<high>{DIGITS}|{WORDS}))?"
    rf"{_MAGNITUDE}"
)
PERCENT = re.compile(rf"(?:{_PERCENT})(?! ?point)")
FOLD = re.compile(
    r"[- ]?(?i:folds?)\b|[×x](?!\w)| (?i:times)\b(?= (?:more|high|great|larg|as|the))"
)
SHARE = re.compile(
    rf" ?(?:\b(?P<of>in|of|out of|in every|per)\b|/) ?(?:a |the )?"
    rf"(?P<whole>{DIGITS}|{WORDS}|(?=(?:{'|'.join(MAGNITUDES)})\b)){_MAGNITUDE}(?![^\W_]|[-.]\w| ?%)"
)
_WORD = r"[^\W_]+(?:-[^\W_]+){0,3}"
NOUN = re.compile(
    rf"[- ]?(?:of the |of |the )?(?:(?:{_WORD} ){{0,3}}?(?P<plural>[^\W\d_]{{2,}}s)\b(?<!ss)(?<!was)"
    rf"(?<!is)(?<!us)|(?P<next>[^\W\d_]+(?:-[^\W\d_]+){{0,3}}))"
)
BEFORE_NUMBER = word_set(
    """
    a all and another any approximately are at average be been by for from had has have in include
    included includes including into is its median mean most of on only or other our over per sized
    than that the their these this those to total totals totaled under was were when where which
    with within reached averaged enrolled randomized analysed analyzed identified found showed
    """
)

LABELS = word_set(
    """
    figure figures fig figs table tables tab box appendix equation eq ref refs reference chapter
    section panel type types phase phases stage stages grade grades class classes level levels
    category group groups cluster arm cohort factor subtype interleukin caspase vitamin chromosome
    exon exons intron codon codons position residue residues serine threonine tyrosine lysine
    domain clade cycle trial study step aim no number version protocol receptor isoform layer
    variant complex collagen keratin alpha beta gamma supplementary file movie video score experiment
    """
)
COUNTED = word_set(
    """
    patients participants cases controls men women children subjects samples cells mice rats people
    individuals adults deaths genes infants students studies trials persons events proteins births
    """
)
YEARS = range(1900, 2100)
