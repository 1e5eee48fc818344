#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What threads share: what a claim takes (bench/claims), and how many there are in real runs, counted in the profiles of the
kernels: segments of the file, and records in segments that threads share. `make bench-claims` runs it in the build folder;
README there has its variables. It judges nothing."""
import json
import os
import shutil
import sys
import tempfile

from bench import FAILURES, alone, call, number_of, output, wanted

CLAIMS_S = 1800
SEGMENT_BYTES = 16384
SHARED = ["threads", "modules", "regions", "mutexes"]  # whose records lie in segments that threads share
RUNS = [("compute", 2, []), ("regions", 2, []), ("tasks", 2, []), ("locks", 2, []), ("recursion", 2, []),
        ("stencil", 2, []), ("barriers", 2, ["--trace"]), ("regions", 2, ["--trace"]), ("compute", 64, []),
        ("compute", 1024, [])]
FACTOR = "0.2"  # of the kernels' work: what is claimed once weighs the more


def count(profile, is_traced):
    """The claims in a profile: segments, records that threads share, thread seconds, what found no place."""
    info = json.loads(output(["./ompprof", "info", "-i", profile, "--format", "json"], {}))["processes"][0]
    lost = info["lost"].get("no_space", 0)
    if is_traced:
        report = json.loads(output(["./ompprof", "report", "-i", profile, "--format", "json"], {}))
        lost += sum(thread["timeline"]["dropped"] for thread in report["threads"] if "timeline" in thread)
    return {"segments": sum(section["bytes"] for section in info["sections"]) // SEGMENT_BYTES,
            "records": sum(section["records"] for section in info["sections"] if section["kind"] in SHARED),
            "seconds": sum(thread["life_s"] for thread in info["threads"]), "lost": lost}


def run(folder, factor, kernel, threads, options):
    """The claims in one run. OSError if it fails."""
    out = os.path.join(folder, "profile")
    shutil.rmtree(out, ignore_errors=True)
    output(["./ompprof", "run", "-q", *options, "-o", out, "--", "bench/kernels/" + kernel, "%g" % factor],
           {"OMP_NUM_THREADS": str(threads), "OMP_STACKSIZE": "256k"})
    return count(out, "--trace" in options)


def print_runs(folder, factor, kernels):
    print("%-16s %7s %8s %8s %8s %14s %5s" % ("claims of", "threads", "thread s", "segments", "records",
                                              "a thread and s", "lost"))
    for kernel, threads, options in RUNS:
        if kernel not in kernels:
            continue
        try:
            with alone(os.environ.get("BENCH_LOCK")):
                found = run(folder, factor, kernel, threads, options)
            pace = (found["segments"] + found["records"]) / found["seconds"]
        except FAILURES as problem:
            print("left out: %s of %d threads (%s)" % (kernel, threads, problem))
            continue
        print("%-16s %7d %8.2f %8d %8d %14.1f %5d" % (" ".join([kernel, *options]), threads, found["seconds"],
                                                     found["segments"], found["records"], pace, found["lost"]))


def print_claims():
    """The table of bench/claims, whatever its status: 1 if two threads got the same."""
    try:
        with alone(os.environ.get("BENCH_LOCK")):
            done = call(["bench/claims"], {}, CLAIMS_S)
    except FAILURES as problem:
        print("left out: claims (%s)" % problem)
        return
    sys.stdout.write(done.stdout.decode())
    if done.returncode != 0:
        print("bench/claims: status %d" % done.returncode)


def main():
    factor = number_of("BENCH_FACTOR", FACTOR, float)
    kernels = wanted(list(dict.fromkeys(kernel for kernel, _, _ in RUNS)), "BENCH_KERNELS")
    print_claims()
    if os.environ.get("BENCH_REAL") == "0":
        return
    print()
    with tempfile.TemporaryDirectory(prefix="ompprof-bench.") as folder:
        print_runs(folder, factor, kernels)


if __name__ == "__main__":
    main()
