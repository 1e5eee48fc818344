/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the page is built. A failure is shown as text. */

function fail(error) {
	const place = byId('trouble');

	place.textContent = 'This page cannot be shown: ' + (typeof DecompressionStream === 'undefined'
		? 'the browser is too old (it has no DecompressionStream).' : String(error && error.message || error));
	place.hidden = false;
	console.error(error);
}

async function main() {
	const report = nameCode(await decode('data-user'));

	app.reports.user = report;
	app.trees.user = makeTree(report);
	await takeTrace();
	lineTake(report);
	byId('page').hidden = false;
	buildHead(report);
	buildFirst(report);
	buildRegions(report);
	makeTabs([
		{ id: 'flame', title: 'Flame graph', build: buildFlame, shown: () => flameShow() },
		{ id: 'timeline', title: 'Timeline', build: (pane) => buildTimeline(pane, report), shown: () => lineShow() },
		{ id: 'up', title: 'Bottom-up', build: buildUp },
		{ id: 'sandwich', title: 'Sandwich', build: buildSandwich },
		{ id: 'blame', title: 'Blame', build: (pane) => buildBlame(pane, report) },
		{ id: 'threads', title: 'Threads', build: (pane) => buildThreads(pane, report).catch(fail) },
		{ id: 'locks', title: 'Locks', build: (pane) => buildLocks(pane, report) },
		{ id: 'tasks', title: 'Tasks', build: (pane) => buildTasks(pane, report) },
		...(report.targets || []).length || (report.devices || []).length
			? [{ id: 'devices', title: 'Devices', build: (pane) => buildDevices(pane, report) }] : [],
		...(report.phases || []).length ? [{ id: 'phases', title: 'Phases', build: (pane) => buildPhases(pane, report) }] : [],
		...(report.events || []).length ? [{ id: 'events', title: 'Events', build: (pane) => buildEvents(pane, report) }] : [],
		{ id: 'source', title: 'Source', build: (pane) => buildSource(pane).catch(fail) },
	]);
	showTab('flame');
	performance.mark('shown');
	document.documentElement.dataset.ready = 'yes';
}

main().catch(fail);
