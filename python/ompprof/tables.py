# SPDX-License-Identifier: Apache-2.0
"""From arrays of JSON to data frames, and the units of their columns."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .command import need

if TYPE_CHECKING:
    import pandas

# A key of JSON ends with its unit; these are the units whose symbol is another, and the objects of
# seconds whose keys are words.
_SYMBOLS = {"gb_per_s": "GB/s", "s": "s", "hz": "Hz", "bytes": "B", "share": "1", "efficiency": "1"}
_IN_SECONDS = ("wait", "blame", "times")


def unit(column: str) -> Optional[str]:
    """The unit of a column: "s", "Hz", "B", "GB/s", or "1" for shares of 1.

    None for counts, other numbers and texts.
    """
    for part in reversed(column.split(".")):
        for end, symbol in _SYMBOLS.items():
            if part == end or part.endswith("_" + end):
                return symbol
    return "s" if "." in column and column.split(".")[-2] in _IN_SECONDS else None


def table(rows: list[dict[str, Any]]) -> pandas.DataFrame:
    """A data frame with a row for each object of an array, in the array's order.

    A column is a key of the objects. A key of an object within them is joined by a dot, as in
    `wait.barrier`; arrays are lists. A key that an object lacks is NaN or <NA>. The attribute
    `attrs["units"]` has the unit of each column that has one. An empty array has no columns.
    """
    pandas = need("pandas")
    frame = pandas.json_normalize(rows)
    for column in frame.select_dtypes("float"):
        values = frame[column]
        if unit(column) is None and values.isna().any() and (values.dropna() % 1 == 0).all():
            frame[column] = values.astype("Int64")
    frame.attrs["units"] = {column: unit(column) for column in frame if unit(column)}
    return frame


def inclusive(nodes: pandas.DataFrame, column: str) -> pandas.Series:
    """A column of `Profile.nodes` with the sum of each node and all nodes below it."""
    total = nodes[column].fillna(0).astype(float).to_dict()
    for node, parent in reversed(list(nodes["parent"].items())):
        if parent in total:
            total[parent] += total[node]
    return need("pandas").Series(total, name=column)
