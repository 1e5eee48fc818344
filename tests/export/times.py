# SPDX-License-Identifier: Apache-2.0
"""times.py FIREFOX REPORT CSV [part]: whether an export as the Firefox Profiler's has each thing when the report has it.

FIREFOX is the export (of time), REPORT the JSON report, CSV the export as csv with --per-thread. Compared are the sum of
each stack of each thread, of each category, what each bucket of each timeline has, CPU time, and the waits that are
markers, unless the trace has a part of them alone. Status 1, and a line for each thing that differs.
"""
import csv
import json
import re
import sys
from collections import Counter, defaultdict

BUCKETS = 506
CATEGORY = {"work": "Work", "overhead": "Overhead", "barrier": "Barrier", "taskwait": "Tasks", "taskgroup": "Tasks",
            "lock": "Mutex", "critical": "Mutex", "ordered": "Mutex", "atomic": "Mutex", "target": "Device",
            "idle": "Idle", "blocked": "Other"}
STATES = {"Work": "busy", "Overhead": "busy", "Barrier": "barrier", "Tasks": "tasks", "Mutex": "mutex",
          "Device": "target", "Idle": "idle", "Other": "blocked"}
wrong = []


def ns(ms):
    return int(round(float(ms) * 1e6))


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def near(what, got, want, by=0):
    if abs(got - want) > by:
        wrong.append(f"{what}: {got}, not {want}")


class Tables:
    """The stacks that threads share."""

    def __init__(self, profile):
        self.shared = profile["shared"]
        self.names = [c["name"] for c in profile["meta"]["categories"]]
        stacks, self.paths = self.shared["stackTable"], []
        for frame, offset in zip(stacks["frame"], stacks["prefixOffset"]):
            func = self.shared["frameTable"]["func"][frame]
            name = self.shared["stringArray"][self.shared["funcTable"]["name"][func]]
            above = self.paths[len(self.paths) - offset] + ";" if offset else ""
            self.paths.append(above + name.replace(";", ":"))

    def category(self, stack):
        frame = self.shared["stackTable"]["frame"][stack]
        return self.names[self.shared["frameTable"]["category"][frame]]


def samples_of(thread):
    """Moment, weight, stack and CPU time of each sample, times in ns."""
    samples, at = thread["samples"], 0
    for i, (delta, weight, stack) in enumerate(zip(samples["timeDeltas"], samples["weight"], samples["stack"])):
        at += ns(delta)
        yield at, ns(weight), stack, samples["threadCPUDelta"][i] if "threadCPUDelta" in samples else None


def check_buckets(name, timeline, samples, lacked, tables):
    """Each state is as much in each bucket as there; its sums are the tree's, which may differ by a little.

    lacked: None without a trace, else the ns that the thread had no CPU: a timeline has them in waits.
    """
    length, begin = timeline["bucket_s"] * 1e9, timeline["begin_s"] * 1e9
    got, want = defaultdict(lambda: [0] * BUCKETS), defaultdict(lambda: [0] * BUCKETS)
    for at, weight, stack, _ in samples:
        got[STATES[tables.category(stack)]][min(BUCKETS - 1, int((at - begin) / length))] += weight
    for time, amounts in timeline["times"].items():
        for i, amount in enumerate(amounts):
            if time != "in_wait":
                want["busy" if time in ("work", "overhead") else time][i] += amount * 1e9
    longest = max(weight for _, weight, _, _ in samples)
    for state in got:
        all_got, all_want = sum(got[state]), sum(want[state])
        if not all_want:
            continue
        if lacked is None:
            for i in range(BUCKETS):
                near(f"{name}, bucket {i}, {state}", got[state][i], want[state][i] * all_got / all_want,
                     20 + want[state][i] / 1000)
            continue
        # Samples of a trace are where they were taken: behind the time that they stand for. Pieces of waits are in their middle.
        for i in range(0, BUCKETS, 8):
            near(f"{name}, buckets from {i}, {state}", sum(got[state][:i]), sum(want[state][:i]) * all_got / all_want,
                 1.5 * longest + 2 * length + lacked)


