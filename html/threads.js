/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads by regions: each cell shows a thread's work relative to the mean of all threads. The
 * colour means the same as the number.
 */
const HEAT_REGIONS = 12, HEAT_THREADS = 256;

function heatRegions(cells) {
	const regions = new Map();

	for (const cell of cells) {
		const key = [cell.name, cell.file, cell.line].join('\0');
		const region = regions.get(key) || { name: cell.name || 'outside of regions', file: cell.file, line: cell.line,
			function: cell.function, work: 0, threads: new Map() };

		region.work += cell.work_s;
		const sum = region.threads.get(cell.thread) || { work: 0, wait: 0, overhead: 0 };

		sum.work += cell.work_s;
		sum.wait += cell.wait_s;
		sum.overhead += cell.overhead_s;
		region.threads.set(cell.thread, sum);
		regions.set(key, region);
	}
	return Array.from(regions.values()).sort((a, b) => b.work - a.work);
}

/*
 * Colours from less to more than the mean: two hues and lightness, with the page's colour in the
 * middle.
 */
function heatColour(cell, ratio) {
	const amount = Math.min(Math.abs(Math.log2(ratio || 0.25)) / 2, 1);

	tint(cell, ratio > 1 ? 'more' : 'less', 85 * amount);
}

function heatCell(region, thread, mean) {
	const sum = region.threads.get(thread);

	if (!sum || !mean)
		return el('td', { class: 'number' }, '\u2013');
	const cell = el('td', { class: 'number', title: 'work ' + seconds(sum.work) + ', waits ' + seconds(sum.wait)
		+ ', overhead ' + seconds(sum.overhead) }, (sum.work / mean).toFixed(2));

	heatColour(cell, sum.work / mean);
	return cell;
}

function buildHeat(cells) {
	const regions = heatRegions(cells).slice(0, HEAT_REGIONS);
	const threads = Array.from(new Set(cells.map((cell) => cell.thread)));
	const shown = threads.slice(0, HEAT_THREADS);
	const means = regions.map((region) => region.work / Math.max(region.threads.size, 1));

	return el('div', {}, el('p', { class: 'caption' }, 'Work of each thread in each region'),
		el('p', { class: 'hint' }, '1.00 is the mean of the threads there; blue is less, orange more.'
			+ (threads.length > shown.length ? ' The first ' + shown.length + ' of ' + threads.length + ' threads.' : '')),
		scrollBox('Threads by regions', el('table', { class: 'heat', 'aria-label': 'Threads by regions' },
			el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'thread'), regions.map((region) =>
				el('th', { scope: 'col', class: 'number', title: region.name }, region.function || constructPlace(region.name) || region.name,
					el('small', {}, place(region)))))),
			el('tbody', {}, shown.map((thread) => el('tr', {}, el('th', { scope: 'row', class: 'name' }, thread),
				regions.map((region, i) => heatCell(region, thread, means[i]))))))));
}

function threadName(row) {
	return row.thread + ' ' + row.type + (row.team_number !== undefined ? ", team's " + row.team_number : '')
		+ (row.rank !== undefined ? ', rank ' + row.rank
		: row.pid !== undefined ? ', process ' + row.pid : '');
}

function threadColumn() {
	return { title: 'thread', isShort: true, choose: true, get: (row) => row.thread, show: threadName };
}

const THREAD_COLUMNS = [['useful_s', 'useful work'], ['overhead_s', 'overhead', 'in the OpenMP runtime'],
	['barrier_s', 'barriers', 'waiting at barriers'], ['task_s', 'tasks', 'waiting for tasks'],
	['lock_s', 'locks', 'waiting for locks, critical sections and the like'], ['idle_s', 'idle', 'outside of regions'],
	['not_running_s', 'not running', 'ready, but without a CPU'], ['blocked_s', 'blocked', 'asleep, not in OpenMP'],
	['off_cpu_s', 'off cpu', 'neither on a CPU nor waiting in OpenMP'], ['mpi_s', 'MPI', 'in MPI'],
	['device_s', 'device', 'waiting for devices'], ['total_s', 'total'], ['blame_s', 'blame', 'waiting of others that it caused']];

/* The columns with some time in any row. */
function threadColumns(rows) {
	return columnsWith(rows, THREAD_COLUMNS.map(([key, title, hint]) => timeColumn(title, key, hint)));
}

/* In a part of the run only the timeline's states are known. */
function rangeThreads() {
	return new Table({ caption: 'Time of each thread, from ' + seconds(range.begin) + ' to ' + seconds(range.end), rows: line.all.map(stateRow),
		empty: 'There were no threads.', columns: [threadColumn(), ...stateColumns()] }).element;
}

async function buildThreads(pane, report) {
	const table = new Table({ caption: 'Time of each thread', rows: report.threads, empty: 'There were no threads.',
		words: threadName,
		columns: [threadColumn(),
		...threadColumns(report.threads)] });

	const whole = await decode('data-threads'), states = el('div');
	const show = () => {
		const cells = (rangeIsCut() ? rangeCells() : whole).filter(isCellOfProcess);

		table.setRows(report.threads.filter(isOfProcess));
		states.replaceChildren(rangeIsAll() ? table.element : rangeThreads());
		pane.replaceChildren(cells.length ? buildHeat(cells) : el('p', { class: 'hint' }, 'No thread has a sample.'), states);
	};

	range.listeners.push(show);
	app.narrowed.push(show);
	show();
}
