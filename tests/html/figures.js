// SPDX-License-Identifier: Apache-2.0
/* What the page says in numbers and names, against the JSON report: steps of page.js. */
"use strict";

const fs = require("fs");
const path = require("path");
const { at, dataOf, json, open, quiet, seconds, text, texts, threadName, withData } = require("./opened.js");
const { is, ok } = require("../readers/tap.js");

/* Code of which only the address is known has the text report's words, and none is bare. */
async function addresses(page) {
	const waits = json("waits.json"), words = fs.readFileSync(at("waits.txt"), "utf8");
	const bare = waits.nodes.filter((n) => /^0x/.test(n.name) && n.module && n.work_s > 0);
	const named = bare.map((n) => n.module.replace(/.*\//, "") + "+" + n.name);
	const shown = () => page.run("document.querySelector('#page').textContent");

	await open(page, "waits.html");
	ok("the scene has code without a name", bare.length > 1, bare.length);
	ok("the text report calls it by its module", named.some((name) => words.includes(name)), named);
	for (const id of ["flame", "up", "blame", "locks"])
		await page.click("#tab-" + id);
	await page.click("#tab-flame");
	await page.click("#pane-flame summary");
	await page.wait("document.querySelector('#pane-flame details ul')");
	const text = await shown();
	for (const name of new Set(named.filter((name) => words.includes(name))))
		ok(`the page, too: ${name}`, text.includes(name));
	ok("no address is bare", !bare.some((n) => new RegExp(`(^|[^+\\w])${n.name}\\b`).test(text)), text.match(/.{20}[^+]0x.{20}/));
	await quiet(page, "addresses");
}

/* What is seen without scrolling, with many regions, pieces of advice and doubts. */
async function firstScreen(page, report) {
	const many = json("cg.json"), n = 40;
	const fill = (list, length) => Array.from({ length }, (_, i) => ({ ...list[i % list.length] }));

	many.regions = fill(report.regions, n);
	many.regions[n - 1].gain_s = 0;
	many.advice = fill(json("waits.json").advice, 10);
	many.warnings = fill(["a doubt"], 12).map((_, i) => `doubt ${i} about a figure`);
	withData("cg.html", "many.html", "data-user", many);
	await page.resize(1280, 800);
	await open(page, "many.html");
	const rows = () => page.run("document.querySelectorAll('#regions tbody tr').length");
	const top = await page.run("document.querySelector('#flame-box').getBoundingClientRect().top");

	ok("at 1280 by 800 five rows of the flame graph are seen", top + 100 <= 800, top);
	ok("of many regions some are shown", await rows() < 10, await rows());
	is("and how many there are", await page.run(text("#regions .below > button")), `Show all ${n} rows`);
	await page.click("#regions .below > button");
	is("which are shown when asked for", await rows(), n);
	await quiet(page, "the first screen");
}

/* The heat map: a thread's work in a region by the mean of those there, from the data of threads. */
async function heat(page) {
	const cells = dataOf("cg.html", "data-threads"), regions = new Map();

	for (const cell of cells) {
		const key = [cell.name, cell.file, cell.line].join();
		const of = regions.get(key) || new Map();
		of.set(cell.thread, (of.get(cell.thread) || 0) + cell.work_s);
		regions.set(key, of);
	}
	const threads = [...new Set(cells.map((cell) => cell.thread))];
	const sums = [...regions.values()].map((of) => ({ of, work: [...of.values()].reduce((a, b) => a + b, 0) }))
		.sort((a, b) => b.work - a.work).slice(0, 12);
	const expected = threads.map((thread) => sums.map(({ of, work }) => of.has(thread) && work
		? (of.get(thread) * of.size / work).toFixed(2) : "\u2013"));
	await open(page, "cg.html");
	await page.click("#tab-threads");
	await page.wait("document.querySelector('.heat')");
	ok("there are threads and regions", threads.length > 1 && sums.length > 1, [threads.length, sums.length]);
	is("the heat map is the threads' work by the mean", await page.run(`Array.from(document.querySelectorAll(".heat tbody tr"),
		(row) => Array.from(row.querySelectorAll("td"), (cell) => cell.textContent))`), expected);
	const all = (key) => cells.reduce((sum, cell) => sum + cell[key], 0);
	const total = json("cg.json").nodes.reduce((sum, node) => sum + node.work_s, 0);
	ok("whose work is the report's", Math.abs(all("work_s") - total) < 1e-6 * total + 1e-9, [all("work_s"), total]);
	await quiet(page, "heat");
}

/* Lines of each file: the sums of the nodes there, or of waits and constructs below that have none; code without lines is of none. */
async function sources(page) {
	const report = json("waits.json"), files = new Map();
	const waited = (n) => Object.entries(n.wait).reduce((s, [k, v]) => s + (k === "reduction" ? 0 : v), 0);

	for (const node of report.nodes.slice(1)) {
		node.file = node.id % 3 ? `/nowhere/part${node.id % 2}.c` : "";
		node.line = node.file ? 10 + node.id % 5 : 0;
	}
	for (const node of report.nodes) {
		let up = node;
		while (up && !up.file && up.kind !== "function" && up.kind !== "inlined")
			up = up.parent === null ? null : report.nodes[up.parent];
		if (!up || !up.file || !(node.work_s + waited(node) + node.overhead_s + (node.blame_s || 0)))
			continue;
		const lines = files.get(up.file) || new Map(), sums = lines.get(up.line) || [0, 0, 0, 0];
		[node.work_s, waited(node), node.overhead_s, node.blame_s || 0].forEach((value, i) => { sums[i] += value; });
		files.set(up.file, lines.set(up.line, sums));
	}
	withData("waits.html", "lines.html", "data-user", report);
	await open(page, "lines.html");
	await page.click("#tab-source");
	await page.wait("document.querySelector('#source-file')");
	is("the scene has lines of two files", files.size, 2);
	is("every file of the report has its lines", (await page.run(texts("#source-file option"))).sort(), [...files.keys()].sort());
	for (const [file, lines] of files) {
		await page.run(`{ const s = document.querySelector("#source-file");
			s.selectedIndex = Array.from(s.options).findIndex((o) => o.textContent === ${JSON.stringify(file)});
			s.dispatchEvent(new Event("change")); }`);
		is(`lines of ${path.basename(file)}`, await page.run(`Array.from(document.querySelectorAll(".source tbody tr"),
			(row) => Array.from(row.querySelectorAll(".number"), (cell) => cell.textContent))
			.filter((row) => row.slice(1).join(""))`), [...lines].sort((a, b) => a[0] - b[0])
			.map(([line, sums]) => [String(line || "?"), ...sums.map((value) => value ? seconds(value) : "")]));
	}
	await quiet(page, "sources");
}

/* The timeline: its table has the sums of the JSON's buckets, of all and of the range that is selected. */
async function timeline(page) {
	const report = json("waits.json"), keys = ["work", "overhead", "barrier", "idle"];
	const titles = ["thread", "work, or in MPI", "runtime overhead", "barriers", "idle"];

	report.threads[0].mpi_s = 0.1;
	report.threads.forEach((row, t) => {
		const times = {};
		keys.forEach((key, k) => {
			times[key] = Array.from({ length: 300 - 20 * k }, (_, i) => 0.00104 * ((i + 3 * k + 5 * t) % 7));
		});
		row.timeline = { begin_s: 0, bucket_s: t ? 0.02 : 0.04, torn: false, dropped: 0, times };
	});
	/* Columns are as wide as the shortest bucket: 0.02 s, and 600 of them. */
	const sums = (begin, end) => report.threads.map(({ timeline: { bucket_s: width, times } }) => keys.map((key) =>
		seconds(times[key].reduce((sum, value, i) => sum + value * Math.max(0,
			Math.min(end, (i + 1) * width) - Math.max(begin, i * width)) / width, 0))));
	const shown = () => page.run(`Array.from(document.querySelectorAll("#pane-timeline tbody tr"),
		(row) => Array.from(row.querySelectorAll("td"), (cell) => cell.textContent))`);

	withData("waits.html", "timeline.html", "data-user", report);
	await open(page, "timeline.html");
	await page.click("#tab-timeline");
	ok("the scene has several threads", report.threads.length > 1, report.threads.length);
	is("the timeline has the states that there are", await page.run(texts("#pane-timeline thead button")), titles);
	is("its sums are those of the JSON", await shown(), sums(0, 1e9));
	await page.run("document.querySelector('#pane-timeline canvas[role=application]').focus()");
	const column = 0.02, said = () => page.run(text("#line-said"));
	for (let i = 0; i < 3; i++)
		await page.key("ArrowRight");
	await page.key("ArrowDown");
	const second = report.threads[1], work = second.timeline.times.work[3];
	ok("arrows say what a thread did at a time", (await said()).startsWith(`thread ${threadName(second)}, ${seconds(3 * column)} to`)
		&& (await said()).includes(`work, or in MPI ${(100 * work / column).toFixed(1)} %`), await said());
	const drag = (from, to) => page.run(`{ const c = document.querySelector("#pane-timeline canvas[role=application]");
		const pen = document.createElement("canvas").getContext("2d");
		pen.font = "12px monospace";
		const names = ${JSON.stringify(report.threads.map(threadName))}.map((name) => Math.ceil(pen.measureText(name).width + 10));
		const box = c.getBoundingClientRect(), left = Math.min(Math.max(110, ...names), 200), wide = (box.width - left) / 600;
		const at = (type, column, buttons) => c.dispatchEvent(new PointerEvent(type, { buttons, pointerId: 1,
			clientX: box.x + left + (column + 0.5) * wide, clientY: box.y + 5 }));
		c.setPointerCapture = () => {};
		at("pointerdown", ${from}, 1); at("pointermove", ${to}, 1); at("pointerup", ${to}, 0); }`);
	await drag(51, 147);
	is("a range that is dragged has its sums", await shown(), sums(51 * column, 148 * column));
	await page.run("document.querySelector('#line-all').click()");
	is("and all again", await shown(), sums(0, 1e9));
	await page.run(`{ const c = document.querySelector("#pane-timeline canvas[role=application]");
		const key = (key, shiftKey) => c.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
		key("Home", false);
		for (let i = 0; i < 9; i++) key("ArrowRight", true); }`);
	is("arrows with Shift select, too", await shown(), sums(0, 10 * column));
	await quiet(page, "timeline");
	await open(page, "cg.html");
	await page.click("#tab-timeline");
	ok("without a timeline this is said", (await page.run(text("#pane-timeline"))).startsWith("This profile does not tell when"));
}

module.exports = { addresses, firstScreen, heat, sources, timeline };
