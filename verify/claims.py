"""Is this text a claim that can be checked at all? One clear sentence if it isn't."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from retrieval.errors import InputError

LONGEST_CLAIM = (
    2_000  # characters; in six training sets one claim (of Citation-Integrity) is longer
)
SHORTEST_CLAIM_WORDS = 3

_QUESTION = re.compile(
    r"^(is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|"
    r"what|which|who|whom|whose|why|how)\s",
    re.IGNORECASE,
)
_REQUEST = re.compile(
    r"^(please|tell me|show me|give me|find|list|explain|describe|compare|summari[sz]e|write|"
    r"ignore|let's|let us)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(i|we) (think|feel|believe|hope|wish|love|like|hate)\b|"
    r"\b(beautiful|ugly|boring|my favou?rite|morally|immoral)\b",
    re.IGNORECASE,
)
_ENGLISH = frozenset(
    "the of and in to a is are was were with for by on that from as an at be not no than this "
    "which can may has have had or its their but more less between during after into does do "
    "increases reduces causes inhibits activates".split()
)
_FOREIGN = frozenset(
    "der die das und ist nicht ein eine mit von den dem für auf bei wird durch zu im des "
    "le la les des et est une un du dans pour sur par avec au aux qui que ne pas plus chez "
    "el los las una y es en por con para del se como más entre no su al "
    "il lo gli e di che è per non con della dei nel "
    "de het een en van is niet met voor op door "
    "o os as um uma e não com do da dos das em na no".split()
)
_ENDING_IN_QUESTION = re.compile(r"\?\s*[\"')\]]*$")


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim's text, ready to verify; `refusal` says why it can't be, `warnings` what to know."""

    text: str
    refusal: str | None = None
    warnings: tuple[str, ...] = ()


def check_claim(text: str) -> CheckedClaim:
    """Look a claim over before any search.

    Raises InputError for text that is no claim by its form: empty, or longer than 2,000
    characters. What reads as a question, a request, an opinion or another language comes back
    with a `refusal`.
    """
    claim = " ".join(text.split())
    if not any(character.isalnum() for character in claim):
        raise InputError('the claim is empty; give one statement in quotes, e.g. "A inhibits B"')
    if len(claim) > LONGEST_CLAIM:
        raise InputError(
            f"the claim has {len(claim):,} characters; give a single statement of at most "
            f"{LONGEST_CLAIM:,}, or check a whole text claim by claim"
        )
    return CheckedClaim(claim, _refusal(claim), _warnings(claim))


def _refusal(claim: str) -> str | None:
    if _is_foreign(claim):
        return (
            "the claim doesn't seem to be in English, which is the only language the embedded "
            "judge reads; translate it first"
        )
    answered = re.search(r"\?\s+\w", claim)
    if _ENDING_IN_QUESTION.search(claim) or (_QUESTION.match(claim) and not answered):
        return (
            "this is a question, not a claim; state the answer you want checked, e.g. "
            '"A inhibits B" in place of "Does A inhibit B?"'
        )
    if _REQUEST.match(claim):
        return "this is a request, not a claim; give a statement that can be true or false"
    if _OPINION.search(claim):
        return "this is an opinion, which no published finding can support or contradict"
    if len(re.findall(r"\w+", claim)) < SHORTEST_CLAIM_WORDS:
        return 'this is a term, not a claim; say what is true of it, e.g. "A inhibits B"'
    return None


def _warnings(claim: str) -> tuple[str, ...]:
    from retrieval.sentences import sentences

    count = len(sentences(claim))
    if count > 1:
        return (
            f"the claim holds {count} sentences and was judged as one; "
            "check them one by one for separate verdicts",
        )
    return ()


def _is_foreign(claim: str) -> bool:
    letters = [c for c in claim if c.isalpha()]
    strange = sum(not unicodedata.name(c, "").startswith(("LATIN", "GREEK")) for c in letters)
    if letters and strange > len(letters) / 3:
        return True
    words = re.findall(r"[^\W\d_]+", claim.lower())
    english = sum(word in _ENGLISH for word in words)
    foreign = sum(word in _FOREIGN and word not in _ENGLISH for word in words)
    return foreign >= 2 and foreign > english
