# SPDX-License-Identifier: Apache-2.0
"""The package's frames have the figures of JSON: figures.py REPORT.json PROFILE [OPTION...]

Each value of each array is in its frame, and the frame has no other value. Exits with 1 if not.
"""
import json
import sys

import ompprof
import pandas


def leaves(value, path=""):
    """The values of an object, by the keys that lead to them, joined by dots."""
    for key, inner in value.items():
        name = f"{path}.{key}" if path else key
        if isinstance(inner, dict):
            yield from leaves(inner, name)
        else:
            yield name, inner


def is_absent(value):
    return not isinstance(value, (list, str)) and pandas.isna(value)


def compare(name, rows, frame):
    """The number of compared values. Raises AssertionError at the first that differs."""
    assert len(frame) == len(rows), f"{name}: {len(frame)} rows, not {len(rows)}"
    compared = 0
    for i, row in enumerate(rows):
        expected = dict(leaves(row))
        for column in set(expected) | set(frame.columns):
            got = frame[column].iloc[i]
            value = expected.get(column)
            same = is_absent(got) if value is None else got == value
            assert same, f"{name}, row {i}, {column}: {got!r}, not {value!r}"
            compared += 1
    return compared


def check(report, profile):
    compared = 0
    for name, rows in report.items():
        if isinstance(rows, list) and (not rows or isinstance(rows[0], dict)):
            compared += compare(name, rows, profile.frame(name))
    assert compared > 5, f"only {compared} values were compared"
    for name in ("regions", "threads", "waits"):
        assert getattr(profile, name).equals(profile.frame(name)), f"the property {name}"
    assert list(profile.nodes.index) == [node["id"] for node in report["nodes"]], "ids of nodes"
    constructs = [node["id"] for node in report["nodes"] if "executions" in node]
    assert list(profile.constructs.index) == constructs, f"constructs are {constructs}"
    whole = sum(node["work_s"] for node in report["nodes"])
    assert abs(profile.inclusive("work_s").iloc[0] - whole) < 1e-6, "all work is below the root"
    for row, thread in enumerate(report["threads"]):
        for state, times in thread.get("timeline", {"times": {}})["times"].items():
            line = profile.timeline
            got = line[(line["row"] == row) & (line["state"] == state)]["time_s"].sum()
            assert abs(got - sum(times)) < 1e-6, f"timeline of row {row}: {state} is {got}"
    if "filters" not in report:
        check_causes(report["summary"], profile.causes.set_index("cause"))


def check_causes(summary, causes):
    for cause, seconds in causes["wall_s"].dropna().items():
        if seconds > 0:
            assert abs(summary[cause + "_s"] - seconds) < 2e-9, f"{cause}: {seconds}"
    if summary["measured"] and causes["wall_s"].notna().any():
        assert abs(causes["wall_s"].sum() - summary["wall_s"]) < 1e-6, "causes add up to wall_s"


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    try:
        check(document, ompprof.read(*sys.argv[2:]))
    except AssertionError as error:
        sys.exit(str(error))
