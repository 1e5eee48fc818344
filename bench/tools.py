# SPDX-License-Identifier: Apache-2.0
"""The profilers that `make bench` compares: how each runs a program, how many samples its own reader finds in what
it wrote, and how it makes a report of that."""
import glob
import json
import os
import re
import shutil
import subprocess

READING_S = 300  # for a reader that hangs
LIBRARIES = ("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib")


def output_of(command):
    """What it says on stdout and stderr; OSError if it fails."""
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=READING_S, check=False,
                         stdin=subprocess.DEVNULL)
    if run.returncode != 0:
        raise OSError("%s: status %d" % (command[0], run.returncode))
    return run.stdout.decode(errors="replace")


def found(pattern, text):
    """The number that a pattern finds, or None."""
    match = re.search(pattern, text)
    return float(match.group(1)) if match else None


class Tool:
    """A program alone. `out` is where a tool writes: a path that is not there yet."""
    name = "bare"
    counts = False  # whether it takes samples that can be counted

    def __init__(self, hz):
        self.hz = hz

    def missing(self):
        """Why it cannot be used here, or None."""
        return None

    def version(self):
        return None

    def command(self, program, _out):
        return program

    def environment(self, _out):
        return {}

    def delivered(self, _program, _out):
        """The samples that its own reader finds."""
        return None

    def report(self, _program, _out):
        """The command that makes a report for people, or None."""
        return None


class Empty(Tool):
    """A handler that does nothing, at the same rate (empty_handler.c)."""
    name = "empty"

    def environment(self, _out):
        return {"OMP_TOOL_LIBRARIES": os.path.abspath("bench/empty_handler.so"), "BENCH_HZ": str(self.hz)}


class Events(Empty):
    """Besides, the events of constructs that ompprof takes (events.h) are announced to it, and ignored: what the runtime
    spends on that."""
    name = "events"

    def environment(self, out):
        return {**super().environment(out), "BENCH_IGNORE": "1"}


class Ompprof(Tool):
    name = "ompprof"
    counts = True
    options = []

    def version(self):
        return output_of(["./ompprof", "--version"]).splitlines()[0]

    def command(self, program, out):
        return ["./ompprof", "run", "-q", "-F", str(self.hz), *self.options, "-o", out, "--", *program]

    def delivered(self, _program, out):
        info = json.loads(output_of(["./ompprof", "info", "-i", out, "--format", "json"]))
        return sum(process["samples"] for process in info["processes"])

    def report(self, _program, out):
        return ["./ompprof", "report", "-i", out]


class OmpprofAll(Ompprof):
    """With all counted events and a trace of each sample and wait."""
    name = "ompprof-all"
    options = ["--events", "all", "--trace"]


class Perf(Tool):
    """`perf record -g` on the same clock: CPU time."""
    name = "perf-fp"
    counts = True
    graph = "fp"

    def missing(self):
        return None if shutil.which("perf") else "not installed"

    def version(self):
        return output_of(["perf", "--version"]).strip()

    def command(self, program, out):
        return ["perf", "record", "-q", "-e", "cpu-clock", "-F", str(self.hz), "--call-graph", self.graph, "-o", out,
                "--", *program]

    def delivered(self, _program, out):
        return found(r"SAMPLE events: +(\d+)", output_of(["perf", "report", "--stats", "-i", out]))

    def report(self, _program, out):
        return ["perf", "report", "--stdio", "-i", out]


class PerfDwarf(Perf):
    name = "perf-dwarf"
    graph = "dwarf"


class Gperftools(Tool):
    """A timer for each thread, of which register_threads.c tells it."""
    name = "gperftools"
    counts = True

    def library(self):
        for folder in LIBRARIES:
            for path in sorted(glob.glob(folder + "/libprofiler.so.*")):
                return path
        return None

    def reader(self):
        return shutil.which("google-pprof") or shutil.which("pprof")

    def missing(self):
        if not self.library():
            return "libprofiler.so is not installed"
        return None if self.reader() else "google-pprof is not installed"

    def version(self):
        return os.path.basename(os.path.realpath(self.library()))

    def variables(self, out):
        return {"LD_PRELOAD": self.library(), "CPUPROFILE": out, "CPUPROFILE_FREQUENCY": str(self.hz),
                "CPUPROFILE_PER_THREAD_TIMERS": "1",
                "OMP_TOOL_LIBRARIES": os.path.abspath("bench/register_threads.so")}

    def command(self, program, out):
        # Not in `environment`: that would be for the programs around it as well.
        return ["env", *["%s=%s" % pair for pair in self.variables(out).items()], *program]

    def delivered(self, program, out):
        return found(r"Total: (\d+) samples", output_of([self.reader(), "--text", program[0], out]))

    def report(self, program, out):
        return [self.reader(), "--text", program[0], out]


class Gprofng(Tool):
    """`gprofng collect app`; it says seconds, of which each sample is a period."""
    name = "gprofng"
    counts = True

    def missing(self):
        return None if shutil.which("gprofng") else "not installed"

    def version(self):
        return output_of(["gprofng", "--version"]).splitlines()[0]

    def command(self, program, out):
        return ["gprofng", "collect", "app", "-p", "%g" % (1000 / self.hz), "-o", out + ".er", *program]

    def delivered(self, _program, out):
        seconds = found(r"\n *([0-9.]+) [^\n]*<Total>", output_of(
            ["gprofng", "display", "text", "-metrics", "e.totalcpu:name", "-limit", "1", "-functions", out + ".er"]))
        return None if seconds is None else round(seconds * self.hz)

    def report(self, _program, out):
        return ["gprofng", "display", "text", "-functions", out + ".er"]


ALL = [Tool, Empty, Events, Ompprof, OmpprofAll, Perf, PerfDwarf, Gperftools, Gprofng]
