"""Tables as one readable line per row: "Treatment: CSP; Dosage (g/kg): 0.2; AUC: 1,250 ± 56"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from lxml.etree import _Element

from retrieval.jats.text import text_of

MAX_SPAN = 256
"""Most rows or columns that one cell may span, and most columns of a table."""

LONGEST_REPEATED = 300
"""Headers and spanning cells are repeated in every row they hold for, up to this many characters
(one real table spans 40 rows); beyond, they end in "…"."""

_SIGN_CELL = re.compile(r", ([±/–-]), ")
_CELLS = frozenset(("td", "th", "entry"))
_ROWS = ("tr", "row")


@dataclass(frozen=True)
class _Cell:
    text: str
    first: int
    columns: int
    heading: bool


_Row = list[_Cell]


@dataclass
class _Held:
    """A cell from a row above that reaches down into the rows below."""

    cell: _Cell
    rows_left: int


def table_rows(table: _Element) -> list[str]:
    """The rows of `table`, each cell with its header; spans resolved, stacked headers joined.

    A row that is one cell across the whole table is a subheading: it is a row of its own and
    stands in front of the rows below it.
    """
    head, body = _split_head(table)
    width = max((c.first + c.columns for row in head + body for c in row), default=0)
    headers = _headers(head, width)
    lines, subheading = [], ""
    for row in body:
        filled = [cell for cell in row if cell.text]
        if len(filled) == 1 and filled[0].columns == width > 1:
            subheading = _short(filled[0].text)
            lines.append(filled[0].text)
        elif filled:
            lines.append("; ".join(filter(None, [subheading, *_labelled(filled, headers)])))
    return lines


def _row_groups(table: _Element) -> list[tuple[bool, list[_Element]]]:
    """Rows by thead, tbody and tfoot (True for a thead): no cell spans beyond its group."""
    parts = [part for child in table for part in (child if child.tag == "tgroup" else [child])]
    groups = [
        (part.tag == "thead", list(part.iterchildren(*_ROWS)))
        for part in parts
        if part.tag in ("thead", "tbody", "tfoot")
    ]
    loose = [part for part in parts if part.tag in _ROWS]
    return [*groups, (False, loose)] if loose else groups


def _resolved(rows: list[_Element]) -> Iterator[_Row]:
    held: dict[int, _Held] = {}
    for index, row in enumerate(rows):
        cells, column = [], 0
        for element in (child for child in row if child.tag in _CELLS):
            column = _after_held(held, column)
            if column >= MAX_SPAN:
                break
            columns = min(max(_span(element, "colspan"), 1), MAX_SPAN - column)
            cell = _Cell(text_of(element), column, columns, element.tag == "th")
            cells.append(cell)
            down = _span(element, "rowspan") or len(rows)
            if (below := min(down, MAX_SPAN, len(rows) - index) - 1) > 0:
                repeated = _Cell(_short(cell.text), column, columns, cell.heading)
                held[column] = _Held(repeated, below + 1)
            column += columns
        yield sorted(cells + _reaching_down(held, cells), key=lambda cell: cell.first)


def _after_held(held: dict[int, _Held], column: int) -> int:
    while (above := held.get(column)) is not None:
        column += above.cell.columns
    return column


def _reaching_down(held: dict[int, _Held], own: list[_Cell]) -> list[_Cell]:
    """The cells from above that reach into this row; all are counted down, and let go at last."""
    starts = {cell.first for cell in own}
    reaching = [above.cell for first, above in held.items() if first not in starts]
    for first, above in list(held.items()):
        above.rows_left -= 1
        if above.rows_left == 0:
            del held[first]
    return reaching


def _span(element: _Element, name: str) -> int:
    """The span given, 1 if none or nonsense; 0 means "to the end" for rows."""
    value = element.get(name, "1").strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _split_head(table: _Element) -> tuple[list[_Row], list[_Row]]:
    groups = [(is_head, list(_resolved(rows))) for is_head, rows in _row_groups(table)]
    head = [row for is_head, rows in groups if is_head for row in rows]
    body = [row for is_head, rows in groups if not is_head for row in rows]
    if not head:
        first = next((i for i, row in enumerate(body) if not all(c.heading for c in row)), 0)
        head, body = body[:first], body[first:]
    return (head, body) if body else ([], head)


def _headers(head: list[_Row], width: int) -> list[str]:
    stacked: list[list[str]] = [[] for _ in range(width)]
    for cell in (cell for row in head for cell in row):
        text = cell.text.rstrip(" :")
        for column in range(cell.first, cell.first + cell.columns):
            if text and text not in stacked[column]:
                stacked[column].append(text)
    return [_short(" / ".join(parts)) for parts in stacked]


def _labelled(cells: list[_Cell], headers: list[str]) -> Iterator[str]:
    """Each cell with its header; neighbours under one header stand together ("0.4 ± 0.3")."""
    for label, group in groupby(cells, key=lambda cell: _label(cell, headers)):
        if label:
            values = _SIGN_CELL.sub(r" \1 ", ", ".join(cell.text for cell in group))
            yield f"{label}: {values}"
        else:
            yield from (cell.text for cell in group)


def _label(cell: _Cell, headers: list[str]) -> str:
    names = dict.fromkeys(filter(None, headers[cell.first : cell.first + cell.columns]))
    return _short(" / ".join(names))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_REPEATED else text[: LONGEST_REPEATED - 1] + "…"
