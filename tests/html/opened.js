// SPDX-License-Identifier: Apache-2.0
/* Pages of a test's folder (the first argument), their data, and what a step on them needs. */
"use strict";

const fs = require("fs");
const path = require("path");
const zlib = require("zlib");
const { is } = require("../readers/tap.js");

const folder = process.argv[2];
const at = (name) => path.join(folder, name);
const json = (name) => JSON.parse(fs.readFileSync(at(name), "utf8"));
const text = (selector) => `(document.querySelector(${JSON.stringify(selector)}) || {}).textContent`;
const texts = (selector) =>
	`Array.from(document.querySelectorAll(${JSON.stringify(selector)}), (e) => e.textContent)`;
const isReady = "document.documentElement.dataset.ready === 'yes'";

async function open(page, name) {
	page.requests.length = 0;
	page.errors.length = 0;
	await page.open(at(name));
	await page.wait(isReady);
}

async function quiet(page, name) {
	const others = page.requests.filter((url) => !/^(file:.*\.html|data:|blob:)/.test(url));

	is(`${name}: no error on the console`, page.errors, []);
	is(`${name}: nothing is requested`, others, []);
}

/* The data of a page, decoded by another gunzip; and the page with other data. */
function dataOf(name, id) {
	const page = fs.readFileSync(at(name), "latin1");
	const found = page.match(new RegExp(`id="${id}">([^<]*)</script>`));

	return JSON.parse(zlib.gunzipSync(Buffer.from(found[1], "base64")).toString("utf8"));
}

function withData(name, made, id, data) {
	const page = fs.readFileSync(at(name), "latin1");
	const bytes = zlib.gzipSync(Buffer.from(JSON.stringify(data))).toString("base64");

	fs.writeFileSync(at(made), page.replace(new RegExp(`(id="${id}">)[^<]*`), `$1\n${bytes}\n`), "latin1");
}

/* As the page writes seconds. */
function seconds(value) {
	const figure = (x) => x >= 100 ? x.toFixed(0) : x.toFixed(Math.max(0, 2 - Math.floor(Math.log10(x))));

	return !value ? "0 s" : value < 1e-6 ? figure(value * 1e9) + " ns" : value < 1e-3 ? figure(value * 1e6) + " \u00b5s"
		: value < 0.1 ? figure(value * 1e3) + " ms" : figure(value) + " s";
}

/* What the page calls the thread of a row. */
function threadName(row) {
	return `${row.thread} ${row.type}` + (row.team_number !== undefined ? `, team's ${row.team_number}` : "")
		+ (row.rank !== undefined ? `, rank ${row.rank}` : "");
}

module.exports = { at, dataOf, json, open, quiet, seconds, text, texts, threadName, withData };
