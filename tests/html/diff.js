// SPDX-License-Identifier: Apache-2.0
/* What a person does with the page of a comparison, in a browser: node diff.js FOLDER, which diff.sh has filled. */
"use strict";

const { dataOf, json, open, quiet, seconds, text, texts, withData } = require("./opened.js");
const { look, reachPanes } = require("./look.js");
const { browse } = require("../readers/browser.js");
const { is, ok, plan } = require("../readers/tap.js");

const TABS = ["flame", "changes", "regions", "constructs", "functions"];
const signed = (value) => (value > 0 ? "+" : value < 0 ? "\u2212" : "") + seconds(Math.abs(value));
const bySize = (rows) => rows.slice().sort((a, b) => Math.abs(b.change_s) - Math.abs(a.change_s));
const column = (page, place, n) => page.run(texts(`${place} tbody tr > :nth-child(${n})`));

function data() {
	for (const name of ["changed", "apart", "hostile", "events", "scaled", "repeated"])
		is(`${name}: the data is the JSON of the comparison`, dataOf(name + ".html", "data-diff"), json(name + ".json"));
}

/* A column of a table has what the JSON has, in that order. */
async function same(page, what, place, n, expected) {
	is(what, await column(page, place, n), expected);
}

async function tables(page) {
	const all = json("apart.json");
	const causes = bySize(all.causes.filter((row) => row.before_s || row.after_s));
	const shown = (rows) => bySize(rows.filter((row) => !row.hidden));
	const places = shown(all.places), regions = shown(all.regions);
	const functions = shown(all.functions.filter((row) => row.kind !== "body"));

	await open(page, "apart.html");
	await same(page, "causes are sorted by their change", "#first", 2, causes.map((row) => signed(row.change_s)));
	await same(page, "with twice its error", "#first", 3, causes.map((row) => seconds(2 * row.error_s)));
	await same(page, "and both figures", "#first", 4, causes.map((row) => seconds(row.before_s)));
	await page.click("#tab-changes");
	await same(page, "places are the JSON's", "#pane-changes", 3, places.map((row) => signed(row.change_s)));
	await same(page, "and their errors", "#pane-changes", 4, places.map((row) => seconds(2 * row.error_s)));
	await same(page, "it is said which are new or gone", "#pane-changes", 1, places.map((row) => row.is));
	await same(page, "a figure that a run lacks is none", "#pane-changes", 5,
		places.map((row) => row.is === "new" ? "" : seconds(row.before_s)));
	await page.click("#tab-regions");
	await same(page, "so are regions", "#pane-regions", 3, regions.map((row) => signed(row.change_s)));
	await page.click("#tab-functions");
	await same(page, "and functions", "#pane-functions", 6, functions.map((row) => row.is === "gone" ? "" : seconds(row.after_s)));
	await same(page, "with what they call", "#pane-functions", 7, functions.map((row) => signed(row.total.change_s)));
	await page.click("#tab-changes");
	await page.click("#pane-changes input[type=search]");
	await page.type("gone");
	is("the filter leaves what has the text", (await column(page, "#pane-changes", 3)).length, places.filter((row) => row.is === "gone").length);
	await quiet(page, "tables");
}

async function small(page) {
	const all = json("changed.json"), shown = all.places.filter((row) => !row.hidden);

	ok("some places changed, others hardly", shown.length > 0 && shown.length < all.places.length, [shown.length, all.places.length]);
	await open(page, "changed.html");
	await page.click("#tab-changes");
	is("small changes are not shown", (await column(page, "#pane-changes", 3)).length, shown.length);
	await page.click("#all");
	is("but when asked for", (await column(page, "#pane-changes", 3)).length, all.places.length);
	await quiet(page, "small changes");
}

/* The colour in the middle of a row. */
function pixel(page, row) {
	return page.run(`(() => { const c = document.querySelector("#flame-box canvas"), copy = document.createElement("canvas");
		const pen = copy.getContext("2d", { willReadFrequently: true }), ratio = c.height / parseFloat(c.style.height);
		copy.width = copy.height = 1; pen.drawImage(c, -Math.round(c.width / 2), -Math.round((${row} * 20 + 10) * ratio));
		return "#" + Array.from(pen.getImageData(0, 0, 1, 1).data).slice(0, 3).map((n) => n.toString(16).padStart(2, "0")).join(""); })()`);
}

const styled = (page, name) => page.run(`getComputedStyle(document.documentElement).getPropertyValue("--${name}").trim()`);
const figures = (before, after, error) => `${seconds(before)} \u2192 ${seconds(after)}, ${signed(after - before)} \u00b1 ${seconds(2 * error)}`;

/* A tree of five functions below the whole run: one that is the same, more, less, new, and gone. */
function makeTree() {
	const all = json("changed.json"), amounts = [[10, 10], [1, 4], [4, 1], [0, 2], [2, 0]], names = ["same", "more", "less", "added", "gone"];
	const value = ([before_s, after_s]) => ({ before_s, after_s, change_s: after_s - before_s, error_s: 0.25 });

	all.functions = amounts.map((pair, i) => ({ ...all.functions[0], ...value(pair), total: value(pair), kind: "function", function: names[i],
		is: "worse", file: "a.c", line: i + 1 }));
	all.nodes = [{ parent: null, function: null, ...value([17, 17]) }, ...amounts.map((pair, i) => ({ parent: 0, function: i, ...value(pair) }))];
	withData("changed.html", "tree.html", "data-diff", all);
}

