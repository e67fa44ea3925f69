"""Reading JATS: one small article per rule, damaged and hostile input, random trees."""

from __future__ import annotations

import contextlib
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.errors import DocumentError
from retrieval.jats import read_jats, read_jats_set
from retrieval.models import Document, PassageKind, SectionKind, Standing

META = """<article-id pub-id-type="doi">10.1000/Own.1</article-id>
<title-group><article-title>A study of X</article-title></title-group>"""


def article(
    body: str = "", *, meta: str = META, attributes: str = "", after: str = "", journal: str = ""
) -> bytes:
    return (
        '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" '
        f'xmlns:xlink="http://www.w3.org/1999/xlink" {attributes}>'
        f"<front><journal-meta>{journal}</journal-meta><article-meta>{meta}</article-meta></front>"
        f"<body>{body}</body>{after}</article>"
    ).encode()


def texts(body: str, kind: PassageKind | None = None) -> list[str]:
    passages = read_jats(article(body)).passages
    return [p.text for p in passages if kind in (None, p.kind)]


def one(inline: str) -> str:
    (text,) = texts(f"<p>{inline}</p>")
    return text


class TestInlineText:
    @pytest.mark.parametrize(
        ("inline", "expected"),
        [
            ("10<sup>-5</sup> M", "10^-5 M"),
            ("10<sup>−5</sup>", "10^−5"),
            ("2 × 10<sup> 6 </sup>cells", "2 × 10^6 cells"),
            ("cm<sup>2</sup>", "cm^2"),
            ("mg mL<sup>−1</sup>", "mg mL^−1"),
            ("<italic>R</italic><sup><italic>2 </italic></sup>= 0.9", "R^2 = 0.9"),
            ("(n − 1)<sup>2</sup>", "(n − 1)^2"),
            ("CO<sub>2</sub>", "CO2"),
            ("IC<sub>50</sub> of 3", "IC50 of 3"),
            ("SO<sub>4</sub><sup>2−</sup>", "SO4^2−"),
            ("P6<sub>2</sub>", "P6_2"),
            ("Ca<sup>2+</sup> and CD4<sup>+</sup>", "Ca2+ and CD4+"),
            ("<italic>Tlr4</italic><sup>−/−</sup> mice", "Tlr4−/− mice"),
            ("BRAF<sup>V600E</sup>", "BRAF^V600E"),
            ("<sup>14</sup>C and [<sup>3</sup>H]", "14C and [3H]"),
            ("the 1<sup>st</sup>", "the 1st"),
            ("37<sup>o</sup>C", "37°C"),
            ("<sup>***</sup>P &lt; 0.001", "***P < 0.001"),
            ("aged &lt;70 and &gt;80", "aged <70 and >80"),
            ("<italic>in</italic> <bold>vivo</bold>", "in vivo"),
            ("IL<bold>-6</bold>", "IL-6"),
            ("a<break/>b", "a b"),
            ("5\u2009µM\u00a0of\n  it", "5 µM of it"),
        ],
    )
    def test_scripts_and_blanks(self, inline: str, expected: str) -> None:
        assert one(inline) == expected

    @pytest.mark.parametrize(
        ("inline", "expected"),
        [
            ('cited<sup><xref ref-type="bibr">12</xref></sup>.', "cited [12]."),
            ('cited.<sup><xref ref-type="bibr">1</xref>,<xref ref-type="bibr">2</xref></sup> So',
             "cited. [1,2] So"),
            ('cited<xref ref-type="bibr"><sup>3–5</sup></xref> so', "cited [3–5] so"),
            ('(as cited<sup><xref ref-type="bibr">7</xref></sup>)', "(as cited [7])"),
            ('[as cited<sup><xref ref-type="bibr">7</xref></sup>]', "[as cited [7]]"),
            ("research.<sup>1</sup> Next", "research. [1] Next"),
            ('known [<xref ref-type="bibr">1</xref>–<xref ref-type="bibr">7</xref>]',
             "known [1–7]"),
            ('known <xref ref-type="bibr">[1]</xref>–<xref ref-type="bibr">[5]</xref>',
             "known [1]–[5]"),
            ('known (<xref ref-type="bibr">3</xref>)', "known (3)"),
            ('known<xref ref-type="bibr">3</xref>', "known [3]"),
            ('(<xref ref-type="bibr">Lee 2009</xref>)', "(Lee 2009)"),
            ('see <xref ref-type="fig">Fig. 2</xref>a', "see Fig. 2a"),
            ('<xref ref-type="table">Table 1</xref> has', "Table 1 has"),
        ],
    )  # fmt: skip
    def test_citations_are_never_glued(self, inline: str, expected: str) -> None:
        assert one(inline) == expected

    @pytest.mark.parametrize(
        ("inline", "expected"),
        [
            ("if <inline-formula><alternatives><tex-math>\\usepackage{x}\\begin{document}$$a$$"
             "\\end{document}</tex-math><mml:math><mml:mi>a</mml:mi></mml:math></alternatives>"
             "</inline-formula> holds", "if a holds"),
            ("if <inline-formula><tex-math>\\usepackage{x}\\begin{document}$$a_1$$\\end{document}"
             "</tex-math></inline-formula>", "if a_1"),
            ("is<disp-formula><graphic/><label>(2)</label></disp-formula>where",
             "is [formula] (2) where"),
            ("<mml:math><mml:msup><mml:mn>10</mml:mn><mml:mrow><mml:mo>-</mml:mo><mml:mn>5</mml:mn>"
             "</mml:mrow></mml:msup></mml:math>", "10^-5"),
            ("<mml:math><mml:mfrac><mml:mn>1</mml:mn><mml:mrow><mml:mi>a</mml:mi><mml:mo>+</mml:mo>"
             "<mml:mi>b</mml:mi></mml:mrow></mml:mfrac></mml:math>", "1/(a + b)"),
            ("so <inline-formula>p = <italic>q</italic></inline-formula>", "so p = q"),
            ("so <inline-formula><inline-graphic/></inline-formula>", "so [formula]"),
        ],
    )  # fmt: skip
    def test_formulas(self, inline: str, expected: str) -> None:
        assert one(inline) == expected

    def test_comments_and_instructions_leave_their_tails(self) -> None:
        assert one("a<!-- c --> b<?pi d?> e") == "a b e"

    def test_named_characters_are_read_only_where_they_are_mark_up(self) -> None:
        body = "<p>TNF-&alpha;&nbsp;&#946; &amp;alpha; <![CDATA[&beta;]]><!-- &gamma; --></p>"
        assert texts(body) == ["TNF-α β &alpha; &beta;"]

    def test_an_unknown_name_stays_and_is_reported(self) -> None:
        document = read_jats(article("<p>a &nosuch; b</p>"))
        assert document.passages[0].text == "a &nosuch; b"
        assert document.warnings == ("unknown characters left as they are: &nosuch;",)


