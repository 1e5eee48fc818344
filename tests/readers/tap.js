// SPDX-License-Identifier: Apache-2.0
/* TAP for tests that are programs of node's, as tests/tap.sh is for shell tests. */
"use strict";

let n = 0;

function note(text) {
	console.log(String(text).replace(/^/gm, "# "));
}

/* One test point: whether a condition is true; the details, any value, are shown when not. */
function ok(description, isTrue, details) {
	n++;
	console.log(`${isTrue ? "ok" : "not ok"} ${n} - ${description}`);
	if (!isTrue && details !== undefined)
		note(typeof details === "string" ? details : JSON.stringify(details, null, 1));
	return Boolean(isTrue);
}

/* One test point: whether two values are equal as JSON. */
function is(description, got, expected) {
	const texts = [JSON.stringify(got), JSON.stringify(expected)];
	return ok(description, texts[0] === texts[1], `got:      ${texts[0]}\nexpected: ${texts[1]}`);
}

/* States how many test points there were; the last word of a test. */
function plan() {
	console.log(`1..${n}`);
}

/* The test itself is broken: the error's stack, and status 99 when the program ends. */
function bailOut(error) {
	console.log(`Bail out! ${String(error.stack).replace(/\n/g, "\n# ")}`);
	process.exitCode = 99;
}

module.exports = { bailOut, is, note, ok, plan };
