#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the events of regions of different lengths cost, in programs that are profiled and not, in turns (in_turns.c).
`make bench-regions` runs it in the build folder; README there has its variables and its JSON file. It judges nothing."""
import os
import shutil
import tempfile

from bench import alone, call, number_of, write_json
from summary import summary, table, text

VERSION = 1
BODIES = [0, 500, 1000, 3000, 10000, 30000]  # ns
RUN_S = 300


def run(folder, body, seconds):
    """{way: ns of a region} of one process. OSError if it fails."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    done = call(["bench/in_turns", os.path.abspath(".libs/libompprof.so"), str(body), "%g" % seconds],
                {"OMP_NUM_THREADS": "2", "OMPPROF_OUTPUT": out, "OMPPROF_QUIET": "1"}, RUN_S)
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise OSError(said[-1] if said else "status %d" % done.returncode)
    return {way: float(ns) for way, ns in (line.split() for line in done.stdout.decode().splitlines())}


def main():
    turns, seconds = number_of("BENCH_TURNS", "11"), number_of("BENCH_SECONDS", "0.5", float)
    found = {body: [] for body in BODIES}
    folder = tempfile.mkdtemp(prefix="ompprof-bench.")
    try:
        for _ in range(turns):
            for body in BODIES:
                with alone(os.environ.get("BENCH_LOCK")):
                    found[body].append(run(folder, body, seconds))
    except OSError as problem:
        print("left out: %s" % problem)
        return
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    rows = []
    for body in BODIES:
        ways = found[body]
        rows.append({
            "body_ns": body,
            "without_ns": summary([way["without"] for way in ways]),
            "ignored_more_ns": summary([way["ignored"] - way["without"] for way in ways]),
            "profiled_more_ns": summary([way["profiled"] - way["without"] for way in ways]),
            "ratio": summary([way["profiled"] / way["without"] for way in ways]),
        })
    print("%d processes, 2 threads: ns of a region, median (least-most)" % turns)
    print("\n".join(table(["body, ns", "", "without", "ignored, more", "profiled, more", "ratio"], [
        [str(row["body_ns"]), "", text(row["without_ns"], "%.0f"), text(row["ignored_more_ns"], "%.0f"),
         text(row["profiled_more_ns"], "%.0f"), text(row["ratio"])] for row in rows])))
    write_json("bench/regions.json", {"format": "ompprof-bench-regions", "version": VERSION, "turns": turns,
                                      "rows": rows})


if __name__ == "__main__":
    main()
