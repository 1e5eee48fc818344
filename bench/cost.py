#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost model in numbers: nanoseconds a sample by the depth of its path, first seen and repeated; nanoseconds a
region, barrier, task and lock; bytes a thread, a distinct path and a region. `make bench-cost` runs it in the build
folder; README there has its variables and its JSON file. It judges nothing."""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from bench import alone, call, number_of, setting, write_json
from summary import summary, table, text

VERSION = 1
DEPTHS = [5, 30, 50, 200]
SAMPLES = {5: 4000, 30: 4000, 50: 4000, 200: 1000}  # paths that are new take room
BY_TIMER = 200
CONSTRUCTS = [("region", "parallel"), ("barrier", "barrier"), ("task", "task"), ("task of one thread", "task-alone"),
              ("lock that nobody else wants", "lock-alone"), ("lock that two threads want", "lock")]
RUN_S = 300


def run(command, **variables):
    """Its stdout, as words of each line. OSError if it fails."""
    done = call(command, variables, RUN_S)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise OSError("%s: %s" % (" ".join(command), said[0] if said else "status %d" % done.returncode))
    return [line.split() for line in done.stdout.decode().splitlines()]


def profiled(out, command, **variables):
    """Its stdout, and what info says of the profile."""
    shutil.rmtree(out, ignore_errors=True)
    said = run(["./ompprof", "run", "-q", "-o", out, "--", *command], **variables)
    done = subprocess.run(["./ompprof", "info", "-i", out, "--format", "json"], stdout=subprocess.PIPE, check=True)
    return said, json.loads(done.stdout)["processes"][0]


def used(info, kind=None):
    """Bytes of the file that are used, of one kind of records or of all."""
    return sum(section["used_bytes"] for section in info["sections"] if kind in (None, section["kind"]))


def handler_times(out, turns):
    """A row for each depth and kind of path: nanoseconds in the handler, and in its system calls alone."""
    rows = []
    for depth, kind, how in [(depth, kind, "signals") for depth in DEPTHS for kind in ("same", "new")] + \
            [(30, kind, "timer") for kind in ("same", "new")]:
        medians, p99s, calls = [], [], []
        n = BY_TIMER if how == "timer" else SAMPLES[depth]
        for _ in range(turns):
            with alone(os.environ.get("BENCH_LOCK")):
                said, _ = profiled(out, ["bench/handler", str(depth), kind, str(n), *(["timer"] if how == "timer"
                                                                                      else [])])
            figures = {word: float(number) for word, number in said}
            medians.append(figures["median"])
            p99s.append(figures["p99"])
            calls.append(figures["set_timer"] + (0 if how == "timer" else figures["read_clock"]))
        rows.append({"depth": depth, "path": "first seen" if kind == "new" else "repeated", "by": how, "samples": n,
                     "median_ns": summary(medians), "p99_ns": summary(p99s), "calls_ns": summary(calls)})
    return rows


def construct_times(out, turns):
    """A row for each construct: nanoseconds more than under an empty handler, and than with events that are ignored."""
    names = [name for _, name in CONSTRUCTS]
    here = os.path.abspath("bench/empty_handler.so")
    waits = {"OMP_NUM_THREADS": "2", "KMP_BLOCKTIME": "infinite", "BENCH_HZ": "200"}
    found = {name: {"handler": [], "events": [], "bare": []} for name in names}
    for _ in range(turns):
        with alone(os.environ.get("BENCH_LOCK")):
            command = ["bench/constructs", "8", *names]
            bare = dict(run(command, **waits))
            handler = dict(run(command, OMP_TOOL_LIBRARIES=here, **waits))
            events = dict(run(command, OMP_TOOL_LIBRARIES=here, BENCH_IGNORE="1", **waits))
            ompprof = dict(profiled(out, command, **waits)[0])
        for name in names:
            found[name]["bare"].append(float(bare[name]))
            found[name]["handler"].append(float(ompprof[name]) - float(handler[name]))
            found[name]["events"].append(float(ompprof[name]) - float(events[name]))
    return [{"construct": words, "bare_ns": summary(found[name]["bare"]),
             "over_handler_ns": summary(found[name]["handler"]), "over_events_ns": summary(found[name]["events"])}
            for words, name in CONSTRUCTS]


def sizes(out):
    """Bytes of each thing, from two runs that differ in how many there are."""
    few, many = [profiled(out, ["bench/kernels/compute", "0.2"], OMP_NUM_THREADS=str(n))[1] for n in (2, 34)]
    alone_kb = [int(dict(line for line in run(["bench/kernels/compute", "0.2"], OMP_NUM_THREADS=str(n)))["peak_kb"])
                for n in (2, 34)]
    with_kb = [int(dict(profiled(out, ["bench/kernels/compute", "0.2"], OMP_NUM_THREADS=str(n))[0])["peak_kb"])
               for n in (2, 34)]
    found = [("thread: in the file", (many["bytes"] - few["bytes"]) / 32),
             ("thread: reserved beside it", (many["cost"]["memory_bytes"] - few["cost"]["memory_bytes"]) / 32),
             ("thread: memory that was touched", 1024 * (with_kb[1] - alone_kb[1] - with_kb[0] + alone_kb[0]) / 32)]
    for depth in (30, 50):
        few, many = [profiled(out, ["bench/handler", str(depth), "new", str(n)])[1] for n in (1000, 3000)]
        found.append(("path of %d calls, new from the outermost one" % depth,
                      (used(many, "nodes") - used(few, "nodes")) / (many["cost"]["paths"] - few["cost"]["paths"])))
    few, many = [profiled(out, ["bench/sites", str(n)], OMP_NUM_THREADS="2")[1] for n in (8, 64)]
    found.append(("region: its record", (used(many, "regions") - used(few, "regions")) / 56))
    found.append(("region: nodes of two threads", (used(many, "nodes") - used(few, "nodes")) / 56))
    once, twice = [profiled(out, ["bench/kernels/compute", factor], OMP_NUM_THREADS="2")[1] for factor in ("1", "2")]
    found.append(("file of a run", once["bytes"]))
    found.append(("file of one twice as long", twice["bytes"]))
    return [{"of": words, "bytes": round(size)} for words, size in found]


def main():
    turns = number_of("BENCH_TURNS", "3")
    scratch = tempfile.mkdtemp(prefix="ompprof-bench.")
    out = os.path.join(scratch, "out")
    try:
        handler = handler_times(out, turns)
        constructs = construct_times(out, turns)
        bytes_of = sizes(out)
    except (OSError, subprocess.SubprocessError) as problem:
        sys.exit("bench: %s" % problem)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print("ns in the handler, medians of %d turns (least-most)" % turns)
    print("\n".join(table(["path", "calls", "taken by", "median", "p99", "system calls of it"], [
        [row["path"], str(row["depth"]), row["by"], text(row["median_ns"], "%.0f"), text(row["p99_ns"], "%.0f"),
         text(row["calls_ns"], "%.0f", spread=False)] for row in handler])))
    print("\nns a construct, at the bottom of 8 calls, of 2 threads")
    print("\n".join(table(["construct", "bare", "over an empty handler", "over ignored events"], [
        [row["construct"], text(row["bare_ns"], "%.0f", spread=False), text(row["over_handler_ns"], "%.0f"),
         text(row["over_events_ns"], "%.0f")] for row in constructs])))
    print("\nbytes")
    print("\n".join(table(["of", "", "bytes"], [[row["of"], "", str(row["bytes"])] for row in bytes_of])))
    write_json("bench/cost.json", {"format": "ompprof-bench-cost", "version": VERSION, "turns": turns,
                                   "handler": handler, "constructs": constructs, "sizes": bytes_of})


if __name__ == "__main__":
    main()
