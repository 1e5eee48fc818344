// SPDX-License-Identifier: Apache-2.0
/*
 * Firefox for browser.js: the same steps, in WebDriver BiDi over a WebSocket. Firefox says on its
 * standard error where it listens.
 */
"use strict";

const { spawn } = require("child_process");
const crypto = require("crypto");
const fs = require("fs");
const http = require("http");
const path = require("path");
const { Connection, Page, withTimeout } = require("./browser.js");

/* What Firefox would do over the network by itself, and what it asks at its first start. */
const PREFERENCES = {
	"app.normandy.enabled": false,
	"app.update.disabledForTesting": true,
	"browser.safebrowsing.update.enabled": false,
	"datareporting.policy.dataSubmissionEnabled": false,
	"network.captive-portal-service.enabled": false,
	"network.connectivity-service.enabled": false,
	"services.settings.server": "data:,",
	"toolkit.telemetry.enabled": false,
};

/* The client's half of a WebSocket, for texts alone. Firefox takes no mask of zeros. */
class Socket {
	constructor(stream, head, onText) {
		this.stream = stream;
		this.onText = onText;
		this.data = head;
		this.parts = [];
		stream.on("data", (data) => {
			this.data = Buffer.concat([this.data, data]);
			while (this.take());
		});
	}

	/* Takes one frame. Returns false if it has not come completely. */
	take() {
		const data = this.data, short = data.length > 1 ? data[1] & 127 : 0;
		const begin = short === 127 ? 10 : short === 126 ? 4 : 2;
		if (data.length < begin) return false;
		const length = short === 127 ? Number(data.readBigUInt64BE(2)) : short === 126 ? data.readUInt16BE(2) : short;
		if (data.length < begin + length) return false;
		const isText = (data[0] & 15) < 2, isLast = data[0] & 128;
		if (isText) this.parts.push(data.subarray(begin, begin + length));
		this.data = data.subarray(begin + length);
		if (isText && isLast) this.onText(Buffer.concat(this.parts.splice(0)).toString("utf8"));
		return true;
	}

	send(text) {
		const bytes = Buffer.from(text), n = bytes.length, width = n > 65535 ? 8 : n > 125 ? 2 : 0;
		const head = Buffer.alloc(2 + width + 4);
		head[0] = 0x81;
		head[1] = 0x80 | (width === 8 ? 127 : width ? 126 : n);
		if (width === 8) head.writeBigUInt64BE(BigInt(n), 2);
		else if (width) head.writeUInt16BE(n, 2);
		const mask = head.subarray(2 + width).fill(1);
		bytes.forEach((byte, i) => { bytes[i] = byte ^ mask[i % 4]; });
		this.stream.write(Buffer.concat([head, bytes]));
	}
}

/* Opens the WebSocket at a URL. */
function openSocket(url, onText) {
	return new Promise((resolve, reject) => {
		const request = http.request(url.replace(/^ws/, "http") + "/session", { headers: {
			Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": 13,
			"Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64"),
		} });
		request.on("upgrade", (answer, stream, head) => resolve(new Socket(stream, head, onText)));
		request.on("error", reject);
		request.end();
	});
}

/* A value as JavaScript has it, of what BiDi sends. */
function valueOf({ type, value }) {
	if (type === "array") return value.map(valueOf);
	if (type === "object") return Object.fromEntries(value.map(([key, one]) => [key, valueOf(one)]));
	if (type === "number") return Number(value);
	return type === "null" ? null : value;
}

const KEYS = {
	Backspace: "\ue003", Tab: "\ue004", Enter: "\ue006", Escape: "\ue00c", PageUp: "\ue00e", PageDown: "\ue00f", End: "\ue010",
	Home: "\ue011", ArrowLeft: "\ue012", ArrowUp: "\ue013", ArrowRight: "\ue014", ArrowDown: "\ue015", Delete: "\ue017",
};

class FirefoxPage extends Page {
	note(method, params) {
		if (method === "log.entryAdded" && ["error", "warn"].includes(params.level)) this.errors.push(params.text);
		else if (method === "network.beforeRequestSent") this.requests.push(params.request.url);
		else if (method === "network.fetchError") this.errors.push(`${params.errorText} ${params.request.url}`);
	}

