// SPDX-License-Identifier: Apache-2.0
/* What a report in JSON has by function and by state, in ms: what readers of exports must show. */
"use strict";

const fs = require("fs");

const STATES = {
	barrier: "Barrier", taskwait: "Tasks", taskgroup: "Tasks", lock: "Mutex", nest_lock: "Mutex",
	critical: "Mutex", ordered: "Mutex", atomic: "Mutex", target: "Device", idle: "Idle",
	blocked: "Other",
};

function reportTimes(file) {
	const functions = {}, states = {};
	const add = (sums, key, seconds) => {
		if (seconds) sums[key] = (sums[key] || 0) + 1000 * seconds;
	};
	for (const node of JSON.parse(fs.readFileSync(file)).nodes) {
		if (["function", "inlined"].includes(node.kind)) add(functions, node.name, node.work_s);
		add(states, "Work", node.work_s);
		add(states, "Overhead", node.overhead_s);
		for (const [kind, seconds] of Object.entries(node.wait))
			if (kind !== "reduction") add(states, STATES[kind] || kind, seconds);
	}
	return { functions, states };
}

/* What differs by more than a share, with both figures. */
function differences(got, expected, share, least = 1e-3) {
	return Object.keys({ ...got, ...expected }).filter((key) => {
		const [a, b] = [got[key] || 0, expected[key] || 0];
		return Math.abs(a - b) > share * Math.max(a, b) + least;
	}).map((key) => `${key}: ${got[key]} ms, ${expected[key]} ms in the report`);
}

module.exports = { differences, reportTimes };
