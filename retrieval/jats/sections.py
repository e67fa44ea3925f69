"""What a section of a paper is, by its title and its `sec-type`, and whether it is boilerplate.

The title decides where it is one of the usual ones, because publishers' types are wrong at times
(PLOS marks "Results/Discussion" as `conclusions`); then the type; then the enclosing section.
"""

from __future__ import annotations

import re
from functools import lru_cache

from retrieval.jats.tree import words
from retrieval.models import SectionKind

_TITLES = (
    (SectionKind.APPENDIX, r"appendi(x|ces)\b.*"),
    (SectionKind.INTRODUCTION, r"(general |brief )?introduction\b.*|background( and .*)?"),
    (SectionKind.RESULTS, r"(main |general )?results?\b.*|.* and results?|(main |key )?findings"),
    (SectionKind.DISCUSSION, r"(general |brief )?discussion\b.*|(strengths and )?limitations\b.*"),
    (SectionKind.CONCLUSION, r"conclu(sion|sions|ding remarks)\b.*|summary and conclusions?"),
    (
        SectionKind.METHODS,
        r"(\w+,? ){0,4}methods?( and materials?| summary| details)?|methodology|star methods"
        r"|experimental (procedures?|section|design)|study design( and .*)?|materials?",
    ),
)
_TYPES = {
    "intro": SectionKind.INTRODUCTION,
    "introduction": SectionKind.INTRODUCTION,
    "background": SectionKind.INTRODUCTION,
    "methods": SectionKind.METHODS,
    "materials": SectionKind.METHODS,
    "subjects": SectionKind.METHODS,
    "results": SectionKind.RESULTS,
    "discussion": SectionKind.DISCUSSION,
    "conclusion": SectionKind.CONCLUSION,
    "conclusions": SectionKind.CONCLUSION,
    "appendix": SectionKind.APPENDIX,
}
_BOILERPLATE_TYPES = words(
    "additional-information data-availability datasets funding-information funding"
    " ack coi-statement conflict competing-interest competing-interests"
    " author-contribution author-contributions ethics-statement ethics-information"
    " ethics display-objects ref-list financial-disclosure con"
)
_SUPPLEMENTS_TYPE = "supplementary-material"

_BOILERPLATE = re.compile(
    r"acknowledge?ments?( and .*)?|(sources? of )?(research )?funding"
    r"( (information|sources?|statements?|support|disclosure))?|financial (disclosures?|support)"
    r"|(grant|financial) support|role of the funding source"
    r"|authors?[’']?s? ?[’']? (contributions?|information|roles|statement|details)|contributors"
    r"|credit author(ship)? contributions?( statement)?|contributors(hip)? statement"
    r"|(declarations? of |statement of )?(potential )?(competing|conflicts? of|conflicting)"
    r" (financial )?interests?( statement| disclosures?)?|(conflict|duality) of interests?"
    r"|disclosures?( statement)?|declarations?|transparency declarations?"
    r"|(research )?ethic(s|al)( (statements?|approval|declarations?|considerations|clearance))?"
    r"( and .*)?|institutional review board( statement)?|(informed |patient )?consent"
    r"( (statement|for publication|to participate))?"
    r"|(data|code|materials?)(,? (and|data|code|materials?|software))* (and .* )?"
    r"(availability|accessibility|sharing|access|archiving|deposition)( (and .*|statements?))?"
    r"|availability of (supporting )?(data|code|materials)\b.*"
    r"|pre-?publication history|publisher[’']?s note|(open )?peer review\b.*|reviewer comments"
    r"|rights and permissions|additional information|(major |generated )?datasets"
    r"|references|bibliography|literature cited|provenance and peer review"
)
_SUPPLEMENTS = re.compile(
    r"(electronic |online )?(supporting|supplementa(l|ry))"
    r" (information|materials?|data|files?|materials? tables|figures?|tables?)( \(.*\))?"
    r"|supplements?|additional files?|associated content"
)
_NUMBERING = re.compile(r"(?:(?:[ivx]{1,5}|[a-h]|\d+(?:\.\d+)*)[.):]\s*|\d+(?:\.\d+)*\s+)(?=\w)")


@lru_cache(maxsize=4096)
def plain_title(title: str) -> str:
    """`title` for comparison: lower case, without numbering and punctuation at its ends."""
    text = title[:200].lower().strip(" .:*")
    return _NUMBERING.sub("", text, count=1).replace("&", "and").replace("/", " / ")


def is_boilerplate(title: str, sec_type: str = "") -> bool:
    """True for sections that say nothing of the subject: funding, contributions, ethics, …"""
    types = sec_type.lower().split("|")
    return not _BOILERPLATE_TYPES.isdisjoint(types) or bool(
        _BOILERPLATE.fullmatch(plain_title(title))
    )


def is_supplement_list(title: str, sec_type: str = "") -> bool:
    """True for lists of supplementary files, of which only the captions are read."""
    return sec_type == _SUPPLEMENTS_TYPE or bool(_SUPPLEMENTS.fullmatch(plain_title(title)))


def section_kind(title: str, sec_type: str, parent: SectionKind) -> SectionKind:
    """The kind of a section inside one of kind `parent`; abstracts and appendices stay such."""
    if parent in (SectionKind.ABSTRACT, SectionKind.APPENDIX):
        return parent
    plain = plain_title(title)
    for kind, pattern in _TITLES:
        if re.fullmatch(pattern, plain):
            return kind
    for part in sec_type.lower().split("|"):
        if part in _TYPES:
            return _TYPES[part]
    return parent
