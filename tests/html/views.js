// SPDX-License-Identifier: Apache-2.0
/* The head that folds, callers and callees of a function, and colours by module. Steps of page.js. */
"use strict";

const { json, open, quiet, seconds, text, texts, withData } = require("./opened.js");
const { is, ok } = require("../readers/tap.js");

/* A function in two places, once within itself, in a module of MPI and in one that is not. */
function makeCalls() {
	const report = json("cg.json"), root = report.nodes[0];
	const node = (id, parent, name, module, work_s) => ({ ...root, id, parent, kind: "function", name, module, file: "", line: 0, work_s,
		wait: {}, overhead_s: 0, blame_s: 0 });

	report.nodes = [{ ...root, work_s: 0, wait: {}, overhead_s: 0 }, node(1, 0, "one", "/bin/app", 1), node(2, 1, "shared", "/bin/app", 2),
		node(3, 2, "leaf", "/lib/libmpi.so.40", 4), node(4, 0, "two", "/bin/app", 8), node(5, 4, "shared", "/bin/app", 16),
		node(6, 5, "shared", "/bin/app", 32), node(7, 6, "leaf", "/lib/libmpi.so.40", 64), node(8, 0, "other", "/lib/libm.so.6", 128)];
	for (const list of ["regions", "waits", "locks", "tasks", "advice"])
		report[list] = [];
	withData("cg.html", "calls.html", "data-user", report);
}

async function sandwich(page) {
	const said = () => page.run(text("#sandwich-said"));
	const column = (n) => page.run(texts(`#pane-sandwich tbody tr > :nth-child(${n})`));

	makeCalls();
	await open(page, "calls.html");
	await page.click("#tab-sandwich");
	is("functions are sorted by all that they call", await column(1), ["other", "two", "shared", "leaf", "one"]);
	is("calls within calls count once", await column(2), [128, 120, 118, 68, 7].map(seconds));
	await page.click("#pane-sandwich tbody tr:nth-child(3) button");
	ok("a function is chosen", (await said()).startsWith(`shared: ${seconds(118)}, 100.0 % of shared`), await said());
	const focus = (n) => page.run(`document.querySelectorAll("#pane-sandwich canvas[role=application]")[${n}].focus()`);
	await focus(0);
	await page.key("ArrowUp");
	ok("above are its callers", (await said()).startsWith(`two: ${seconds(112)}, 94.9 %`), await said());
	await page.key("ArrowRight");
	ok("with what it took for each", (await said()).startsWith(`one: ${seconds(6)}, 5.1 %`), await said());
	await focus(1);
	await page.key("ArrowDown");
	const first = await said();
	await page.key("ArrowRight");
	is("below is what it calls", [first, await said()].map((words) => words.split(",")[0]).sort(),
		[`leaf: ${seconds(4)}`, `shared: ${seconds(96)}`]);
	await page.key("Enter");
	ok("Enter chooses it", (await said()).startsWith(`leaf: ${seconds(68)}, 100.0 % of leaf`), await said());
	await quiet(page, "sandwich");
}

async function modules(page) {
	const pixel = (row, share) => page.run(`(() => { const c = document.querySelector("#flame-box canvas");
		const copy = document.createElement("canvas"), pen = copy.getContext("2d", { willReadFrequently: true });
		copy.width = copy.height = 1; pen.drawImage(c, -Math.round(c.width * ${share}), -${row} * 20 - 3);
		return Array.from(pen.getImageData(0, 0, 1, 1).data).join(); })()`);

	await open(page, "calls.html");
	const before = [await pixel(1, 0.25), await pixel(1, 0.75)];
	is("functions have one colour", before[0], before[1]);
	await page.run(`{ const s = document.querySelector("#flame-paint"); s.value = "module"; s.dispatchEvent(new Event("change")); }`);
	ok("or one for each module", await pixel(1, 0.25) !== await pixel(1, 0.75), [await pixel(1, 0.25), await pixel(1, 0.75)]);
	is("MPI has its own", await page.run("document.querySelector('#pane-flame .swatch.mpi').parentNode.textContent"), "libmpi.so.40");
	await quiet(page, "modules");
}

async function fold(page) {
	const top = () => page.run("document.querySelector('#tabs').getBoundingClientRect().top");

	await page.resize(2200, 800);
	await open(page, "cg.html");
	ok("the page is as wide as the window", await page.run("document.querySelector('#flame-box').clientWidth") > 2100);
	await page.resize(1280, 800);
	const before = await top();
	await page.run("document.querySelector('#fold').focus()");
	await page.key("Enter");
	ok("the head folds", await top() < before / 2 && await page.run("document.querySelector('#fold').ariaExpanded") === "false", [before, await top()]);
	ok("but for what was run", (await page.run("document.querySelector('#head').innerText")).includes("wall"));
	await page.key("Enter");
	is("and opens", await top(), before);
	await quiet(page, "fold");
}

/* Headings of wide tables keep their words whole. */
async function headings(page) {
	const report = json("cg.json"), name = "CalculateHourglassForceForElements";

	await open(page, "cg.html");
	await page.click("#tab-threads");
	await page.wait("document.querySelector('.heat')");
	is("no heading is broken within a word", await page.run(`(() => { const th = document.querySelector(".heat thead th:nth-child(2)");
		th.firstChild.data = "${name}"; const range = document.createRange(); range.selectNodeContents(th.firstChild);
		return range.getClientRects().length; })()`), 1);
	ok("there are regions", report.regions.length > 0);
}

module.exports = { fold, headings, modules, sandwich };
