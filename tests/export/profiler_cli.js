// SPDX-License-Identifier: Apache-2.0
/* The Firefox Profiler's command `cli`, on one profile at a time; stop() ends what it leaves running. */
"use strict";

const { spawnSync } = require("child_process");

module.exports = (cli) => {
	function run(...args) {
		const done = spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", timeout: 60000 });
		if (done.status !== 0) throw new Error(`profiler-cli ${args.join(" ")}: ${done.stdout}${done.stderr}`);
		return done.stdout;
	}

	/* It waits for its own daemon for half a second only. */
	function load(file, tries = 20) {
		try {
			run("load", file);
		} catch (error) {
			const late = /still be running as pid (\d+)/.exec(error.message);
			if (!late || tries === 1) throw error;
			process.kill(Number(late[1]));
			load(file, tries - 1);
		}
	}

	return { run, load, stop: () => spawnSync(process.execPath, [cli, "stop", "--all"], { timeout: 60000 }) };
};
