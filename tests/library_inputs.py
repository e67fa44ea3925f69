"""Small inputs for the tests of the library: lines of abstracts, JATS articles, documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from retrieval.models import (
    Document,
    Paper,
    Passage,
    PassageKind,
)


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def abstract(number: int, text: str = "Aspirin lowers fever.", **more: Any) -> dict[str, Any]:
    return {"id": str(number), "title": f"Study {number}", "abstract": text} | more


def jats(title: str, *, ids: dict[str, str], body: str = "", kind: str = "research-article",
         head: str = "") -> str:  # fmt: skip
    articles = "".join(f'<article-id pub-id-type="{k}">{v}</article-id>' for k, v in ids.items())
    text = f"<body><sec><title>Results</title><p>{body}</p></sec></body>" if body else ""
    return (
        f'<article article-type="{kind}" xmlns:xlink="http://www.w3.org/1999/xlink"><front>'
        f"<article-meta>{articles}<title-group><article-title>{title}</article-title>"
        f"</title-group>{head}<abstract><p>What we saw.</p></abstract></article-meta></front>"
        f"{text}</article>"
    )


def document(paper: Paper, *texts: str, kind: PassageKind = PassageKind.ABSTRACT) -> Document:
    passages = tuple(
        Passage(id=f"{paper.id}#{i}", paper_id=paper.id, kind=kind, order=i, text=text)
        for i, text in enumerate(texts)
    )
    return Document(paper=paper, passages=passages)