class TestBlocks:
    def test_a_paragraph_is_cut_at_blocks_in_order_and_never_doubled(self) -> None:
        body = (
            "<p>Before <list><list-item><p>one</p></list-item><list-item><p>two</p>"
            "<list><list-item><p>two a</p></list-item></list></list-item></list> between"
            "<fig><label>Fig 1</label><caption><title>Seen</title></caption></fig>"
            "<disp-quote><p>quoted</p></disp-quote> after <bold><p>odd</p></bold></p>"
        )
        assert texts(body) == [
            "Before", "one", "two", "two a", "between", "Fig 1. Seen.", "quoted", "after", "odd",
        ]  # fmt: skip

    def test_every_block_has_its_kind(self) -> None:
        body = """<sec><title>Results</title><p>par</p>
        <list><list-item><label>1.</label><p>item</p><p>more</p></list-item></list>
        <def-list><def-item><term>CV</term><def><p>cyclic</p></def></def-item></def-list>
        <boxed-text><label>Box 1</label><caption><title>Key</title></caption>
        <p>boxed</p></boxed-text>
        <disp-quote><p>said</p></disp-quote><verse-group><verse-line>ah</verse-line><verse-line>oh
        </verse-line></verse-group><statement><label>Lemma 1</label><p>holds</p></statement>
        <code>x = 1</code><preformat>y  2</preformat></sec>"""
        assert [(p.kind.value, p.text) for p in read_jats(article(body)).passages] == [
            ("paragraph", "par"),
            ("list item", "1. item more"),
            ("list item", "CV: cyclic"),
            ("boxed text", "Box 1. Key."),
            ("boxed text", "boxed"),
            ("quotation", "said"),
            ("quotation", "ah oh"),
            ("paragraph", "Lemma 1 holds"),
            ("code", "x = 1"),
            ("code", "y 2"),
        ]

    def test_captions_join_label_title_and_text_and_keep_nested_figures(self) -> None:
        body = """<fig-group><fig><object-id>10.1/x</object-id><label>Fig. 1</label><caption>
        <title>Title only</title></caption><graphic/></fig>
        <fig><label>Fig. 2.</label><caption><title>What?</title><p>One.</p><p>Two.</p>
        </caption></fig>
        <fig><caption><p>Held <supplementary-material><label>S1</label>
        <caption><p>Data.</p></caption>
        <media><caption><p>Click here for additional data file.</p></caption></media>
        </supplementary-material></p></caption></fig></fig-group>"""
        assert texts(body, PassageKind.CAPTION) == [
            "Fig. 1. Title only.", "Fig. 2. What? One. Two.", "Held", "S1. Data.",
        ]  # fmt: skip

    def test_footnotes_follow_their_paragraph(self) -> None:
        body = "<p>Said<fn><p>A note.</p></fn> and done.</p>"
        assert texts(body) == ["Said and done.", "A note."]

    def test_footnotes_at_the_end_are_read_if_the_text_points_to_them(self) -> None:
        body = '<p>Said<xref ref-type="fn" rid="n1">1</xref>.</p>'
        notes = '<fn id="n1"><p>Mine.</p></fn><fn id="n2"><p>Gone.</p></fn>'
        after = f"<back><fn-group>{notes}</fn-group></back>"
        found = read_jats(article(body, after=after)).passages
        assert [p.text for p in found] == ["Said^1.", "Mine."]

    def test_only_the_own_body_is_read(self) -> None:
        after = """<back><ack><p>THANKS</p></ack><ref-list><ref><mixed-citation>REF</mixed-citation>
        </ref></ref-list><app-group><app><title>Appendix 1</title><sec><title>Methods</title>
        <p>App text</p></sec></app></app-group></back>
        <floats-group><fig><label>Fig 9</label><caption><p>Float.</p></caption></fig></floats-group>
        <sub-article><front-stub><article-id pub-id-type="doi">10.9/sub</article-id></front-stub>
        <body><p>REFEREE</p></body></sub-article><response><body><p>REPLY</p></body></response>"""
        document = read_jats(
            article("<sec><p>Own</p><ref-list><title>R</title></ref-list></sec>", after=after)
        )
        assert document.paper.doi == "10.1000/own.1"
        assert [(p.section_kind.value, p.section, p.text) for p in document.passages] == [
            ("other", (), "Own"),
            ("appendix", ("Appendix 1", "Methods"), "App text"),
            ("other", ("Figures and tables",), "Fig 9. Float."),
        ]

    def test_text_in_another_language_is_left_out_and_reported(self) -> None:
        body = '<p>English <italic xml:lang="la">in vivo</italic>.</p><p xml:lang="fr">Bonjour</p>'
        document = read_jats(article(body, attributes='xml:lang="en"'))
        assert [p.text for p in document.passages] == ["English in vivo."]
        assert document.warnings == ("1 part(s) in another language (fr) were left out",)


