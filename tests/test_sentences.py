"""Sentences: exact spans, hard cases of scientific English, threads, time, agreement on SciFact."""

from __future__ import annotations

import gzip
import itertools
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.sentences import sentences

# Each case is one text; "|" marks where a sentence ends and is taken out before splitting.
CASES = [
    # figures, references, Latin and titles
    "The effect is large (Fig. 2A) and robust.| It is shown in Fig. 3.| We saw it.",
    "As in Figs. 1 and 2, the rate fell.| See Eq. 4 and Ref. 12 for details.",
    "Cells were lysed (Suppl. Fig. S1).| Blots are in Suppl. Table 2.",
    "It was reported by Smith et al. [2004] and by Jones et al. (2005) in mice.",
    "This follows Smith et al. 2004.| It was repeated by Wu et al.| We disagree.",
    "Kinases, e.g. AKT, i.e. protein kinase B, rose vs. controls (cf. Table 1).",
    "Dr. Smith and Prof. Jones treated approx. 50 patients, ca. 20 of them women.",
    "Sample No. 5 was lost.| Was it found?| No.| We looked everywhere.",
    "Doses were 5 and 10 mg, resp.| The second was toxic.",
    "J. R. Smith and M.-L. Dupont wrote it.| They agreed.",
    "It appeared in J. Biol. Chem. 266, 12442-12448.",
    "It is common in CF.| Patients were scanned by MR.| Images of the ST segment were kept.",
    # species
    "Growth of E. coli and S. aureus slowed.| C. elegans was unchanged.",
    "Candida spp. were found.| Salmonella enterica subsp. enterica was not.",
    "We isolated Candida spp.| The rest was sterile.",
    # numbers and units
    "The change was significant (p = .05) at 0.5 mg.| A dose of 1.5 mg/kg was not.",
    "It fell by 12.5%.| In 2004, it rose.| By 2010.| 12 patients had died.",
    "The interval was 0. 05 to 0. 10 units.",
    "We gave 5 mg. kg-1 of drug.| They gave 300 ms.| We waited.",
    "Scores were 4.4 vs. 3.3.| Follow-up was short.",
    "Thirty mice were used.| 15 received saline.| 15 received drug.",
    # citations after the full stop belong to the sentence before
    "This was shown.[12]| We repeat it.",
    "This was shown. [12]| We repeat it. [3, 4-6]| It held.",
    "This was shown.(12)| We repeat it. (13,14)| It held.",
    "This was shown. [12] [13]| We repeat it.",
    "These are the results.12| We repeat them.4,5| They held.",
    "These are the results.¹²| We repeat them.³⁻⁵| They held.",
    "It was so. (Smith et al., 2004)| We repeat it.",
    "There were two aims.| (1) To treat.| (2) To cure.",
    # sections, labels, headings
    "2.1. Methods were as before.| 2.2. Results follow.",
    "1. We did this.| 2. We did that.| 3. We stopped.",
    "BACKGROUND: Little is known.| METHODS: We looked.| RESULTS: It works.",
    "A. The first panel.| It is red.",
    # names with dots, digits or small initials
    "This needs p53.| Nkx2.5 is expressed.| We used v1.2 of the tool.| H2A.Z was lost.",
    "Cell death rose.| p53 is needed.| mTOR is not.| miR-21 fell.| c-Myc rose.",
    "The axis is known.| α-Synuclein binds it.| β-catenin doesn't.| beta-catenin was lost.",
    "Levels of vitamin D.| Patients were old.",
    "The virus is HTLV type I.| HeLa cells were used.",
    "The optimum was an acidic pH.| Furthermore, the enzyme is stable.",
    "It was lost.| [32P]ATP was added.| \u200eIn mice it was not.",
    # lost blanks
    "It works in vitro.|We found no toxicity.| It is safe.",
    "It was significant (p<0.01).|In women it was not.",
    "It encodes exon 9.|The rest is lost.",
    "It fell by 25.3%).|ConclusionIt does not work.",
    # not sentences' ends
    "Data are at www.Nature.com and in file.Name.txt under doi:10.1371/journal.pmed.0040278 here.",
    "The variant H2A.Bbd and the complex RuvBL1.ADP are stable.",
    "This (see above. There is more.) goes on.| It ends.",
    "He called it “odd. Very odd.” in print.| We did not.",
    "It was lower (P = .03; vs. placebo), i.e. better.",
    # questions, exclamations, dots
    "Does it work?| Yes!| It does ... sometimes.| Really?!| Never.",
    "(This is an aside.)| This is not.",
    # lines
    "First line goes on\nin the second.| A new one\nstarts.",
    "A paragraph without end\n\n|Another paragraph.",
    "Results\n|We found it.\n\n|3.1 Methods\n|We looked.",
    "We list:\n|- the first\n|- the second\n|1. the third",
    # several scripts
    "有效。|无效。|",
]