def check_cpu(name, timeline, samples):
    length, begin = timeline["bucket_s"] * 1e9, timeline["begin_s"] * 1e9
    want = [0] * BUCKETS
    for time in "work", "overhead", "in_wait":
        for i, amount in enumerate(timeline["times"].get(time, [])):
            want[i] += amount * 1e9
    until = 0
    for at, _, _, cpu in samples:
        until += cpu
        bucket = min(BUCKETS - 1, int((at - begin) / length))
        if not sum(want[:bucket]) - 1000 <= until <= sum(want[:bucket + 1]) + 1000:
            wrong.append(f"{name}: {until} ns of CPU time at {at}")
            return


def check_markers(name, thread, times, profile):
    """What the waits count for is what the report has of them, and each is named after its kind."""
    markers, sums = thread["markers"], Counter()
    strings, life = profile["shared"]["stringArray"], (ns(thread["registerTime"]), ns(thread["unregisterTime"]))
    for i in range(markers["length"]):
        data, start, end = markers["data"][i], ns(markers["startTime"][i]), ns(markers["endTime"][i])
        category = profile["meta"]["categories"][markers["category"][i]]["name"]
        sums[category] += ns(data["counts"])
        if not (start <= end <= life[1] + 1e6 and data["kind"] and strings[markers["name"][i]].startswith("[")):
            wrong.append(f"{name}: marker {i} makes no sense")
    for category, state in STATES.items():
        if state not in ("busy", "blocked"):  # A timeline has no sleep.
            near(f"{name}, markers, {category}", sums[category], sum(times.get(state, [])) * 1e9, 5000)
    return markers["length"]


def main():
    profile, report = read(sys.argv[1]), read(sys.argv[2])
    tables, stacks, categories, rows = Tables(profile), Counter(), Counter(), Counter()
    with open(sys.argv[3], encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rows[row["process"], row["thread"], row["stack"].partition(";")[2]] += int(row["time_ns"])
            categories[CATEGORY[row["state"]]] += int(row["time_ns"])
    extra = {e["label"].split()[0]: ns(e["value"]) for e in profile["meta"]["extra"][0]["entries"]}
    is_traced, n_markers, n_timelines, all_threads = extra["At"] > 0, 0, 0, 0
    threads = {(f"process {t['pid']}" if "pid" in t else "", t["thread"]): t for t in report["threads"]}
    for thread in profile["threads"]:
        number = re.search(r"thread (\d+)", thread["name"])
        process = re.match(r"((rank|process) \d+), ", thread["name"])
        process = process[1] if process else ""
        samples = list(samples_of(thread))
        for _, weight, stack, _ in samples:
            categories[tables.category(stack)] -= weight
            path = tables.paths[stack]
            stacks[process, number[1] if number else "", path] += weight
            all_threads += weight
        record = threads.get((process, int(number[1])), {}) if number else {}
        timeline = record.get("timeline")
        n_timelines += bool(timeline)
        if timeline:
            lacked = record["not_running_s"] * 1e9 if is_traced else None
            check_buckets(thread["name"], timeline, samples, lacked, tables)
            if "threadCPUDelta" in thread["samples"]:
                check_cpu(thread["name"], timeline, samples)
        if is_traced and len(sys.argv) == 4:
            n_markers += check_markers(thread["name"], thread, timeline["times"], profile)
    for category, rest in categories.items():
        near(f"category {category}", -rest, 0)
    for key in set(stacks) | set(rows):
        near(f"stack {key}", stacks[key], rows[key])
    near("how it is known", sum(extra.values()), all_threads)
    for line in wrong[:20]:
        print(line)
    print(f"traced {extra['At']}, in buckets {extra['In']}, spread {extra['Spread']}, markers {n_markers}, timelines {n_timelines}")
    sys.exit(1 if wrong else 0)


main()
