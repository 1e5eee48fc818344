// SPDX-License-Identifier: Apache-2.0
/* What a person does with the page, in a browser: node page.js FOLDER, which page.sh has filled. */
"use strict";

const { addresses, firstScreen, heat, sources, timeline } = require("./figures.js");
const { dataOf, json, open, quiet, seconds, text, texts, withData } = require("./opened.js");
const { hottest, look, makeAll, many, more, narrow, race, ranks, reach } = require("./look.js");
const { ranges } = require("./ranges.js");
const { jobRanks } = require("./ranks.js");
const { fold, headings, modules, sandwich } = require("./views.js");
const { browse } = require("../readers/browser.js");
const { is, note, ok, plan } = require("../readers/tap.js");

async function data(page) {
	for (const name of ["cg", "hostile", "waits", "empty", "job"]) {
		is(`${name}: the data is the JSON report`, dataOf(name + ".html", "data-user"), json(name + ".json"));
		is(`${name}: so is that of the full view`, dataOf(name + ".html", "data-full"), json(name + "-full.json"));
	}
}

async function regions(page, report) {
	await open(page, "cg.html");
	const byGain = report.regions.slice().sort((a, b) => b.gain_s - a.gain_s);
	const byWall = report.regions.slice().sort((a, b) => b.wall_s - a.wall_s);
	const column = (n) => texts(`#regions tbody td:nth-child(${n})`);

	ok("the scene has several regions", report.regions.length > 1, report.regions.length);
	is("the wall time is the report's", (await page.run(text(".facts"))).split(" wall")[0], seconds(report.summary.wall_s));
	is("regions are sorted by gain", await page.run(column(2)), byGain.map((r) => seconds(r.gain_s)));
	await page.click("#regions th:nth-child(3) button");
	is("a click on a heading sorts by it", await page.run(column(3)), byWall.map((r) => seconds(r.wall_s)));
	is("which is said", await page.run("document.querySelector('#regions th:nth-child(3)').ariaSort"), "descending");
	await page.click("#regions th:nth-child(3) button");
	is("another turns it round", await page.run(column(3)), byWall.reverse().map((r) => seconds(r.wall_s)));
	await page.click("#regions input");
	await page.type(report.regions[0].function);
	const left = report.regions.filter((r) => (r.name + r.function).includes(report.regions[0].function)).length;
	is("the filter leaves what has the text", await page.run("document.querySelectorAll('#regions tbody tr').length"), left);
	await page.type("no such region");
	is("nothing that matches is said", await page.run(text("#regions tbody")), "Nothing matches.");
	await quiet(page, "regions");
}

async function advice(page) {
	const report = json("waits.json");

	await open(page, "waits.html");
	is("what to fix first is the report's", await page.run(texts(".advice b")), report.advice.map((a) => "\u2212" + seconds(a.gain_s)));
	const i = report.advice.findIndex((a) => report.regions.some((r) => r.nodes.includes(a.node)));
	await page.click(`.advices li:nth-child(${i + 1}) button`);
	ok("a click selects its region", (await page.run(text("#regions tr.selected"))).includes(
		report.regions.find((r) => r.nodes.includes(report.advice[i].node)).name));
	const why = await page.run(text("#why"));
	ok("and says why", report.advice[i].evidence.every((sentence) => why.includes(sentence))
		&& why.includes(report.advice[i].directive) && why.endsWith("More: ompprof why " + (i + 1)));
	ok("and shows a pane", await page.run("document.querySelectorAll('[role=tabpanel]:not([hidden])').length === 1"));
	await quiet(page, "advice");
}

/* The box at the left of a row, clicked. */
async function clickRow(page, row) {
	const place = await page.run(`(() => {
		const canvas = document.querySelector("canvas[role=application]");
		canvas.scrollIntoView({ block: "center" });
		const box = canvas.getBoundingClientRect();
		return { x: box.x, y: box.y };
	})()`);
	await page.click({ x: place.x + 8, y: place.y + row * 20 + 10 });
}

