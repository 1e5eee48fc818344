// SPDX-License-Identifier: Apache-2.0
/* firefox.js CLI PROFILE REPORT...: what the Firefox Profiler's command has by thread, and a report of each. */
"use strict";

const { differences, reportTimes } = require("./report_times.js");
const profilerCli = require("./profiler_cli.js");
const { is, ok } = require("../readers/tap.js");

const [cli, profile, ...reports] = process.argv.slice(2);
const { run, load, judge } = profilerCli(cli);

judge(() => {
	load(profile);
	is("firefox: all threads are read",
		/contains (\d+) threads/.exec(run("profile", "info"))?.[1], String(reports.length));
	reports.forEach((report, i) => {
		const times = reportTimes(report);
		const thread = ["--thread", `t-${i}`, "--include-idle", "--json"];
		const samples = JSON.parse(run("thread", "samples", "--limit", "1000", ...thread));
		const states = Object.fromEntries(
			samples.categoryBreakdown.categories.map((c) => [c.name, c.samples]));
		let wrong = differences(states, times.states, 1e-6);
		ok(`firefox: thread ${i} has the states of the report`, wrong.length === 0, wrong);
		const functions = {};
		for (const row of JSON.parse(run("thread", "functions", "--limit", "0", ...thread)).functions)
			if (row.selfSamples && !row.name.startsWith("["))
				functions[row.name] = (functions[row.name] || 0) + row.selfSamples;
		const constructs = Object.keys(functions).filter((name) => name.includes(" [omp "));
		constructs.forEach((name) => delete functions[name]);
		wrong = differences(functions, times.functions, 1e-6);
		ok(`firefox: thread ${i} has the functions of the report`, wrong.length === 0, wrong);
	});
});
