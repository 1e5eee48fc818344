// SPDX-License-Identifier: Apache-2.0
/*
 * times.js CLI PROFILE REPORT BEGIN SAID: whether the Firefox Profiler's command, zoomed to each phase of
 * tests/programs/time/timed_phases.c, shows what the program SAID of it; BEGIN is the profile's, in seconds since the epoch.
 */
"use strict";

const fs = require("fs");
const profilerCli = require("./profiler_cli.js");
const { ok } = require("../readers/tap.js");

const [cli, profile, report, begin, said] = process.argv.slice(2);
const { run, load, judge } = profilerCli(cli);
const bucket = 1000 * JSON.parse(fs.readFileSync(report)).threads[0].timeline.bucket_s;
/* A bucket at each end that is not all in the phase, and a scheduler's whim. */
const by = 3 * bucket + 20;
const phases = fs.readFileSync(said, "utf8").trim().split("\n").map((line) => line.split(" ").map(Number));
const threads = JSON.parse(fs.readFileSync(profile)).threads;
/* The reader's times are from the first one that the file has. */
const zero = Math.min(...threads.map((thread) => Math.min(thread.registerTime, thread.samples.timeDeltas[0])));

function shown(thread) {
	const samples = JSON.parse(run("thread", "samples", "--thread", `t-${thread}`, "--include-idle", "--limit", "1",
		"--json"));
	return Object.fromEntries(samples.categoryBreakdown.categories.map((c) => [c.name, c.samples]));
}

judge(() => {
	load(profile);
	["Idle", "Barrier", "Mutex"].forEach((wait, i) => {
		const [from, until] = phases[i].map((moment) => 1000 * (moment - begin));
		run("zoom", "push", `${(from - zero) / 1000},${(until - zero) / 1000}`);
		const [first, other] = [shown(0), shown(1)];
		run("zoom", "pop");
		const text = JSON.stringify({ from, until, zero, cpu: phases[i][2], first, other });
		ok(`phase ${i}: the first thread works`, Math.abs((first.Work || 0) - 1000 * phases[i][2]) <= by + 20, text);
		// Time without a CPU is in no wait: other programs can take a part of it.
		const waited = other[wait] || 0;
		ok(`phase ${i}: the other one is at ${wait}`, waited <= until - from + by && waited >= 0.5 * (until - from), text);
	});
});