class TestTables:
    def rows(self, table: str) -> list[str]:
        return texts(f"<table-wrap><table>{table}</table></table-wrap>", PassageKind.TABLE_ROW)

    def test_each_cell_carries_its_header(self) -> None:
        table = """<thead><tr><th>Drug</th><th>Mean<break/>(SD)</th></tr></thead>
        <tbody><tr><td>A</td><td>1.5 (0.2)</td></tr><tr><td>B</td><td/></tr></tbody>"""
        assert self.rows(table) == ["Drug: A; Mean (SD): 1.5 (0.2)", "Drug: B"]

    def test_stacked_headers_and_spans(self) -> None:
        table = """<thead><tr><th rowspan="2">Drug</th><th colspan="2">Men</th></tr>
        <tr><th>n</th><th>%</th></tr></thead>
        <tbody><tr><td rowspan="0">A</td><td>1</td><td>10</td></tr>
        <tr><td>2</td><td>20</td></tr></tbody>
        <tbody><tr><td>B</td><td colspan="2">none</td></tr></tbody>"""
        assert self.rows(table) == [
            "Drug: A; Men / n: 1; Men / %: 10",
            "Drug: A; Men / n: 2; Men / %: 20",
            "Drug: B; Men / n / Men / %: none",
        ]

    def test_a_row_across_the_table_heads_the_rows_below(self) -> None:
        table = (
            """<tbody><tr><td colspan="2">Women</td></tr><tr><td>n</td><td>5</td></tr></tbody>"""
        )
        assert self.rows(table) == ["Women", "Women; n; 5"]

    def test_neighbours_under_one_header_stand_together(self) -> None:
        table = """<thead><tr><th>G</th><th colspan="3">Day</th></tr></thead>
        <tbody><tr><td>WT</td><td>0.4</td><td>±</td><td>0.3</td></tr></tbody>"""
        assert self.rows(table) == ["G: WT; Day: 0.4 ± 0.3"]

    @pytest.mark.parametrize("span", ["99999999999", "-1", "x", "", "²", "256"])
    def test_nonsense_spans_are_harmless(self, span: str) -> None:
        table = (
            f'<tr><td rowspan="{span}" colspan="{span}">A</td><td>B</td></tr><tr><td>C</td></tr>'
        )
        assert " ".join(self.rows(table)).count("B") <= 1

    def test_label_caption_and_notes(self) -> None:
        body = """<p>See.<table-wrap><label>Table 1</label><caption><title>Doses</title></caption>
        <alternatives><graphic/><table><tr><td>1</td><td>2</td></tr></table></alternatives>
        <table-wrap-foot><fn><label>*</label><p>p &lt; 0.05.</p></fn><p>SD, deviation.</p>
        </table-wrap-foot></table-wrap></p>"""
        assert [(p.kind.value, p.text) for p in read_jats(article(body)).passages] == [
            ("paragraph", "See."),
            ("caption", "Table 1. Doses."),
            ("table row", "1; 2"),
            ("table note", "* p < 0.05."),
            ("table note", "SD, deviation."),
        ]

    def test_a_pictured_table_is_reported(self) -> None:
        document = read_jats(article("<table-wrap><label>Table 2</label><graphic/></table-wrap>"))
        assert "Table 2 is only a picture: its caption was read" in document.warnings

    def test_amplification_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("retrieval.jats.body.MAX_TEXT", 500_000)
        head = "<tr>" + f"<th>{'h' * 400}</th>" * 256 + "</tr>"
        rows = '<tr><td colspan="256">x</td><td>y</td></tr><tr><td>z</td></tr>' * 2000
        with pytest.raises(DocumentError, match="unfolds to more than"):
            self.rows(f"<thead>{head}</thead><tbody>{rows}</tbody>")


