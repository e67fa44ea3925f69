"""Untrusted XML bytes → an lxml tree: no network, no DTD, no entity expansion, limits on size.

The bytes are decoded here, strictly, by byte-order mark or XML declaration, so that a wrong
declaration is an error and not silently wrong letters. The document type declaration is taken off
before libxml2 sees the text and replaced by one of ours: external DTDs are never asked for, and
the only entities that exist are single characters by their well-known names. Damaged XML is
mended as far as possible, with a warning.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from html import unescape
from html.entities import html5

from lxml import etree

from retrieval.errors import DocumentError

MAX_BYTES = 30_000_000
"""Largest file read, in bytes; the largest article seen so far has about 800 KB of MathML."""

MAX_DEPTH = 100
"""Deepest nesting of elements read; the deepest of the fixtures has 17 levels."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FOREIGN = ((b"%PDF", "a PDF"), (b"PK\x03\x04", "a ZIP archive"), (b"\x1f\x8b", "gzip"))
_NO_BOM = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))
_DECLARATION = re.compile(r"\s*<\?xml\s[^>]*?\?>")
_ENCODING = re.compile(rb"<\?xml\b[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']")
# Only real character sets: Python also has codecs such as "punycode" that a file must not choose.
_CHARACTER_SETS = re.compile(
    r"utf-?8|us-ascii|ascii|iso[-_]?8859[-_]?\d+|latin-?1|(windows|cp)-?125\d|koi8-[ru]"
    r"|gb(2312|k|18030)|big5|shift[-_]jis|euc-(jp|kr)",
    re.IGNORECASE,
)
_PROLOG = re.compile(r"(?:\s++|<\?.*?\?>|<!--.*?-->)*+", re.DOTALL)
_DOCTYPE = re.compile(
    r"<!DOCTYPE\b(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*+"
    r"(?:\[(?P<subset>(?:<!--.{0,2000}?-->|\"[^\"]*\"|'[^']*'|[^\]\"']){0,20000}+)\]\s*)?>",
    re.DOTALL | re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--.{0,2000}?-->", re.DOTALL)
_ENTITY = re.compile(
    r"<!ENTITY\s+(?P<name>[^\s%\"'>]+)\s+"
    r"(?:[\"'](?P<value>(?:[^&%<\"']|&#\w+;){0,32})[\"']|(?:SYSTEM|PUBLIC)[^>]*?\bNDATA\b[^>]*)\s*>"
)
_BARE_MARK = re.compile(r"<(?![A-Za-z_:/!?])|&(?!#?\w[\w.-]*;)")
_LONGEST_SUBSET = 20_000
_REFERENCE = re.compile(r"&([A-Za-z][\w.-]{0,40});", re.ASCII)
_XML_NAMES = frozenset(("lt", "gt", "amp", "quot", "apos"))


@dataclass(frozen=True)
class ParsedXml:
    """The root of a file, what had to be mended, and, if text may be missing, why."""

    root: etree._Element
    warnings: tuple[str, ...]
    damage: str | None


def parse_xml(data: bytes, name: str) -> ParsedXml:
    """The XML in `data`, mended as far as possible.

    Comments and processing instructions are gone (the text after them stays), named characters
    such as `&alpha;` are resolved. Raises DocumentError, naming `name`, for input that is empty,
    not XML, larger than 30 MB, nested more than 100 deep, wrongly encoded, or that declares
    entities of its own beyond a few literal characters.
    """
    _refuse_foreign(data, name)
    text, warnings = _decode(data, name)
    text = _with_own_doctype(text, name, warnings)
    root, damage = _tree(text, name, warnings)
    if root.xpath("boolean(" + "/*" * (MAX_DEPTH + 1) + ")"):
        raise DocumentError(_too_deep(name))
    return ParsedXml(root, (*warnings, *([damage] if damage else [])), damage)


def words(text: str) -> frozenset[str]:
    """The set of the words in `text`: names of elements and types, written in a line."""
    return frozenset(text.split())


def _refuse_foreign(data: bytes, name: str) -> None:
    if len(data) > MAX_BYTES:
        raise DocumentError(
            f"{name} has {len(data):,} bytes, more than the {MAX_BYTES:,} that are read: "
            "split it into one file per article."
        )
    head = data[:64].lstrip()
    if not head and not data.strip():
        raise DocumentError(f"{name} is empty: give a JATS XML file.")
    for magic, kind in (
        (b"%PDF", "a PDF"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "gzip"),
    ):
        if head.startswith(magic):
            raise DocumentError(f"{name} is {kind}, not XML: unpack or export it as JATS XML.")


def _decode(data: bytes, name: str) -> tuple[str, list[str]]:
    warnings: list[str] = []
    encoding, start = next(
        ((code, len(mark)) for mark, code in _BOMS if data.startswith(mark)), (None, 0)
    )
    encoding = encoding or next((code for sign, code in _NO_BOM if data.startswith(sign)), None)
    if encoding is None:
        encoding = _declared(data, name)
        if encoding.lower().replace("_", "-").startswith(("iso", "latin", "windows", "cp")):
            encoding = _trusted(data, encoding, name, warnings)
    try:
        # Not final: a file cut off within a character is a truncated file, not a wrong encoding.
        text = codecs.getincrementaldecoder(encoding)().decode(data[start:])
    except UnicodeDecodeError as error:
        raise DocumentError(
            f"{name} is not {encoding} as it says or implies (byte {start + error.start}): "
            "correct the encoding in its XML declaration, or save it as UTF-8."
        ) from None
    text = text.removeprefix("\ufeff")
    if not text.lstrip().startswith("<"):
        raise DocumentError(f"{name} is not XML (it doesn't begin with '<'): give a JATS XML file.")
    declaration = _DECLARATION.match(text)
    return text[declaration.end() :] if declaration else text, warnings


def _declared(data: bytes, name: str) -> str:
    match = _ENCODING.search(data[:400])
    if match is None:
        return "utf-8"
    encoding = match.group(1).decode("ascii")
    if not _CHARACTER_SETS.fullmatch(encoding):
        raise DocumentError(
            f"{name} declares the encoding {encoding!r}, which it can't have or we don't read: "
            "correct its XML declaration, or save it as UTF-8."
        )
    return encoding


def _trusted(data: bytes, encoding: str, name: str, warnings: list[str]) -> str:
    """`encoding`, unless the bytes are beyond doubt UTF-8 (single-byte sets decode anything)."""
    if data.isascii():
        return encoding
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return encoding
    warnings.append(f"{name} declares {encoding} but is UTF-8, and was read as UTF-8")
    return "utf-8"


def _with_own_doctype(text: str, name: str, warnings: list[str]) -> str:
    """`text` with a DOCTYPE of ours in place of the file's, declaring the names it uses.

    Declared that way, names are left alone where they aren't mark-up: in comments and CDATA.
    """
    prolog = _PROLOG.match(text)
    start = prolog.end() if prolog else 0
    names: dict[str, str] = {}
    if text[start : start + 9].upper() == "<!DOCTYPE":
        match = _DOCTYPE.match(text, start)
        if match is None:
            raise DocumentError(f"{name} has a damaged DOCTYPE: fetch the file again.")
        names = _literal_entities(match.group("subset") or "", name)
        lines = "\n" * match.group().count("\n")
        text = text[:start] + lines + text[match.end() :]
    return f"<!DOCTYPE article [{_declarations(text, names, warnings)}]>{text}"


def _declarations(text: str, own: dict[str, str], warnings: list[str]) -> str:
    known, unknown = [], []
    for entity in sorted(set(_REFERENCE.findall(text)) - _XML_NAMES):
        value = own.get(entity) or html5.get(f"{entity.removeprefix('b.')};")
        if value is None:
            unknown.append(f"&{entity};")
        # Twice escaped: once for the declaration, once for the text that it stands for.
        characters = "".join(f"&#38;#{ord(c)};" for c in value or f"&{entity};")
        known.append(f'<!ENTITY {entity} "{characters}">')
    if unknown:
        shown = ", ".join(unknown[:5]) + (", …" if len(unknown) > 5 else "")
        warnings.append(f"unknown characters left as they are: {shown}")
    return "".join(known)


def _literal_entities(subset: str, name: str) -> dict[str, str]:
    subset = _COMMENT.sub("", subset[: _LONGEST_SUBSET + 1])
    found = list(_ENTITY.finditer(subset))
    declared = len(re.findall(r"<!ENTITY\b|%[\w.-]+;", subset))
    if declared != len(found) or len(subset) > _LONGEST_SUBSET:
        raise DocumentError(
            f"{name} declares entities of its own, which are never expanded: "
            "remove the <!ENTITY ...> lines from its DOCTYPE."
        )
    return {m["name"]: unescape(m["value"]) for m in found if m["value"] is not None}


def _tree(text: str, name: str, warnings: list[str]) -> tuple[etree._Element, str | None]:
    """The root, and why text may be missing, or None."""
    try:
        return _parse(text), None
    except etree.XMLSyntaxError as error:
        reason, line = str(error.msg).partition(", line ")[0], error.lineno
    if "Excessive depth" in reason:
        raise DocumentError(_too_deep(name))
    escaped = _BARE_MARK.sub(lambda m: "&lt;" if m.group() == "<" else "&amp;", text)
    try:
        root = _parse(escaped)
    except etree.XMLSyntaxError:
        place = f"at line {line} ({reason}): text after it may be missing"
        return _recovered(escaped, name, reason), f"{name} is truncated or damaged {place}"
    warnings.append(f"{name} has unescaped '<' or '&' (line {line}), which were read as text")
    return root, None


def _recovered(text: str, name: str, reason: str) -> etree._Element:
    try:
        root: etree._Element | None = _parse(text, recover=True)
    except etree.XMLSyntaxError:
        root = None
    if root is None:
        raise DocumentError(f"{name} is not readable XML ({reason}): fetch the file again.")
    return root


def _parse(text: str, recover: bool = False) -> etree._Element:
    parser = etree.XMLParser(
        encoding="utf-8",
        resolve_entities="internal",
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        recover=recover,
    )
    return etree.fromstring(text.encode("utf-8", "replace"), parser)


def _too_deep(name: str) -> str:
    return (
        f"{name} nests elements more than {MAX_DEPTH} deep, which no article does: "
        "check that it is a JATS XML file."
    )
