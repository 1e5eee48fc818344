// SPDX-License-Identifier: Apache-2.0
/* The pane of a job's ranks: its figures are the JSON's, and a rank that is chosen narrows others. Steps of page.js. */
"use strict";

const { dataOf, json, open, quiet, seconds, text, texts, threadName, withData } = require("./opened.js");
const { is, note, ok } = require("../readers/tap.js");

const KEYS = ["useful_s", "serial_s", "imbalance_s", "lock_s", "task_s", "overhead_s", "blocked_s"];
const column = (n, table = 2) => texts(`#pane-ranks .table:nth-of-type(${table}) tbody tr > :nth-child(${n})`);
const heading = (n) => `#pane-ranks thead th:nth-child(${n}) button`;

/* Each cause of each rank, as thread time and as a share, with the same figures where the mouse rests. */
async function causes(page) {
	const ranks = json("job.json").processes, cells = (get) => `Array.from(document.querySelectorAll("#pane-ranks tbody tr"),
		(row) => Array.from(row.querySelectorAll("td"), (cell) => cell.${get}).slice(3))`;

	await open(page, "job.html");
	await page.click("#tab-ranks");
	ok("the job's ranks have causes", ranks.every((row) => Object.keys(row.causes).every((key) => KEYS.includes(key))), ranks.map((row) => row.causes));
	is("the ranks are the report's", await page.run(column(1)), ["rank 0", "rank 1", "rank 2 (incomplete)"]);
	is("their causes are the JSON's", await page.run(cells("textContent")), ranks.map((row) => KEYS.map((key) => seconds(row.causes[key]))));
	ok("each is said in words", (await page.run(cells("title")))[1][2] === `rank 1, load imbalance: ${seconds(ranks[1].causes.imbalance_s)}, `
		+ `${(100 * ranks[1].causes.imbalance_s / ranks[1].capacity_s).toFixed(1)} % of its slots\u2019 time`, (await page.run(cells("title")))[1]);
	const shades = (await page.run(cells("style.backgroundColor")))[0].map((shade) => Number(shade.match(/\) (\d+)%/)[1]));
	const bySize = (list) => list.map((_, i) => i).sort((a, b) => list[b] - list[a]);
	is("the larger a figure, the fuller its colour", bySize(shades), bySize(KEYS.map((key) => ranks[0].causes[key])));
	await page.run(`{ const s = document.querySelector("#ranks-unit"); s.value = "share"; s.dispatchEvent(new Event("change")); }`);
	is("or their shares", await page.run(cells("textContent")), ranks.map((row) => KEYS.map((key) =>
		`${(100 * (row.causes[key] || 0) / row.capacity_s).toFixed(1)} %`)));
	await page.click(heading(5));
	is("a click on a cause sorts by it", (await page.run(column(1)))[2], "rank 2 (incomplete)");
	await page.click(heading(11));
	is("so a rank that is apart comes first", await page.run(column(1)), ["rank 2 (incomplete)", "rank 0", "rank 1"]);
	await quiet(page, "causes of ranks");
	const report = json("job.json");
	report.processes.forEach((row) => { row.causes = {}; });
	withData("job.html", "parts.html", "data-user", report);
	await open(page, "parts.html");
	await page.click("#tab-ranks");
	is("without causes there are their sums", await page.run(cells("textContent")), ranks.map((row) =>
		["useful_s", "wait_s", "other_s"].map((key) => seconds(row[key]))));
	await open(page, "cg.html");
	ok("one process has no such tab", await page.run("!document.querySelector('#tab-ranks')"));
}

/* A rank is chosen with the keyboard; threads and the timeline are then its own. */
async function narrowed(page) {
	const report = dataOf("timedjob.html", "data-user"), own = report.threads.filter((row) => row.rank === 1);
	const threads = () => page.run(texts("#pane-threads .table tbody th")), lines = () => page.run(texts("#pane-timeline tbody th"));

	await open(page, "timedjob.html");
	await page.click("#tab-timeline");
	await page.click("#tab-ranks");
	await page.run("document.querySelector('#pane-ranks tbody tr:nth-child(2) button').focus()");
	await page.key("Enter");
	ok("a rank is chosen with a key", (await page.run(text("#pane-ranks tr.selected th"))) === "rank 1"
		&& (await page.run("document.activeElement.ariaPressed")) === "true");
	ok("which is said, with what is of the rank and how to see the rest", (await page.run(text("#range"))).startsWith("Only rank 1")
		&& (await page.run(text("#range code"))) === "ompprof report --rank 1 --html FILE", await page.run(text("#range")));
	await page.click("#tab-threads");
	await page.wait("document.querySelector('#pane-threads .table')");
	is("threads are the rank's", await threads(), own.map(threadName));
	ok("so is the heat map", (await page.run(texts(".heat tbody th"))).every((name) => name.startsWith("rank 1, ")));
	await page.click("#tab-timeline");
	is("and the timeline", await lines(), own.filter((row) => row.timeline).map(threadName));
	await page.click("#range-ranks");
	is("all are shown again", await lines(), report.threads.filter((row) => row.timeline).map(threadName));
	await page.click("#tab-threads");
	is("threads, too", (await threads()).length, report.threads.length);
	ok("and nothing says otherwise", await page.run("document.querySelector('#range').hidden"));
	await quiet(page, "a chosen rank");
}

/* A thousand ranks on several hosts, and those that others waited for. */
async function thousand(page) {
	const report = json("job.json"), first = report.processes[0];
	const late = (rank, wait_s) => ({ pid: 1000 + rank, rank, wait_s, calls: 9, name: "PMPI_Allreduce", file: "/src/a.c", line: 7,
		function: "solve", node: null });

	report.processes = Array.from({ length: 1000 }, (_, rank) => ({ ...first, rank, pid: 1000 + rank, host: `node${rank >> 6}`,
		causes: { ...first.causes, serial_s: 0, mpi_s: (rank * 7919 % 1000) / 1000 } }));
	report.rank_waits = { mpi_s: 500, compared_s: 400, unblamed_s: 100, calls: 10, compared: 9, late: [late(3, 50), late(700, 350)] };
	withData("job.html", "thousand.html", "data-user", report);
	await open(page, "thousand.html");
	await page.click("#tab-ranks");
	const mpi = 5 + KEYS.length;
	await page.click(heading(mpi));
	await page.click("#pane-ranks .below > button");
	is("a thousand ranks are sorted", await page.run(column(mpi)),
		report.processes.map((row) => row.causes.mpi_s).sort((a, b) => b - a).map(seconds));
	const taken = await page.run(`(() => { const begin = performance.now(); document.querySelector("${heading(1)}").click();
		document.querySelector("#pane-ranks").getBoundingClientRect(); return performance.now() - begin; })()`);
	note(`1000 ranks: sorted and laid out in ${taken.toFixed(0)} ms`);
	ok("soon", taken < 3000, taken);
	is("which began again from the first", (await page.run(column(1))).slice(0, 3), ["rank 0", "rank 1", "rank 2"]);
	is("hosts that differ are shown", (await page.run(column(2)))[999], "node15");
	is("ranks that came last are the JSON's", [await page.run(column(1, 3)), await page.run(column(2, 3)), await page.run(column(4, 3))],
		[["rank 700", "rank 3"], [350, 50].map(seconds), Array(2).fill("PMPI_Allreduce in solve")]);
	await quiet(page, "a thousand ranks");
}

async function jobRanks(page) {
	await causes(page);
	await narrowed(page);
	await thousand(page);
}

module.exports = { jobRanks };
