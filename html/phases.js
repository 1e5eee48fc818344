/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases that the program named, and events that were counted: panes for profiles that have them.
 */
function buildPhases(pane, report) {
	const wall = report.summary.wall_s, rows = report.phases.map((row) => Object.assign({}, row, {
		name: row.path ? row.path + (row.other ? ' (others)' : '') : '(in no phase)' }));

	pane.append(new Table({ caption: 'Phases that the program has named: each without those within it, times summed over threads', rows,
		filter: 'Filter', sort: 1, words: (row) => row.name, columns: [nameColumn('phase'), timeColumn('wall', 'wall_s', 'wall time'),
			{ title: 'of the run', number: true, get: (row) => row.wall_s, show: (row) => percent(row.wall_s, wall) },
			countColumn('times', 'times', 'how often it was begun'),
			shareColumn('eff.', 'efficiency', 'efficiency: the useful share of its threads\u2019 time'),
			...threadColumns(rows)] }).element);
}

/* The least count of a thread. A thread that could have counted but did not has 0. */
function eventLeast(row) {
	return row.threads.length < row.members ? 0 : Math.min(...row.threads.map((thread) => thread.count));
}

function buildEvents(pane, report) {
	const isPart = report.events.some((row) => row.looked < row.count);

	pane.append(new Table({ caption: 'Events of OpenMP that were counted, by the place that causes them', rows: report.events,
		filter: 'Filter', sort: 2, words: (row) => row.event + ' ' + row.detail + ' ' + row.function + ' ' + place(row),
		columns: [{ title: 'event', choose: true, get: (row) => row.event + (row.detail ? ': ' + row.detail : '') },
			{ title: 'where', get: (row) => [row.function, place(row)].filter(Boolean).join(' ') || row.name },
			countColumn('count', 'count', 'how often it happened'),
			countColumn('amount', 'amount', 'iterations, sections or dependences'),
			{ title: 'fewest', number: true, hint: 'of a thread that could have counted any', get: eventLeast,
				show: (row) => count(eventLeast(row)) },
			{ title: 'most', number: true, hint: 'of a thread', get: (row) => Math.max(0, ...row.threads.map((one) => one.count)),
				show: (row) => count(Math.max(0, ...row.threads.map((one) => one.count))) },
			{ title: 'threads', number: true, hint: 'that counted any, of those that could have', get: (row) => row.threads.length,
				show: (row) => row.threads.length + ' of ' + row.members },
			...isPart ? [countColumn('looked at', 'looked', 'those whose call path was: the place of the others is a guess')]
				: []] }).element);
}