class TestSections:
    @pytest.mark.parametrize(
        ("title", "sec_type", "kind"),
        [
            ("Results and Discussion", "", SectionKind.RESULTS),
            ("Results/Discussion", "conclusions", SectionKind.RESULTS),
            ("3. Results", "", SectionKind.RESULTS),
            ("Model and Results", "", SectionKind.RESULTS),
            ("Materials and methods", "", SectionKind.METHODS),
            ("2.1 Patients &amp; Methods", "", SectionKind.METHODS),
            ("EXPERIMENTAL PROCEDURES", "", SectionKind.METHODS),
            ("Study population", "materials|methods", SectionKind.METHODS),
            ("Conclusions", "", SectionKind.CONCLUSION),
            ("IV. Concluding remarks", "", SectionKind.CONCLUSION),
            ("Background", "", SectionKind.INTRODUCTION),
            ("", "intro", SectionKind.INTRODUCTION),
            ("Discussion", "", SectionKind.DISCUSSION),
            ("Appendix A", "", SectionKind.APPENDIX),
            ("Crows of Vienna", "", SectionKind.OTHER),
        ],
    )
    def test_kind(self, title: str, sec_type: str, kind: SectionKind) -> None:
        body = f'<sec sec-type="{sec_type}"><title>{title}</title><p>x</p></sec>'
        assert read_jats(article(body)).passages[0].section_kind is kind

    def test_subsections_inherit_and_keep_the_whole_path(self) -> None:
        body = """<sec><label>2</label><title>Methods</title><sec><title>Mice</title><p>x</p>
        </sec></sec>"""
        (passage,) = read_jats(article(body)).passages
        assert passage.section == ("2 Methods", "Mice")
        assert passage.section_kind is SectionKind.METHODS

    def test_untitled_opening_of_a_study_is_its_introduction(self) -> None:
        body = "<p>Why.</p><sec><title>Results</title><p>What.</p></sec>"
        kinds = [p.section_kind for p in read_jats(article(body)).passages]
        assert kinds == [SectionKind.INTRODUCTION, SectionKind.RESULTS]

    @pytest.mark.parametrize(
        "title",
        [
            "Acknowledgements", "Acknowledgment", "Funding", "FUNDING", "Financial support",
            "Authors' contributions", "Author Contributions", "Author’s contributions",
            "Competing interests", "Conflict of Interest", "Declaration of competing interest",
            "Conflict of interest statement", "Ethics statement", "Ethical approval",
            "Ethics approval and consent to participate", "Consent for publication",
            "Data availability", "Data Availability Statement", "Data and code availability",
            "Availability of data and materials", "Pre-publication history", "Publisher’s note",
            "Institutional Review Board Statement", "Additional information", "References",
            "6. Funding", "Role of the funding source", "Disclosures",
        ],
    )  # fmt: skip
    def test_boilerplate_titles(self, title: str) -> None:
        body = f"<sec><title>{title}</title><p>GONE</p></sec><p>Kept</p>"
        assert texts(body) == ["Kept"]

    @pytest.mark.parametrize(
        "title",
        ["Funding and mortality", "Data collection", "Ethnicity", "Consent rates", "Limitations"],
    )
    def test_titles_that_only_look_like_it(self, title: str) -> None:
        assert texts(f"<sec><title>{title}</title><p>Kept</p></sec>") == ["Kept"]

    @pytest.mark.parametrize(
        "sec_type", ["funding-information", "COI-statement", "data-availability"]
    )
    def test_boilerplate_types(self, sec_type: str) -> None:
        body = f'<sec sec-type="{sec_type}"><title>Odd</title><p>GONE</p></sec><p>Kept</p>'
        assert texts(body) == ["Kept"]

    def test_of_supplements_only_captions_are_read(self) -> None:
        body = """<sec><title>Supporting Information</title><p>GONE</p><supplementary-material>
        <label>S1</label><caption><p>Raw data.</p></caption><p>GONE</p></supplementary-material>
        </sec>"""
        assert texts(body) == ["S1. Raw data."]


