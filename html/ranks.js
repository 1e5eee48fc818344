/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processes of a run of several: the time of each one's slots by cause, as a heat map with
 * numbers, and the ranks that others waited for. A process that is chosen narrows the panes that
 * know of processes.
 */

/* If causes are known of no process, there are these parts. */
const PARTS = [...CAUSES.filter(([key]) => /^(useful|mpi)_s$/.test(key)), ['wait_s', 'waits', 'other'], ['other_s', 'other', 'other']];
const RANKS_IN = { time: 'thread time', share: 'share of its slots\u2019 time' };

function countedProcesses(report) {
	return (report.processes || []).filter((row) => row.counted);
}

function processName(row) {
	return row.rank === null || row.rank === undefined ? 'process ' + row.pid : 'rank ' + row.rank;
}

function areRanks(rows) {
	return rows.every((row) => row.rank !== null);
}

/* Whether a thread is of the process that is chosen, if any is. */
function isOfProcess(thread) {
	return !app.process || thread.pid === app.process.pid && processName(thread) === processName(app.process);
}

/* Whether a cell of data-threads is. */
function isCellOfProcess(cell) {
	return !app.process || cell.thread.startsWith(processName(app.process) + ', ');
}

function allProcesses() {
	return 'All ' + (areRanks(countedProcesses(app.reports.user)) ? 'ranks' : 'processes');
}

function selectProcess(row) {
	app.process = row;
	for (const listener of app.narrowed)
		listener();
	showRange();
	say(row ? 'Only ' + processName(row) : allProcesses());
}

/* Says what is of the process alone. */
function processBar(row) {
	const hasTimes = line.every.some(isOfProcess);

	return [el('div', { class: 'heading' }, el('h2', {}, 'Only ' + processName(row)),
		el('button', { type: 'button', id: 'range-ranks', onclick: () => selectProcess(null) }, allProcesses())),
	el('p', { class: 'hint' }, (hasTimes ? 'The tabs Threads and Timeline show' : 'The tab Threads shows') + ' it alone, all else the whole run. A page of it alone: ',
		el('code', {}, 'ompprof report --' + processName(row) + ' --html FILE'))];
}

/* A column of the heat map. A colour is mixed by the share, so small shares differ to the eye. */
function causeColumn([key, title, shade], of, state) {
	const part = (row) => of(row)[key] || 0, share = (row) => part(row) / (row.capacity_s || 1);

	return { title, number: true, swatch: 'cause ' + key, get: (row) => state.unit === 'time' ? part(row) : share(row),
		show: (row) => state.unit === 'time' ? seconds(part(row)) : percent(share(row), 1),
		paint: (cell, row) => {
			cell.title = processName(row) + ', ' + title + ': ' + seconds(part(row)) + ', ' + percent(share(row), 1) + ' of its slots\u2019 time';
			tint(cell, shade, 90 * Math.sqrt(state.unit === 'time' ? part(row) / state.most : share(row)));
		} };
}

function causeColumns(rows, state) {
	const isKnown = rows.some((row) => sum(row.causes) > 0), of = isKnown ? (row) => row.causes : (row) => row;

	return columnsWith(rows, (isKnown ? CAUSES : PARTS).map((cause) => causeColumn(cause, of, state)));
}

/* A column of text, if its rows differ. */
function differing(rows, title, key) {
	return rows.some((row) => row[key] !== rows[0][key]) ? [{ title, isShort: true, get: (row) => row[key] }] : [];
}

function ranksTable(rows, word, state) {
	return new Table({ caption: 'Time of the slots of each ' + word + ' by cause', rows, filter: 'Filter',
		words: (row) => processName(row) + ' ' + row.host + ' ' + row.program,
		onselect: (row) => selectProcess(app.process === row ? null : row),
		columns: [{ title: word, choose: true, isShort: true, get: (row) => row.rank === null ? row.pid : row.rank,
			show: (row) => processName(row) + (row.complete ? '' : ' (incomplete)') },
		...differing(rows, 'program', 'program'), ...differing(rows, 'host', 'host'), timeColumn('wall', 'wall_s'),
		countColumn('threads', 'threads'), shareColumn('eff.', 'efficiency', 'efficiency: the useful share of its slots\u2019 time'),
		...causeColumns(rows, state)] });
}

function lateTable(waits) {
	return [el('p', { class: 'hint' }, seconds(waits.mpi_s) + ' in calls of MPI, ' + seconds(waits.compared_s)
		+ ' of it in the collective calls that could be compared; for ' + seconds(waits.unblamed_s) + ' no rank is blamed.'),
	new Table({ caption: 'Ranks that came last to collective calls of MPI', rows: waits.late, sort: 1,
		empty: 'Nothing was waited for.', columns: [{ title: 'rank', choose: true, isShort: true, get: (row) => row.rank, show: processName },
			timeColumn('waited', 'wait_s', 'how long others waited for it, summed over their threads'), countColumn('calls', 'calls'),
			{ title: 'at', get: (row) => row.name || '', show: (row) => (row.name || '(not known)') + (row.function ? ' in ' + row.function : '') },
			placeColumn()] }).element];
}

function buildRanks(pane, report) {
	const rows = countedProcesses(report), word = areRanks(rows) ? 'rank' : 'process';
	const state = { unit: 'time', most: rows.reduce((most, row) => Math.max(most, row.capacity_s), 0) || 1 };
	const table = ranksTable(rows, word, state), select = el('select', { id: 'ranks-unit', onchange: () => {
		state.unit = select.value;
		table.show();
	} }, Object.keys(RANKS_IN).map((unit) => el('option', { value: unit }, RANKS_IN[unit])));
	const late = report.rank_waits ? lateTable(report.rank_waits) : [];

	app.narrowed.push(() => table.select(app.process));
	put(pane, el('div', { class: 'tools' }, el('label', {}, 'Numbers are ', select), el('span', { class: 'hint' },
		'The fuller a colour, the larger the number. The most useful work is ' + figure(report.process_imbalance)
		+ ' times the mean. Choose a ' + word + ' to see its threads alone.')), table.element, late);
}