async function flame(page, report) {
	const said = () => page.run(text("#flame-said"));
	await open(page, "cg.html");
	const all = report.nodes.reduce((sum, n) => sum + n.work_s + n.overhead_s
		+ Object.entries(n.wait).reduce((s, [k, v]) => s + (k === "reduction" ? 0 : v), 0), 0);

	ok("the whole run is the sum of the report", (await said()).startsWith(`the whole run: ${seconds(all)}, 100.0 %`), await said());
	ok("nothing is zoomed yet", await page.run("document.querySelector('#flame-back').disabled"));
	await clickRow(page, 1);
	ok("a click zooms", !(await said()).startsWith("the whole run") &&
		await page.run("!document.querySelector('#flame-back').disabled"), await said());
	await page.click("#flame-back");
	ok("Back goes back", (await said()).startsWith("the whole run"), await said());

	await page.run("document.querySelector('canvas[role=application]').focus()");
	await page.key("ArrowDown");
	ok("an arrow goes down", !(await said()).startsWith("the whole run"), await said());
	const first = await said();
	await page.key("Enter");
	ok("Enter zooms", await page.run("!document.querySelector('#flame-back').disabled"));
	await page.key("ArrowDown");
	ok("and further down", (await said()) !== first);
	await page.key("ArrowUp");
	is("up again", await said(), first);
	await page.key("Backspace");
	ok("Backspace goes back", await page.run("document.querySelector('#flame-back').disabled"));
	await page.key("ArrowDown");
	await page.key("Enter");
	await page.key("Escape");
	ok("Escape shows all", (await said()).startsWith("the whole run"));

	await page.click("#flame-search");
	await page.type("^0x");
	ok("a search says how much it found", /^\d+ found, \d+\.\d %$/.test(await page.run(text("#flame-found"))),
		await page.run(text("#flame-found")));
	await page.type("(");
	is("no regular expression is said to be none", await page.run(text("#flame-found")), "This is no regular expression.");

	await page.run(`{ const s = document.querySelector("#flame-metric"); s.value = "blame"; s.dispatchEvent(new Event("change")); }`);
	const blame = report.nodes.reduce((sum, n) => sum + (n.blame_s || 0), 0);
	ok("by blame it is the sum of blame", (await said()).startsWith(`the whole run: ${blame ? seconds(blame) : "nothing"}`), await said());
	await page.run(`{ const s = document.querySelector("#flame-metric"); s.value = "total"; s.dispatchEvent(new Event("change")); }`);
	await page.run(`{ const s = document.querySelector("#flame-view"); s.value = "full"; s.dispatchEvent(new Event("change")); }`);
	const full = json("cg-full.json").nodes.length;
	await page.wait(`flameNodes() === ${full}`.replace("flameNodes()", "Number(document.querySelector('canvas[role=application]').dataset.nodes)"));
	ok("the full view has the full report's nodes", true);
	await quiet(page, "flame");
}

async function keyboard(page) {
	const chosen = () => page.run(text("[role=tab][aria-selected=true]"));
	await open(page, "cg.html");
	await page.run("document.querySelector('[role=tab]').focus()");
	const names = await page.run(texts("[role=tab]"));
	for (const name of names.slice(1)) {
		await page.key("ArrowRight");
		is(`an arrow shows ${name}`, await chosen(), name);
	}
	await page.key("ArrowRight");
	is("after the last comes the first", await chosen(), names[0]);
	await page.key("End");
	is("End is the last", await chosen(), names[names.length - 1]);
	await page.key("Home");
	is("Home the first", await chosen(), names[0]);

	const met = new Set();
	await open(page, "waits.html");
	await page.run("document.activeElement.blur(); window.scrollTo(0, 0)");
	for (let i = 0; i < 80; i++) {
		await page.key("Tab");
		met.add(await page.run("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"));
	}
	for (const id of ["theme", "advice", "tab-flame", "flame-search", "flame-view", "link"])
		ok(`Tab comes to ${id}`, met.has(id), Array.from(met));
	await page.run("document.querySelector('#tab-flame').focus()");
	await page.key("Tab");
	ok("what has the focus has a ring", await page.run("getComputedStyle(document.activeElement).outlineStyle !== 'none'"));
	await quiet(page, "keyboard");
}

