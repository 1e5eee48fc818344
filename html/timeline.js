/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline's pane. It has a row for each thread and, with a trace, lanes of phases and regions
 * above them. At each time, colour and pattern show the state that the thread was in most, and the
 * height shows how much of the time it ran or waited. Below are the sums of the states in the
 * selected time. timeline_draw.js paints it.
 */
const LINE_ROW = 18, LINE_LEFT = 110, LINE_LEFT_MOST = 200, LINE_ROWS_MOST = 512, LINE_TICK = 90, LINE_ZOOM = 1.25, LINE_LEAST = 1e-6;
/* Key in the data, text, colour, and lines on it: none, at one angle, or at two. */
const LINE_STATES = [['work', 'work', 'task', 0], ['overhead', 'runtime overhead', 'overhead', 2],
	['barrier', 'barriers', 'wait', 1], ['tasks', 'waiting for tasks', 'inlined', 1], ['mutex', 'locks', 'function', 2],
	['idle', 'idle', 'other', 1], ['target', 'devices', 'region', 1], ['in_wait', 'in waits (samples)', 'wait', 2]];
const LINE_NOTHING = 'neither on a CPU nor waiting in OpenMP';
/* Times are in seconds. `from` and `to` are what is in view, `at` is where the cursor is. */
const line = { every: [], all: [], rows: [], lanes: [], first: 0, left: LINE_LEFT, states: [], span: 0, bucket: 0, row: 0, at: 0, from: 0, to: 0,
	width: 0, anchor: null, drag: null };

function lineTake(report) {
	const measured = report.summary.measured;

	line.every = line.all = report.threads.filter((row) => row.timeline);
	/* Samples in waits cover the same time as measured waits. */
	line.states = LINE_STATES.filter(([key]) => (key !== 'in_wait' || !measured)
		&& line.all.some((row) => (row.timeline.times[key] || []).length));
	/* Calls of MPI are in no state of their own. */
	if (report.threads.some((row) => row.mpi_s > 0))
		line.states = line.states.map((state) => state[0] === 'work' ? ['work', 'work, or in MPI', ...state.slice(2)] : state);
	line.bucket = line.all.reduce((least, row) => Math.min(least, row.timeline.bucket_s), Infinity);
	line.span = line.all.reduce((most, { timeline }) => Math.max(most, timeline.begin_s
		+ timeline.bucket_s * Math.max(0, ...Object.values(timeline.times).map((times) => times.length))), 0);
	/* Whole columns of the shortest bucket. */
	line.span = line.bucket * Math.max(1, Math.ceil(line.span / line.bucket - 1e-6));
	line.to = line.span;
	app.narrowed.push(lineNarrow);
	line.lanes = range.trace ? [phaseLane(), regionLane(report)].filter((lane) => lane.parts.length) : [];
	lineTurn(0);
}

/* Shows a page of rows that starts at row `first`. */
function lineTurn(first) {
	line.first = Math.max(0, Math.min(first, line.all.length - 1));
	line.rows = [...line.lanes, ...line.all.slice(line.first, line.first + LINE_ROWS_MOST)];
	line.row = line.lanes.length;
}

/* Shows the threads of the process that is chosen, or all if these have no times. */
function lineNarrow() {
	const own = line.every.filter(isOfProcess);

	line.all = own.length ? own : line.every;
	lineTurn(0);
	if (line.canvas)
		lineTurned();
}

/* Shows the rows that have been turned to. */
function lineTurned() {
	line.pages();
	lineShow();
	lineSums();
	lineSay();
}

/* A lane of what all threads were in, by the index that `of` gives for a key of the trace. */
function makeLane(title, names, of) {
	const lists = names.map(() => []);

	for (const { key, spans } of range.trace.threads.values()) {
		for (let i = 0; i < key.length; i++) {
			const at = of(key[i]);

			if (at >= 0)
				lists[at].push([spans.begin[i], spans.end[i], spans.amount[i]]);
		}
	}
	return { title, parts: names.map((name, i) => ({ name, colour: LANE_COLOURS[i % LANE_COLOURS.length], spans: spansOf(lists[i]) }))
		.filter((part) => part.spans.end.length) };
}

