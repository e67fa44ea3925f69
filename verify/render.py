"""A verdict as text for people; the JSON form is `Verdict.model_dump_json()`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from verify.models import Citation, Status, Verdict

WIDTH = 88
SHOWN_A_SIDE = 3
_HEADINGS = {"supports": "Supporting", "refutes": "Contradicting"}
_STATUS = {
    Status.NO_EVIDENCE: "nothing found bears on the claim",
    Status.COULD_NOT_LOOK: "a source could not be searched",
    Status.NOT_CHECKABLE: "not a checkable claim",
    Status.ERROR: "an error ended the check",
}


def as_text(verdict: Verdict, *, explain: bool = False) -> str:
    """The answer in plain text, 88 columns; `explain` adds every paper's stance and the trace."""
    lines = [*_wrapped("Claim    ", verdict.claim), *_headline(verdict)]
    lines += ["", *_wrapped("", verdict.rationale)]
    for stance, heading in _HEADINGS.items():
        cited = [c for c in verdict.citations if c.stance == stance]
        if cited:
            lines += ["", f"{heading} ({len(cited)})"]
            for citation in cited if explain else cited[:SHOWN_A_SIDE]:
                lines += _citation(citation)
    if verdict.warnings:
        lines += ["", "Warnings"]
        lines += [line for w in verdict.warnings for line in _wrapped("  • ", w)]
    if explain:
        lines += ["", *_explanation(verdict)]
    lines += ["", *_wrapped("", _caveat(verdict))]
    return "\n".join(lines)


def _headline(verdict: Verdict) -> Iterator[str]:
    chances = verdict.probabilities
    yield f"Verdict  {verdict.label}   {verdict.likert}/10 {verdict.likert_name}"
    yield "         " + _bar(verdict.likert)
    if verdict.status is Status.NOT_CHECKABLE:
        yield f"Status   {_STATUS[verdict.status]}"
        return
    yield (
        f"Chances  support {chances.support:.0%} · contradict {chances.refute:.0%} · "
        f"unsettled {chances.uncertain:.0%}"
    )
    if verdict.status in _STATUS:
        yield f"Status   {_STATUS[verdict.status]}"


def _bar(score: int) -> str:
    marks = "".join("●" if i == score else "·" for i in range(11))
    return f"agreement {marks} contradiction"


def _citation(citation: Citation) -> Iterator[str]:
    paper = citation.paper
    yield from _wrapped("  “", citation.quote + "”", indent=3)
    facts = [paper.title.rstrip("."), str(paper.year or "year unknown")]
    facts += [citation.section, *([paper.url] if paper.url else [paper.id])]
    yield from _wrapped("    — ", " · ".join(facts), indent=6)
    marks = [
        *(["RETRACTED, not counted"] if paper.retracted else []),
        *(["preprint"] if paper.preprint else []),
        *(["synopsis, not the paper's own words"] if paper.synopsis else []),
    ]
    tail = f"; {', '.join(marks)}" if marks else ""
    yield from _wrapped(
        "      ", f"{citation.stance} with probability {citation.probability:.2f}{tail}"
    )


def _explanation(verdict: Verdict) -> Iterator[str]:
    yield (
        f"Direction {verdict.direction:+.2f} (−1 for, +1 against) · strength "
        f"{verdict.strength:.2f} · coverage {verdict.coverage:.2f} · mixedness "
        f"{verdict.mixedness:.2f}"
    )
    yield "Papers looked at (for / neutral / against)"
    for row in verdict.papers:
        stance = row.stance
        note = "" if row.counted else "  retracted, not counted"
        yield (
            f"  {stance.supports:.2f} {stance.neutral:.2f} {stance.refutes:.2f}  "
            f"{textwrap.shorten(row.paper.title, 46)} ({row.paper.year or '?'}){note}"
        )
    trace = verdict.provenance
    yield (
        f"Judge {trace.judge} · calibrator {trace.calibrator} · {trace.papers_judged} papers, "
        f"{trace.sentences_judged} sentences judged"
    )
    sources, queries = ", ".join(trace.sources) or "nothing", "; ".join(trace.queries) or "—"
    yield from _wrapped("", f"Searched {sources} for: {queries}")


def _caveat(verdict: Verdict) -> str:
    if any(row.paper.synopsis for row in verdict.papers):
        return (
            "This rests on short synopses of a few papers in the starter library, not on the "
            "literature; it does not establish that the claim is true or false."
        )
    return (
        "This rests on the papers in your library only, read by a small model sentence by "
        "sentence; it does not establish that the claim is true or false."
    )


def _wrapped(first: str, text: str, indent: int | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * (len(first) if indent is None else indent),
        break_long_words=False,
        break_on_hyphens=False,
    )
