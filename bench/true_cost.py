#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the cost that ompprof prints is the cost that programs have: wall and CPU time under ompprof to bare, in turns,
beside the printed figure, with and without the budget of tasks, and if wanted beside other profilers.
`make bench-true-cost` runs it in the build folder; README there has its variables and its JSON file. It judges nothing, but
marks rows whose figure is off."""
import os
import re
import shutil
import sys
import tempfile

import tools
from bench import alone, attempt, measure, number_of, output, remove_json, setting, wanted, write_json
from summary import ratios, summary, text

VERSION = 3
OPTIONS = [[], ["--budget=off"]]  # of `ompprof run`
# Name, program and kind, and how much of its work takes one or two seconds: of the compiler of make with libomp, and of gcc
# with its own runtime.
KERNELS = [
    ("compute", "compute", "", 1.5, 1.5),
    ("stencil", "stencil", "", 1.5, 1),
    ("regions", "regions", "", 3, 2),
    ("barriers", "barriers", "", 2, 1.5),
    ("tasks", "tasks", "", 1.5, 1.5),
    ("locks", "locks", "", 5, 6),
    ("undeferred", "tiny", "undeferred", 5, 6),
    ("serialized", "tiny", "serialized", 3, 0.3),
    ("lock-alone", "tiny", "locks", 2, 2),
    ("taskwaits", "tiny", "taskwaits", 3, 0.5),
]
ROWS = [(name, "bench/kernels/%s %g %s" % (program, factor, kind)) for name, program, kind, factor, _ in KERNELS] + \
       [(name + "-gcc", "bench/kernels-gomp/%s %g %s" % (program, factor, kind)) for name, program, kind, _, factor in KERNELS]
COST = re.compile(r"cost (about |at least )?(?:([0-9.]+) to )?(over )?([0-9.]+) %")
OFF_POINTS, OFF_PART = 2, 0.3
HZ = 200  # of the other profilers; ompprof's own without -F


def rows():
    """Name, variables and command. Lines `NAME [VARIABLE=VALUE...] COMMAND...` of BENCH_PROGRAMS are last."""
    path = os.environ.get("BENCH_PROGRAMS")
    more = []
    if path:
        with open(path, encoding="utf-8") as lines:
            more = [tuple(line.split(None, 1)) for line in lines if line.strip()]
    asked = setting("BENCH_KERNELS", "").split()
    found = []
    for name, line in ROWS + more:
        words = line.split()
        variables = {}
        while "=" in words[0]:
            variable, _, value = words.pop(0).partition("=")
            variables[variable] = value
        if not asked or name in asked:
            found.append((name, variables, words))
    return found


def printed(out):
    """The cost on the first screen: least and most. Of "at least" and "over" there is no most."""
    found = COST.search(output(["./ompprof", "report", "-i", out], {}))
    if not found:
        raise OSError("the report has no cost")
    word, least, over, most = found.groups()
    return float(least or most), None if word == "at least " or over else float(most)


def profiled(command, variables, options, out):
    shutil.rmtree(out, ignore_errors=True)
    if os.path.exists(out):
        os.remove(out)
    figures = measure(["./ompprof", "run", "-q", *options, "-o", out, "--", *command], variables)
    return figures, printed(out)


def other_tools():
    """Those of BENCH_BESIDE; none without it."""
    kinds = {kind.name: kind for kind in tools.ALL}
    if not os.environ.get("BENCH_BESIDE"):
        return []
    found = [kinds[name](HZ) for name in wanted(list(kinds), "BENCH_BESIDE")]
    for tool in found:
        if tool.missing():
            print("%s left out: %s" % (tool.name, tool.missing()), file=sys.stderr)
    return [tool for tool in found if not tool.missing()]


def under_tool(tool, command, variables, out):
    """The figures of one run under another profiler."""
    shutil.rmtree(out, ignore_errors=True)
    return measure(tool.command(command, out), {**variables, **tool.environment(out)})


def is_off(measured, least, most):
    """Whether the measured percentage is further outside of the printed range than README allows."""
    allowed = max(OFF_POINTS, OFF_PART * abs(measured))
    return least - measured > allowed or (most is not None and measured - most > allowed)


def wall_and_cpu(bare, under):
    """The ratios of two lists of figures, a pair for each turn."""
    return [summary(ratios([one and one[i] for one in under], [one and one[i] for one in bare])) for i in (0, 1)]


def result(options, turns):
    """What the JSON file has of a row and some options. A turn is bare's figures and the profiled run's, or None."""
    wall, cpu = wall_and_cpu([turn and turn[0] for turn in turns], [turn and turn[1][0] for turn in turns])
    least = summary([turn and turn[1][1][0] for turn in turns])
    mosts = [turn[1][1][1] for turn in turns if turn]
    most = None if None in mosts else summary(mosts)
    off = least and is_off(100 * (wall["median"] - 1), least["median"], most and most["median"])
    return {"options": options, "wall_ratio": wall, "cpu_ratio": cpu, "least_percent": least, "most_percent": most,
            "is_off": off}


def percent(one):
    """The printed figure, as text."""
    if not one["least_percent"]:
        return "-"
    least, most = [one[name] and "%.1f" % one[name]["median"] for name in ("least_percent", "most_percent")]
    return least + " or more" if most is None else least if least == most else "%s-%s" % (least, most)


def line_of(row):
    cells = [row["row"], text(row["bare_s"], "%.2f", spread=False)]
    for one in row["results"]:
        cells += [text(one["wall_ratio"], "%.2f"), text(one["cpu_ratio"], "%.2f", spread=False), percent(one),
                  "off" if one["is_off"] else ""]
    for one in row["others"]:
        cells += [text(one["wall_ratio"], "%.2f"), text(one["cpu_ratio"], "%.2f", spread=False)]
    return "| %s |" % " | ".join(cells)


def take_turns(name, command, variables, turns, others, folder):
    """For each of OPTIONS the turns of a row, then of each other tool. All of a turn run in the same minute."""
    taken = [[] for _ in OPTIONS + others]
    for turn in range(turns):
        with alone(os.environ.get("BENCH_LOCK")):
            bare = attempt("%s, turn %d" % (name, turn), measure, command, variables)
            for i, options in enumerate(OPTIONS):
                under = attempt("%s under ompprof, turn %d" % (name, turn), profiled, command, variables, options,
                                os.path.join(folder, "%s%s.%d" % (name, "".join(options), turn)))
                taken[i].append((bare, under) if bare and under else None)
            for i, tool in enumerate(others, len(OPTIONS)):
                under = attempt("%s under %s, turn %d" % (name, tool.name, turn), under_tool, tool, command, variables,
                                os.path.join(folder, tool.name))
                taken[i].append((bare, under) if bare and under else None)
    return taken


def row_of(name, taken, others):
    bare = summary([turn and turn[0][0] / 1e9 for turn in taken[0]])
    beside = []
    for tool, turns in zip(others, taken[len(OPTIONS):]):
        wall, cpu = wall_and_cpu([turn and turn[0] for turn in turns], [turn and turn[1] for turn in turns])
        beside.append({"tool": tool.name, "wall_ratio": wall, "cpu_ratio": cpu})
    return {"row": name, "bare_s": bare, "results": [result(*one) for one in zip(OPTIONS, taken)], "others": beside}


def main():
    remove_json("true_cost.json")
    turns, threads = number_of("BENCH_TURNS", "3"), {"OMP_NUM_THREADS": str(number_of("BENCH_THREADS", "2"))}
    others = other_tools()
    kept = os.environ.get("BENCH_KEEP")
    folder = kept or tempfile.mkdtemp(prefix="ompprof-bench.")
    found = []
    heads = "".join(" | %s | CPU | printed, %% | " % (" ".join(options) or "wall") for options in OPTIONS)
    heads += "".join("| %s | CPU " % tool.name for tool in others)
    print("| row | bare s" + heads + "|\n|---|---" + "|---" * (4 * len(OPTIONS) + 2 * len(others)) + "|")
    try:
        for name, variables, command in rows():
            taken = take_turns(name, command, {**threads, **variables}, turns, others, folder)
            found.append(row_of(name, taken, others))
            print(line_of(found[-1]), flush=True)
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)
    write_json("true_cost.json", {"format": "ompprof-bench-true-cost", "version": VERSION, "turns": turns, "rows": found})


if __name__ == "__main__":
    main()
