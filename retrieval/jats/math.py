"""Formulas as one line of text: MathML written out, TeX without its preamble."""

from __future__ import annotations

import re

from lxml.etree import _Element

from retrieval.jats.tree import words

_NS = "{http://www.w3.org/1998/Math/MathML}"
MATH = f"{_NS}math"
LONGEST_TEX = 200
"""Longer TeX is layout rather than something to read, and becomes "[formula]"."""

_SCRIPTS = {
    "msup": ("^",),
    "mover": ("^",),
    "msub": ("_",),
    "munder": ("_",),
    "msubsup": ("_", "^"),
    "munderover": ("_", "^"),
}
_ACCENTS = frozenset("¯ˉ‾_^ˆ~˜→⃗.˙¨⋅")
_SPACED_OPERATORS = words("= < > ≤ ≥ ≠ ≈ ≅ ≡ ∼ ± × ∈ ∝ → ⇒ ← ↔ + ≪ ≫")
_IGNORED = frozenset(("annotation", "annotation-xml", "mphantom"))
_TEX_BODY = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)


def math_text(element: _Element) -> str:
    """The MathML of `element` in one line: "x^2", "a_i", "(a + b)/(c)", "√(x)"; "" if empty."""
    return " ".join(_text(element).split())


def tex_text(tex: str) -> str:
    """The formula in `tex` without preamble and dollar signs; "" if empty or too long to read."""
    match = _TEX_BODY.search(tex)
    body = match.group(1) if match else tex
    body = " ".join(body.replace("$", " ").split())
    return "" if len(body) > LONGEST_TEX or "\\usepackage" in body else body


def _text(element: _Element) -> str:
    name = str(element.tag).removeprefix(_NS)
    if name in _IGNORED:
        return ""
    if name == "mo":
        return _operator(element)
    parts = [_text(child) for child in element]
    if name in _SCRIPTS and len(parts) == len(_SCRIPTS[name]) + 1:
        return _scripted(parts, _SCRIPTS[name])
    if name == "mfrac" and len(parts) == 2:
        return f"{_grouped(parts[0])}/{_grouped(parts[1])}"
    if name == "msqrt":
        return f"√({''.join(parts)})"
    if name == "mroot" and len(parts) == 2:
        return f"({parts[0]})^(1/{parts[1]})"
    if name in ("mtr", "mlabeledtr"):
        return " ".join(parts) + "; "
    if name == "mtable":
        return "".join(parts).removesuffix("; ")
    if name == "mfenced":
        between = element.get("separators", ",")[:1]
        return f"{element.get('open', '(')}{between.join(parts)}{element.get('close', ')')}"
    return (element.text or "").strip("\n\r\t") + "".join(parts)


def _operator(element: _Element) -> str:
    sign = "".join(element.itertext()).strip()
    return f" {sign} " if sign in _SPACED_OPERATORS else sign


def _scripted(parts: list[str], marks: tuple[str, ...]) -> str:
    text = parts[0]
    if not text.strip():  # an operator lost by the publisher: "_m" alone would say nothing
        return " ".join(parts)
    for mark, part in zip(marks, parts[1:], strict=True):
        script = part.strip()
        if script and not (mark == "^" and script in _ACCENTS):
            text += f"{mark}{_grouped(script)}"
    return text


def _grouped(part: str) -> str:
    part = part.strip()
    return part if re.fullmatch(r"[−-]?[\w.]+|[^\w\s]", part) else f"({part})"