function phaseLane() {
	return makeLane('phases', range.trace.phases, (key) => range.trace.keys[key][3] - 1);
}

/* The outermost region around each node. */
function regionLane(report) {
	const regionOf = new Int32Array(report.nodes.length).fill(-1);

	report.regions.forEach((region, i) => region.nodes.forEach((node) => {
		regionOf[node] = i;
	}));
	for (const node of app.trees.user.slice(1))
		if (regionOf[node.parent.id] >= 0)
			regionOf[node.id] = regionOf[node.parent.id];
	return makeLane('regions', report.regions.map((region) => (region.function + ' ' + (place(region) || region.name)).trim()),
		(key) => regionOf[range.trace.keys[key][0]]);
}

/* A thread's time in a state: of the trace and, where that ends, of the timeline. */
function lineSpans(row, key) {
	const traced = range.trace && range.trace.threads.get(row.thread), until = traced ? range.trace.until : 0;
	const list = [], { begin_s: first, bucket_s: width, times } = row.timeline;

	for (let i = 0; traced && i < traced.key.length; i++) {
		const begin = traced.spans.begin[i], end = traced.spans.end[i];
		const inside = end > until ? (until - begin) / (end - begin) : 1;

		if (range.trace.keys[traced.key[i]][2] === key && inside > 0)
			list.push([begin, Math.min(end, until), traced.spans.amount[i] * inside]);
	}
	(times[key] || []).forEach((amount, i) => {
		const begin = Math.max(until, first + i * width), end = first + (i + 1) * width;

		if (amount && end > begin)
			list.push([begin, end, amount * (end - begin) / width]);
	});
	return spansOf(list);
}

function lineSpansOf(row, key) {
	row.spans = row.spans || {};
	return row.spans[key] = row.spans[key] || lineSpans(row, key);
}

/* Seconds in a thread's state. */
function lineSum(row, key, begin, end) {
	return lineSpansOf(row, key).within(begin, end);
}

/* What a row shows: [what, the words for it, the amounts of time] of each state or part. */
function lineParts(row) {
	return row.parts ? row.parts.map((part) => [part, part.name, part.spans])
		: line.states.map((state) => [state, state[1], lineSpansOf(row, state[0])]);
}

/* The length of the cursor, and of what can be selected: a bucket, or with a trace two pixels. */
function lineStep() {
	const least = 2 * (line.to - line.from) / Math.max(line.width, 1), power = 10 ** Math.floor(Math.log10(least));

	return range.trace ? [1, 2, 5, 10].map((n) => n * power).find((one) => one >= least) : line.bucket;
}

function lineCell(time) {
	const step = lineStep(), last = Math.ceil(line.span / step - 1e-6) - 1;

	return Math.min(Math.max(Math.floor(time / step + 1e-6), 0), last) * step;
}

function lineName(row) {
	return row.parts ? row.title : threadName(row);
}

/* Says what the row did where the cursor is. */
function lineSay() {
	const row = line.rows[line.row], step = lineStep(), whole = row.parts ? step * line.all.length : step;
	const parts = lineParts(row).map(([, words, spans]) => [words, spans.within(line.at, line.at + step)])
		.filter((part) => part[1] > 0).sort((a, b) => b[1] - a[1]);

	line.said.textContent = clean((row.parts ? '' : 'thread ') + lineName(row) + ', ' + seconds(line.at) + ' to ' + seconds(line.at + step) + ': '
		+ (parts.map(([words, amount]) => words + ' ' + percent(amount, whole)).join(', ') || (row.parts ? 'none' : LINE_NOTHING)));
	line.canvas.title = line.said.textContent;
}

/* The sums of the selected time, or of the whole run, as a table. It is also the picture in words. */
function lineSums() {
	line.table.setRows(line.rows.slice(line.lanes.length).map(stateRow),
		(rangeIsAll() ? 'States of the whole run by thread' : 'States from ' + seconds(range.begin) + ' to ' + seconds(range.end) + ' by thread')
		+ (line.rows.length - line.lanes.length < line.all.length ? ': ' + lineWhich() : ''));
	line.clear.disabled = line.zoomTo.disabled = rangeIsAll();
}

