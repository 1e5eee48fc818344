# SPDX-License-Identifier: Apache-2.0
"""totals.py OMPPROF FORMATS PROFILE JSON [OPTION...]: whether each export's figures add up to the report's.

A format of one metric is made once for each metric. Prints a line for each format: `FORMAT: agrees`, or what differs;
status 1 if one does.
"""
import csv
import gzip
import io
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from decimal import Decimal
from xml.etree import ElementTree

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


def read_svg(data):
    """The figure of the widest frame, the root's, from its title."""
    root = ElementTree.fromstring(data)
    space = "{http://www.w3.org/2000/svg}"
    titles = [g.find(space + "title").text for g in root.findall(space + "g")]
    amount = re.search(r"\((\S+)( s)?, \S+ %\)$", titles[0])
    return int(Decimal(amount[1]) * 10**9) if amount[2] else int(amount[1])


def read_csv(data):
    sums = Counter()
    for row in csv.DictReader(io.StringIO(data.decode("utf-8"), newline=""), strict=True):
        assert None not in row and all(frame for frame in row["stack"].split(";")[1:])
        for key in METRICS + ["events"]:
            for column in (key, key + "_ns"):
                sums[key] += int(row.get(column) or 0)
    return sums


def read_callgrind(data):
    """Own costs: the lines of figures that follow no calls= line. The summary must say the same."""
    sums, keys, is_call, summary = Counter(), [], False, []
    for line in data.decode("utf-8").split("\n"):
        if line.startswith("events: "):
            keys = line.split()[1:]
        elif line.startswith("summary: "):
            summary = [int(x) for x in line.split()[1:]]
        elif line[:1].isdigit() and not is_call:
            sums.update(dict(zip(keys, map(int, line.split()[1:]))))
        is_call = line.startswith("calls=")
    assert summary == [sums[key] for key in keys], "summary"
    return sums


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value, at = varint(data, at)
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value


def read_pprof(data):
    """Sums of the samples; each id that is used must be there once."""
    texts, types, samples, locations = [], [], [], set()
    for field, value in fields(gzip.decompress(data)):
        if field == 6:
            texts.append(value.decode("utf-8"))
        elif field == 1:
            types.append(dict(fields(value))[1])
        elif field == 2:
            samples.append(dict(pair for pair in fields(value) if pair[0] != 3))
        elif field == 4:
            number = dict(fields(value))[1]
            assert number not in locations, "a location twice"
            locations.add(number)
    assert texts[0] == ""
    sums = Counter()
    for sample in samples:
        for field in 1, 2:
            at, numbers = 0, []
            while at < len(sample[field]):
                number, at = varint(sample[field], at)
                numbers.append(number)
            sample[field] = numbers
        assert locations.issuperset(sample[1]) and len(sample[2]) == len(types)
        sums.update(dict(zip([texts[i] for i in types], sample[2])))
    return sums


def read_sqlite(data):
    """Sums of the values, and those that the metrics say; no reference may lead to nothing."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        base = sqlite3.connect(file.name)
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("SELECT count(*) FROM node WHERE parent >= id").fetchone() == (0,)
        assert base.execute("SELECT count(*) FROM pragma_foreign_key_check"
                            " WHERE NOT (\"table\" = 'value' AND parent = 'thread')").fetchone() == (0,)
        said = {name: total for name, total in base.execute("SELECT name, total FROM metric")}
        sums = Counter(dict(base.execute("SELECT metric, sum(amount) FROM value GROUP BY metric")))
        base.close()
    assert all(sums[name] == total for name, total in said.items()) and set(sums) <= set(said)
    return sums


def read_speedscope(data):
    sums = Counter()
    for profile in json.loads(data)["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert sum(profile["weights"]) == profile["endValue"]
        if profile["name"].endswith(": time in order"):
            continue
        sums[profile["name"].rpartition(" ")[2]] += profile["endValue"]
    return {metric: sums[metric] for metric in METRICS + ["events"]}


def read_firefox(data):
    total = 0
    for thread in json.loads(data, parse_float=lambda text: int(text.replace(".", "")))["threads"]:
        samples = thread["samples"]
        assert len(samples["stack"]) == len(samples["timeDeltas"]) == len(samples["weight"])
        total += sum(samples["weight"])
    return total


SINGLE = {"folded": read_folded, "svg": read_svg, "firefox": read_firefox}
SEVERAL = {"pprof": read_pprof, "csv": read_csv, "callgrind": read_callgrind, "speedscope": read_speedscope,
           "sqlite": read_sqlite}


def export(command, fmt, profile, *options):
    return subprocess.run([command, "export", "--format", fmt, "-i", profile, "-o", "-", *options],
                          check=True, stdout=subprocess.PIPE).stdout


def export_totals(command, fmt, profile, options, metrics):
    if fmt in SEVERAL:
        return SEVERAL[fmt](export(command, fmt, profile, *options))
    read = SINGLE[fmt]
    return {metric: read(export(command, fmt, profile, "--metric", metric, *options))
            for metric in metrics}


def compare(command, fmt, profile, options, want, metrics):
    got = export_totals(command, fmt, profile, options, metrics)
    wrong = [f"{metric}: {got.get(metric)} in the export, {want[metric]} in the report"
             for metric in metrics if (got.get(metric) or 0) != want[metric]]
    return "differs: " + ", ".join(wrong) if wrong else "agrees"


def main():
    command, formats, profile, report, *options = sys.argv[1:]
    want, has_events = report_totals(report)
    metrics = METRICS + (["events"] if has_events else [])
    status = 0
    for fmt in formats.split():
        try:
            said = compare(command, fmt, profile, options, want, metrics)
        except Exception as error:  # The other formats are still judged.
            said = f"cannot be judged: {error!r}"
        print(f"{fmt}: {said}")
        status |= said != "agrees"
    sys.exit(status)


main()
