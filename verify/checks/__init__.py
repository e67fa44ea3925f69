"""Deterministic checks of a sentence against a claim: numbers, directions, negation and its scope."""

from verify.checks.analysis import Analysis, analyse
from verify.checks.comparison import Checks, compare, compare_analyses

__all__ = ["Analysis", "Checks", "analyse", "compare", "compare_analyses"]