/* A row of the table of states. */
function stateRow(row) {
	const sums = { thread: row.thread, type: row.type, team_number: row.team_number, rank: row.rank, pid: row.pid };

	for (const [key] of line.states)
		sums[key] = lineSum(row, key, range.begin, range.end);
	return sums;
}

function stateColumns() {
	return line.states.map(([key, words]) => timeColumn(words, key));
}

function lineWhich() {
	return (line.first + 1) + ' to ' + (line.first + line.rows.length - line.lanes.length) + ' of ' + line.all.length + ' threads';
}

/* If there are too many threads for a picture, they are on several pages. */
function linePages() {
	const which = el('span', { role: 'status' }), before = el('button', { type: 'button', onclick: () => turn(-1) }, 'Threads before'),
		after = el('button', { type: 'button', id: 'line-after', onclick: () => turn(1) }, 'Threads after');
	const pages = el('p', { class: 'pages' }, which, before, after);

	line.pages = () => {
		pages.hidden = line.all.length <= LINE_ROWS_MOST;
		which.textContent = lineWhich();
		before.disabled = !line.first;
		after.disabled = line.first + LINE_ROWS_MOST >= line.all.length;
	};

	function turn(by) {
		lineTurn(line.first + by * LINE_ROWS_MOST);
		lineTurned();
	}
	line.pages();
	return pages;
}

/* Selects the cells from one time to another, both included; null selects the whole run. */
function lineSelect(from, to) {
	selectRange(from === null ? 0 : Math.min(from, to), from === null ? Infinity : Math.max(from, to) + lineStep());
	if (!line.canvas)
		return;
	lineMarks();
	lineSums();
}

/* Shows the time from `from` for `length`, or the part of it that the run has. */
function lineView(from, length) {
	length = Math.min(Math.max(length, range.trace ? LINE_LEAST : 10 * line.bucket), line.span);
	line.from = Math.min(Math.max(from, 0), line.span - length);
	line.to = line.from + length;
	line.at = lineCell(line.at);
	line.whole.disabled = length === line.span;
	lineSoon();
}

/* Zooms by a factor; the time `at` stays where it is. */
function lineZoom(factor, at) {
	lineView(at - (at - line.from) * factor, (line.to - line.from) * factor);
}

function linePan(share) {
	lineView(line.from + share * (line.to - line.from), line.to - line.from);
}

/* Brings the cursor into view. */
function lineFollow() {
	const length = line.to - line.from;

	if (line.at < line.from)
		lineView(line.at, length);
	else if (line.at + lineStep() > line.to + 1e-9)
		lineView(line.at + lineStep() - length, length);
}

function lineTime(event) {
	return line.from + (event.offsetX - line.left) * (line.to - line.from) / line.width;
}

function lineAt(event) {
	line.at = lineCell(lineTime(event));
	line.row = Math.min(Math.max(Math.floor(event.offsetY / LINE_ROW), 0), line.rows.length - 1);
	return line.at;
}

function lineMouse(event) {
	const before = [line.row, line.at].join(), at = lineAt(event);

	if (event.type === 'pointerdown') {
		line.drag = at;
		line.canvas.setPointerCapture(event.pointerId);
	} else if (event.type === 'pointerup' || !event.buttons) {
		line.drag = null;
	} else if (line.drag !== null && line.drag !== at) {
		lineSelect(line.drag, at);
	}
	if (before !== [line.row, line.at].join()) {
		lineMarks();
		lineSay();
	}
}

/* Dragging the axis pans. */
function linePull(event) {
	if (event.type === 'pointerdown')
		line.axis.setPointerCapture(event.pointerId);
	else if (event.buttons)
		linePan(-event.movementX / line.width);
}

/* The wheel zooms, or pans if it is turned sideways or with Shift. Over the names it scrolls. */
function lineWheel(event) {
	const across = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;

	if (event.target === line.canvas && event.offsetX < line.left)
		return;
	event.preventDefault();
	if (event.shiftKey || Math.abs(across) > Math.abs(event.deltaY))
		linePan(across / line.width);
	else
		lineZoom(LINE_ZOOM ** Math.sign(event.deltaY), event.target === line.canvas ? lineTime(event) : (line.from + line.to) / 2);
}