async function flame(page) {
	const said = () => page.run(text("#flame-said")), canvas = "document.querySelector('#flame-box canvas')";
	const choose = (width) => page.run(`{ const s = document.querySelector("#flame-metric"); s.value = "${width}"; s.dispatchEvent(new Event("change")); }`);
	const met = {};

	makeTree();
	await open(page, "tree.html");
	is("the whole run has both figures", await said(), `the whole run: ${figures(17, 17, 0.25)} (0.0 %), within twice its error`);
	await page.run(`${canvas}.focus()`);
	await page.key("ArrowDown");
	for (let i = 0; i < 5; i++) {
		const words = await said();
		met[words.split(" ")[0]] = words.replace(/^.*?: /, "");
		await page.key("Enter");
		met[words.split(" ")[0] + " is"] = await pixel(page, 1);
		await page.key("Backspace");
		await page.run(`${canvas}.focus()`);
		await page.key("ArrowDown");
		for (let k = 0; k <= i; k++)
			await page.key("ArrowRight");
	}
	is("a function that took more", met.more, `${figures(1, 4, 0.25)} (+300.0 %)`);
	is("... is red", met["more is"], await styled(page, "worse3"));
	is("one that took less is blue", met["less is"], await styled(page, "better3"));
	is("the others are grey", met["same is"], await styled(page, "other"));
	is("what is new is there", met.added, `${figures(0, 2, 0.25)}, only after`);
	is("so is what is gone", met.gone, `${figures(2, 0, 0.25)} (\u2212100.0 %), only before`);
	await page.key("Escape");
	await choose("after");
	await page.run(`document.querySelector("#pane-flame details").open = true`);
	await page.wait(`${text("#pane-flame details")}.includes("more")`);
	ok("by the time after, what is gone has no width", !(await page.run(text("#pane-flame details"))).includes("gone a.c"));
	await choose("before");
	await page.wait(`${text("#pane-flame details")}.includes("gone a.c")`);
	ok("by the time before, what is new has none", !(await page.run(text("#pane-flame details"))).includes("added a.c"));
	await page.click("#tab-functions");
	await page.click("#pane-functions tbody tr:nth-child(1) button");
	is("a function of a table is marked in the flame graph", await page.run(text("#flame-found")), `1 found, ${seconds(1)} \u2192 ${seconds(4)}`);
	await quiet(page, "flame graph");
}

async function heads(page) {
	const facts = () => page.run(text(".facts")), apart = json("apart.json"), repeated = json("repeated.json"), scaled = json("scaled.json");

	await open(page, "apart.html");
	is("runs that cannot be compared say so first", await page.run(text("#head > :nth-child(2)")),
		"These runs cannot be compared: " + apart.warnings.join("; "));
	ok("and have no efficiency", !(await facts()).includes("efficiency"), await facts());
	await open(page, "changed.html");
	ok("others have it", (await facts()).includes("parallel efficiency") && !(await page.run("document.querySelector('.apart')")), await facts());
	await open(page, "repeated.html");
	const noise = await page.run(text("#head .hint"));
	ok("repeated runs are counted", noise.includes("median of 3 runs, "), noise);
	ok("and tell which changes mean nothing", noise.endsWith(`Changes of the wall time below ${seconds(2 * repeated.noise_s)} mean nothing.`), noise);
	ok("the flame graph says which run it shows", (await page.run(text("#pane-flame .hint"))).includes("the run with the median wall time"));
	await open(page, "scaled.html");
	ok("with more threads there is a speed-up", (await facts()).includes(`speed-up ${scaled.scaling.speed_up.toFixed(2)}, `), await facts());
	ok("but no efficiency of runs that cannot be compared", !(await facts()).includes("efficiency"), await facts());
	is("changes are losses", (await page.run(text("#first thead th:nth-child(2)"))), "lost");
	is("and the figure before is the ideal", await page.run(text("#first thead th:nth-child(4)")), "ideal");
	await open(page, "events.html");
	ok("events are counted", (await page.run(text("#flame-said"))).startsWith("the whole run: ") &&
		!(await page.run(text("#flame-said"))).includes(" s "), await page.run(text("#flame-said")));
	await quiet(page, "heads");
}

async function keyboard(page) {
	await open(page, "apart.html");
	is("there is a pane for each kind of rows", await page.run("Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.id.slice(4))"), TABS);
	await reachPanes(page, TABS);
	await quiet(page, "keyboard");
}

browse(async (page) => {
	data();
	await tables(page);
	await small(page);
	await flame(page);
	await heads(page);
	await keyboard(page);
	for (const name of ["apart", "hostile"])
		await look(page, name + ".html", [[800, 900], [1280, 800], [2200, 900]]);
	plan();
});
