#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What samples and events cost a kernel that computes and one that goes through memory, switched on and off while it runs
(switched.c). `make bench-switched` runs it in the build folder; README there has its variables and its JSON file. It
judges nothing."""
from bench import number_of, remove_json, write_json
from processes import in_turns
from summary import differences, summary, table, text

VERSION = 1
KERNELS = ["compute", "stencil"]
HEADS = ["empty", "ignored events", "with own events", "own samples", "profiled", "... over empty"]
WAYS = ["turn", "empty", "ignored", "events", "samples", "profiled"]


def row_of(kernel, found):
    """What the JSON file has of a kernel."""
    turn, others = found[0], dict(zip(WAYS[1:], found[1:]))
    row = {"kernel": kernel, "turn_ns": summary(turn)}
    row.update(("%s_ratio" % way, summary(figures)) for way, figures in others.items())
    row["over_empty"] = summary(differences(others["profiled"], others["empty"]))
    return row


def main():
    remove_json("switched.json")
    turns, seconds = number_of("BENCH_TURNS", "11"), number_of("BENCH_SECONDS", "5", float)
    found = in_turns("bench/switched", KERNELS, "%s", WAYS, turns, seconds)
    if not found:
        return
    rows = [row_of(kernel, found[kernel]) for kernel in KERNELS]
    print("%d processes, 2 threads: CPU time to bare, median (least-most)" % turns)
    print("\n".join(table(["kernel", ""] + HEADS, [
        [row["kernel"], ""] + [text(row[key], "%.4f") for key in list(row)[2:]] for row in rows])))
    write_json("switched.json", {"format": "ompprof-bench-switched", "version": VERSION, "turns": turns, "rows": rows})


if __name__ == "__main__":
    main()
