#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long it takes to start: a program with an OpenMP region and many shared objects, which does nothing else, alone,
under `ompprof run -q`, and with the library in OMP_TOOL_LIBRARIES alone, in turns. `make bench-start` runs it in the
build folder; README there has its variables. It judges nothing."""
import os
import shutil
import tempfile

from bench import FAILURES, alone, attempt, measure, number_of, output, remove_json, write_json
from summary import differences, summary, table, text

VERSION = 1

FUNCTION = """int f_%(object)d_%(i)d(int n)
{
	volatile int x[%(words)d];

	x[n %% %(words)d] = n;
	return n > 1 ? f_%(object)d_%(next)d(n - 1) + x[n %% %(words)d] : x[n %% %(words)d];
}
"""


def build(folder, objects, functions):
    """Makes the program, each object of which has so many functions."""
    compiler = os.environ.get("OMP_CC") or "clang"
    names, calls = [], []
    for o in range(objects):
        source = os.path.join(folder, "o%d.c" % o)
        with open(source, "w", encoding="ascii") as file:
            for i in range(functions):
                file.write("int f_%d_%d(int n);\n" % (o, i))
            for i in range(functions):
                file.write(FUNCTION % {"object": o, "i": i, "next": (i + 1) % functions, "words": 8 + i % 40})
        output([compiler, "-O2", "-g", "-shared", "-fPIC", "-o", os.path.join(folder, "libo%d.so" % o), source], {})
        names.append("-lo%d" % o)
        calls.append("f_%d_0(2)" % o)
    main = os.path.join(folder, "main.c")
    with open(main, "w", encoding="ascii") as file:
        for o in range(objects):
            file.write("int f_%d_0(int n);\n" % o)
        file.write("static volatile int sink;\nint main(void)\n{\n\tint sum = %s;\n#pragma omp parallel\n"
                   "\tsink = sum;\n\treturn 0;\n}\n" % " + ".join(calls))
    program = os.path.join(folder, "program")
    output([compiler, "-O2", "-g", "-fopenmp", "-o", program, main, "-L" + folder, "-Wl,-rpath," + folder, *names], {})
    return program


def run(out, command, environment):
    """Wall and CPU time in ms. OSError if it fails."""
    shutil.rmtree(out, ignore_errors=True)
    wall, cpu = measure(command, dict(environment, OMP_NUM_THREADS="2"))[:2]
    return wall / 1e6, cpu / 1e6


def row_of(name, runs):
    """What the JSON file has of a variant: of the runs of all, None for those that failed."""
    wall, cpu = [{one: [found and found[i] for found in runs[one]] for one in runs} for i in range(2)]
    return {"run": name, "wall_ms": summary(wall[name]), "cpu_ms": summary(cpu[name]),
            "more_wall_ms": summary(differences(wall[name], wall["bare"])),
            "more_cpu_ms": summary(differences(cpu[name], cpu["bare"]))}


def main():
    remove_json("start.json")
    turns, objects, functions = [number_of(name, default) for name, default in (
        ("BENCH_TURNS", "21"), ("BENCH_OBJECTS", "50"), ("BENCH_FUNCTIONS", "200"))]
    scratch = tempfile.mkdtemp(prefix="ompprof-bench.")
    out = os.path.join(scratch, "out")
    library = os.path.abspath(".libs/libompprof.so")
    try:
        program = build(scratch, objects, functions)
        variants = {
            "bare": ([program], {}),
            "ompprof run": (["./ompprof", "run", "-q", "-o", out, "--", program], {}),
            "OMP_TOOL_LIBRARIES": ([program], {"OMP_TOOL_LIBRARIES": library, "OMPPROF_OUTPUT": out,
                                               "OMPPROF_QUIET": "1"}),
        }
        for command, environment in variants.values():
            run(out, command, environment)
        found = {name: [] for name in variants}
        for turn in range(turns):
            with alone(os.environ.get("BENCH_LOCK")):
                for i in range(len(variants)):
                    name = list(variants)[(turn + i) % len(variants)]
                    found[name].append(attempt("%s, turn %d" % (name, turn), run, out, *variants[name]))
    except FAILURES as problem:
        print("left out: %s" % problem)
        return
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    rows = [row_of(name, found) for name in variants]
    print("%d objects of %d functions, %d turns: ms, median (least-most); more: than bare in the same turn" % (
        objects, functions, turns))
    print("\n".join(table(["run", "", "wall", "more wall", "CPU", "more CPU"], [
        [row["run"], "", *[text(row[key], "%.1f") for key in ("wall_ms", "more_wall_ms", "cpu_ms", "more_cpu_ms")]]
        for row in rows])))
    write_json("start.json", {"format": "ompprof-bench-start", "version": VERSION, "turns": turns, "objects": objects,
                              "functions": functions, "runs": rows})


if __name__ == "__main__":
    main()
