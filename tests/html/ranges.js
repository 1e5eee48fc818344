// SPDX-License-Identifier: Apache-2.0
/* The timeline as a place to work in: zoom, pan, lanes, and the selected time in all panes. Steps of page.js. */
"use strict";

const { json, open, quiet, seconds, text, texts, withData } = require("./opened.js");
const { is, ok } = require("../readers/tap.js");

const CANVAS = "#pane-timeline canvas[role=application]", MS = 1000000;
const said = (page) => page.run(text("#line-said"));
const settle = (page) => page.run("new Promise((done) => setTimeout(done, 200))");

/* A trace of threads 1 to 3 until `until` ns: samples of 1 ms, and a wait after each two. */
function makeTrace(report, until) {
	const nodes = report.nodes.filter((node) => node.parent !== null).map((node) => node.id);
	const keys = nodes.map((id, i) => i % 3 === 2 ? [id, "wait", "barrier", 0] : [id, "work", "work", i % 2]);
	const threads = [1, 2, 3].map((thread) => {
		const n = until / MS, each = (f) => Array.from({ length: n }, (_, i) => f(i));

		return { thread, end: each(() => MS), length: each(() => MS), more: each((i) => i % 5 ? 0 : -MS / 4),
			key: each((i) => (Math.floor(i / 20) + 7 * thread + i % 3) % keys.length) };
	});
	return { traced: until, phases: ["assemble"], keys, threads };
}

/* What of the trace is from `begin` to `end`, in whole ms: amounts by node, and of work by thread. */
function cut(trace, begin, end) {
	const byNode = new Map(), work = [];

	for (const { thread, more, key } of trace.threads) {
		let sum = 0;

		for (let i = begin; i < end; i++) {
			const [node, figure] = trace.keys[key[i]], amount = (MS + more[i]) / 1e9;

			byNode.set(node, (byNode.get(node) || 0) + amount);
			sum += figure === "work" ? amount : 0;
		}
		work[thread] = sum;
	}
	return { byNode, work, all: [...byNode.values()].reduce((a, b) => a + b, 0) };
}

/* The nodes below a node, itself too. */
function below(report, top) {
	const is = new Set([top]);

	for (const node of report.nodes)
		if (is.has(node.parent))
			is.add(node.id);
	return is;
}

async function selected(page, report, trace, begin, end) {
	const { byNode, work, all } = cut(trace, begin, end);
	const column = (selector, n) => page.run(texts(`${selector} tbody tr td:nth-child(${n})`));

	ok("the selected time and its source are said", (await page.run(text("#range"))).startsWith(
		`Only ${seconds(begin / 1e3)} to ${seconds(end / 1e3)}`) && (await page.run(text("#range-source"))).startsWith("From the trace: exact"),
	await page.run(text("#range")));
	is("the states are the trace's", (await column("#pane-timeline", 2)).slice(0, 3), work.slice(1).map(seconds));
	await page.click("#tab-flame");
	ok("the flame graph is of that time", (await page.run(text("#flame-said"))).startsWith(`the selected time: ${seconds(all)}, 100.0 %`),
		[all, await page.run(text("#flame-said"))]);
	const regions = report.regions.map((region) => [...new Set(region.nodes.flatMap((node) => [...below(report, node)]))]
		.reduce((sum, node) => sum + (byNode.get(node) || 0), 0)).filter(Boolean).sort((a, b) => b - a);
	ok("there are regions in it", regions.length > 0, regions.length);
	is("so is the table of regions", await column("#regions", 2), regions.map(seconds));
	await page.click("#tab-up");
	const first = Math.max(...(await page.run(texts(".up > li .amount:first-child"))).map(parseFloat));
	ok("and bottom-up", first > 0 && first <= 1000 * all, first);
	await page.click("#tab-threads");
	await page.wait("document.querySelector('#pane-threads .table')");
	is("and the threads", (await column("#pane-threads .table", 2)).slice(0, 3), work.slice(1).map(seconds));
}

