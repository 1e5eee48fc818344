# SPDX-License-Identifier: Apache-2.0
"""Median, spread and ratios of bench/summary.py, by figures that were worked out by hand. Status 1 if one is wrong."""
import sys

sys.path.insert(0, sys.argv[1])
from summary import differences, ratios, summary, table, text  # noqa: E402  (its folder is an argument)

failed = 0


def same(what, got, expected):
    global failed
    if got != expected:
        print("%s: got %r, expected %r" % (what, got, expected))
        failed = 1


odd = summary([5.0, 1.0, 3.0])
same("median of three", odd["median"], 3.0)
same("spread of three", (odd["least"], odd["quartile1"], odd["quartile3"], odd["most"]), (1.0, 2.0, 4.0, 5.0))
even = summary([4.0, 1.0, None, 2.0, 3.0])
same("what is missing does not count", even["n"], 4)
same("median of four", even["median"], 2.5)
same("quartiles of four", (even["quartile1"], even["quartile3"]), (1.75, 3.25))
one = summary([7.0])
same("one alone", one, {"n": 1, "median": 7.0, "quartile1": 7.0, "quartile3": 7.0, "least": 7.0, "most": 7.0})
same("none", summary([None, None]), None)
same("ratios are of the same turn", ratios([2.0, None, 6.0, 1.0], [1.0, 2.0, 4.0, 0.0]), [2.0, None, 1.5, None])
same("differences are of the same turn", differences([2.0, None, 6.0, 0.0], [1.0, 2.0, None, 0.5]),
     [1.0, None, None, -0.5])
same("text", text(odd, "%.1f"), "3.0 (1.0-5.0)")
same("text without spread, scaled", text(odd, "%.0f %%", 100, spread=False), "300 %")
same("text of none", text(None), "-")
same("a table", table(["a", "b", "c"], [["x", "long", "1"], ["xyz", "y", "22"]]),
     ["a    b      c", "x    long   1", "xyz  y     22"])
sys.exit(failed)
