// SPDX-License-Identifier: Apache-2.0
/*
 * Drives a headless Chromium, or Firefox, for tests: it opens pages, runs steps on them, and keeps
 * what the console says and what is requested. For a test program of node's; needs no package.
 *
 *	const { browse } = require("./browser.js");
 *	browse(async (page) => {
 *		await page.open("/path/of/page.html");       // or a URL
 *		await page.wait("document.title !== ''");    // until an expression is true
 *		await page.click("#tree .row");
 *		const title = await page.run("document.title");
 *		await page.screenshot("/tmp/page.png");
 *	});
 *
 * One browser serves all steps of a test; it starts with a profile folder of its own and ends with
 * the steps, however these end. Chromium is spoken to over two pipes, in the DevTools protocol:
 * JSON texts, each with a NUL behind it. BROWSER is "chromium", "firefox" (firefox.js), or a
 * command. A step that takes more than 60 s (BROWSER_TIMEOUT, in seconds) fails; an error that no
 * step catches is printed as TAP's "Bail out!", with status 99, and a browser that is not there as
 * "1..0 # SKIP", with status 0.
 */
"use strict";

const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const { pathToFileURL } = require("url");
const { bailOut } = require("./tap.js");

const TIMEOUT_MS = 1000 * (Number(process.env.BROWSER_TIMEOUT) || 60);

const COMMANDS = { chromium: ["chromium", "chromium-browser", "google-chrome"], firefox: ["firefox-esr", "firefox"] };

/* The browser's command: the first one of BROWSER that is installed, or BROWSER itself; null without one. */
function browserCommand(browser) {
	for (const name of COMMANDS[browser] || [browser]) {
		if (!spawnSync(name, ["--version"], { stdio: "ignore", timeout: TIMEOUT_MS }).error)
			return name;
	}
	return null;
}

