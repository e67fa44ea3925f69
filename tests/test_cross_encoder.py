"""The embedded cross-encoder: real weights, exact repeatability, sane stances."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from retrieval.cross_encoder import CrossEncoder, PairScore

CLAIM = "Aspirin reduces the risk of heart attack."
TEXTS = (
    "Aspirin lowered the risk of heart attack by 30%.",
    "Aspirin increased the risk of heart attack.",
    "The committee met twice a year in Geneva.",
)


@pytest.fixture(scope="module")
def encoder() -> CrossEncoder:
    return CrossEncoder()


def test_scores_are_probabilities(encoder: CrossEncoder) -> None:
    for score in encoder.score(CLAIM, TEXTS):
        assert sum(score) == pytest.approx(1)
        assert min(score) >= 0
        assert score.relevance == pytest.approx(1 - score.neutral)


def test_plain_cases_come_out_right(encoder: CrossEncoder) -> None:
    support, refute, nothing = encoder.score(CLAIM, TEXTS)
    assert support.supports == max(support)
    assert refute.refutes == max(refute)
    assert nothing.neutral == max(nothing)


def test_order_company_and_threads_change_nothing(encoder: CrossEncoder) -> None:
    alone = [CrossEncoder(threads=1).score(CLAIM, [text])[0] for text in TEXTS]
    assert CrossEncoder().score(CLAIM, TEXTS) == alone
    assert CrossEncoder().score(CLAIM, TEXTS[::-1]) == alone[::-1]
    with ThreadPoolExecutor(4) as pool:
        many = list(pool.map(lambda _: CrossEncoder().score(CLAIM, TEXTS), range(4)))
    assert many == [alone] * 4


def test_nothing_to_score(encoder: CrossEncoder) -> None:
    assert encoder.score(CLAIM, []) == []


@pytest.mark.parametrize(
    "text", ["", " ", "\x00", "\ud800".encode("utf-8", "replace").decode(), "α" * 9000]
)
def test_odd_texts_are_scored_too(encoder: CrossEncoder, text: str) -> None:
    (score,) = encoder.score(CLAIM, [text])
    assert isinstance(score, PairScore)
