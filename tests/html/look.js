// SPDX-License-Identifier: Apache-2.0
/* How the page looks, as far as can be asserted: of every pane, wide and narrow, light and dark. Steps of page.js. */
"use strict";

const { dataOf, json, open, quiet, seconds, text, texts, threadName, withData } = require("./opened.js");
const { is, ok } = require("../readers/tap.js");

const SIZES = [[1280, 800], [800, 900]], SCHEMES = ["light", "dark"];

/* A profile with all that there can be. */
function makeAll() {
	const all = json("counted.json"), target = json("target.json");
	const phase = (path, wall_s, times) => ({ path, name: path, other: false, times, wall_s, useful_s: wall_s, overhead_s: 0,
		barrier_s: wall_s / 3, task_s: 0, lock_s: 0, idle_s: 0, off_cpu_s: 0, total_s: 4 * wall_s / 3, blame_s: 0, efficiency: 0.75 });
	const task = (line) => ({ node: null, name: `[omp task @a.c:${line}]`, file: "/src/a.c", line, function: "solve", created: 9,
		executed: 9, creators: 1, busy_s: 0.9, mean_s: 0.1, max_s: 0.2, stolen_share: 0.5, starved_s: 0.25, cancelled: 0, detached: 0,
		fulfilled: 0, blocked_s: line / 100, awaits: [] });

	all.targets = target.targets.map((row) => ({ ...row, node: null }));
	all.devices = target.devices;
	all.phases = [phase("", 0.5, 0), phase("assemble", 1.5, 3), phase("assemble/solve", 1, 6)];
	all.tasks = [task(30), task(40)];
	all.tasks[1].awaits = [{ node: null, name: all.tasks[0].name, file: "/src/a.c", line: 30, function: "solve", tasks: 8,
		wait_s: 0.8, mean_s: 0.1, max_s: 0.3 }];
	withData("counted.html", "all.html", "data-user", all);
	return all;
}

/*
 * In the page: what of the shown text is not of enough contrast with what is behind it. Colours are those that the
 * browser computes; disabled controls do not count.
 */
function lowContrast() {
	const parts = (colour) => {
		const numbers = colour.match(/[\d.]+/g).map(Number);
		const scale = colour.startsWith("color(") ? 1 : 255;
		return { rgb: numbers.slice(0, 3).map((n) => n / scale), alpha: numbers.length > 3 ? numbers[3] : 1 };
	};
	const light = (rgb) => rgb.map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (element) => {
		for (let at = element; at; at = at.parentElement) {
			const colour = parts(getComputedStyle(at).backgroundColor);
			if (colour.alpha === 1)
				return colour.rgb;
		}
		return [1, 1, 1];
	};
	const low = [];

	for (const element of document.querySelectorAll("#page *")) {
		const own = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.data.trim());
		if (!own || element.disabled || !element.getClientRects().length)
			continue;
		const [a, b] = [light(parts(getComputedStyle(element).color).rgb), light(behind(element))];
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (contrast < 4.5)
			low.push([element.textContent.slice(0, 30), element.className, contrast.toFixed(2)]);
	}
	/* What is written on canvas. */
	const style = getComputedStyle(document.documentElement), named = (name) => {
		const hex = style.getPropertyValue("--" + name).trim();
		return light([1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255));
	};
	for (const fill of ["function", "inlined", "region", "task", "wait", "overhead", "other", "mpi", "module1", "module2", "module3", "module4",
		"worse1", "worse2", "worse3", "better1", "better2", "better3"]) {
		const [a, b] = [named("on-flame"), named(fill)];
		const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		if (!(contrast >= 4.5))
			low.push(["on-flame", fill, contrast]);
	}
	return low;
}