class TestAbstracts:
    def test_structured_and_several(self) -> None:
        meta = (
            META
            + """<abstract><title>Abstract</title><sec><title>Results</title><p>It fell.</p></sec>
        <sec><title>Conclusions</title><p>So.</p></sec></abstract>
        <abstract abstract-type="summary"><title>Author Summary</title><p>Plainly.</p></abstract>
        <abstract abstract-type="teaser"><p>Look!</p></abstract>
        <abstract abstract-type="graphical"><p>GONE</p></abstract>
        <trans-abstract xml:lang="fr"><p>GONE</p></trans-abstract>
        <abstract xml:lang="es"><p>GONE</p></abstract>"""
        )
        found = read_jats(article("<p>Body</p>", meta=meta, attributes='xml:lang="en"')).passages
        assert [(p.kind.value, p.section_kind.value, p.section, p.text) for p in found] == [
            ("abstract", "abstract", ("Abstract", "Results"), "It fell."),
            ("abstract", "abstract", ("Abstract", "Conclusions"), "So."),
            ("paragraph", "other", ("Author summary",), "Plainly."),
            ("paragraph", "other", ("Teaser",), "Look!"),
            ("paragraph", "other", (), "Body"),
        ]

    def test_without_a_body(self) -> None:
        data = article(meta=META + "<abstract><p>Only this.</p></abstract>")
        document = read_jats(data.replace(b"<body></body>", b""))
        assert [p.text for p in document.passages] == ["Only this."]
        assert document.warnings == ("no body; only the abstract was read",)


