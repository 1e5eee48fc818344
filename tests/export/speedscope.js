// SPDX-License-Identifier: Apache-2.0
/* speedscope.js READERS PROFILE REPORT: what speedscope's page shows of the first thread, and a report of it. */
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { browse } = require("../readers/browser.js");
const { differences, reportTimes } = require("./report_times.js");
const { is, ok, plan } = require("../readers/tap.js");

const [readers, file, report] = process.argv.slice(2);
const release = path.join(readers, "node_modules/speedscope/dist/release");
const profile = JSON.parse(fs.readFileSync(file));

function ms(text) {
	const [, number, unit] = /^([\d.]+)(.?s)/u.exec(text) || [];
	if (!unit) throw new Error(`no time: '${text}'`);
	return Number(number) * ({ ns: 1e-6, ms: 1, s: 1000 }[unit] || 1e-3);
}

const schema = JSON.parse(fs.readFileSync(path.join(release, "file-format-schema.json")));
const Ajv = require(path.join(path.resolve(readers), "node_modules/ajv"));
const ajv = new Ajv({ schemaId: "auto", unknownFormats: "ignore" });
ok("speedscope: its schema holds", ajv.validate(schema, profile), ajv.errors);
const beyond = profile.profiles.some((p) => p.samples.flat().some((i) => !profile.shared.frames[i]));
ok("speedscope: each frame is there", !beyond);

browse(async (page) => {
	const load = `${file}.load.js`;
	const data = fs.readFileSync(file).toString("base64");
	fs.writeFileSync(load, `speedscope.loadFileFromBase64("profile.json", "${data}")`);
	await page.open(`${pathToFileURL(path.join(release, "index.html")).href}#localProfilePath=${load}`);
	await page.wait("document.title.endsWith(' - speedscope')");
	const text = await page.run("document.body.innerText");
	ok("speedscope: the first profile is shown", text.includes(`(1/${profile.profiles.length})`), text);
	await page.key("3");
	await page.wait("document.body.innerText.includes('Symbol Name')");
	const rows = await page.run(`[...document.querySelectorAll("table tr")].map((row) =>
		[...row.cells].map((cell) => cell.innerText.trim())).filter((row) => /^[0-9.]+.?s/.test(row[1]))`);
	const functions = {};
	for (const [, self, name] of rows)
		if (ms(self) && !name.startsWith("[") && !name.includes(" [omp "))
			functions[name] = (functions[name] || 0) + ms(self);
	ok("speedscope: there are functions", Object.keys(functions).length > 3, rows);
	/* It shows two decimals. */
	const wrong = differences(functions, reportTimes(report).functions, 1e-2, 1e-2);
	is("speedscope: its functions are the report's", wrong, []);
	const errors = page.errors.filter((error) => !error.includes("GL"));
	is("speedscope: its page says no error", errors, []);
	plan();
});
