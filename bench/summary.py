# SPDX-License-Identifier: Apache-2.0
"""Median and spread of figures, and text of them, for the scripts of `make bench`."""


def quantile(ordered, part):
    """The figure below which `part` of the sorted figures are; between two figures a straight line."""
    at = part * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def summary(figures):
    """Of figures, None among them left out: how many, median, quartiles, least and most; None if there are none."""
    ordered = sorted(figure for figure in figures if figure is not None)
    if not ordered:
        return None
    return {
        "n": len(ordered),
        "median": quantile(ordered, 0.5),
        "quartile1": quantile(ordered, 0.25),
        "quartile3": quantile(ordered, 0.75),
        "least": ordered[0],
        "most": ordered[-1],
    }


def ratios(figures, bare):
    """Each figure divided by the bare figure of the same turn; None where either is missing, or bare is 0."""
    return [figure / base if figure is not None and base else None for figure, base in zip(figures, bare)]


def differences(figures, less):
    """Each figure minus the figure of `less` in the same turn; None where either is missing."""
    return [None if figure is None or base is None else figure - base for figure, base in zip(figures, less)]


def text(found, form="%.3f", scale=1.0, spread=True):
    """`median (least-most)` of a summary, or `-`."""
    if found is None:
        return "-"
    median = form % (found["median"] * scale)
    if not spread:
        return median
    return "%s (%s-%s)" % (median, form % (found["least"] * scale), form % (found["most"] * scale))


def table(heads, rows):
    """Lines of a table: columns as wide as what is in them, the first two to the left, the others to the right."""
    cells = [heads] + rows
    widths = [max(len(row[column]) for row in cells) for column in range(len(heads))]
    lines = []
    for row in cells:
        line = "  ".join(cell.ljust(width) if column < 2 else cell.rjust(width)
                         for column, (cell, width) in enumerate(zip(row, widths)))
        lines.append(line.rstrip())
    return lines
