#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost model in numbers: nanoseconds a sample by the depth of its path, first seen and repeated; nanoseconds a
region, barrier, task and lock; bytes a thread, a distinct path and a region. `make bench-cost` runs it in the build
folder; README there has its variables and its JSON file. It judges nothing."""
import json
import math
import os
import shutil
import tempfile

from bench import FAILURES, alone, attempt, number_of, output, remove_json, write_json
from summary import differences, summary, table, text

VERSION = 1
DEPTHS = [5, 30, 50, 200]
SAMPLES = {5: 4000, 30: 4000, 50: 4000, 200: 1000}  # paths that are new take room
BY_TIMER = 200
CONSTRUCTS = [("region", "parallel"), ("barrier", "barrier"), ("task", "task"), ("task of one thread", "task-alone"),
              ("lock that nobody else wants", "lock-alone"), ("lock that two threads want", "lock")]
VARIANTS = ["bare", "handler", "events", "ompprof"]


def run(command, **variables):
    """Its stdout, as words of each line. OSError if it fails."""
    return [line.split() for line in output(command, variables).splitlines()]


def profiled(out, command, **variables):
    """Its stdout, and what info says of the profile."""
    shutil.rmtree(out, ignore_errors=True)
    said = run(["./ompprof", "run", "-q", "-o", out, "--", *command], **variables)
    return said, json.loads(output(["./ompprof", "info", "-i", out, "--format", "json"], {}))["processes"][0]


def used(info, kind=None):
    """Bytes of the file that are used, of one kind of records or of all."""
    return sum(section["used_bytes"] for section in info["sections"] if kind in (None, section["kind"]))


def handler_run(out, depth, kind, n, how):
    """What bench/handler says of so many samples, in ns."""
    command = ["bench/handler", str(depth), kind, str(n), *(["timer"] if how == "timer" else [])]
    figures = {word: float(number) for word, number in profiled(out, command)[0]}
    calls = figures["set_timer"] + (0 if how == "timer" else figures["read_clock"])
    return figures["median"], figures["p99"], calls


def handler_times(out, turns, factor):
    """A row for each depth and kind of path: nanoseconds in the handler, and in its system calls alone."""
    rows = []
    handler_run(out, DEPTHS[0], "same", 1, "signals")
    for depth, kind, how in [(depth, kind, "signals") for depth in DEPTHS for kind in ("same", "new")] + \
            [(30, kind, "timer") for kind in ("same", "new")]:
        n = math.ceil(factor * (BY_TIMER if how == "timer" else SAMPLES[depth]))
        runs = []
        for turn in range(turns):
            with alone(os.environ.get("BENCH_LOCK")):
                runs.append(attempt("%d calls, %s, by %s, turn %d" % (depth, kind, how, turn), handler_run, out, depth,
                                    kind, n, how))
        median, p99, calls = [summary([run and run[i] for run in runs]) for i in range(3)]
        rows.append({"depth": depth, "path": "first seen" if kind == "new" else "repeated", "by": how, "samples": n,
                     "median_ns": median, "p99_ns": p99, "calls_ns": calls})
    return rows


def construct_run(out, variant):
    """{name: ns} of all constructs, by themselves, under a tool, or under ompprof."""
    command = ["bench/constructs", "8", *[name for _, name in CONSTRUCTS]]
    variables = {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "infinite"}
    if variant == "ompprof":
        said = profiled(out, command, **variables)[0]
    else:
        if variant != "bare":
            variables.update(OMP_TOOL_LIBRARIES=os.path.abspath("bench/empty_handler.so"), BENCH_HZ="200")
        if variant == "events":
            variables["BENCH_IGNORE"] = "1"
        said = run(command, **variables)
    return {name: float(ns) for name, ns in said}


def construct_times(out, turns):
    """A row for each construct: nanoseconds more than under an empty handler, and than with events that are ignored."""
    found = {variant: [] for variant in VARIANTS}
    construct_run(out, "bare")
    for turn in range(turns):
        with alone(os.environ.get("BENCH_LOCK")):
            for variant in VARIANTS:
                found[variant].append(attempt("constructs, %s, turn %d" % (variant, turn), construct_run, out, variant))
    rows = []
    for words, name in CONSTRUCTS:
        bare, handler, events, ompprof = [[run and run[name] for run in found[variant]] for variant in VARIANTS]
        rows.append({"construct": words, "bare_ns": summary(bare),
                     "over_handler_ns": summary(differences(ompprof, handler)),
                     "over_events_ns": summary(differences(ompprof, events))})
    return rows


def peak_kb(said):
    return int(dict(said)["peak_kb"])


def thread_sizes(out, factor):
    """Of a thread: from runs of 2 and of 34."""
    command = ["bench/kernels/compute", "%g" % (0.2 * factor)]
    alone_kb = [peak_kb(run(command, OMP_NUM_THREADS=str(n))) for n in (2, 34)]
    (few_said, few), (many_said, many) = [profiled(out, command, OMP_NUM_THREADS=str(n)) for n in (2, 34)]
    touched_kb = peak_kb(many_said) - alone_kb[1] - peak_kb(few_said) + alone_kb[0]
    return [("thread: in the file", (many["bytes"] - few["bytes"]) / 32),
            ("thread: reserved beside it", (many["cost"]["memory_bytes"] - few["cost"]["memory_bytes"]) / 32),
            ("thread: memory that was touched", 1024 * touched_kb / 32)]


def path_size(out, depth, factor):
    few, many = [profiled(out, ["bench/handler", str(depth), "new", str(math.ceil(factor * n))])[1]
                 for n in (1000, 3000)]
    return ("path of %d calls, new from the outermost one" % depth,
            (used(many, "nodes") - used(few, "nodes")) / (many["cost"]["paths"] - few["cost"]["paths"]))


def region_sizes(out):
    """Of a region: from runs of 8 and of 64."""
    few, many = [profiled(out, ["bench/sites", str(n)], OMP_NUM_THREADS="2")[1] for n in (8, 64)]
    return [("region: its record", (used(many, "regions") - used(few, "regions")) / 56),
            ("region: nodes of two threads", (used(many, "nodes") - used(few, "nodes")) / 56)]


def sizes(out, factor):
    """Bytes of each thing, from two runs that differ in how many there are."""
    once, twice = [profiled(out, ["bench/kernels/compute", "%g" % (factor * n)], OMP_NUM_THREADS="2")[1]
                   for n in (1, 2)]
    found = [*thread_sizes(out, factor), path_size(out, 30, factor), path_size(out, 50, factor), *region_sizes(out),
             ("file of a run", once["bytes"]), ("file of one twice as long", twice["bytes"])]
    return [{"of": words, "bytes": round(size)} for words, size in found]


def part(what, function, *arguments):
    """What it returns; None, and a line that says so, if it cannot be had here."""
    try:
        return function(*arguments)
    except FAILURES as problem:
        print("left out: %s (%s)" % (what, problem))
        return None


def print_tables(turns, handler, constructs, of_bytes):
    """Of the parts that are there."""
    if handler:
        print("ns in the handler, medians of %d turns (least-most)" % turns)
        print("\n".join(table(["path", "calls", "taken by", "median", "p99", "system calls of it"], [
            [row["path"], str(row["depth"]), row["by"], text(row["median_ns"], "%.0f"), text(row["p99_ns"], "%.0f"),
             text(row["calls_ns"], "%.0f", spread=False)] for row in handler])))
    if constructs:
        print("\nns a construct, at the bottom of 8 calls, of 2 threads")
        print("\n".join(table(["construct", "", "bare", "over an empty handler", "over ignored events"], [
            [row["construct"], "", text(row["bare_ns"], "%.0f", spread=False), text(row["over_handler_ns"], "%.0f"),
             text(row["over_events_ns"], "%.0f")] for row in constructs])))
    if of_bytes:
        print("\nbytes")
        print("\n".join(table(["of", "", "bytes"], [[row["of"], "", str(row["bytes"])] for row in of_bytes])))


def main():
    remove_json("cost.json")
    turns, factor = number_of("BENCH_TURNS", "3"), number_of("BENCH_FACTOR", "1", float)
    scratch = tempfile.mkdtemp(prefix="ompprof-bench.")
    out = os.path.join(scratch, "out")
    try:
        handler = part("handler", handler_times, out, turns, factor)
        constructs = part("constructs", construct_times, out, turns)
        with alone(os.environ.get("BENCH_LOCK")):
            of_bytes = part("sizes", sizes, out, factor)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print_tables(turns, handler, constructs, of_bytes)
    write_json("cost.json", {"format": "ompprof-bench-cost", "version": VERSION, "turns": turns, "handler": handler,
                             "constructs": constructs, "sizes": of_bytes})


if __name__ == "__main__":
    main()
