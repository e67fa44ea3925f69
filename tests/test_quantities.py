"""Numbers with units, intervals and places; names that hold digits are none."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.checks.analysis import analyse
from verify.checks.quantities import Kind, quantities
from verify.checks.quantity_match import match_numbers

WEEK = 604_800.0


@pytest.mark.parametrize(
    ("text", "quote", "kind", "low", "high"),
    [
        ("it was 89.4 units high", "89.4 units", Kind.MEASURE, 89.4, 89.4),
        ("between 80 and 90 patients", "between 80 and 90", Kind.COUNT, 80, 90),
        ("ages 80-90 years", "80-90 years", Kind.MEASURE, 80 * 31_536_000, 90 * 31_536_000),
        ("ages 80–90 years", "80–90 years", Kind.MEASURE, 80 * 31_536_000, 90 * 31_536_000),
        ("from 20 to 30 patients", "20 to 30", Kind.COUNT, 20, 30),
        ("a range of 1.2 to 3.4 mg", "1.2 to 3.4 mg", Kind.MEASURE, 0.0012, 0.0034),
        ("1,234,567 people died", "1,234,567 people", Kind.MEASURE, 1_234_567, 1_234_567),
        ("2.5 million cases", "2.5 million", Kind.COUNT, 2.5e6, 2.5e6),
        ("at 10^-5 M", "10^-5 M", Kind.MEASURE, 1e-5, 1e-5),
        ("at 10⁻⁵ M", "10⁻⁵ M", Kind.MEASURE, 1e-5, 1e-5),
        ("1.2 × 10^6 cells/mL", "1.2 × 10^6 cells/mL", Kind.MEASURE, 1.2e9, 1.2e9),
        ("1.2 × 10⁶ cells", "1.2 × 10⁶ cells", Kind.MEASURE, 1.2e6, 1.2e6),
        ("a rate of 1e-5 mutations", "1e-5", Kind.COUNT, 1e-5, 1e-5),
        ("fell to -5 °C", "-5 °C", Kind.MEASURE, -5, -5),
        ("fell to −5 °C", "−5 °C", Kind.MEASURE, -5, -5),
        ("at 310.15 K", "310.15 K", Kind.MEASURE, 37, 37),
        ("at 98.6 °F", "98.6 °F", Kind.MEASURE, 37, 37),
        ("5 ± 2 mg", "5 ± 2 mg", Kind.MEASURE, 0.003, 0.007),
        ("50% of men", "50%", Kind.PERCENT, 50, 50),
        ("6 percent of men", "6 percent", Kind.PERCENT, 6, 6),
        ("six per cent", "six per cent", Kind.PERCENT, 6, 6),
        ("20% to 30% of men", "20% to 30%", Kind.PERCENT, 20, 30),
        ("at least 80%", "at least 80%", Kind.PERCENT, 80, math.inf),
        ("<5 days", "<5 days", Kind.MEASURE, -math.inf, 5 * 86_400),
        ("≤ 5 days", "≤ 5 days", Kind.MEASURE, -math.inf, 5 * 86_400),
        ("more than 20 mice", "more than 20", Kind.COUNT, 20, math.inf),
        ("over half of cases", "over half", Kind.PERCENT, 50, math.inf),
        ("one third of men", "one third", Kind.PERCENT, 100 / 3, 100 / 3),
        ("two-thirds of men", "two-thirds", Kind.PERCENT, 200 / 3, 200 / 3),
        ("one in five men", "one in five", Kind.PERCENT, 20, 20),
        ("493 per million people", "493 per million", Kind.PERCENT, 0.0493, 0.0493),
        ("16 of 32,441 samples", "16 of 32,441", Kind.PERCENT, 16 / 324.41, 16 / 324.41),
        ("two mice", "two", Kind.COUNT, 2, 2),
        ("twenty-five mice", "twenty-five", Kind.COUNT, 25, 25),
        ("a 3-fold rise", "3-fold", Kind.FOLD, 3, 3),
        ("a threefold rise", "threefold", Kind.FOLD, 3, 3),
        ("expression doubled", "doubled", Kind.FOLD, 2, 2),
        ("HR = 0.64", "HR = 0.64", Kind.RATIO, 0.64, 0.64),
        ("a hazard ratio [HR], 0.64", "hazard ratio [HR], 0.64", Kind.RATIO, 0.64, 0.64),
        ("an odds ratio of 1.5", "odds ratio of 1.5", Kind.RATIO, 1.5, 1.5),
        ("(95% CI 0.7-1.2)", "95% CI 0.7-1.2", Kind.INTERVAL, 0.7, 1.2),
        ("(95% CI: 0.71, 0.92)", "95% CI: 0.71, 0.92", Kind.INTERVAL, 0.71, 0.92),
        ("(95% CI –1.96 to 3.20)", "95% CI –1.96 to 3.20", Kind.INTERVAL, -1.96, 3.2),
        ("p<0.001", "p<0.001", Kind.P_VALUE, 0, 0.001),
        ("P = .04", "P = .04", Kind.P_VALUE, 0.04, 0.04),
        ("a p-value of 0.2", "p-value of 0.2", Kind.P_VALUE, 0.2, 0.2),
        ("10 mg/kg", "10 mg/kg", Kind.MEASURE, 1e-5, 1e-5),
        ("10 mg kg-1", "10 mg kg-1", Kind.MEASURE, 1e-5, 1e-5),
        ("5 μg/ml", "5 μg/ml", Kind.MEASURE, 5e-3, 5e-3),
        ("5 µg/ml", "5 µg/ml", Kind.MEASURE, 5e-3, 5e-3),
        ("10 IU daily", "10 IU", Kind.MEASURE, 10, 10),
        ("7 mmol/L", "7 mmol/L", Kind.MEASURE, 7e-3, 7e-3),
        ("7 mM", "7 mM", Kind.MEASURE, 7e-3, 7e-3),
        ("a 12-week trial", "12-week", Kind.MEASURE, 12 * WEEK, 12 * WEEK),
        ("450 nm", "450 nm", Kind.MEASURE, 4.5e-7, 4.5e-7),
        ("50 kDa", "50 kDa", Kind.MEASURE, 5e4, 5e4),
        ("300 bp", "300 bp", Kind.MEASURE, 300, 300),
        ("60 ml/min/1.73m2", "60 ml/min/1.73m2", Kind.MEASURE, 0.001, 0.001),
        ("2048 patients", "2048", Kind.COUNT, 2048, 2048),
    ],
)
def test_a_quantity_is_read_with_its_place(
    text: str, quote: str, kind: Kind, low: float, high: float
) -> None:
    (found,) = quantities(text)
    assert text[found.start : found.end] == quote
    assert found.kind is kind
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(high))


@pytest.mark.parametrize(
    "name",
    """rs1344706|IL-6|CD4+|p53|COVID-19|NCT01234567|H2O2|vitamin B12|vitamin D3|Figure 2|Fig. 3
    |Table 1|[12]|[1, 3-5]|in 2019|since 1998|(Smith, 2004)|5-HT|14-3-3|type 2 diabetes|phase 3
    |interleukin 6|2-deoxyglucose|18F|miR-21|SARS-CoV-2|10.1016/j.cell.2019.01.001|the 4th
    |https://example.org/12/34|12 March 2020|2020-03-12|caspase 3|TGF-β1|E2F1|1,25(OH)2D3|HLA-B27
    |one of them|the second|120/80|CO2|Ca2+|T315I|Δ9-THC|Nkx2.5|chr1:1000|HbA1c|CYP2D6*4|Ser 794|compound 2|synaptotagmin 1
    |Met¹⁴⁹|TGase 2""".split("|"),
)
def test_names_references_and_dates_are_no_quantities(name: str) -> None:
    assert quantities(name.strip()) == ()
    assert quantities(f"We saw {name.strip()} there.") == ()


def verdicts(claim: str, evidence: str) -> tuple[int, int, int]:
    found = match_numbers(analyse(claim).placed, analyse(evidence).placed)
    return len(found.agreeing), len(found.conflicting), len(found.other_unit)


AGREE, CONFLICT, UNITS, NOTHING = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Sensitivity is between 80 and 90 %", "sensitivity was 85 %", AGREE),
        ("Sensitivity is between 80 and 90 %", "sensitivity was 86 %", AGREE),
        ("Sensitivity is between 80 and 90 %", "sensitivity was 89.4 %", AGREE),
        ("Test sensitivity is between 80 and 90 %", "test sensitivity was 95 %", CONFLICT),
        ("The dose of zinc was 5 mg", "the dose of zinc was 5000 µg", AGREE),
        ("The dose of zinc was 5 mg", "the dose of zinc was 50 mg", CONFLICT),
        ("The dose of zinc was 5 mg", "the dose of zinc was 5 ml", UNITS),
        ("Follow-up lasted 12 months", "follow-up lasted one year", AGREE),
        ("Follow-up lasted 7 days", "follow-up lasted 1 week", AGREE),
        ("Risk of death fell by 50%", "risk of death fell by 20%", CONFLICT),
        ("Risk of death fell by 50%", "risk of death fell by 49.7%", AGREE),
        ("Risk of death fell by about 50%", "risk of death fell by 47%", AGREE),
        ("Risk of death fell by 50%", "risk of death fell", NOTHING),
        ("Risk of death fell by 50%", "cough was seen in 20% of dogs", NOTHING),
        ("Cured 50% of sick mice", "cured a 10 mg/kg dose of sick mice", NOTHING),
        ("Cured sick mice at 5 mg/kg", "cured sick mice at 5%", NOTHING),
        ("One in five trials stop early", "21% of trials stop early", AGREE),
        ("Over half of cases had pain", "pain was seen in 57% of cases", AGREE),
        ("Pain in over half of severe cases", "pain in 12% of severe cases", CONFLICT),
        ("Two genomes differ at 50 L1 insertion sites", "two genomes differ at 285 sites", (1, 1, 0)),
        ("Drops hang in the air for 8 to 14 hours", "in air gone in 8 to 14 min", UNITS),
        ("There are four functional classes", "there are six functional classes", CONFLICT),
        ("There are four functional classes", "four of the six functional classes", NOTHING),
        ("Expression doubled in tumours", "expression was 2-fold higher in tumours", AGREE),
        ("Survival of mice rose by two weeks", "median survival of mice was 55 days", NOTHING),
        ("Twelve patients died", "12 patients died", AGREE),
        ("Survived at least 80 days", "survived 79.9 days", AGREE),
    ],
)  # fmt: skip
def test_only_like_numbers_about_like_things_are_compared(
    claim: str, evidence: str, expected: tuple[int, int, int]
) -> None:
    assert verdicts(claim, evidence) == expected


NUMBERISH = st.text(
    st.sampled_from("0123456789.,-–−±×x^%/()[]<>=≤≥~ eEµμgmlLkKhdsIU½²⁻⁵°C\u00a0\u00ad"),
    max_size=60,
)
PIECES = st.lists(
    st.one_of(
        NUMBERISH,
        st.text(max_size=8),
        st.sampled_from(
            [
                "between ",
                "one in ",
                " per million",
                "95% CI ",
                "HR ",
                "p<",
                "half of",
                "1e99",
                " to ",
            ]
        ),
    ),
    max_size=8,
).map("".join)


@given(PIECES)
def test_places_lie_in_the_text_in_order_and_apart(text: str) -> None:
    done = 0
    for quantity in quantities(text):
        assert done <= quantity.start < quantity.end <= len(text)
        quote = text[quantity.start : quantity.end]
        assert quote == quote.strip()
        assert quantity.low <= quantity.high
        assert quantity.slack >= 0
        assert quantity.agrees(quantity)
        done = quantity.end


@given(
    st.integers(1, 10**6), st.sampled_from(["mg", "kg", "mL", "weeks", "mM", "kDa", "%", "mg/kg"])
)
def test_every_plain_number_is_found_and_agrees_with_itself_alone(value: int, unit: str) -> None:
    (found,) = quantities(f"The dose was {value} {unit}.")
    (more,) = quantities(f"The dose was {value * 3} {unit}.")
    assert found.agrees(found)
    assert not found.agrees(more)
    assert found.agrees(more) == more.agrees(found)


@pytest.mark.parametrize(
    "unit",
    ["1", "1,", "1,111", "1-", "1 to ", "(", "95% CI (", "p = ", "between 1 and ", "1 in ", "a ",
     "10^", "[1, ", "no ", "not, ", "more than ", "½", "1.", "HR (HR ", "mg/", "5 mg/", "-", "\u00ad",
     "twenty ", "http://", "10.1234/", "\0"],
)  # fmt: skip
def test_reading_takes_linear_time(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    start = time.process_time()
    analyse.__wrapped__(text)
    assert time.process_time() - start < 4
