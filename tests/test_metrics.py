"""Metrics: scikit-learn and brute force as oracles, and properties that must hold for any data."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as oracle

from calibration import weighted
from calibration.baselines import always_majority, word_overlap
from calibration.bootstrap import Estimate, estimates
from calibration.errors import DataError
from calibration.metrics import (
    LABELS,
    Outcomes,
    abstention_curve,
    confusion_counts,
    likert_curve,
    measure,
    ndcg_at,
    recall_at,
)
from calibration.models import EvidenceText, Label, LabelledClaim

PLACES = st.sampled_from(range(3))
# Few distinct values, so that ties are common.
SCORES = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.5000001, 0.9, 1.0])
ROWS = st.lists(
    st.tuples(PLACES, PLACES, SCORES, SCORES, st.integers(0, 3)), min_size=1, max_size=30
)


def made(rows: int, seed: int = 0, groups: int | None = None) -> Outcomes:
    """Outcomes of a judge that is right about as often as its probabilities say."""
    random = np.random.default_rng(seed)
    chances = random.dirichlet([1.0, 1.0, 1.0], size=rows)
    gold = [LABELS[random.choice(3, p=row)] for row in chances]
    called = [LABELS[place] for place in chances.argmax(axis=1)]
    likert = np.round(5 + 5 * (chances[:, 1] - chances[:, 0])).astype(int)
    group = [str(row % groups) for row in range(rows)] if groups else None
    return Outcomes.of(gold, called, chances, likert=likert.tolist(), groups=group)


def values(found: dict[str, Estimate]) -> dict[str, float | None]:
    return {name: estimate.value for name, estimate in found.items()}


def chances_of(first: float, second: float) -> list[float]:
    support, refute = first * (1 - second / 2), (1 - first) * second
    return [support, refute, max(0.0, 1 - support - refute)]


# Each formula against an independent one


@given(ROWS)
def test_label_figures_equal_scikit_learn(rows: list[tuple[int, int, float, float, int]]) -> None:
    gold, called = np.array([r[0] for r in rows]), np.array([r[1] for r in rows])
    weights = np.array([r[4] for r in rows], dtype=float)
    if weights.sum() == 0:
        return
    matrix = weighted.confusion(gold, called, weights[None])
    expected = oracle.confusion_matrix(gold, called, labels=[0, 1, 2], sample_weight=weights)
    assert np.array_equal(matrix[0], expected)
    present = sorted(set(gold[weights > 0]))
    precision, recall, f1, _ = oracle.precision_recall_fscore_support(
        gold, called, labels=[0, 1, 2], sample_weight=weights, zero_division=np.nan
    )
    assert weighted.precision(matrix)[0] == pytest.approx(precision, nan_ok=True)
    assert weighted.recall(matrix)[0] == pytest.approx(recall, nan_ok=True)
    assert weighted.f1(matrix)[0][present] == pytest.approx(f1[present])
    assert weighted.macro_f1(matrix)[0] == pytest.approx(
        oracle.f1_score(
            gold, called, labels=present, average="macro", sample_weight=weights, zero_division=0
        )
    )
    kept = weights > 0
    if len(set(gold[kept]) | set(called[kept])) > 1:
        assert weighted.matthews(matrix)[0] == pytest.approx(
            oracle.matthews_corrcoef(gold, called, sample_weight=weights), abs=1e-9
        )
        assert weighted.cohen_kappa(matrix)[0] == pytest.approx(
            oracle.cohen_kappa_score(gold[kept], called[kept], sample_weight=weights[kept])
        )


@given(ROWS)
def test_auroc_is_the_share_of_pairs_in_order(
    rows: list[tuple[int, int, float, float, int]],
) -> None:
    scores, weights = np.array([r[2] for r in rows]), np.array([r[4] for r in rows], dtype=float)
    positive = np.array([r[0] == 0 for r in rows])
    won = pairs = 0.0
    for up, down in product(np.flatnonzero(positive), np.flatnonzero(~positive)):
        weight = weights[up] * weights[down]
        won += weight * ((scores[up] > scores[down]) + (scores[up] == scores[down]) / 2)
        pairs += weight
    found = weighted.auroc(scores, positive, weights[None])[0]
    assert found == pytest.approx(won / pairs if pairs else math.nan, nan_ok=True)


@given(ROWS)
def test_average_precision_equals_scikit_learn(
    rows: list[tuple[int, int, float, float, int]],
) -> None:
    scores, weights = np.array([r[2] for r in rows]), np.array([r[4] for r in rows], dtype=float)
    positive = np.array([r[0] == 0 for r in rows])
    found = weighted.average_precision(scores, positive, weights[None])[0]
    if not (weights * positive).sum():
        assert np.isnan(found)
        return
    kept = weights > 0
    assert found == pytest.approx(
        oracle.average_precision_score(positive[kept], scores[kept], sample_weight=weights[kept])
    )


@given(ROWS.filter(lambda rows: any(row[4] for row in rows)))
def test_a_weight_counts_as_so_many_rows(rows: list[tuple[int, int, float, float, int]]) -> None:
    """Every kernel: weighted rows give what repeated rows give, also beside other resamples."""
    repeated = [row for row in rows for _ in range(row[4])]
    weights = np.array([[1.0] * len(rows), [row[4] for row in rows]])

    def figures(rows: list[tuple[int, int, float, float, int]], weights: np.ndarray) -> np.ndarray:
        scores, right = np.array([r[2] for r in rows]), np.array([r[0] == r[1] for r in rows])
        return np.column_stack(
            [
                weighted.auroc(scores, right, weights),
                weighted.average_precision(scores, right, weights),
                weighted.calibration_error(scores, right, weights, 5),
                weighted.accuracy_at_coverage(scores, right, weights, np.array([0.3, 1.0])),
                weighted.mean(scores, weights),
            ]
        )

    once = figures(repeated, np.ones((1, len(repeated))))[0]
    assert figures(rows, weights)[1] == pytest.approx(once, nan_ok=True)


@pytest.mark.parametrize("bins", [1, 4, 10])
def test_calibration_error_equals_a_plain_loop(bins: int) -> None:
    random = np.random.default_rng(3)
    scores, truth = random.random(200), random.random(200) < 0.4
    parts = np.array_split(np.argsort(scores), bins)
    plain = sum(len(p) / 200 * abs(scores[p].mean() - truth[p].mean()) for p in parts)
    found = weighted.calibration_error(scores, truth, np.ones((1, 200)), bins)[0]
    assert found == pytest.approx(plain)


def test_calibration_error_of_one_constant_score_is_its_gap() -> None:
    truth = np.arange(10) < 3
    found = weighted.calibration_error(np.full(10, 0.5), truth, np.ones((1, 10)), 10)[0]
    assert found == pytest.approx(0.2)


@settings(max_examples=50)
@given(ROWS)
def test_probability_figures_equal_scikit_learn(
    rows: list[tuple[int, int, float, float, int]],
) -> None:
    gold = np.array([r[0] for r in rows])
    chances = np.array([chances_of(r[2], r[3]) for r in rows])
    outcomes = Outcomes.of([LABELS[g] for g in gold], [LABELS[r[1]] for r in rows], chances)
    found = values(measure(outcomes, n_resamples=0))
    assert found["log_loss"] == pytest.approx(
        oracle.log_loss(gold, chances / chances.sum(axis=1, keepdims=True), labels=[0, 1, 2])
    )
    plain = np.mean([sum((c - (k == g)) ** 2 for k, c in enumerate(row))
                     for g, row in zip(gold, chances, strict=True)])  # fmt: skip
    assert found["brier"] == pytest.approx(plain)


@pytest.mark.parametrize("k", [1, 3, 10])
def test_ndcg_equals_scikit_learn(k: int) -> None:
    random = np.random.default_rng(5)
    for _ in range(50):
        relevance = random.integers(0, 2, size=12)
        if not relevance.any():
            continue
        ranking = [str(i) for i in random.permutation(12)]
        scores = [-ranking.index(str(i)) for i in range(12)]
        relevant = {str(i) for i in np.flatnonzero(relevance)}
        assert ndcg_at(ranking, relevant, k) == pytest.approx(
            oracle.ndcg_score([relevance], [scores], k=k)
        )


def test_rankings_by_hand() -> None:
    assert ndcg_at(["a", "b"], {"b"}, 10) == pytest.approx(1 / math.log2(3))
    assert ndcg_at(["a", "a", "b"], {"b"}, 10) == pytest.approx(1 / math.log2(3)), "a repeat"
    assert ndcg_at([], {"a"}, 10) == 0
    assert ndcg_at(["a", "b"], {"a", "b", "c"}, 2) == 1
    assert recall_at(["a", "b", "c"], {"a", "c", "d"}, 2) == pytest.approx(1 / 3)
    assert math.isnan(ndcg_at(["a"], (), 10))
    assert math.isnan(recall_at(["a"], (), 10))


# Properties of the whole


@pytest.mark.parametrize("classes", [2, 3])
def test_perfect_predictions(classes: int) -> None:
    gold = [LABELS[i % classes] for i in range(30)]
    chances = np.eye(3)[[LABELS.index(label) for label in gold]]
    likert = [{"SUPPORT": 0, "REFUTE": 10, "UNCERTAIN": 5}[label] for label in gold]
    outcomes = Outcomes.of(gold, gold, chances, likert=likert)
    found = values(measure(outcomes, n_resamples=50))
    ones = {"agreement", "macro_f1", "cohen_kappa", "mcc", "auroc_support_vs_contradict",
            "auroc_contradicted", "pr_auc_contradicted"}  # fmt: skip
    zeros = {"ece", "ece_support", "ece_refute", "brier", "log_loss", "contradicted_as_supported"}
    assert {name: found[name] for name in ones} == dict.fromkeys(ones, 1)
    assert {name: found[name] for name in zeros} == dict.fromkeys(zeros, 0)
    assert found["auroc_evidence_vs_none"] == (None if classes == 2 else 1)
    assert found["f1_uncertain"] == (None if classes == 2 else 1)
    curve = likert_curve(outcomes, n_resamples=0)
    assert values(curve[10]) == {"precision": 1, "recall": 1, "fpr": 0}
    assert all(e.value == 1 for e in abstention_curve(outcomes, n_resamples=0).values())


@given(st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_rows_changes_nothing(random: object) -> None:
    rows = [(i % 3, (i * 7) % 3, round(i % 5 / 5, 1), round(i % 4 / 4, 2)) for i in range(40)]
    shuffled = list(rows)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    def figures(rows: list[tuple[int, int, float, float]]) -> dict[str, float | None]:
        outcomes = Outcomes.of(
            [LABELS[r[0]] for r in rows],
            [LABELS[r[1]] for r in rows],
            [chances_of(r[2], r[3]) for r in rows],
        )
        curve = abstention_curve(outcomes, n_resamples=0)
        return values(measure(outcomes, n_resamples=0)) | {
            str(s): e.value for s, e in curve.items()
        }

    assert figures(shuffled) == pytest.approx(figures(rows))


def test_all_figures_keep_their_bounds() -> None:
    found = measure(made(80), n_resamples=200)
    for name, (value, low, high) in found.items():
        assert value is not None, name
        assert low is not None, name
        assert high is not None, name
        assert low <= value <= high, name
        least = -1 if name in {"cohen_kappa", "mcc"} else 0
        counted = name.endswith(("_as_supported", "_as_contradicted"))
        most = 80 if counted else {"brier": 2.0, "log_loss": math.inf}.get(name, 1.0)
        assert least <= low, name
        assert high <= most, name


def test_counts_and_shares_by_hand() -> None:
    gold = ["REFUTE", "REFUTE", "REFUTE", "REFUTE", "SUPPORT", "UNCERTAIN"]
    called = ["SUPPORT", "REFUTE", "UNCERTAIN", "SUPPORT", "REFUTE", "UNCERTAIN"]
    outcomes = Outcomes.of(gold, called, [[0.2, 0.3, 0.5]] * 6)
    found = values(measure(outcomes, n_resamples=0))
    assert found["contradicted_as_supported"] == 2
    assert found["contradicted_as_supported_share"] == 0.5
    assert found["supported_as_contradicted"] == 1
    assert found["supported_as_contradicted_share"] == 1
    assert found["agreement"] == pytest.approx(2 / 6)
    assert found["auroc_contradicted"] == 0.5
    assert confusion_counts(outcomes)["REFUTE"] == {"SUPPORT": 2, "REFUTE": 1, "UNCERTAIN": 1}


def test_likert_curve_by_hand() -> None:
    gold = ["REFUTE", "REFUTE", "SUPPORT", "UNCERTAIN"]
    outcomes = Outcomes.of(gold, gold, [[0.2, 0.3, 0.5]] * 4, likert=[10, 6, 8, 0])
    curve = {level: values(kinds) for level, kinds in likert_curve(outcomes).items()}
    assert list(curve) == list(range(1, 11))
    assert curve[8] == {"precision": 0.5, "recall": 0.5, "fpr": 0.5}
    assert curve[9] == {"precision": 1, "recall": 0.5, "fpr": 0}
    assert curve[1] == {"precision": 2 / 3, "recall": 1, "fpr": 0.5}


def test_abstaining_helps_a_judge_that_knows_itself() -> None:
    curve = values(abstention_curve(made(2_000), n_resamples=0))  # type: ignore[arg-type]
    assert list(curve)[-1] == 1.0
    assert curve[0.1] > curve[0.5] > curve[1.0]  # type: ignore[operator]


def test_abstention_at_full_coverage_is_agreement() -> None:
    outcomes = made(77)
    curve = abstention_curve(outcomes, n_resamples=0)
    assert curve[1.0].value == pytest.approx(measure(outcomes, n_resamples=0)["agreement"].value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"gold": []}, "no rows"),
        ({"gold": ["SUPPORT", "MAYBE"]}, "unknown label"),
        ({"called": ["SUPPORT"]}, "called has 1 rows, the gold labels have 2"),
        ({"probabilities": [[0.5, 0.5], [1, 0]]}, "shape"),
        ({"probabilities": [[1, 0, 0], [math.nan, 0, 1]]}, "without NaN"),
        ({"probabilities": [[1, 0, 0], [1.5, -0.5, 0]]}, "between 0 and 1"),
        ({"probabilities": [[1, 0, 0], [0.5, 0.4, 0]]}, "sum to 1"),
        ({"likert": [5, 11]}, "between 0 and 10"),
        ({"groups": ["a"]}, "groups has 1 rows"),
    ],
)
def test_outcomes_refuse_what_they_cant_measure(change: dict[str, object], told: str) -> None:
    good: dict[str, object] = {
        "gold": ["SUPPORT", "REFUTE"],
        "called": ["SUPPORT", "REFUTE"],
        "probabilities": [[1, 0, 0], [0, 1, 0]],
    }
    with pytest.raises(DataError, match=told):
        Outcomes.of(**(good | change))  # type: ignore[arg-type]


def test_likert_curve_needs_levels() -> None:
    outcomes = Outcomes.of(["SUPPORT"], ["SUPPORT"], [[1, 0, 0]])
    with pytest.raises(DataError, match="no Likert levels"):
        likert_curve(outcomes)


# Intervals


def test_equal_seeds_give_equal_intervals() -> None:
    outcomes = made(60)
    assert measure(outcomes, n_resamples=100) == measure(outcomes, n_resamples=100)
    assert measure(outcomes, n_resamples=100) != measure(outcomes, n_resamples=100, seed=1)


def test_memory_chunks_give_the_same_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = made(60)
    whole = measure(outcomes, n_resamples=100)
    monkeypatch.setattr("calibration.bootstrap.CELLS_AT_ONCE", 60 * 7)
    for name, estimate in measure(outcomes, n_resamples=100).items():
        assert estimate == pytest.approx(whole[name]), name


def _mean_of(column: np.ndarray) -> Callable[[np.ndarray], dict[str, np.ndarray]]:
    return lambda weights: {"mean": weighted.mean(column, weights)}


def test_repeating_rows_within_groups_adds_no_certainty() -> None:
    column = np.random.default_rng(0).random(40)
    names = [str(i) for i in range(40)]
    alone = estimates(_mean_of(column), names)["mean"]
    grouped = estimates(_mean_of(np.tile(column, 5)), names * 5)["mean"]
    ungrouped = estimates(_mean_of(np.tile(column, 5)), [str(i) for i in range(200)])["mean"]
    assert grouped == pytest.approx(alone)

    def width(estimate: Estimate) -> float:
        assert estimate.low is not None
        assert estimate.high is not None
        return estimate.high - estimate.low

    assert width(ungrouped) < 0.6 * width(grouped)


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    random = np.random.default_rng(11)
    held = 0
    for seed in range(200):
        column = (random.random(80) < 0.7).astype(float)
        _, low, high = estimates(
            _mean_of(column), [str(i) for i in range(80)], n_resamples=300, seed=seed
        )["mean"]
        held += low is not None and high is not None and low <= 0.7 <= high
    assert 0.89 <= held / 200 <= 0.99


def test_one_group_or_no_resamples_has_no_interval() -> None:
    column = np.array([0.0, 1.0])
    assert estimates(_mean_of(column), ["a", "a"])["mean"] == Estimate(0.5)
    assert estimates(_mean_of(column), ["a", "b"], n_resamples=0)["mean"] == Estimate(0.5)


def test_what_most_resamples_leave_undefined_has_no_interval() -> None:
    gold = ["REFUTE"] + ["SUPPORT"] * 2
    outcomes = Outcomes.of(gold, gold, [[0.2, 0.8, 0], [0.8, 0.2, 0], [0.8, 0.2, 0]])
    found = measure(outcomes, n_resamples=400)
    assert found["auroc_evidence_vs_none"] == Estimate(None)
    assert found["auroc_contradicted"].low == 1, "defined in two thirds of the resamples"


# Baselines


def test_always_majority() -> None:
    gold = [Label.REFUTE] * 6 + [Label.SUPPORT] * 3 + [Label.UNCERTAIN]
    figures = always_majority(gold)
    assert figures["agreement"] == 0.6
    assert figures["macro_f1"] == pytest.approx(0.75 / 3)


def test_word_overlap() -> None:
    def claim(label: Label, text: str, evidence: str) -> LabelledClaim:
        return LabelledClaim(
            id=text,
            text=text,
            label=label,
            evidence=(EvidenceText.running(evidence),),
            group="",
            source="test",
        )

    claims = [
        claim(Label.SUPPORT, "aspirin lowers fever", "Aspirin lowers fever."),
        claim(Label.REFUTE, "aspirin raises fever", "Aspirin lowers fever."),
        claim(Label.UNCERTAIN, "zinc helps", "Aspirin lowers fever."),
    ]
    assert word_overlap(claims) == {
        "auroc_support_vs_contradict": 1,
        "auroc_evidence_vs_none": 1,
    }
    assert word_overlap(claims[:1])["auroc_support_vs_contradict"] is None