/* Buttons and fields whose edge is hard to see beside the page. */
function lowEdges() {
	const style = getComputedStyle(document.documentElement);
	const light = (name) => [1, 3, 5].map((i) => parseInt(style.getPropertyValue("--" + name).trim().slice(i, i + 2), 16) / 255)
		.map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
		.reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);

	return ["edge", "focus", "found", "hatch"].filter((name) => {
		const [a, b] = [light(name), light("back")];
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 3;
	});
}

async function look(page, name, sizes = SIZES) {
	const faults = [];

	for (const [width, height] of sizes) {
		for (const scheme of SCHEMES) {
			await page.resize(width, height);
			await page.prefer({ "prefers-color-scheme": scheme });
			await open(page, name);
			for (const id of await page.run("Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.id.slice(4))")) {
				await page.run(`document.querySelector('#tab-${id}').click()`);
				await page.wait(`document.querySelector('#pane-${id}').textContent.trim() !== ''`);
				await page.run("for (const one of document.querySelectorAll('#page details')) one.open = true");
				const at = `${id} at ${width}, ${scheme}: `;
				const wide = await page.run("document.documentElement.scrollWidth");
				if (wide > width)
					faults.push(at + `${wide} wide`);
				for (const low of await page.run(`(${lowContrast})()`))
					faults.push(at + `contrast ${low}`);
				const odd = (await page.run("document.querySelector('#page').innerText")).match(/.*(\b(null|undefined|NaN|Infinity)\b|\[object ).*/);
				if (odd)
					faults.push(at + odd[0]);
			}
			for (const low of await page.run(`(${lowEdges})()`))
				faults.push(`${scheme}: ${low} is hard to see`);
		}
	}
	is(`${name}: no pane is wider than the page, has pale text or no value`, faults, []);
	await page.resize(1280, 800);
	await page.prefer({ "prefers-color-scheme": "light" });
	await quiet(page, `looks of ${name}`);
}

/* From each tab one Tab leads into its pane, and on to all that can be pressed there. */
async function reach(page) {
	await open(page, "all.html");
	const ids = await page.run("Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.id.slice(4))");

	is("there is a pane for all that the profile has", ids, ["flame", "timeline", "up", "sandwich", "blame", "threads", "locks", "tasks",
		"devices", "phases", "events", "source"]);
	await reachPanes(page, ids);
	await quiet(page, "reach");
}

async function reachPanes(page, ids) {
	for (const id of ids) {
		await page.activate();
		await page.run(`document.querySelector('#tab-${id}').click(); document.querySelector('#tab-${id}').focus();`);
		await page.wait(`document.querySelector('#pane-${id}').textContent.trim() !== ''`);
		const pressed = `Array.from(document.querySelectorAll('#pane-${id} :is(button, input, select, summary, canvas[tabindex])'))
			.filter((e) => !e.disabled && e.getClientRects().length)`;
		const n = await page.run(`${pressed}.length`);
		await page.key("Tab");
		ok(`${id}: Tab leads into its pane`, await page.run(`document.querySelector('#pane-${id}').contains(document.activeElement)`));
		const met = new Set(), ringless = new Set();
		for (let i = 0; i < n + 12; i++) {
			const at = await page.run(`${pressed}.indexOf(document.activeElement)`);
			if (at >= 0)
				met.add(at);
			if (await page.run("document.hasFocus() && document.activeElement !== document.body && getComputedStyle(document.activeElement).outlineStyle === 'none'"))
				ringless.add(await page.run("document.activeElement.outerHTML.slice(0, 60)"));
			await page.key("Tab");
		}
		is(`${id}: and to all that can be pressed`, met.size, n);
		is(`${id}: which is seen`, Array.from(ringless), []);
	}
}

/* Panes of what some profiles have say what the JSON says. */
async function more(page, all) {
	const column = (pane, table, n) => page.run(texts(`#pane-${pane} .table:nth-of-type(${table}) tbody tr > :nth-child(${n})`));
	const sorted = (rows, key) => rows.slice().sort((a, b) => b[key] - a[key]);

	await open(page, "all.html");
	for (const id of ["tasks", "devices", "phases", "events"])
		await page.click("#tab-" + id);
	is("targets are the report's", await column("devices", 1, 2), sorted(all.targets, "time_s").map((row) => seconds(row.time_s)));
	is("so are devices", await column("devices", 2, 2), all.devices.map((row) => seconds(row.time_s)));
	ok("a device has its name", (await column("devices", 2, 1)).some((name) => name.startsWith("0: Example")), await column("devices", 2, 1));
	is("phases are the report's", await column("phases", 1, 1), ["assemble", "assemble/solve", "(in no phase)"]);
	is("with their wall time", await column("phases", 1, 2), [1.5, 1, 0.5].map(seconds));
	is("events are the report's", (await column("events", 1, 3)).map((words) => Number(words.replace(/\u202f/g, ""))),
		sorted(all.events, "count").map((row) => row.count));
	ok("there are some", all.events.length > 2, all.events.length);
	const most = sorted(all.events, "count")[0];
	is("and the most of a thread", Number((await column("events", 1, 6))[0].replace(/\u202f/g, "")), Math.max(...most.threads.map((t) => t.count)));
	is("a task that waits for tasks is shown", await page.run(texts("#pane-tasks .table:nth-of-type(2) tbody tr > *")),
		["[omp task @a.c:40] in solve", "[omp task @a.c:30] in solve", "8", "0.800 s", "0.100 s", "0.300 s"]);
	await quiet(page, "more panes");
}

/* Frames that are too narrow to be seen are reached by keys, and by being zoomed to. */
async function narrow(page) {
	const report = json("cg.json"), first = report.nodes.find((n) => n.parent === 0);
	const said = () => page.run(text("#flame-said"));

	for (const name of ["narrow_one", "narrow_two"])
		report.nodes.push({ ...first, id: report.nodes.length, kind: "function", name, line: 0, file: "",
			work_s: name === "narrow_one" ? 2e-6 : 1e-6, wait: {}, overhead_s: 0 });
	withData("cg.html", "narrow.html", "data-user", report);
	await open(page, "narrow.html");
	await page.run("document.querySelector('#flame-box canvas').focus()");
	await page.key("ArrowDown");
	for (let i = 0; i < 50 && !(await said()).startsWith("narrow_one"); i++)
		await page.key("ArrowRight");
	ok("arrows lead to a frame that is too narrow", (await said()).startsWith("narrow_one"), await said());
	await page.key("ArrowRight");
	ok("and to the one beside it", (await said()).startsWith("narrow_two"), await said());
	await page.key("ArrowUp");
	ok("and up from there", (await said()).startsWith("the whole run"), await said());
	await quiet(page, "narrow");
}

/* The line that takes most is in sight when its file is shown. */
async function hottest(page) {
	const report = json("cg.json");

	report.nodes = report.nodes.slice(0, 1);
	for (let line = 1; line <= 300; line++)
		report.nodes.push({ ...report.nodes[0], id: line, parent: 0, kind: "function", name: "f", file: "/nowhere/long.c", line,
			work_s: line === 210 ? 9 : 0.1, wait: {} });
	for (const list of ["regions", "waits", "locks", "tasks", "advice"])
		report[list] = [];
	withData("cg.html", "hottest.html", "data-user", report);
	await open(page, "hottest.html");
	await page.click("#tab-source");
	await page.wait("document.querySelector('.source tr.hot')");
	is("the hottest line is in sight", await page.run(`(() => { const box = document.querySelector("#pane-source .scroll").getBoundingClientRect();
		const row = document.querySelector(".source tr.hot").getBoundingClientRect();
		return row.top > box.top && row.bottom < box.bottom; })()`), true);
	await quiet(page, "hottest");
}

/* The view that was chosen last is shown, though the one before takes longer. */
async function race(page) {
	const full = json("cg-full.json");

	for (let i = full.nodes.length; i < 60000; i++)
		full.nodes.push({ ...full.nodes[1], id: i, parent: 0, name: `f${i}` });
	withData("cg.html", "race.html", "data-full", full);
	await open(page, "race.html");
	await page.run(`{ const s = document.querySelector("#flame-view");
		for (const view of ["full", "user"]) { s.value = view; s.dispatchEvent(new Event("change")); } }`);
	/* As long as the other one takes, and more. */
	await page.run(`(async () => { const text = document.querySelector("#data-full").textContent.replace(/\\s+/g, "");
		for (let i = 0; i < 3; i++) JSON.parse(await new Response(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])
			.stream().pipeThrough(new DecompressionStream("gzip"))).text()); return 1; })()`);
	await page.run("new Promise((done) => setTimeout(done, 500))");
	is("what was chosen last is shown", await page.run("Number(document.querySelector('#flame-box canvas').dataset.nodes)"),
		json("cg.json").nodes.length);
	await quiet(page, "race");
}

/* The timeline of several processes: rows of all, each by its name, on one clock. */
async function ranks(page) {
	const report = dataOf("timedjob.html", "data-user"), rows = report.threads.filter((row) => row.timeline);
	const total = (row, key) => (row.timeline.times[key] || []).reduce((sum, value) => sum + value, 0);

	await open(page, "timedjob.html");
	await page.click("#tab-timeline");
	ok("the job's ranks have timelines", new Set(rows.map((row) => row.rank)).size > 1, rows.map((row) => row.rank));
	is("its rows are the job's threads", await page.run(texts("#pane-timeline tbody th")),
		rows.map(threadName));
	is("with their work", await page.run(texts("#pane-timeline tbody td:nth-child(2)")), rows.map((row) => seconds(total(row, "work"))));
	await page.run("document.querySelector('#pane-timeline canvas[role=application]').focus()");
	for (let i = 1; i < rows.length; i++)
		await page.key("ArrowDown");
	const said = await page.run(text("#line-said"));
	ok("arrows come to the last rank's last thread", said.startsWith(`thread ${threadName(rows[rows.length - 1])}, `), said);
	ok("times are said beside", (await page.run(texts(".axis span"))).length > 2, await page.run(texts(".axis span")));
	await quiet(page, "ranks");
}

/* More threads than one picture holds. */
async function many(page) {
	const report = dataOf("timedjob.html", "data-user"), some = report.threads.filter((row) => row.timeline);
	const rows = () => page.run("document.querySelector('#pane-timeline canvas[role=application]').clientHeight / 18");

	report.threads = Array.from({ length: 1100 }, (_, i) => ({ ...some[i % some.length], thread: i + 1, rank: i >> 6 }));
	report.threads.push({ ...some[0], thread: 2000, timeline: undefined });
	withData("timedjob.html", "threads.html", "data-user", report);
	await open(page, "threads.html");
	await page.click("#tab-timeline");
	is("of many threads the first ones are shown", await rows(), 512);
	is("and said to be", await page.run(text(".pages span")), "1 to 512 of 1100 threads");
	ok("a thread without times is told", (await page.run(text("#pane-timeline .hint"))).includes("1 more thread has none."));
	await page.click("#line-after");
	await page.click("#line-after");
	is("the others are there, too", [await rows(), await page.run(text(".pages span"))], [76, "1025 to 1100 of 1100 threads"]);
	ok("to the last one", (await page.run(text("#line-said"))).startsWith("thread 1025 "), await page.run(text("#line-said")));
	ok("the table is of these", (await page.run(text("#pane-timeline tbody th"))).startsWith("1025 "));
	ok("no further", await page.run("document.querySelector('#line-after').disabled"));
	await quiet(page, "many threads");
}

module.exports = { hottest, look, makeAll, many, more, narrow, race, ranks, reach, reachPanes };