async function panes(page, report) {
	await open(page, "waits.html");
	const waits = json("waits.json");
	await page.click("#tab-blame");
	const rows = "#pane-blame .table:nth-child(1) tbody tr", causes = "#pane-blame .table:nth-child(2) tbody tr";
	is("who waits is the report's", await page.run(texts(`${rows} td:nth-child(2)`)),
		waits.waits.map((w) => w.wait_s).sort((a, b) => b - a).map(seconds));
	const most = waits.waits.slice().sort((a, b) => b.wait_s - a.wait_s)[0];
	await page.click(`${rows} button`);
	const expected = new Map();
	for (const c of most.causes) {
		const key = [c.name, c.file, c.line].join();
		expected.set(key, (expected.get(key) || 0) + c.blame_s);
	}
	is("a waiter shows its causes", (await page.run(texts(`${causes} td:nth-child(2)`))),
		Array.from(expected.values()).sort((a, b) => b - a).map(seconds));
	const before = waits.waits.length + 0 * await page.run(`document.querySelectorAll("${rows}").length`);
	await page.click(`${causes} button`);
	const name = (await page.run(text(`${causes}.selected th`))).replace(/^[^[]*\+0x/, "0x");
	const victims = waits.waits.filter((w) => w.causes.some((c) => c.name === name)).length;
	const shown = await page.run(`document.querySelectorAll("${rows}").length`);
	ok("a cause shows who waited for it", shown > 0 && shown <= Math.min(before, victims), [name, shown, victims]);

	await open(page, "cg.html");
	await page.click("#tab-threads");
	await page.wait("document.querySelector('.heat, #pane-threads .hint')");
	is("threads are the report's", await page.run("document.querySelectorAll('#pane-threads .table tbody tr').length"), report.threads.length);
	await page.click("#tab-locks");
	is("locks are the report's", await page.run(texts("#pane-locks tbody td:nth-child(2)")),
		report.locks.map((l) => l.wait_s).sort((a, b) => b - a).map(seconds));
	await page.click("#tab-up");
	ok("functions are listed", await page.run("document.querySelectorAll('.up > li').length > 0"));
	await page.click(".up > li summary");
	ok("one opens to its callers", await page.wait("document.querySelectorAll('.up ul li').length > 0"));
	await page.click("#tab-source");
	await page.wait("document.querySelector('.source')");
	await quiet(page, "panes");
}

async function colours(page) {
	const back = () => page.run("getComputedStyle(document.body).backgroundColor");
	const set = (word) => page.run(`{ const s = document.querySelector("#theme"); s.value = "${word}";
		s.dispatchEvent(new Event("change")); }`);
	await page.prefer({ "prefers-color-scheme": "light" });
	await open(page, "cg.html");
	const light = await back();
	await page.prefer({ "prefers-color-scheme": "dark" });
	ok("the page is dark where the system is", (await back()) !== light);
	await set("light");
	is("unless light is chosen", await back(), light);
	await page.prefer({ "prefers-color-scheme": "light" });
	await set("dark");
	ok("and dark where that is", (await back()) !== light);
	await page.resize(800, 800);
	ok("at 800 pixels nothing is wider than the page", await page.run("document.documentElement.scrollWidth <= 800"));
	await page.resize(1280, 800);
	await quiet(page, "colours");
}

/* Names that want to be markup, code or another direction, and one without end. */
async function hostile(page) {
	for (const name of ["hostile", "empty", "job"]) {
		await open(page, name + ".html");
		for (const id of ["up", "blame", "threads", "locks", "tasks", "source"])
			await page.click("#tab-" + id);
		await quiet(page, name);
	}
	const report = json("cg.json"), attack = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">'\"&\u0000\u202e\u001b[31m";
	for (const node of report.nodes)
		node.name += attack;
	for (const list of [report.regions, report.waits, report.locks, report.tasks, report.advice])
		for (const row of list)
			row.name += attack;
	report.nodes[1].name = "x".repeat(100000);
	report.run.command = [attack];
	withData("cg.html", "attack.html", "data-user", report);
	await open(page, "attack.html");
	for (const id of ["up", "blame", "threads", "locks", "tasks", "source", "flame"])
		await page.click("#tab-" + id);
	ok("no name is run", (await page.run("document.title")) !== "taken");
	is("no name is an element", await page.run("document.images.length"), 0);
	ok("characters that turn the text are shown as numbers", !(await page.run("document.body.innerText")).includes("\u202e") &&
		(await page.run(text("h1"))).includes("\u27e8202e\u27e9"));
	ok("a long name is cut", await page.run("document.querySelector('#pane-flame').textContent.length < 50000"));
	await quiet(page, "attack");
}

/* A function that is called from two lines has one box, with the time of both. */
async function folded(page) {
	const report = json("cg.json"), first = report.nodes.find((n) => n.parent === 0);
	const twin = { ...first, id: report.nodes.length, line: first.line + 1, work_s: 1000, wait: {}, overhead_s: 0 };
	const list = "#pane-flame details > div > ul > li > ul > li";

	report.nodes.push(twin);
	withData("cg.html", "folded.html", "data-user", report);
	await open(page, "folded.html");
	await page.click("#pane-flame summary");
	await page.wait(`document.querySelector("${list}")`);
	const named = (await page.run(texts(list))).filter((line) => line.split(" ")[0].endsWith(first.name));
	is("calls from two lines are one box", named.length, 1);
	ok("which has the time of both", Number(named[0].match(/: (\d+) s/)[1]) >= 1000, named[0].slice(0, 80));
	await quiet(page, "folded");
}

/* 20,000 nodes: figures are said, and have bounds that slow machines keep. */
async function large(page) {
	const report = json("cg.json"), nodes = report.nodes;
	const last = nodes.length;
	for (let i = last; i < 20000; i++) {
		const depth = i % 40, parent = depth === 0 || i === last ? 0 : i - 1 - (i % 3 === 0 && depth > 3 ? 2 : 0);
		nodes.push({ ...nodes[1], id: i, parent, kind: i % 11 === 0 ? "wait" : "function", name: `function_${i % 700}`,
			work_s: 0.001 * (1 + i % 7), overhead_s: 0, wait: i % 11 === 0 ? { barrier: 0.01 } : {}, blame: {} });
	}
	withData("cg.html", "large.html", "data-user", report);
	await open(page, "large.html");
	await page.wait("performance.getEntriesByName('flame').length > 0");
	const shown = await page.run("performance.getEntriesByName('shown')[0].startTime");
	const zooms = await page.run(`(() => {
		const canvas = document.querySelector("canvas[role=application]"), times = [];
		for (let i = 0; i < 40; i++) {
			const begin = performance.now();
			canvas.dispatchEvent(new KeyboardEvent("keydown", { key: i % 4 === 3 ? "Escape" : i % 2 ? "Enter" : "ArrowDown" }));
			times.push(performance.now() - begin);
		}
		return times.sort((a, b) => a - b);
	})()`);
	note(`20000 nodes: shown after ${shown.toFixed(0)} ms, a step takes ${zooms[20].toFixed(1)} ms, at most ${zooms[39].toFixed(1)} ms`);
	ok("20,000 nodes are shown soon", shown < 5000, shown);
	ok("a zoom takes no time that is felt", zooms[20] < 200, zooms);
	await quiet(page, "large");
}

browse(async (page) => {
	const report = json("cg.json");

	await data(page);
	await regions(page, report);
	await addresses(page);
	await firstScreen(page, report);
	await heat(page);
	await sources(page);
	await timeline(page);
	await ranges(page);
	await fold(page);
	await headings(page);
	await sandwich(page);
	await modules(page);
	await advice(page);
	await flame(page, report);
	await keyboard(page);
	await panes(page, report);
	await colours(page);
	await hostile(page);
	await folded(page);
	await large(page);
	const all = makeAll();

	for (const name of ["all.html", "cg.html", "empty.html", "job.html"])
		await look(page, name);
	await reach(page);
	await more(page, all);
	await narrow(page);
	await hottest(page);
	await race(page);
	await ranks(page);
	await jobRanks(page);
	await many(page);
	plan();
});
