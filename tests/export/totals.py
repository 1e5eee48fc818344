# SPDX-License-Identifier: Apache-2.0
"""totals.py OMPPROF FORMAT PROFILE JSON [OPTION...]: whether an export's figures add up to the report's.

A format of one metric is made once for each metric. Status 1 if they differ.
"""
import json
import subprocess
import sys
from collections import Counter

METRICS = ["samples", "time", "work", "wait", "overhead", "blame"]


def ns(seconds):
    return int(round(seconds * 1e9))


def report_totals(path):
    """The sums over the nodes of a report, in ns and counts."""
    with open(path, encoding="utf-8") as file:
        report = json.load(file, parse_float=lambda text: int(text.replace(".", "")
                         + "0" * (9 - len(text.split(".")[1]))) / 10**9)
    sums = Counter()
    for node in report["nodes"]:
        wait = sum(ns(v) for k, v in node["wait"].items() if k != "reduction")
        sums["samples"] += node["samples"]
        sums["work"] += ns(node["work_s"])
        sums["wait"] += wait
        sums["overhead"] += ns(node["overhead_s"])
        sums["time"] += ns(node["work_s"]) + wait + ns(node["overhead_s"])
        sums["blame"] += ns(node.get("blame_s", 0))
        if "events" in node:
            sums["events"] += node["events"]
            sums.setdefault("events", 0)
    return sums, any("events" in node for node in report["nodes"])


def read_folded(data):
    total = 0
    for line in data.decode("utf-8").split("\n")[:-1]:
        stack, _, value = line.rpartition(" ")
        assert stack and all(stack.split(";")), f"no stack in {line!r}"
        total += int(value)
    return total


SINGLE = {"folded": read_folded}
SEVERAL = {}


def export(command, fmt, profile, *options):
    return subprocess.run([command, "export", "--format", fmt, "-i", profile, "-o", "-", *options],
                          check=True, stdout=subprocess.PIPE).stdout


def export_totals(command, fmt, profile, options, metrics):
    if fmt in SEVERAL:
        return SEVERAL[fmt](export(command, fmt, profile, *options))
    read = SINGLE[fmt]
    return {metric: read(export(command, fmt, profile, "--metric", metric, *options))
            for metric in metrics}


def main():
    command, fmt, profile, report, *options = sys.argv[1:]
    want, has_events = report_totals(report)
    metrics = METRICS + (["events"] if has_events else [])
    got = export_totals(command, fmt, profile, options, metrics)
    wrong = [f"{metric}: {got.get(metric)} in the export, {want[metric]} in the report"
             for metric in metrics if got.get(metric) != want[metric]]
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


main()
