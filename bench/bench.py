#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What profiling costs: programs alone, under an empty handler at the same rate, under ompprof, and under the other
profilers that are installed, in turns. `make bench` runs it in the build folder; README there has its variables, and
what is in the JSON file that it writes beside the table. It judges nothing."""
import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import tools
from summary import ratios, summary, table, text

RUN_S = 300  # a run that takes longer has failed
VERSION = 1
FAILURES = (OSError, ValueError, KeyError, ArithmeticError, subprocess.SubprocessError)  # of a run and its figures

# Name, program and its further arguments, threads, and how much of the program's work makes about a second.
ROWS = [
    ("compute", "compute", None, 2, 1),
    ("stencil", "stencil", None, 2, 1),
    ("regions", "regions", None, 2, 1),
    ("regions-even", "regions", (0, 1), 2, 1),
    ("barriers", "barriers", None, 2, 1),
    ("tasks", "tasks", None, 2, 1),
    ("locks", "locks", None, 2, 4),
    ("recursion-5", "recursion", (5,), 2, 1),
    ("recursion-50", "recursion", (50,), 2, 1),
    ("recursion-200", "recursion", (200,), 2, 1),
    ("inlining", "inlining", None, 2, 1),
    ("compute-64", "compute", None, 64, 1),
    ("stencil-64", "stencil", None, 64, 0.2),
    ("regions-64", "regions", None, 64, 0.01),
    ("barriers-64", "barriers", None, 64, 0.01),
    ("tasks-64", "tasks", None, 64, 1),
]

# In the JSON file, of a row and a tool. The table has columns of some.
FIGURES = ["wall_ratio", "cpu_ratio", "inner_ratio", "delivered", "bytes", "report_s", "program_kb", "report_kb",
           "wall_s", "cpu_s", "samples", "expected"]


def setting(name, default):
    return os.environ.get(name) or default


def json_path(name):
    """Of a file in the folder BENCH_JSON_DIR."""
    return os.path.join(setting("BENCH_JSON_DIR", "bench"), name)


def remove_json(name):
    """That of the time before: what now fails, or is left out, has none."""
    with contextlib.suppress(FileNotFoundError):
        os.remove(json_path(name))


def write_json(name, found):
    """To a file of that name."""
    path = json_path(name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        json.dump(found, file, indent=1)
        file.write("\n")


def number_of(variable, default, kind=int):
    """Of a variable. Ends with a sentence if it is none above 0."""
    try:
        number = kind(setting(variable, default))
    except ValueError:
        number = 0
    if number <= 0:
        sys.exit("bench: %s wants a number above 0, not '%s'" % (variable, setting(variable, default)))
    return number


def call(command, environment, seconds):
    """As subprocess.run(), but what takes longer ends with all that it has started."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                          env=dict(os.environ, **environment), start_new_session=True) as process:
        try:
            out, said = process.communicate(timeout=seconds)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, said)


def wanted(names, variable):
    """The names that the variable lists; without it all. Ends with a sentence if it lists an unknown name."""
    asked = setting(variable, " ".join(names)).split()
    for name in asked:
        if name not in names:
            sys.exit("bench: %s: there is no '%s'; there are: %s" % (variable, name, ", ".join(names)))
    return asked


def output(command, environment):
    """Its stdout. OSError with a sentence if it fails."""
    run = call(command, environment, RUN_S)
    if run.returncode != 0:
        said = run.stderr.decode(errors="replace").strip().splitlines()
        raise OSError(said[0] if said else "%s: status %d" % (command[0], run.returncode))
    return run.stdout.decode()


def attempt(what, function, *arguments):
    """What the function returns; None, and a line on stderr, if it fails."""
    try:
        return function(*arguments)
    except FAILURES as problem:
        print("%s failed: %s" % (what, problem), file=sys.stderr)
        return None


def measure(command, environment):
    """What bench/measure says of a command: its six numbers. OSError with a sentence if it fails."""
    return [int(number) for number in output(["bench/measure", *command], environment).split()[-6:]]


def bytes_of(out):
    """Of all files that a tool left at `out` or beside it under the same name."""
    total = 0
    folder, name = os.path.split(out)
    for entry in os.listdir(folder):
        path = os.path.join(folder, entry)
        if not entry.startswith(name):
            continue
        if os.path.isfile(path):
            total += os.path.getsize(path)
        for place, _, files in os.walk(path):
            total += sum(os.lstat(os.path.join(place, file)).st_size for file in files)
    return total


def program_of(row, factor):
    _, program, arguments, _, of_row = row
    return ["bench/kernels/" + program, "%g" % (factor * of_row), *map(str, arguments or [])]