function withTimeout(promise, what, ms = TIMEOUT_MS) {
	let timer;
	const late = new Promise((_, reject) => {
		timer = setTimeout(() => reject(new Error(`${what}: no answer in ${ms / 1000} s`)), ms);
	});
	return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/* Calls with their answers, and events; `send` sends a text to the browser. */
class Connection {
	constructor(child) {
		this.waiting = new Map();
		this.lastId = 0;
		this.onEvent = () => {};
		child.on("error", (error) => this.fail(error));
		child.on("exit", (code, signal) =>
			this.fail(new Error(`the browser ended (${signal || code})`)));
	}

	fail(error) {
		this.error = error;
		for (const { reject } of this.waiting.values()) reject(error);
		this.waiting.clear();
	}

	handle(message) {
		if (!message.id) {
			this.onEvent(message.method, message.params);
			return;
		}
		const call = this.waiting.get(message.id);
		if (!call) return;
		this.waiting.delete(message.id);
		if (message.error) call.reject(new Error(`${call.method}: ${message.error.message || message.message}`));
		else call.resolve(message.result);
	}

	call(method, params = {}, sessionId = undefined) {
		if (this.error) return Promise.reject(this.error);
		const id = ++this.lastId;
		const answer = new Promise((resolve, reject) => {
			this.waiting.set(id, { resolve, reject, method });
		});
		this.send(JSON.stringify({ id, method, params, sessionId }));
		return withTimeout(answer, method);
	}
}

class Page {
	constructor(connection, sessionId) {
		this.connection = connection;
		this.sessionId = sessionId;
		this.errors = []; /* exceptions, and what the console says as error or warning */
		this.requests = []; /* URLs of all requests, that of the page itself too */
		this.loads = 0;
		connection.onEvent = (method, params) => this.note(method, params);
	}

	call(method, params) {
		return this.connection.call(method, params, this.sessionId);
	}

	note(method, params) {
		if (method === "Runtime.exceptionThrown") {
			const details = params.exceptionDetails;
			this.errors.push(
				`${details.text} ${details.exception ? details.exception.description : ""}`);
		} else if (method === "Runtime.consoleAPICalled") {
			if (["error", "warning", "assert"].includes(params.type))
				this.errors.push(params.args.map((a) => a.value || a.description).join(" "));
		} else if (method === "Log.entryAdded") {
			if (["error", "warning"].includes(params.entry.level))
				this.errors.push(`${params.entry.text} ${params.entry.url || ""}`);
		} else if (method === "Network.requestWillBeSent") {
			this.requests.push(params.request.url);
		} else if (method === "Page.loadEventFired") {
			this.loads++;
		}
	}

	/* Opens a file, by its path, or a URL, and waits until it is loaded. */
	async open(where) {
		const url = /^[a-z]+:/.test(where) ? where : pathToFileURL(path.resolve(where)).href;
		await this.load(url);
	}

	async load(url) {
		const before = this.loads;
		const answer = await this.call("Page.navigate", { url });
		if (answer.errorText) throw new Error(`cannot open '${url}': ${answer.errorText}`);
		await this.until(() => this.loads > before, `load of '${url}'`);
	}

	/* The value of an expression in the page; a promise is waited for. */
	async run(expression) {
		const answer = await this.call("Runtime.evaluate", {
			expression, awaitPromise: true, returnByValue: true, userGesture: true,
		});
		if (answer.exceptionDetails) {
			const { text, exception } = answer.exceptionDetails;
			throw new Error(`${expression.slice(0, 200)}: ${exception?.description || text}`);
		}
		return answer.result.value;
	}

	/* Waits until an expression is true in the page, and returns its value. */
	wait(expression, ms = TIMEOUT_MS) {
		return this.until(() => this.run(expression), expression.slice(0, 200), ms);
	}

	async until(isTrue, what, ms = TIMEOUT_MS) {
		for (const end = Date.now() + ms; ;) {
			const value = await isTrue();
			if (value) return value;
			if (Date.now() > end) throw new Error(`${what}: not true within ${ms / 1000} s`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	}

	/* The middle of the first element that a selector names, scrolled into view. */
	async place(selector) {
		const place = await this.run(`(() => {
			const element = document.querySelector(${JSON.stringify(selector)});
			if (!element) return null;
			element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
			const box = element.getBoundingClientRect();
			return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
		})()`);
		if (!place) throw new Error(`no element '${selector}'`);
		return place;
	}

	/* Mouse events as a person's: at a place in the page, or in the middle of an element. */
	async mouse(type, { x, y }, more = {}) {
		await this.call("Input.dispatchMouseEvent", { type, x, y, ...more });
	}

	async click(where, count = 1) {
		const place = typeof where === "string" ? await this.place(where) : where;
		await this.mouse("mouseMoved", place);
		for (let clickCount = 1; clickCount <= count; clickCount++) {
			const button = { button: "left", clickCount };
			await this.mouse("mousePressed", place, { ...button, buttons: 1 });
			await this.mouse("mouseReleased", place, button);
		}
	}

	async hover(where) {
		await this.mouse("mouseMoved", typeof where === "string" ? await this.place(where) : where);
	}

	/* Presses a key by the name that the page sees ("Enter", "Tab", "ArrowDown", "a"). */
	async key(key, { shift = false, ctrl = false, alt = false } = {}) {
		const codes = {
			Backspace: 8, Tab: 9, Enter: 13, Escape: 27, " ": 32, PageUp: 33, PageDown: 34, End: 35,
			Home: 36, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Delete: 46,
		};
		const event = {
			key,
			code: key === " " ? "Space" : /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : key,
			windowsVirtualKeyCode: codes[key] || key.toUpperCase().charCodeAt(0),
			modifiers: (alt ? 1 : 0) + (ctrl ? 2 : 0) + (shift ? 8 : 0),
		};
		const text = key === "Enter" ? "\r" : key.length === 1 && !ctrl && !alt ? key : undefined;
		await this.call("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
		await this.call("Input.dispatchKeyEvent", { type: "keyUp", ...event });
	}

	/* Types a text into what has the focus. */
	async type(text) {
		await this.call("Input.insertText", { text });
	}

	/* The window's size in CSS pixels. */
	async resize(width, height) {
		await this.call("Emulation.setDeviceMetricsOverride", {
			width, height, deviceScaleFactor: 1, mobile: false,
		});
	}

	/* What the page is told that a person prefers: { "prefers-color-scheme": "dark" }. */
	async prefer(features) {
		await this.call("Emulation.setEmulatedMedia", {
			features: Object.entries(features).map(([name, value]) => ({ name, value })),
		});
	}

	/* Gives the page the keyboard, which Tab takes from it behind the last element. */
	async activate() {
		await this.call("Page.bringToFront");
	}

	async screenshot(file, { whole = false } = {}) {
		const answer = await this.call("Page.captureScreenshot", {
			format: "png", captureBeyondViewport: whole,
		});
		fs.writeFileSync(file, Buffer.from(answer.data, "base64"));
	}
}

function start(command, folder) {
	return spawn(command, [
		"--headless", "--remote-debugging-pipe", `--user-data-dir=${folder}`,
		/* In a container there is neither a sandbox for root nor a large /dev/shm. */
		"--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
		/* Nothing of its own over the network, and no first-run questions. */
		"--no-first-run", "--no-default-browser-check", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-extensions",
		"--disable-domain-reliability", "--no-pings", "--mute-audio", "--hide-scrollbars",
		"--allow-file-access-from-files", "--window-size=1280,800", "about:blank",
	], {
		stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
		env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder },
	});
}

/* The protocol's two pipes. */
async function connect(child) {
	const connection = new Connection(child), [out, back] = child.stdio.slice(3);
	const rest = [];

	connection.send = (text) => out.write(text + "\0");
	out.on("error", (error) => connection.fail(error));
	back.on("data", (data) => {
		let end;
		while ((end = data.indexOf(0)) >= 0) {
			rest.push(data.subarray(0, end));
			data = data.subarray(end + 1);
			connection.handle(JSON.parse(Buffer.concat(rest.splice(0)).toString("utf8")));
		}
		if (data.length) rest.push(data);
	});
	return connection;
}

async function firstPage(connection) {
	const { targetInfos } = await connection.call("Target.getTargets");
	let target = targetInfos.find((info) => info.type === "page")?.targetId;
	if (!target)
		target = (await connection.call("Target.createTarget", { url: "about:blank" })).targetId;
	const { sessionId } = await connection.call("Target.attachToTarget",
		{ targetId: target, flatten: true });
	const page = new Page(connection, sessionId);
	for (const domain of ["Page", "Runtime", "Log", "Network"]) await page.call(`${domain}.enable`);
	await page.resize(1280, 800);
	return page;
}

/* Gives the browser time to end by itself, then ends it. */
async function stop(child, connection, quit) {
	const ended = child.exitCode !== null || child.signalCode !== null
		? Promise.resolve()
		: new Promise((resolve) => child.on("exit", resolve));
	connection?.call(quit).catch(() => {});
	await withTimeout(ended, "end of the browser", 10000).catch(() => child.kill("SIGKILL"));
}

/* Runs steps on a page of a new browser; see above. Sets the exit status. */
async function browse(steps) {
	const browser = process.env.BROWSER || "chromium", command = browserCommand(browser);
	if (!command) {
		console.log(`1..0 # SKIP no ${browser}`);
		return;
	}
	const driver = /firefox/.test(command) ? require("./firefox.js") : { start, connect, firstPage, quit: "Browser.close" };
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ompprof-browser."));
	const child = driver.start(command, folder);
	let said = "";
	child.stderr.on("data", (data) => {
		said = (said + data).slice(-4000);
	});
	let connection;
	try {
		connection = await driver.connect(child);
		await steps(await driver.firstPage(connection));
	} catch (error) {
		console.log(said.replace(/^/gm, "# "));
		bailOut(error);
	} finally {
		await stop(child, connection, driver.quit);
		fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
	}
}

module.exports = { Connection, Page, browse, withTimeout };
