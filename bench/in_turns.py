#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the events of regions of different lengths cost, in programs that are profiled and not, in turns (in_turns.c).
`make bench-regions` runs it in the build folder; README there has its variables and its JSON file. It judges nothing."""
from bench import number_of, remove_json, write_json
from processes import in_turns
from summary import differences, ratios, summary, table, text

VERSION = 1
BODIES = ["0", "500", "1000", "3000", "10000", "30000", "0x2", "1000x2", "1000x10", "1000x30", "10000x2"]  # ns, x constructs
WAYS = ["without", "ignored", "profiled"]


def row_of(body, found):
    """What the JSON file has of a body."""
    without, ignored, profiled = found
    length, _, constructs = body.partition("x")
    return {"body_ns": int(length), "constructs": int(constructs or 1), "without_ns": summary(without),
            "ignored_more_ns": summary(differences(ignored, without)),
            "profiled_more_ns": summary(differences(profiled, without)), "ratio": summary(ratios(profiled, without))}


def main():
    remove_json("regions.json")
    turns, seconds = number_of("BENCH_TURNS", "11"), number_of("BENCH_SECONDS", "0.5", float)
    found = in_turns("bench/in_turns", BODIES, "bodies of %s ns", WAYS, turns, seconds)
    if not found:
        return
    rows = [row_of(body, found[body]) for body in BODIES]
    print("%d processes, 2 threads: ns of a region, median (least-most)" % turns)
    print("\n".join(table(["body, ns", "constructs", "without", "ignored, more", "profiled, more", "ratio"], [
        [str(row["body_ns"]), str(row["constructs"]), text(row["without_ns"], "%.0f"), text(row["ignored_more_ns"], "%.0f"),
         text(row["profiled_more_ns"], "%.0f"), text(row["ratio"])] for row in rows])))
    write_json("regions.json", {"format": "ompprof-bench-regions", "version": VERSION, "turns": turns, "rows": rows})


if __name__ == "__main__":
    main()
