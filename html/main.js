/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which the page of a report is built. */

async function main() {
	const report = nameCode(await decode('data-user'));

	app.reports.user = report;
	app.trees.user = makeTree(report);
	await takeTrace();
	lineTake(report);
	byId('tabs').before(el('section', { id: 'first', 'aria-labelledby': 'first-title' }),
		el('section', { id: 'regions', 'aria-labelledby': 'regions-title' }));
	byId('tabs').after(el('section', { id: 'range', 'aria-label': 'Selected time', 'aria-live': 'polite', hidden: true }));
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
		...countedProcesses(report).length > 1 ? [{ id: 'ranks', title: areRanks(countedProcesses(report)) ? 'Ranks' : 'Processes',
			build: (pane) => buildRanks(pane, report) }] : [],
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