class TestMetadata:
    def test_front_matter(self) -> None:
        meta = """<article-id pub-id-type="pmid">123</article-id>
        <article-id pub-id-type="pmc">456</article-id>
        <article-id pub-id-type="pmcaid">9</article-id>
        <article-id pub-id-type="doi">https://doi.org/10.1000/ABC</article-id>
        <article-categories><subj-group subj-group-type="heading"><subject>Article</subject>
        </subj-group></article-categories>
        <title-group><article-title>On <italic>X</italic>*</article-title>
        <subtitle>a trial</subtitle></title-group><pub-date pub-type="pmc-release"><year>2022</year>
        </pub-date><pub-date pub-type="ppub"><year>2021</year></pub-date>
        <pub-date pub-type="epub"><year>2020</year></pub-date>"""
        data = article(
            "<p>x</p>",
            meta=meta,
            attributes='article-type="research-article" xml:lang="en-GB"',
            journal="<journal-title>J. X</journal-title>",
        )
        paper = read_jats(data).paper
        assert paper.model_dump() | {"id": paper.id} == {
            "id": "doi:10.1000/abc", "title": "On X: a trial", "year": 2020, "journal": "J. X",
            "pmid": "123", "pmcid": "PMC456", "doi": "10.1000/abc",
            "publication_types": ("research-article", "Article"), "standing": Standing.SOUND,
            "preprint": False, "synopsis": False, "language": "en",
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("ids", "expected"),
        [
            ('<article-id pub-id-type="pmid">7</article-id>', "pmid:7"),
            ('<article-id pub-id-type="pmcid">PMC8.1</article-id>', "pmcid:PMC8"),
            ('<article-id pub-id-type="doi">nonsense</article-id>', "local:"),
        ],
    )
    def test_paper_id(self, ids: str, expected: str) -> None:
        document = read_jats(article("<p>x</p>", meta=ids))
        assert document.paper.id.startswith(expected)
        assert document.passages[0].id == f"{document.paper.id}#0"

    @pytest.mark.parametrize(
        ("kind", "title", "link", "standing"),
        [
            ("retraction", "X", "retracted-article", Standing.NOTICE),
            ("other", "Retraction: X", "", Standing.NOTICE),
            ("other", "Retraction Note: X", "", Standing.NOTICE),
            ("other", "Correction to: X", "", Standing.NOTICE),
            ("other", "Erratum", "", Standing.NOTICE),
            ("other", "Erratum to X", "", Standing.NOTICE),
            ("expression-of-concern", "X", "object-of-concern", Standing.NOTICE),
            ("research-article", "RETRACTED: X", "", Standing.RETRACTED),
            ("research-article", "[Retracted] X", "", Standing.RETRACTED),
            ("research-article", "WITHDRAWN: X", "", Standing.RETRACTED),
            ("research-article", "RETRACTED ARTICLE: X", "", Standing.RETRACTED),
            ("preprint-removal", "X", "", Standing.RETRACTED),
            ("research-article", "X", "retraction-forward", Standing.RETRACTED),
            ("research-article", "X", "correction-forward", Standing.CORRECTED),
            ("research-article", "X", "concern-forward", Standing.CONCERN),
            ("research-article", "Retraction of the eyelid after surgery", "", Standing.SOUND),
            ("research-article", "Correction of anaemia with iron", "", Standing.SOUND),
            ("research-article", "Withdrawn patients in trials", "", Standing.SOUND),
            ("research-article", "X", "companion", Standing.SOUND),
        ],
    )
    def test_standing(self, kind: str, title: str, link: str, standing: Standing) -> None:
        meta = f"<title-group><article-title>{title}</article-title></title-group>"
        if link:
            meta += f"""<related-article related-article-type="{link}" ext-link-type="doi"
            xlink:href="info:doi/10.5555/Other"/>"""
        document = read_jats(article("<p>x</p>", meta=meta, attributes=f'article-type="{kind}"'))
        assert document.paper.standing is standing
        if standing is not Standing.SOUND and link:
            assert "doi:10.5555/other" in document.warnings[0]

    @pytest.mark.parametrize(
        ("kind", "journal", "preprint"),
        [("preprint", "", True), ("article", "bioRxiv", True), ("article", "Research Square", True),
         ("article", "Nature", False)],
    )  # fmt: skip
    def test_preprints(self, kind: str, journal: str, preprint: bool) -> None:
        data = article("<p>x</p>", attributes=f'article-type="{kind}"',
                       journal=f"<journal-title>{journal}</journal-title>")  # fmt: skip
        assert read_jats(data).paper.preprint is preprint