/* Shows the selected time from edge to edge. */
function lineZoomTo() {
	if (!rangeIsAll())
		lineView(range.begin, range.end - range.begin);
}

const LINE_KEYS = { '+': () => lineZoom(1 / LINE_ZOOM, line.at), '=': () => lineZoom(1 / LINE_ZOOM, line.at),
	'-': () => lineZoom(LINE_ZOOM, line.at), PageUp: () => linePan(-0.5), PageDown: () => linePan(0.5), Enter: lineZoomTo,
	0: () => lineView(0, line.span), Escape: () => lineSelect(null) };

function lineKey(event) {
	const before = line.at, step = lineStep();
	const at = { ArrowLeft: line.at - step, ArrowRight: line.at + step, Home: 0, End: line.span }[event.key];
	const row = { ArrowUp: line.row - 1, ArrowDown: line.row + 1 }[event.key];

	if (event.ctrlKey || event.altKey || event.metaKey)
		return;
	if (LINE_KEYS[event.key])
		LINE_KEYS[event.key]();
	else if (at !== undefined)
		line.at = lineCell(at);
	else if (row !== undefined)
		line.row = Math.min(Math.max(row, 0), line.rows.length - 1);
	else
		return;
	event.preventDefault();
	if (at !== undefined)
		lineFollow();
	if (!event.shiftKey)
		line.anchor = null;
	else if (at !== undefined)
		lineSelect(line.anchor = line.anchor === null ? before : line.anchor, line.at);
	lineMarks();
	lineSay();
}

function lineMissing(report) {
	const n = report.threads.length - line.every.length;

	return (n ? ' ' + n + (n === 1 ? ' more thread has none.' : ' more threads have none.') : '')
		+ (range.trace ? '' : ' Regions over time: ompprof run --trace.');
}

const LINE_HELP = 'Drag, or Shift with arrows, selects a time, and the other tabs follow. The wheel, + and \u2212 zoom;'
	+ ' the axis, Shift with the wheel, Page Up and Page Down move; Enter zooms to the selection, 0 shows all, Escape selects all.';

function lineTools(report) {
	const button = (id, words, onclick) => el('button', { type: 'button', id, onclick }, words);

	line.whole = button('line-whole', 'Show all', () => lineView(0, line.span));
	line.zoomTo = button('line-zoom', 'Zoom to it', lineZoomTo);
	line.clear = button('line-all', 'Select all', () => lineSelect(null));
	line.whole.disabled = true;
	return el('div', { class: 'tools' }, el('span', { class: 'hint' },
		'What each thread did most at a time; the height is how much of it. ', LINE_HELP, lineMissing(report)),
	line.whole, line.zoomTo, line.clear);
}

function buildTimeline(pane, report) {
	if (!line.all.length) {
		pane.append(el('p', { class: 'hint' }, 'This profile does not tell when threads did what.'));
		return;
	}
	line.canvas = el('canvas', { tabindex: '0', role: 'application', 'aria-label': 'Timeline: ' + LINE_HELP,
		'aria-describedby': 'line-said', onpointerdown: lineMouse, onpointermove: lineMouse, onpointerup: lineMouse, onkeydown: lineKey });
	line.said = el('p', { id: 'line-said', 'aria-live': 'polite' });
	line.axis = el('div', { class: 'axis', 'aria-hidden': 'true', onpointerdown: linePull, onpointermove: linePull });
	line.table = new Table({ caption: 'States by thread', rows: [], empty: 'There were no threads.',
		columns: [threadColumn(), ...stateColumns()] });
	put(pane, lineTools(report), lineLegend(), linePages(), line.said,
		el('div', { class: 'scroll flame', id: 'line-box', onwheel: lineWheel, onscroll: lineSoon }, line.axis, line.canvas),
		line.table.element);
	new ResizeObserver(lineShow).observe(byId('line-box'));
	lineShow();
	lineSums();
	lineSay();
}
