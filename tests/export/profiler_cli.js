// SPDX-License-Identifier: Apache-2.0
/*
 * The Firefox Profiler's command `cli`, on one profile at a time: judge(steps) does the steps of a test, says how it ended
 * and calls stop(), which ends what the command leaves running.
 */
"use strict";

const { spawnSync } = require("child_process");
const { bailOut, plan } = require("../readers/tap.js");

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

	const stop = () => spawnSync(process.execPath, [cli, "stop", "--all"], { timeout: 60000 });

	function judge(steps) {
		try {
			steps();
			plan();
		} catch (error) {
			bailOut(error);
		} finally {
			stop();
		}
	}

	return { run, load, judge, stop };
};
