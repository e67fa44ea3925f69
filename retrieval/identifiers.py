"""Identifiers of works in one spelling, so that the same work is met again under any of them.

An identifier is written `doi:…`, `pmid:…`, `pmcid:PMC…` or, for papers that have none of these,
`local:…`.
"""

from __future__ import annotations

import re

from retrieval.models import Paper

_DOI = re.compile(
    r"(?:https?://(?:dx\.|www\.)?doi\.org/|(?:info:)?doi[:/]\s*)?(10\.\d{4,9}/\S+)", re.IGNORECASE
)
# Servers that register one DOI a version: Research Square, Preprints.org, bioRxiv and medRxiv,
# ChemRxiv, arXiv, SSRN-like figshare records; F1000 and its sister platforms number articles too.
_VERSION = re.compile(
    r"(?<=^10\.21203/)(rs\..+?)/v\d+$|(?<=^10\.20944/)(.+?)\.v\d+$|(?<=^10\.1101/)(.+?)v\d+$"
    r"|(?<=^10\.26434/)(.+?)-v\d+$|(?<=^10\.48550/)(.+?)v\d+$|(?<=^10\.6084/)(.+?)\.v\d+$"
    r"|(?<=^10\.12688/)(\w+\.\d+)\.\d+$"
)
_PMID = re.compile(r"0*([1-9]\d{0,8})")
_PMCID = re.compile(r"(?:PMC)?0*([1-9]\d{0,8})(?:\.\d+)?", re.IGNORECASE)
_PREFIXED = re.compile(r"(doi|pmid|pmcid|local):\s*(.+)", re.IGNORECASE | re.DOTALL)


def plain_doi(text: str) -> str | None:
    """The DOI in `text`, lower case, without a resolver's address; None if it isn't one."""
    found = _DOI.fullmatch(text.strip())
    return found.group(1).lower() if found else None


def work_doi(doi: str) -> str:
    """`doi` (from `plain_doi`) without the version that preprint servers put at its end."""
    return _VERSION.sub(lambda found: found.group(found.lastindex or 0), doi)


def plain_pmid(text: str) -> str | None:
    """The PubMed number in `text` without leading zeros; None if it isn't one."""
    found = _PMID.fullmatch(text.strip())
    return found.group(1) if found else None


def plain_pmcid(text: str) -> str | None:
    """The PubMed Central number in `text` as `PMC…`, without its version; None if it isn't one."""
    found = _PMCID.fullmatch(text.strip())
    return f"PMC{found.group(1)}" if found else None


def work_ids(paper: Paper) -> tuple[str, ...]:
    """The identifiers that tell one work from another: of DOI, PMID, PMCID those it has."""
    doi = plain_doi(paper.doi or "")
    pmid, pmcid = plain_pmid(paper.pmid or ""), plain_pmcid(paper.pmcid or "")
    return tuple(
        f"{kind}:{value}"
        for kind, value in (("doi", doi and work_doi(doi)), ("pmid", pmid), ("pmcid", pmcid))
        if value
    )


def parse_identifier(text: str) -> str | None:
    """`text` as one of our identifiers: prefixed, a DOI or its address, `PMC…`, or a bare PMID.

    None for anything else. A bare number is a PMID; `local:` identifiers must be written in full.
    """
    prefixed = _PREFIXED.fullmatch(text.strip())
    kind, value = (prefixed[1].lower(), prefixed[2]) if prefixed else ("", text.strip())
    if kind == "local":
        return f"local:{value}"
    if kind in ("", "doi") and (doi := plain_doi(value)):
        return f"doi:{work_doi(doi)}"
    if kind in ("", "pmid") and (pmid := plain_pmid(value)):
        return f"pmid:{pmid}"
    if kind in ("", "pmcid") and (pmcid := plain_pmcid(value)):
        return f"pmcid:{pmcid}"
    return None
