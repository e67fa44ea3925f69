"""The embedded cross-encoder: (claim, text) → probabilities of refutes, neutral, supports.

A 22-million-parameter MiniLM with 8-bit weights, run by onnxruntime. How it was trained:
`calibration/nli_training/README.md`. Pairs are scored one by one on several threads, never
padded into batches: dynamic quantisation takes its scale from the whole batch, so a batch would
make a pair's score depend on its neighbours (and was slower where we measured it).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

DATA = Path(__file__).parent / "data"
THREADS = 2
REMEMBERED_PAIRS = 20_000


class PairScore(NamedTuple):
    """Probabilities that the text refutes, ignores, or supports the claim; they sum to 1."""

    refutes: float
    neutral: float
    supports: float

    @property
    def relevance(self) -> float:
        """Probability that the text bears on the claim at all, in [0, 1]."""
        return 1.0 - self.neutral


class CrossEncoder:
    """Scores texts against a claim; safe to share between threads, the same answer in any order."""

    def __init__(self, folder: Path = DATA, threads: int = THREADS) -> None:
        self._folder = folder
        self._threads = threads
        self._loading = threading.Lock()
        self._remembered = lru_cache(maxsize=REMEMBERED_PAIRS)(self._score)

    @cached_property
    def _card(self) -> dict[str, Any]:
        card: dict[str, Any] = json.loads((self._folder / "judge.json").read_text("utf-8"))
        return card

    @property
    def name(self) -> str:
        """The judge's name with the first digits of its weights' hash."""
        return str(self._card["name"])

    def score(self, claim: str, texts: Sequence[str]) -> list[PairScore]:
        """One score a text, in the order given. Text beyond 160 tokens with the claim is cut."""
        self._runtime  # noqa: B018  (load before the threads ask for it)
        pairs = [(claim, text) for text in texts]
        if len(pairs) < 2 or self._threads == 1:
            return [self._remembered(*pair) for pair in pairs]
        with ThreadPoolExecutor(self._threads) as pool:
            return list(pool.map(lambda pair: self._remembered(*pair), pairs))

    def token_counts(self, texts: Iterable[str]) -> list[int]:
        """How many tokens each text takes."""
        tokenizer, _, _ = self._runtime
        return [len(tokenizer.encode(text, add_special_tokens=False).ids) for text in texts]

    def _score(self, claim: str, text: str) -> PairScore:
        import numpy as np

        tokenizer, session, order = self._runtime
        encoding = tokenizer.encode(claim, text)
        inputs = {
            "input_ids": encoding.ids,
            "attention_mask": encoding.attention_mask,
            "token_type_ids": encoding.type_ids,
        }
        (logits,) = session.run(
            None, {name: np.array([ids], dtype=np.int64) for name, ids in inputs.items()}
        )
        odds = np.exp(logits[0] - logits[0].max())
        chances = odds / odds.sum()
        return PairScore(*(float(chances[i]) for i in order))

    @property
    def _runtime(self) -> tuple[Any, Any, tuple[int, int, int]]:
        with self._loading:
            return self._loaded

    @cached_property
    def _loaded(self) -> tuple[Any, Any, tuple[int, int, int]]:
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(
            str(self._folder / "judge.onnx"), options, providers=["CPUExecutionProvider"]
        )
        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._card["max_tokens"], strategy="longest_first")
        place = {name: int(index) for index, name in self._card["id2label"].items()}
        return tokenizer, session, (place["refutes"], place["neutral"], place["supports"])
