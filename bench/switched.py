#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What samples and events cost a kernel that computes and one that goes through memory, switched on and off while it runs
(switched.c). `make bench-switched` runs it in the build folder; README there has its variables and its JSON file. It
judges nothing."""
import os
import shutil
import tempfile

from bench import FAILURES, alone, attempt, number_of, output, remove_json, write_json
from summary import differences, summary, table, text

VERSION = 1
KERNELS = ["compute", "stencil"]
WAYS = ["turn", "empty", "ignored", "profiled"]
TRY_S = 0.01


def run(folder, kernel, seconds):
    """{way: its figure} of one process. OSError if it fails."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    said = output(["bench/switched", os.path.abspath(".libs/libompprof.so"), kernel, "%g" % seconds],
                  {"OMP_NUM_THREADS": "2", "OMPPROF_OUTPUT": out, "OMPPROF_QUIET": "1"})
    figures = dict(line.split() for line in said.splitlines())
    return {way: float(figures[way]) for way in WAYS}


def row_of(kernel, runs):
    """What the JSON file has of a kernel: of runs, None for those that failed."""
    turn, empty, ignored, profiled = [[found and found[way] for found in runs] for way in WAYS]
    return {"kernel": kernel, "turn_ns": summary(turn), "empty_ratio": summary(empty), "ignored_ratio": summary(ignored),
            "profiled_ratio": summary(profiled), "over_empty": summary(differences(profiled, empty))}


def main():
    remove_json("switched.json")
    turns, seconds = number_of("BENCH_TURNS", "11"), number_of("BENCH_SECONDS", "5", float)
    found = {kernel: [] for kernel in KERNELS}
    folder = tempfile.mkdtemp(prefix="ompprof-bench.")
    try:
        run(folder, KERNELS[0], TRY_S)
        for turn in range(turns):
            for kernel in KERNELS:
                with alone(os.environ.get("BENCH_LOCK")):
                    found[kernel].append(attempt("%s, turn %d" % (kernel, turn), run, folder, kernel, seconds))
    except FAILURES as problem:
        print("left out: %s" % problem)
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = [row_of(kernel, found[kernel]) for kernel in KERNELS]
    print("%d processes, 2 threads: CPU time to bare, median (least-most)" % turns)
    print("\n".join(table(["kernel", "", "empty", "ignored events", "profiled", "... over empty"], [
        [row["kernel"], "", text(row["empty_ratio"], "%.4f"), text(row["ignored_ratio"], "%.4f"),
         text(row["profiled_ratio"], "%.4f"), text(row["over_empty"], "%.4f")] for row in rows])))
    write_json("switched.json", {"format": "ompprof-bench-switched", "version": VERSION, "turns": turns, "rows": rows})


if __name__ == "__main__":
    main()
