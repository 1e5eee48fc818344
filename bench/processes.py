# SPDX-License-Identifier: Apache-2.0
"""Programs that switch the profiler off and on themselves (proxy.h): processes of several kinds, in turns."""
import os
import shutil
import tempfile

from bench import FAILURES, alone, attempt, output

TRY_S = 0.01


def run(program, folder, kind, ways, seconds):
    """{way: its figure} of one process, whose lines are WAY FIGURE. OSError if it fails."""
    out = os.path.join(folder, "out")
    shutil.rmtree(out, ignore_errors=True)
    said = output([program, os.path.abspath(".libs/libompprof.so"), str(kind), "%g" % seconds],
                  {"OMP_NUM_THREADS": "2", "OMPPROF_OUTPUT": out, "OMPPROF_QUIET": "1"})
    figures = dict(line.split() for line in said.splitlines())
    return {way: float(figures[way]) for way in ways}


def in_turns(program, kinds, called, ways, turns, seconds):
    """{kind: [a list for each way: the figures of all turns, None where it failed]}; `called` is a format of a kind. None,
    and a line, if the program cannot be run here."""
    found = {kind: [] for kind in kinds}
    folder = tempfile.mkdtemp(prefix="ompprof-bench.")
    try:
        run(program, folder, kinds[0], ways, TRY_S)
        for turn in range(turns):
            for kind in kinds:
                with alone(os.environ.get("BENCH_LOCK")):
                    found[kind].append(attempt("%s, turn %d" % (called % kind, turn), run, program, folder, kind, ways,
                                               seconds))
    except FAILURES as problem:
        print("left out: %s" % problem)
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {kind: [[figures and figures[way] for figures in found[kind]] for way in ways] for kind in kinds}