def split(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize("case", CASES)
def test_hard_cases(case: str) -> None:
    expected = [part.strip() for part in case.split("|") if part.strip()]
    assert split(case.replace("|", "")) == expected


def test_nothing_in_nothing() -> None:
    assert sentences("") == ()
    assert sentences(" \n\t \u00a0 ") == ()


PIECES = (
    "We found. |Fig. |et al. |p53 |0.05|. |.|? |! |… |[12] |(12) |(|)|[|]|“|”|\"|'|12 |E. coli |"
    "i.v. |J. |Biol. |Chem. |\n|\n\n|- |• |1. |Results\n|α-|10⁶|²|。|∯|ȸ|☉|♨|☝|&ᓴ&|\r\n|\u2028|"
    "\x0c|\xa0|\u200b| |  |Jan. |Inc. |Patients |transcription. psi |doi:10.1/a.B |a.[12, 12, |"
    "A |the |cells.We |(p<0.01).In |—|#|© |\x00|\ud800|p.i. |U.S. "
)
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES.split("|")), max_size=40).map("".join))


@given(TEXTS)
@settings(max_examples=400, deadline=None)
def test_spans_cover_everything_but_white_space_in_order(text: str) -> None:
    spans = sentences(text)
    for span in spans:
        quote = text[span.start : span.end]
        assert quote
        assert quote == quote.strip()
    edges = [0, *itertools.chain.from_iterable((s.start, s.end) for s in spans), len(text)]
    assert edges == sorted(edges)
    assert not "".join(text[a:b] for a, b in zip(edges[::2], edges[1::2], strict=True)).strip()


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_a_sentence_is_found_again_in_a_longer_text(text: str) -> None:
    assert split(text + "\n\n" + "We end here.")[-1] == "We end here."
    assert split(text + "\n\nWe end here.")[:-1] == split(text)


def test_place_holders_of_pysbd_in_the_text_do_no_harm() -> None:
    text = "It was ∯ and ȸ in Jan. Patients ☉ came by U.S. Mail [♨. End."
    assert "".join(split(text)).replace(" ", "") == text.replace(" ", "")


def abstracts(shared: Path, step: int) -> list[list[str]]:
    with gzip.open(shared / "data" / "scifact" / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = itertools.islice(file, 0, None, step)
        return [[s.strip() for s in json.loads(line)["abstract"] if s.strip()] for line in lines]


def test_threads_do_not_spoil_each_others_sentences(shared: Path) -> None:
    texts = [" ".join(parts) for parts in abstracts(shared, 25)]
    # pySBD must be at work in every thread: these full stops are doubtful to the rules
    texts = [f"{text} Sold by Foo Inc. Patients came in Jan. Mice left." for text in texts]
    alone = [sentences(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(sentences, texts * 2)) == alone * 2


def ends(parts: list[str]) -> set[int]:
    """Where sentences end in the parts joined by blanks, the last one left out."""
    return set(itertools.accumulate(len(part) + 1 for part in parts[:-1]))


def test_agreement_with_the_sentences_of_scifact(shared: Path) -> None:
    """Boundary F1 against SciFact's own (machine-made) sentences: ours 0.989, plain pySBD 0.983."""
    right = ours = theirs = 0
    for parts in abstracts(shared, 5):
        text = " ".join(parts)
        found = {span.end + 1 for span in sentences(text)[:-1]}
        right += len(found & ends(parts))
        ours += len(found)
        theirs += len(ends(parts))
    assert 2 * right / (ours + theirs) >= 0.987


@pytest.mark.parametrize(
    "unit",
    [
        "The p53 protein was lower (Fig. 2) in E. coli by Smith et al. [12] at 0.5 mg. ",
        "Smith J. Biol. Chem. Proc. Natl. Acad. Sci. Inc. Patients Jan. Mice U.S. Rats ",
        "a.[12, 12, 12, 12, ",
        "x. y. z. ",
        "((((",
        "))))",
        "....",
        "1. 2. 3. ",
        "“a. B",
        "\n",
        " \n x",
        "A ",
        " ",
        "transcription. psi residues etc. Foo ",
        ". (Aaaa",
        ".[1,",
        ".1,",
    ],
)
def test_time_is_linear_whatever_the_text(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    started = time.process_time()
    sentences(text)
    assert time.process_time() - started < 6
