// SPDX-License-Identifier: Apache-2.0
/* The driver itself, on a page of its own. */
"use strict";

const fs = require("fs");
const os = require("os");
const path = require("path");
const { browse } = require("./browser.js");
const { is, ok, plan } = require("./tap.js");

browse(async (page) => {
	await page.open(path.join(__dirname, "driver.html"));
	is("a page is opened", await page.run("document.title"), "a page");
	const isTold = !/firefox/.test(process.env.BROWSER); /* Firefox tells of no request for a file. */
	if (isTold) {
		ok("what is requested is kept", page.requests.some((url) => url.endsWith("missing.png")));
		ok("what is missing is an error", page.errors.some((text) => text.includes("missing.png")),
			page.errors);
	}
	ok("it is waited for what is late", await page.wait("window.isLate"));

	await page.click("#button");
	is("a click arrives", await page.run("document.title"), "clicked");
	await page.until(() => page.errors.includes("an error of the page"), "the error");
	ok("what the console says is kept", true);
	await page.click("#far", 2);
	is("what is far down is clicked twice", await page.run("document.title"), "far");

	await page.click("#field");
	await page.type("helló");
	await page.key("Backspace");
	await page.key("x");
	is("text and keys arrive", await page.run("document.querySelector('#field').value"), "hellx");
	await page.key("ArrowDown");
	is("keys have their names", await page.run("window.lastKey"), "ArrowDown");

	await page.resize(800, 600);
	is("the window has the size that is asked for", await page.run("innerWidth"), 800);
	await page.prefer({ "prefers-color-scheme": "dark" });
	ok("the page can be told to be dark",
		await page.run("matchMedia('(prefers-color-scheme: dark)').matches"));
	const picture = path.join(os.tmpdir(), `ompprof-picture.${process.pid}.png`);
	await page.screenshot(picture);
	is("a picture is one", fs.readFileSync(picture).subarray(1, 4).toString(), "PNG");
	fs.unlinkSync(picture);

	const failures = [
		["an error in the page fails a step", () => page.run("no_such_name")],
		["a page that is not there fails", () => page.open("/no/such/page.html")],
		["an element that is not there fails", () => page.click("#none")],
		["what does not come true fails", () => page.wait("false", 200)],
	];
	for (const [description, step] of failures)
		ok(description, await step().then(() => false, () => true));
	plan();
});