async function zoom(page) {
	const ticks = () => page.run(texts(".axis span"));
	const all = await ticks();

	await page.run(`document.querySelector("${CANVAS}").focus()`);
	for (let i = 0; i < 10; i++)
		await page.key("+");
	await settle(page);
	const near = await ticks();
	ok("a key zooms", near.join() !== all.join() && parseFloat(near[near.length - 1]) < parseFloat(all[all.length - 1]) / 2, near);
	await page.key("PageDown");
	await settle(page);
	ok("another moves on", parseFloat((await ticks())[0]) > parseFloat(near[0]), await ticks());
	await page.key("0");
	await settle(page);
	is("0 shows all", await ticks(), all);
	const wheel = (more) => page.run(`{ const c = document.querySelector("${CANVAS}"), box = c.getBoundingClientRect();
		c.dispatchEvent(new WheelEvent("wheel", { bubbles: true, cancelable: true, clientX: box.x + 400, clientY: box.y + 5, ${more} })); }`);
	for (let i = 0; i < 10; i++)
		await wheel("deltaY: -100");
	await settle(page);
	const turned = await ticks();
	ok("the wheel zooms", turned.join() !== all.join(), turned);
	await wheel("deltaY: 300, shiftKey: true");
	await settle(page);
	ok("with Shift it moves", (await ticks()).join() !== turned.join(), await ticks());
	await page.click("#line-whole");
	await settle(page);
	is("a button shows all, too", await ticks(), all);
}

async function ranges(page) {
	const report = json("timed.json"), trace = makeTrace(report, 200 * MS);

	for (const row of report.threads.slice(0, 3))
		row.timeline = { begin_s: 0, bucket_s: 0.01, torn: false, dropped: 0, times: { work: Array(40).fill(0.004), barrier: [] } };
	report.threads[3].timeline = undefined;
	withData("timed.html", "step.html", "data-user", report);
	withData("step.html", "ranges.html", "data-trace", trace);
	await open(page, "ranges.html");
	await page.click("#tab-timeline");
	await zoom(page);
	await page.run(`document.querySelector("${CANVAS}").focus()`);
	await page.key("Home");
	for (let i = 0; i < 3; i++)
		await page.key("ArrowUp");
	ok("a lane has the phases", (await said(page)).startsWith("phases, 0 s to ") && (await said(page)).includes("assemble"), await said(page));
	await page.key("ArrowDown");
	ok("another the regions", (await said(page)).startsWith("regions, 0 s to "), await said(page));
	const step = Math.round(1000 * parseFloat((await said(page)).match(/ to ([\d.]+) ms/)[1])) / 1000;
	ok("a step is whole ms", step === Math.round(step), step);
	for (let i = 0; i < 20; i++)
		await page.key("ArrowRight");
	for (let i = 0; i < 30; i++)
		await page.key("ArrowRight", { shift: true });
	await settle(page);
	await selected(page, report, trace, 20 * step, 51 * step);
	await page.click("#tab-timeline");
	await page.run(`document.querySelector("${CANVAS}").focus()`);
	await page.key("End");
	await page.key("ArrowLeft", { shift: true });
	await settle(page);
	ok("where the trace ends the timeline is said to be the source", (await page.run(text("#range-source"))).startsWith(
		"From the timeline: states of threads, by shares of buckets of 10.0 ms"), await page.run(text("#range-source")));
	await page.click("#tab-flame");
	ok("and the flame graph stays that of the whole run", (await page.run(text("#flame-said"))).startsWith("the whole run"),
		await page.run(text("#flame-said")));
	await page.click("#range-all");
	await settle(page);
	ok("the whole run comes back", await page.run("document.querySelector('#range').hidden"));
	is("with all regions", await page.run("document.querySelectorAll('#regions tbody tr').length"), report.regions.length);
	await quiet(page, "ranges");
}

module.exports = { ranges };
