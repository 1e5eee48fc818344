#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the cost that ompprof prints is the cost that programs have: wall and CPU time under ompprof to bare, in turns,
beside the printed figure. `make bench-true-cost` runs it in the build folder; README there has its variables and its JSON
file. It judges nothing, but marks rows whose figure is off."""
import os
import re
import shutil
import tempfile

from bench import RUN_S, alone, attempt, measure, number_of, output, remove_json, setting, write_json
from summary import ratios, summary, table, text

VERSION = 1
# Name, program with its arguments.
ROWS = [
    ("compute", "bench/kernels/compute 1.5"),
    ("stencil", "bench/kernels/stencil 1.5"),
    ("regions", "bench/kernels/regions 5"),
    ("barriers", "bench/kernels/barriers 3"),
    ("tasks", "bench/kernels/tasks 2.5"),
    ("locks", "bench/kernels/locks 8"),
    ("undeferred", "bench/kernels/tiny 5 undeferred"),
    ("serialized", "bench/kernels/tiny 5 serialized"),
    ("lock-alone", "bench/kernels/tiny 2 locks"),
    ("taskwaits", "bench/kernels/tiny 5 taskwaits"),
]
COST = re.compile(r"cost (about |at least |over )?([0-9.]+ to )?([0-9.]+) %")
OFF_POINTS, OFF_PART = 2, 0.3


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
    """The words and the percentage on the first screen; of a range "up to" and its end."""
    found = COST.search(output(["./ompprof", "report", "-i", out], {}))
    if not found:
        raise OSError("the report has no cost")
    return "up to" if found.group(2) else (found.group(1) or "").strip(), float(found.group(3))


def profiled(command, variables, out):
    shutil.rmtree(out, ignore_errors=True)
    if os.path.exists(out):
        os.remove(out)
    figures = measure(["./ompprof", "run", "-q", "-o", out, "--", *command], variables)
    return figures, printed(out)


def is_off(wall, cpu, words, percent):
    """Whether the figure is further from the measured one than README allows. `at least` and `over` may be less, `up to` more."""
    measured = 100 * (wall - 1)
    allowed = max(OFF_POINTS, OFF_PART * abs(measured))
    may_be_less = words in ("at least", "over")
    return (words != "up to" and percent - measured > allowed) or (not may_be_less and measured - percent > allowed)


def line_of(name, turns):
    bare, under = [turn and turn[0] for turn in turns], [turn and turn[1] for turn in turns]
    wall, cpu = [summary(ratios([one and one[0][i] for one in under], [one and one[i] for one in bare])) for i in (0, 1)]
    percent = summary([one and one[1][1] for one in under])
    words = max((one[1][0] for one in under if one), default="")
    off = None if percent is None else is_off(wall["median"], cpu["median"], words, percent["median"])
    return {"row": name, "bare_s": summary([one and one[0] / 1e9 for one in bare]), "wall_ratio": wall, "cpu_ratio": cpu,
            "words": words, "printed_percent": percent, "is_off": off}


def main():
    remove_json("true_cost.json")
    turns, threads = number_of("BENCH_TURNS", "3"), {"OMP_NUM_THREADS": str(number_of("BENCH_THREADS", "2"))}
    folder = setting("BENCH_KEEP", "") or tempfile.mkdtemp(prefix="ompprof-bench.")
    found = []
    for name, variables, command in rows():
        variables.update(threads)
        taken = []
        for turn in range(turns):
            with alone(os.environ.get("BENCH_LOCK")):
                bare = attempt("%s, turn %d" % (name, turn), measure, command, variables)
                under = attempt("%s under ompprof, turn %d" % (name, turn), profiled, command, variables,
                                os.path.join(folder, name))
            taken.append((bare, under) if bare and under else None)
        found.append(line_of(name, taken))
        one = found[-1]
        print("\n".join(table(["row", "bare s", "wall", "CPU", "printed", ""],
              [[name, text(one["bare_s"], spread=False), text(one["wall_ratio"]), text(one["cpu_ratio"]),
                "%s %s %%" % (one["words"], text(one["printed_percent"], "%.1f")), "off" if one["is_off"] else ""]])[-1:]),
              flush=True)
    if not os.environ.get("BENCH_KEEP"):
        shutil.rmtree(folder, ignore_errors=True)
    write_json("true_cost.json", {"format": "ompprof-bench-true-cost", "version": VERSION, "turns": turns, "rows": found})


if __name__ == "__main__":
    main()