	call(method, params) {
		return this.connection.call(method, { context: this.sessionId, ...params });
	}

	async load(url) {
		await this.call("browsingContext.navigate", { url, wait: "complete" });
		await this.activate();
	}

	async evaluate(expression, context) {
		const answer = await this.connection.call("script.evaluate", {
			expression, target: { context }, awaitPromise: true, userActivation: true,
		});
		if (answer.exceptionDetails) throw new Error(`${expression.slice(0, 200)}: ${answer.exceptionDetails.text}`);
		return valueOf(answer.result);
	}

	run(expression) {
		return this.evaluate(expression, this.sessionId);
	}

	async act(type, id, actions) {
		await this.call("input.performActions", { actions: [{ type, id, actions }] });
	}

	async click(where, count = 1) {
		const { x, y } = typeof where === "string" ? await this.place(where) : where;
		const press = [{ type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 }];
		await this.act("pointer", "mouse", [{ type: "pointerMove", x: Math.round(x), y: Math.round(y) },
			...Array(count).fill(press).flat()]);
	}

	hover(where) {
		return this.click(where, 0);
	}

	async key(key, { shift = false, ctrl = false, alt = false } = {}) {
		const held = [shift && "\ue008", ctrl && "\ue009", alt && "\ue00a"].filter(Boolean);
		const down = [...held, KEYS[key] || key];
		await this.act("key", "keys", [...down.map((value) => ({ type: "keyDown", value })),
			...down.reverse().map((value) => ({ type: "keyUp", value }))]);
	}

	async type(text) {
		await this.act("key", "keys", Array.from(text).flatMap((value) => [{ type: "keyDown", value }, { type: "keyUp", value }]));
	}

	async resize(width, height) {
		await this.call("browsingContext.setViewport", { viewport: { width, height }, devicePixelRatio: 1 });
	}

	/* Runs an expression in the browser's own window. */
	async inWindow(expression) {
		const { contexts } = await this.connection.call("browsingContext.getTree", { "moz:scope": "chrome" });
		await this.evaluate(`void (${expression})`, contexts[0].context);
	}

	/* Known is "prefers-color-scheme". */
	async prefer({ "prefers-color-scheme": scheme }) {
		await this.inWindow(`gBrowser.selectedBrowser.browsingContext.prefersColorSchemeOverride = "${scheme}"`);
	}

	async activate() {
		await this.inWindow("gBrowser.selectedBrowser.focus()");
	}

	async screenshot(file, { whole = false } = {}) {
		const { data } = await this.call("browsingContext.captureScreenshot", { origin: whole ? "document" : "viewport" });
		fs.writeFileSync(file, Buffer.from(data, "base64"));
	}
}

function start(command, folder) {
	fs.writeFileSync(path.join(folder, "user.js"), Object.entries(PREFERENCES)
		.map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(""));
	return spawn(command, ["--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0",
		"--remote-allow-system-access", "about:blank"], {
		stdio: ["ignore", "ignore", "pipe"],
		env: { ...process.env, HOME: folder, MOZ_HEADLESS_WIDTH: "2400", MOZ_HEADLESS_HEIGHT: "1200" },
	});
}

/* Where Firefox listens. */
function listening(child) {
	return withTimeout(new Promise((resolve, reject) => {
		let said = "";
		child.stderr.on("data", (data) => {
			said += data;
			const found = said.match(/BiDi listening on (ws:\/\/\S+)/);
			if (found) resolve(found[1]);
		});
		child.on("error", reject);
		child.on("exit", () => reject(new Error("the browser ended")));
	}), "start of the browser");
}

async function connect(child) {
	const connection = new Connection(child);
	const socket = await openSocket(await listening(child), (text) => connection.handle(JSON.parse(text)));
	connection.send = (text) => socket.send(text);
	await connection.call("session.new", { capabilities: {} });
	return connection;
}

async function firstPage(connection) {
	const { contexts } = await connection.call("browsingContext.getTree");
	const page = new FirefoxPage(connection, contexts[0].context);
	await connection.call("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent", "network.fetchError"] });
	await page.resize(1280, 800);
	return page;
}

module.exports = { start, connect, firstPage, quit: "browser.close" };
