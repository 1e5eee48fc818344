#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the events of regions of different lengths cost, in programs that are profiled and not, in turns (in_turns.c).
`make bench-regions` runs it in the build folder; README there has its variables and its JSON file. It judges nothing."""
import os
import shutil
import tempfile

from bench import FAILURES, alone, attempt, number_of, output, remove_json, write_json
from summary import differences, ratios, summary, table, text

VERSION = 1
BODIES = [0, 500, 1000, 3000, 10000, 30000]  # ns
WAYS = ["without", "ignored", "profiled"]
TRY_S = 0.01


def run(folder, body, seconds):
    """{way: ns of a region} of one process. OSError if it fails."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    said = output(["bench/in_turns", os.path.abspath(".libs/libompprof.so"), str(body), "%g" % seconds],
                  {"OMP_NUM_THREADS": "2", "OMPPROF_OUTPUT": out, "OMPPROF_QUIET": "1"})
    ns = dict(line.split() for line in said.splitlines())
    return {way: float(ns[way]) for way in WAYS}


def row_of(body, runs):
    """What the JSON file has of a body: of runs, None for those that failed."""
    without, ignored, profiled = [[found and found[way] for found in runs] for way in WAYS]
    return {"body_ns": body, "without_ns": summary(without), "ignored_more_ns": summary(differences(ignored, without)),
            "profiled_more_ns": summary(differences(profiled, without)), "ratio": summary(ratios(profiled, without))}


def main():
    remove_json("regions.json")
    turns, seconds = number_of("BENCH_TURNS", "11"), number_of("BENCH_SECONDS", "0.5", float)
    found = {body: [] for body in BODIES}
    folder = tempfile.mkdtemp(prefix="ompprof-bench.")
    try:
        run(folder, BODIES[0], TRY_S)
        for turn in range(turns):
            for body in BODIES:
                with alone(os.environ.get("BENCH_LOCK")):
                    found[body].append(attempt("bodies of %d ns, turn %d" % (body, turn), run, folder, body, seconds))
    except FAILURES as problem:
        print("left out: %s" % problem)
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [row_of(body, found[body]) for body in BODIES]
    print("%d processes, 2 threads: ns of a region, median (least-most)" % turns)
    print("\n".join(table(["body, ns", "", "without", "ignored, more", "profiled, more", "ratio"], [
        [str(row["body_ns"]), "", text(row["without_ns"], "%.0f"), text(row["ignored_more_ns"], "%.0f"),
         text(row["profiled_more_ns"], "%.0f"), text(row["ratio"])] for row in rows])))
    write_json("regions.json", {"format": "ompprof-bench-regions", "version": VERSION, "turns": turns, "rows": rows})


if __name__ == "__main__":
    main()
