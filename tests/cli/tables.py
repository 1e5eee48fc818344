#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a report says in one form it says in all: the tables as text and as CSV, and JSON, have the same
figures but for rounding, and what is shown adds up to what is not cut.

tables.py OMPPROF PROFILE: prints a line for each thing that does not hold; the status is 1 then.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
from decimal import Decimal

UNITS = {"k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
TREES = ["--tree", "--bottom-up"]
LISTS = ["--flat", "--by line", "--by module"]
TABLES = ["--by region", "--by construct", "--by wait", "--by thread", "--by lock", "--by task",
          "--by process"]

command, profile = sys.argv[1:3]
wrong = []


def report(options):
    environment = dict(os.environ, COLUMNS="200")
    run = subprocess.run([command, "report", "-i", profile, *options.split()], stdout=subprocess.PIPE,
                         env=environment, check=True)
    return run.stdout.decode()


def table(view, options=""):
    """A table as CSV: one dictionary a row."""
    text = report(f"{view} --format csv {options}")
    if not text.endswith("\r\n") or "\n" in text.replace("\r\n", ""):
        wrong.append(f"{view}: lines that do not end in CR LF")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    if any(len(row) != len(rows[0]) for row in rows):
        wrong.append(f"{view}: rows of different lengths")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def number(text):
    """A number of CSV; an empty cell is none."""
    return Decimal(text or "0")


def expect(what, left, right, error=Decimal("0")):
    if abs(Decimal(left) - Decimal(right)) > Decimal(error):
        wrong.append(f"{what}: {left} and {right}")


def expect_near(what, text, exact):
    """Text for people and the exact figure: the last digit that is shown is rounded."""
    match = re.fullmatch(r"(<?)([+-]?)([0-9.]+)([kMGTPE]?)(ns|us|ms|s)?", text)
    if not match:
        wrong.append(f"{what}: '{text}' is no number")
        return
    digits = match[3]
    scale = Decimal(UNITS.get(match[4], 1)) * {"ns": Decimal("1e-9"), "us": Decimal("1e-6"),
                                               "ms": Decimal("1e-3")}.get(match[5], Decimal(1))
    last = Decimal(10) ** -len(digits.partition(".")[2]) * scale
    if match[4]:
        # Counts are cut, not rounded.
        last *= 2
    shown = Decimal(digits) * scale * (-1 if match[2] == "-" else 1)
    if match[1]:
        if not 0 < exact < shown:
            wrong.append(f"{what}: {text} and {exact}")
    elif abs(shown - exact) > last / 2 + Decimal("1e-12"):
        wrong.append(f"{what}: {text} and {exact}")


def column(view, key, options="--percent-limit 0 -n 999999999"):
    """One column as text: the rows, the total, and what is said of those that were cut."""
    lines = report(f"{view} {options} -f {key}").split("\n")[1:-1]
    while lines and (lines[-1].startswith("warning:") or lines[-1].startswith("(no room")):
        lines.pop()
    cut = lines.pop() if lines and lines[-1].startswith("(") else ""
    return [line.strip() for line in lines[:-1]], lines[-1].strip(), cut


def compare_text(view, rows):
    """Each number of CSV is that of the text, where that shows the row."""
    for heading in rows[0] if rows else []:
        key = re.sub(r"_s$", "", re.sub(r"_share$", "%", heading))
        if heading in ("path", "depth", "line", "tid", "pid", "rank", "thread", "type", "kind") or \
                not any(re.fullmatch(r"[0-9.]+", row[heading]) for row in rows):
            continue
        texts = column(view, key)[0]
        if len(texts) != len(rows):
            wrong.append(f"{view}: {len(texts)} rows of {key} as text, {len(rows)} as CSV")
            return
        percent = 100 if heading.endswith("_share") or heading == "efficiency" else 1
        for text, row in zip(texts, rows):
            if bool(text) != bool(row[heading]):
                wrong.append(f"{view} {key}: '{text}' and '{row[heading]}'")
            elif text:
                expect_near(f"{view} {key}", text, number(row[heading]) * percent)


def check_tree(view, whole):
    """What a node has with all below it is its own and what those right below it have."""
    rows = table(view)
    stack = []
    top = {key: Decimal(0) for key in whole}
    for row in rows:
        depth = int(row["depth"])
        del stack[depth - 1:]
        if row["path"].count(";") != depth - 1:
            wrong.append(f"{view}: the path '{row['path']}' is not {depth} deep")
        for key in whole:
            if depth == 1:
                top[key] += number(row[key])
            else:
                stack[-1][1][key] += number(row[key])
        stack.append((row, {key: Decimal(0) for key in whole}))
        row["below"] = stack[-1][1]
    for key in whole:
        expect(f"{view}: {key} of the outermost rows and of the run", top[key], whole[key])
    return rows


def check_trees(run):
    whole = {"total_s": run["total_s"], "samples": run["samples"]}
    for row in check_tree("--tree", whole):
        for key in whole:
            own = number(row["self_" + key.replace("total_", "")])
            expect(f"--tree: {key} of {row['path']}", number(row[key]), own + row["below"][key])
    # What a function has below it are its callers: theirs is a part, and not more.
    for row in check_tree("--bottom-up", {"self_s": run["total_s"], "self_samples": run["samples"]}):
        if row["below"]["self_s"] > number(row["self_s"]):
            wrong.append(f"--bottom-up: callers of {row['path']} have more than it")


def check_lists(run):
    for view in LISTS:
        rows = table(view)
        expect(f"{view}: sum of self", sum(number(row["self_s"]) for row in rows), run["total_s"])
        expect(f"{view}: sum of samples", sum(number(row["self_samples"]) for row in rows),
               run["samples"])


def check_waits(whole):
    """What is below a row is all of it."""
    for options in ("", "--reverse"):
        rows = table("--by wait " + options)
        for i, row in enumerate(rows):
            if row["depth"] != "1":
                continue
            below = Decimal(0)
            k = i + 1
            while k < len(rows) and rows[k]["depth"] == "2":
                below += number(rows[k]["wait_s"])
                k += 1
            if k > i + 1:
                expect(f"--by wait {options}: {row['name']}", number(row["wait_s"]), below)
        expect(f"--by wait {options}: all", sum(number(row["wait_s"]) for row in rows
                                                if row["depth"] == "1"), whole)


def compare_json(view, rows, objects, keys, error="0"):
    """Rows of CSV and objects of JSON, in the same order; a column is called as the key."""
    if len(rows) != len(objects):
        wrong.append(f"{view}: {len(rows)} rows, {len(objects)} in JSON")
        return
    for row, entry in zip(rows, objects):
        for key in keys:
            if key in entry and row[key]:
                expect(f"{view} {key}", number(row[key]), entry[key], error)


def check_cut(view, key):
    """Rows that are shown and what the rest comes to are the total."""
    for options in ("--percent-limit 3", "-n 2", "--percent-limit 2 -n 3"):
        texts, total, cut = column(view, key, options)
        shown = [text for text in texts if text]
        together = re.search(r"together (<?[0-9.]+[kMG]?)", cut)
        if together:
            shown.append(together[1])
        value = [Decimal(re.sub(r"[^0-9.]", "", text)) for text in [*shown, total]]
        # Each is rounded to three digits.
        error = sum(max(abs(v) / 200, Decimal("0.0006")) for v in value)
        expect(f"{view} {options}: {key} that is shown, cut, and in all", sum(value[:-1]), value[-1],
               error)


data = json.loads(report("--format json"), parse_float=Decimal, parse_int=Decimal)
nodes = data["nodes"]
own = {"samples": data["run"]["samples"],
       "total_s": sum(node["work_s"] + node["overhead_s"] + sum(
           time for word, time in node["wait"].items() if word != "reduction") for node in nodes)}
summary = data["summary"]

check_trees(own)
check_lists(own)
check_waits(summary["wait_s"])
for view in TREES + LISTS + TABLES:
    compare_text(view, table(view))

compare_json("--by region", [row for row in table("--by region") if not row["name"].startswith("(")],
             data["regions"],
             ["executions", "wall_s", "mean_s", "p50_s", "p95_s", "min_s", "max_s", "threads_max",
              "efficiency", "gain_s", "imbalance_s", "lock_s", "task_s", "overhead_s", "short_team_s",
              "not_running_s", "blocked_s", "mpi_s", "persistent_s", "line"], "2e-9")
compare_json("--by thread", table("--by thread"), data["threads"],
             [key for key in table("--by thread")[0] if key.endswith("_s")] +
             ["thread", "tid", "pid", "lives"] if data["threads"] else [])
compare_json("--by lock", table("--by lock"), data["locks"],
             ["wait_s", "acquired", "contended", "wait_mean_s", "wait_max_s", "held_s", "hold_mean_s",
              "hold_max_s", "held_share", "threads", "line"])
compare_json("--by task", table("--by task"), data["tasks"],
             ["created", "executed", "creators", "busy_s", "mean_s", "max_s", "stolen_share",
              "starved_s", "line"])
compare_json("--by process", table("--by process"), data.get("processes", []),
             ["rank", "pid", "threads", "samples", "wall_s", "capacity_s", "useful_s", "mpi_s",
              "wait_s", "other_s", "efficiency"])
counted = [process for process in data.get("processes", []) if process["counted"]]
capacity = sum(number(process["capacity_s"]) for process in counted)
for process in counted:
    if process["causes"]:
        expect(f"causes of process {process['pid']}", sum(map(number, process["causes"].values())),
               process["capacity_s"])
if all(process["causes"] for process in counted):
    for key in {key for process in counted for key in process["causes"]}:
        expect(f"{key} of the processes", sum(number(process["causes"].get(key, 0)) for process in counted)
               * number(summary["wall_s"]), number(summary[key]) * capacity, "2e-8")
factors = {row["word"]: number(row["factor"]) for row in table("--pop")}
for word, factor in summary["factors"].items():
    expect(f"--pop {word}", factors.get(word, 1), factor, "2e-9")
expect("--pop efficiency", factors["efficiency"], summary["efficiency"], "2e-9")
causes = table("")
if summary["measured"] and any(row["wall_s"] for row in causes):
    for row in causes:
        expect(f"summary {row['cause']}", number(row["wall_s"]), summary.get(row["cause"] + "_s", 0),
               "2e-9")
    expect("summary: causes and the wall time", sum(number(row["wall_s"]) for row in causes),
           summary["wall_s"], "2e-8")
expect("summary: shares", sum(number(row["share"]) for row in causes), 1 if own["samples"] else 0,
       "2e-8")

for view, key in (("--flat", "self"), ("--by line", "self"), ("--by module", "self"),
                  ("--by region", "gain"), ("--by thread", "total"), ("--by lock", "wait"),
                  ("--by construct", "wait"), ("--by task", "created"), ("--by wait -n 99", None)):
    if key:
        check_cut(view, key)

print("\n".join(wrong))
sys.exit(1 if wrong else 0)
