// SPDX-License-Identifier: Apache-2.0
/* chrome.js READERS TRACE: what speedscope's page and the Firefox Profiler's command make of Chrome's trace events. */
"use strict";

const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const { browse } = require("../readers/browser.js");
const profilerCli = require("./profiler_cli.js");
const { is, ok, plan } = require("../readers/tap.js");

const [readers, file] = process.argv.slice(2);
const release = path.join(readers, "node_modules/speedscope/dist/release");
const { run, load, stop } = profilerCli(
	path.join(readers, "node_modules/@firefox-devtools/profiler-cli/dist/profiler-cli.js"));
const events = JSON.parse(fs.readFileSync(file)).traceEvents;
const slices = events.filter((event) => event.ph === "X");
const tracks = new Set(slices.map((event) => event.tid));
const first = events.find((event) => event.name === "thread_name");

browse(async (page) => {
	try {
		load(file);
		is("firefox: all tracks are read", /contains (\d+) threads/.exec(run("profile", "info"))?.[1],
			String(tracks.size));
		const text = run("thread", "markers", "--thread", "t-0");
		const own = slices.filter((event) => event.tid === first.tid);
		ok("firefox: the first thread has its slices",
			text.includes(first.args.name) && text.includes(` ${own.length} markers`), text);
	} finally {
		stop();
	}

	const script = `${file}.load.js`;
	const data = fs.readFileSync(file).toString("base64");
	fs.writeFileSync(script, `speedscope.loadFileFromBase64("x.trace.json", "${data}")`);
	await page.open(`${pathToFileURL(path.join(release, "index.html")).href}#localProfilePath=${script}`);
	await page.wait("document.title.endsWith(' - speedscope')");
	const text = await page.run("document.title + document.body.innerText");
	ok("speedscope: it has all tracks", text.includes(`/${tracks.size})`), text);
	ok("speedscope: a thread has its name", text.includes("thread "), text);
	const errors = page.errors.filter((error) => !error.includes("GL"));
	is("speedscope: its page says no error", errors.slice(0, 5), []);
	plan();
});