def run_once(tool, row, factor, folder):
    """The figures of one run of a row under a tool."""
    program = program_of(row, factor)
    out = os.path.join(folder, "out")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    environment = {"OMP_NUM_THREADS": str(row[3]), **tool.environment(out)}
    wall, cpu, inner, _, program_cpu, program_kb = measure(tool.command(program, out), environment)
    if not inner:
        raise OSError("the program did not run to its end")
    figures = {"wall_s": wall / 1e9, "cpu_s": cpu / 1e9, "inner_s": inner / 1e9, "program_kb": program_kb}
    if tool.counts:
        figures["bytes"] = bytes_of(out)
        figures["samples"] = tool.delivered(program, out)
        figures["expected"] = program_cpu / 1e9 * tool.hz
        if figures["samples"] is not None:
            figures["delivered"] = figures["samples"] / figures["expected"]
        wall, _, _, kb, _, _ = measure(tool.report(program, out), {})
        figures["report_s"] = wall / 1e9
        figures["report_kb"] = kb
    return figures


def usable(tool, folder):
    """Why a tool does not work here, or None; it is tried."""
    reason = tool.missing()
    if reason:
        return reason
    try:
        run_once(tool, ("try", "compute", None, 2, 0.05), 1, folder)
    except FAILURES as problem:
        return str(problem)
    return None


@contextlib.contextmanager
def alone(path):
    """Holds the lock that others on this machine agree on, if there is one."""
    if not path:
        yield
        return
    with open(path, "a", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def take_turns(chosen, rows, turns, factor, folder):
    """{(row, tool): [figures of each turn, or None]}. Each turn begins with another tool."""
    figures = {(row[0], tool.name): [] for row in rows for tool in chosen}
    for turn in range(turns):
        for row in rows:
            with alone(os.environ.get("BENCH_LOCK")):
                for tool in [chosen[(turn + i) % len(chosen)] for i in range(len(chosen))]:
                    figures[row[0], tool.name].append(attempt(
                        "%s under %s, turn %d" % (row[0], tool.name, turn), run_once, tool, row, factor, folder))
    return figures


def column(turns, name):
    return [turn.get(name) if turn else None for turn in turns]


def results(row, tool, figures):
    """What the JSON file has of a row and a tool."""
    turns = figures[row[0], tool.name]
    bare = figures.get((row[0], "bare"), [None] * len(turns))
    found = {name: summary(column(turns, name)) for name in FIGURES}
    for name in ("wall", "cpu", "inner"):
        found[name + "_ratio"] = summary(ratios(column(turns, name + "_s"), column(bare, name + "_s")))
    return {"tool": tool.name, "failed": turns.count(None), **found}


def lines_of(rows):
    """The table: bare in seconds, the others by their ratio to it."""
    heads = ["kernel", "run", "wall", "CPU", "delivered", "KB written", "report s", "program MB", "report MB"]
    cells = []
    for row in rows:
        for i, one in enumerate(row["results"]):
            is_bare = one["tool"] == "bare"
            cells.append([row["kernel"] if i == 0 else "", one["tool"],
                          text(one["wall_s"]) if is_bare else text(one["wall_ratio"]),
                          text(one["cpu_s"]) if is_bare else text(one["cpu_ratio"]),
                          text(one["delivered"], "%.1f %%", 100, spread=False),
                          text(one["bytes"], "%.0f", 1 / 1024, spread=False),
                          text(one["report_s"], "%.3f", spread=False),
                          text(one["program_kb"], "%.1f", 1 / 1024, spread=False),
                          text(one["report_kb"], "%.1f", 1 / 1024, spread=False)])
    return table(heads, cells)


def main():
    remove_json("bench.json")
    hz, turns, factor = number_of("BENCH_HZ", "200"), number_of("BENCH_TURNS", "3"), \
        number_of("BENCH_FACTOR", "1", float)
    kernels = wanted([row[0] for row in ROWS], "BENCH_KERNELS")
    names = wanted([tool.name for tool in tools.ALL], "BENCH_TOOLS")
    rows = [row for row in ROWS if row[0] in kernels]
    chosen, said = [], []
    scratch = tempfile.mkdtemp(prefix="ompprof-bench.")
    folder = os.path.join(scratch, "run")
    try:
        for tool in [kind(hz) for kind in tools.ALL if kind.name in names]:
            reason = usable(tool, folder)
            said.append({"name": tool.name, "version": None if reason else tool.version(), "left_out": reason})
            if reason:
                print("left out: %s (%s)" % (tool.name, reason))
            else:
                chosen.append(tool)
        if not chosen:
            return
        cpus = len(os.sched_getaffinity(0))
        print("%d CPUs, %d samples/s a thread, %d turns" % (cpus, hz, turns), flush=True)
        figures = take_turns(chosen, rows, turns, factor, folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    found = [{"kernel": row[0], "threads": row[3], "factor": factor * row[4],
              "results": [results(row, tool, figures) for tool in chosen]} for row in rows]
    print("\n".join(lines_of(found)))
    print("bare: seconds; others: ratio to bare in the same turn; median (least-most)")
    write_json("bench.json", {"format": "ompprof-bench", "version": VERSION, "cpus": cpus, "hz": hz, "turns": turns,
                              "tools": said, "rows": found})


if __name__ == "__main__":
    main()