class TestWrappers:
    def test_a_set_gives_every_article(self) -> None:
        first, second = article("<p>one</p>", meta=""), article("<p>two</p>", meta="")
        data = b"<pmc-articleset>" + first + second + b"</pmc-articleset>"
        documents = read_jats_set(data, "set.xml")
        assert [d.passages[0].text for d in documents] == ["one", "two"]
        assert documents[0].paper.id != documents[1].paper.id
        assert "only the first was read" in read_jats(data).warnings[-1]

    def test_an_oai_namespace_is_taken_off(self) -> None:
        data = b"<OAI><metadata>" + article("<sec><title>Results</title><p>x</p></sec>").replace(
            b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns/archiving/1.3/" '
        ) + b"</metadata></OAI>"  # fmt: skip
        document = read_jats(data)
        assert document.passages[0].section_kind is SectionKind.RESULTS
        assert document.paper.doi == "10.1000/own.1"


class TestEncodings:
    @pytest.mark.parametrize(
        "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1"]
    )
    def test_declared_or_marked(self, encoding: str) -> None:
        declared = encoding.replace("-sig", "").replace("-le", "")
        text = f'<?xml version="1.0" encoding="{declared}"?>' + article("<p>é ± µ</p>").decode()
        assert read_jats(text.encode(encoding)).passages[0].text == "é ± µ"

    @pytest.mark.parametrize("declared", ["utf-8", "ascii", "utf-16", "punycode", "no-such"])
    def test_wrong_declarations_are_refused(self, declared: str) -> None:
        text = f'<?xml version="1.0" encoding="{declared}"?>' + article("<p>é</p>").decode()
        with pytest.raises(DocumentError, match=r"bad\.xml .*(declar|says).*UTF-8"):
            read_jats(text.encode("iso-8859-1"), name="bad.xml")

    def test_utf8_declared_as_latin1_is_read_as_utf8(self) -> None:
        text = '<?xml version="1.0" encoding="iso-8859-1"?>' + article("<p>β</p>").decode()
        document = read_jats(text.encode())
        assert document.passages[0].text == "β"
        assert "declares iso-8859-1 but is UTF-8" in document.warnings[0]


