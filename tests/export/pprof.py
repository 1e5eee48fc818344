# SPDX-License-Identifier: Apache-2.0
"""pprof.py RAW JSON: whether what `go tool pprof -raw` shows is what the report has.

Compared is the work of each stack of code: its functions from the outermost one, inlined ones too, each with its file
and line, and the region that it is in. Status 1 if they differ, 2 if there is nothing to compare.
"""
import json
import re
import sys
from collections import Counter


def read_report(path):
    with open(path, encoding="utf-8") as file:
        nodes = json.load(file)["nodes"]
    stacks, paths, regions, inlined = Counter(), [], [], 0
    for node in nodes:
        above = node.get("parent")
        frames, region = (paths[above], regions[above]) if above is not None else ((), "")
        if node["kind"] == "region":
            place = f"{node['file'].rpartition('/')[2]}:{node['line']} {node['function']}"
            region = place if node["line"] else None
        elif node["kind"] in ("function", "inlined"):
            frames += ((node["name"], node["file"], node["line"]),)
            inlined += node["kind"] == "inlined"
        paths.append(frames)
        regions.append(region)
        if round(node["work_s"] * 10**9) and region is not None and frames:
            if all(not name.startswith("0x") for name, _, _ in frames):
                stacks[frames, region] += round(node["work_s"] * 10**9)
    return stacks, inlined


def read_raw(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    locations, at = {}, None
    for line in text.split("\nLocations\n")[1].split("\nMappings\n")[0].split("\n"):
        begin = re.match(r" +(\d+): 0x[0-9a-f]+ (?:M=\d+ )?(.*)", line)
        if begin:
            at = locations.setdefault(int(begin[1]), [])
        frame = re.match(r" *(.*) (\S*?):(\d+)(?::\d+)? s=\d+", begin[2] if begin else line)
        if frame:
            at.append((frame[1], frame[2], int(frame[3])))
    samples = text.split("\nSamples:\n")[1].split("\nLocations\n")[0].split("\n")
    keys = [key.partition("/")[0] for key in samples[0].replace("[dflt]", "").split()]
    stacks, values, ids = Counter(), {}, []
    for line in samples[1:]:
        sample = re.match(r" *([\d ]+): ([\d ]+)$", line)
        if sample:
            values, ids = dict(zip(keys, map(int, sample[1].split()))), sample[2].split()
            continue
        region = re.search(r"region:\[(.*?)\](?: \w+:\[|\s*$)", line)
        frames = [frame for i in reversed(ids) for frame in reversed(locations[int(i)])]
        code = tuple(frame for frame in frames if "[" not in frame[0] and frame[0] != "all"
                     and not re.match(r"thread \d+ \(", frame[0]))
        if values["work"] and code and not any(re.search(r"\+0x[0-9a-f]+$", f[0]) for f in code):
            stacks[code, region[1] if region else ""] += values["work"]
    return stacks


def main():
    report, inlined = read_report(sys.argv[2])
    raw = read_raw(sys.argv[1])
    wrong = [(key, report[key], raw[key]) for key in set(report) | set(raw) if report[key] != raw[key]]
    for (frames, region), want, got in wrong[:8]:
        print(f"{region}: {frames}: {want} ns in the report, {got} in the export")
    lines = sum(1 for frames, _ in report for frame in frames if frame[2])
    print(f"{len(report)} stacks, {lines} lines, {inlined} inlined, {len({r for _, r in report})} regions")
    sys.exit(1 if wrong else 0 if lines and inlined and any(r for _, r in report) else 2)


main()