class TestHostileAndDamagedInput:
    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "is empty"),
            (b" \n ", "is empty"),
            (b"%PDF-1.7 ...", "is a PDF"),
            (b"PK\x03\x04....", "ZIP"),
            (b"\x00\x01\x02", "not XML"),
            (b'{"error": 404}', "not XML"),
            (b"<!DOCTYPE html><html><body><article><p>502</article></body></html>", "web page"),
            (b"<html><body>Bad Gateway<br></body></html>", "web page"),
            (b"<rss><channel/></rss>", "holds no JATS article"),
            (b"<pmc-articleset><Reply error='closed'/></pmc-articleset>", "holds no JATS article"),
            (b"<article><front><article-meta/></front></article>", "neither a title nor any text"),
            (b"<article><front>", "truncated or damaged"),
            (b"<article", "fetch the file again"),
            (b"<", "fetch the file again"),
            (b"<!DOCTYPE article [", "damaged DOCTYPE"),
            (b"x" * 31_000_000, "more than the 30,000,000"),
            (b"<article>" * 100_000, "deep"),
            (b"<article>" + b"<b>" * 101 + b"</b>" * 101 + b"</article>", "deep"),
        ],
    )
    def test_one_clear_sentence(self, data: bytes, reason: str) -> None:
        with pytest.raises(DocumentError, match=reason) as caught:
            read_jats(data, name="in.xml")
        assert str(caught.value).startswith("in.xml ")

    @pytest.mark.parametrize(
        "subset",
        [
            '<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;">',
            '<!ENTITY c SYSTEM "file:///etc/passwd">',
            '<!ENTITY % d SYSTEM "http://127.0.0.1/x"> %d;',
            f'<!ENTITY c "{"x" * 1000}">',
            "<!--" * 200_000,
        ],
    )
    def test_entity_declarations_are_never_expanded(self, subset: str) -> None:
        data = f'<!DOCTYPE article [{subset}]><article x="&c;"><body><p>&c;</p></body></article>'
        with pytest.raises(
            DocumentError, match=r"in\.xml (declares entities|has a damaged DOCTYPE)"
        ):
            read_jats(data.encode(), name="in.xml")

    def test_harmless_declarations_of_old_files_are_understood(self) -> None:
        subset = '<!-- old --><!ENTITY kbeta "&#946;"><!ENTITY f1 SYSTEM "f1.gif" NDATA gif>'
        data = b"<!DOCTYPE article [" + subset.encode() + b"]>" + article("<p>TNF-&kbeta;</p>")
        assert read_jats(data).passages[0].text == "TNF-β"

    def test_very_many_named_characters_take_no_time(self) -> None:
        body = "<p>" + "5 &mu;g of TNF-&alpha;, &nosuch1;," * 50_000 + "</p>"
        (passage,) = read_jats(article(body)).passages
        assert passage.text == "5 μg of TNF-α, &nosuch1;," * 50_000

    def test_an_external_dtd_is_not_asked_for(self) -> None:
        data = b'<!DOCTYPE article SYSTEM "http://127.0.0.1:9/x.dtd">' + article("<p>&alpha;</p>")
        assert read_jats(data).passages[0].text == "α"

    def test_unescaped_marks_keep_their_numbers(self) -> None:
        document = read_jats(article("<p>R&D with p < 0.05, n <5</p>"))
        assert document.passages[0].text == "R&D with p < 0.05, n <5"
        assert "unescaped" in document.warnings[0]

    def test_a_truncated_file_is_read_as_far_as_it_goes(self) -> None:
        whole = article("<p>First.</p><p>Second.</p>", meta=META + "<abstract><p>A.</p></abstract>")
        document = read_jats(whole[: whole.index(b"Second") + 3], name="cut.xml")
        assert [p.text for p in document.passages] == ["A.", "First.", "Sec"]
        assert document.warnings[0].startswith("cut.xml is truncated or damaged at line 2")
        early = read_jats(whole[: whole.index(b"</article-meta>")], name="cut.xml")
        assert [p.text for p in early.passages] == ["A."]
        assert "only the abstract was read" in early.warnings[-1]


ELEMENTS = """
p sec title list list-item def-list def-item term def table-wrap table tr td th thead
tbody table-wrap-foot fn fig caption label boxed-text disp-quote sup sub xref italic bold
inline-formula disp-formula alternatives tex-math supplementary-material media statement
verse-group verse-line code app glossary fn-group unknown break array
"""
NAMES = st.sampled_from(ELEMENTS.split())
WORDS = st.integers(0, 10**9).map(lambda n: f"w{n}q ")


def trees() -> st.SearchStrategy[str]:
    def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        parts = st.lists(st.one_of(WORDS, inner), max_size=5)
        return st.builds(lambda name, parts: f"<{name}>{''.join(parts)}</{name}>", NAMES, parts)

    return st.recursive(WORDS, grow, max_leaves=30)


def check_shape(document: Document) -> None:
    assert [p.order for p in document.passages] == list(range(len(document.passages)))
    assert len({p.id for p in document.passages}) == len(document.passages)
    for passage in document.passages:
        assert passage.text == " ".join(passage.text.split()) != ""
        assert passage.paper_id == document.paper.id


@settings(max_examples=150, deadline=None)
@given(st.lists(trees(), max_size=6))
def test_random_trees_never_crash_and_never_double_text(parts: list[str]) -> None:
    body = "".join(parts)
    document = read_jats(article(body))
    check_shape(document)
    written = Counter(re.findall(r"w\d+q", body))
    read = Counter(re.findall(r"w\d+q", " ".join(p.text for p in document.passages)))
    # A subheading row of a table and a header stand in front of several rows on purpose.
    repeated = set(re.findall(r"w\d+q", " ".join(re.findall(r"<t[dh]>.*</t[dh]>", body))))
    assert not [word for word in read - written if word not in repeated]


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_document_or_a_document_error(noise: bytes) -> None:
    data = article("<p>a</p>")
    for damaged in (noise, data[:150] + noise, data[:250] + noise + data[250:]):
        with contextlib.suppress(DocumentError):
            check_shape(read_jats(damaged))
