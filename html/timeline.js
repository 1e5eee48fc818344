/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The timeline's pane. It has a row for each thread. At each time, colour and pattern show the
 * state that the thread was in most, and the height shows how much of the time it ran or waited.
 * Below are the sums of the states in the selected range, which is selected by dragging, or by
 * arrow keys with Shift.
 */
const LINE_ROW = 18, LINE_LEFT = 110, LINE_LEFT_MOST = 200, LINE_ROWS_MOST = 512, LINE_TICK = 90;
/* Key in the data, text, colour, and lines on it: none, at one angle, or at two. */
const LINE_STATES = [['work', 'work', 'task', 0], ['overhead', 'runtime overhead', 'overhead', 2],
	['barrier', 'barriers', 'wait', 1], ['tasks', 'waiting for tasks', 'inlined', 1], ['mutex', 'locks', 'function', 2],
	['idle', 'idle', 'other', 1], ['target', 'devices', 'region', 1], ['in_wait', 'in waits (samples)', 'wait', 2]];
const LINE_NOTHING = 'neither on a CPU nor waiting in OpenMP';
const line = { all: [], rows: [], first: 0, left: LINE_LEFT, states: [], span: 0, step: 0, columns: 0, row: 0, at: 0, from: null, to: null, width: 0 };

function lineTake(report) {
	const measured = report.summary.measured;

	line.all = report.threads.filter((row) => row.timeline);
	/* Samples in waits cover the same time as measured waits. */
	line.states = LINE_STATES.filter(([key]) => (key !== 'in_wait' || !measured)
		&& line.all.some((row) => (row.timeline.times[key] || []).length));
	line.step = line.all.reduce((least, row) => Math.min(least, row.timeline.bucket_s), Infinity);
	line.span = line.all.reduce((most, { timeline }) => Math.max(most, timeline.begin_s
		+ timeline.bucket_s * Math.max(0, ...Object.values(timeline.times).map((times) => times.length))), 0);
	line.columns = line.all.length ? Math.max(1, Math.ceil(line.span / line.step - 1e-6)) : 0;
	lineTurn(0);
}

/* Shows a page of rows that starts at row `first`. */
function lineTurn(first) {
	line.first = Math.max(0, Math.min(first, line.all.length - 1));
	line.rows = line.all.slice(line.first, line.first + LINE_ROWS_MOST);
	line.row = 0;
}


/*
 * Seconds in a thread's state from `begin` to `end`. A bucket that is partly in the range counts in
 * proportion.
 */
function lineSum(timeline, key, begin, end) {
	const times = timeline.times[key] || [], width = timeline.bucket_s;
	const first = Math.max(0, Math.floor((begin - timeline.begin_s) / width));
	let total = 0;

	for (let i = first; i < times.length; i++) {
		const from = timeline.begin_s + i * width;
		const part = Math.min(end, from + width) - Math.max(begin, from);

		if (from >= end)
			break;
		total += times[i] * Math.min(1, Math.max(0, part / width));
	}
	return total;
}

/* The state with most of the known time, or null, and how much of the time is known. */
function lineMost(row, begin, end) {
	let most = null, amount = 0, known = 0;

	for (const state of line.states) {
		const mine = lineSum(row.timeline, state[0], begin, end);

		known += mine;
		if (mine > amount) {
			amount = mine;
			most = state;
		}
	}
	return { most, share: Math.min(known / (end - begin), 1) };
}

function linePaint(context) {
	const paints = new Map(), front = colour('hatch');

	for (const state of line.states)
		paints.set(state, state[3] ? hatch(context, colour(state[2]), front, state[3] === 2) : colour(state[2]));
	return paints;
}

/* Rows are painted once for a width and theme. Marks are painted over them at each step. */
function lineShow() {
	const box = byId('line-box');

	if (!box || !box.clientWidth || !line.rows.length)
		return;
	const ratio = window.devicePixelRatio || 1, height = line.rows.length * LINE_ROW;
	const picture = document.createElement('canvas'), context = picture.getContext('2d');

	context.font = '12px monospace';
	line.left = line.rows.reduce((most, row) => Math.max(most, context.measureText(threadName(row)).width + 10), LINE_LEFT);
	line.left = Math.min(Math.ceil(line.left), LINE_LEFT_MOST);
	line.width = box.clientWidth - 4 - line.left;
	line.canvas.style.width = line.width + line.left + 'px';
	line.canvas.style.height = height + 'px';
	picture.width = Math.round((line.width + line.left) * ratio);
	picture.height = Math.round(height * ratio);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = '12px monospace';
	context.textBaseline = 'middle';
	const paints = linePaint(context), text = colour('text');

	line.rows.forEach((row, i) => lineRow(context, paints, text, row, i * LINE_ROW));
	line.picture = picture;
	lineAxis();
	lineMarks();
}

/* Round times, as many as fit. */
function lineAxis() {
	const scale = line.width / (line.columns * line.step), least = LINE_TICK / scale, power = 10 ** Math.floor(Math.log10(least));
	const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= least), ticks = [];

	for (let i = 0; (i * step) * scale < line.width - LINE_TICK / 2; i++) {
		const tick = el('span', {}, seconds(i * step));

		tick.style.left = line.left + i * step * scale + 'px';
		ticks.push(tick);
	}
	line.axis.replaceChildren(...ticks);
}

function lineRow(context, paints, text, row, y) {
	const { timeline } = row, scale = line.width / (line.columns * line.step);
	const n = Math.max(...Object.values(timeline.times).map((times) => times.length), 0);

	context.fillStyle = text;
	context.fillText(fit(context, threadName(row), line.left - 8), 2, y + LINE_ROW / 2);
	for (let i = 0; i < n; i++) {
		const begin = timeline.begin_s + i * timeline.bucket_s;
		const { most, share } = lineMost(row, begin, begin + timeline.bucket_s);
		const height = Math.max(3, share * (LINE_ROW - 2));

		if (!most)
			continue;
		context.fillStyle = paints.get(most);
		context.fillRect(line.left + begin * scale, y + LINE_ROW - 1 - height,
			Math.max(timeline.bucket_s * scale, 1), height);
	}
}

function lineMarks() {
	const ratio = window.devicePixelRatio || 1, context = line.canvas.getContext('2d');
	const x = (column) => line.left + column * line.width / line.columns;

	if (!line.picture)
		return;
	line.canvas.width = line.picture.width;
	line.canvas.height = line.picture.height;
	context.drawImage(line.picture, 0, 0);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.strokeStyle = colour('found');
	context.lineWidth = 2;
	if (line.from !== null)
		context.strokeRect(x(line.from), 1, x(line.to) - x(line.from), line.rows.length * LINE_ROW - 2);
	context.strokeStyle = colour('focus');
	context.strokeRect(x(line.at), line.row * LINE_ROW + 1, Math.max(x(1) - x(0), 3), LINE_ROW - 2);
}

/* Says what the thread did in the selected column. */
function lineSay() {
	const row = line.rows[line.row], begin = line.at * line.step, end = begin + line.step;
	const parts = line.states.map((state) => [state[1], lineSum(row.timeline, state[0], begin, end)])
		.filter((part) => part[1] > 0).sort((a, b) => b[1] - a[1]);

	line.said.textContent = 'thread ' + threadName(row) + ', ' + seconds(begin) + ' to ' + seconds(end) + ': '
		+ (parts.map(([words, amount]) => words + ' ' + percent(amount, line.step)).join(', ') || LINE_NOTHING);
	line.canvas.title = line.said.textContent;
}

/* The sums of the range, or of the whole run, as a table. It is also the picture in words. */
function lineSums() {
	const isAll = line.from === null;
	const begin = isAll ? 0 : line.from * line.step, end = isAll ? Infinity : line.to * line.step;

	line.table.setRows(line.rows.map((row) => {
		const sums = { thread: row.thread, type: row.type, rank: row.rank, pid: row.pid };

		for (const [key] of line.states)
			sums[key] = lineSum(row.timeline, key, begin, end);
		return sums;
	}), (isAll ? 'States of the whole run by thread'
		: 'States from ' + seconds(begin) + ' to ' + seconds(end) + ' by thread')
		+ (line.rows.length < line.all.length ? ': ' + lineWhich() : ''));
	line.clear.disabled = isAll;
}

function lineWhich() {
	return (line.first + 1) + ' to ' + (line.first + line.rows.length) + ' of ' + line.all.length + ' threads';
}

/* If there are too many threads for a picture, they are on several pages. */
function linePages() {
	const which = el('span', { role: 'status' }), before = el('button', { type: 'button', onclick: () => turn(-1) }, 'Threads before'),
		after = el('button', { type: 'button', id: 'line-after', onclick: () => turn(1) }, 'Threads after');
	const say = () => {
		which.textContent = lineWhich();
		before.disabled = !line.first;
		after.disabled = line.first + LINE_ROWS_MOST >= line.all.length;
	};

	function turn(by) {
		lineTurn(line.first + by * LINE_ROWS_MOST);
		say();
		lineShow();
		lineSums();
		lineSay();
	}
	say();
	return line.all.length > LINE_ROWS_MOST ? el('p', { class: 'pages' }, which, before, after) : null;
}

function lineSelect(from, to) {
	line.from = from === null ? null : Math.min(from, to);
	line.to = from === null ? null : Math.max(from, to) + 1;
	lineMarks();
	lineSums();
}

function lineAt(event) {
	const column = Math.floor((event.offsetX - line.left) * line.columns / line.width);

	line.at = Math.min(Math.max(column, 0), line.columns - 1);
	line.row = Math.min(Math.max(Math.floor(event.offsetY / LINE_ROW), 0), line.rows.length - 1);
	return line.at;
}

function lineMouse(event) {
	const before = [line.row, line.at].join(), at = lineAt(event);

	if (event.type === 'pointerdown') {
		line.begin = at;
		line.canvas.setPointerCapture(event.pointerId);
	} else if (event.type === 'pointerup' || !event.buttons) {
		line.begin = null;
	} else if (line.begin !== null && line.begin !== undefined && line.begin !== at) {
		lineSelect(line.begin, at);
	}
	if (before !== [line.row, line.at].join()) {
		lineMarks();
		lineSay();
	}
}

function lineKey(event) {
	const last = line.columns - 1, before = line.at;
	const at = { ArrowLeft: line.at - 1, ArrowRight: line.at + 1, Home: 0, End: last }[event.key];
	const row = { ArrowUp: line.row - 1, ArrowDown: line.row + 1 }[event.key];

	if (event.key === 'Escape')
		lineSelect(null);
	else if (at !== undefined)
		line.at = Math.min(Math.max(at, 0), last);
	else if (row !== undefined)
		line.row = Math.min(Math.max(row, 0), line.rows.length - 1);
	else
		return;
	event.preventDefault();
	if (!event.shiftKey)
		line.anchor = null;
	else if (at !== undefined)
		lineSelect(line.anchor = line.anchor === null ? before : line.anchor, line.at);
	lineMarks();
	lineSay();
}

function lineLegend() {
	return el('p', { class: 'legend' }, line.states.map((state) => {
		const swatch = el('canvas', { class: 'swatch', width: 14, height: 12 }), context = swatch.getContext('2d');
		const paint = () => {
			context.fillStyle = linePaint(context).get(state);
			context.fillRect(0, 0, 14, 12);
		};

		line.swatches.push(paint);
		return el('span', {}, swatch, state[1]);
	}), el('span', {}, 'a low or empty part: ' + LINE_NOTHING));
}

function lineMissing(report) {
	const n = report.threads.length - line.all.length;

	return n ? ' ' + n + (n === 1 ? ' more thread has none.' : ' more threads have none.') : '';
}

function buildTimeline(pane, report) {
	lineTake(report);
	if (!line.all.length) {
		pane.append(el('p', { class: 'hint' }, 'This profile does not tell when threads did what.'));
		return;
	}
	line.swatches = [];
	line.anchor = null;
	line.canvas = el('canvas', { tabindex: '0', role: 'application', 'aria-label': 'Timeline: arrows move, with Shift they'
		+ ' select, Escape selects all', 'aria-describedby': 'line-said', onpointerdown: lineMouse, onpointermove: lineMouse,
	onpointerup: lineMouse, onkeydown: lineKey });
	line.said = el('p', { id: 'line-said', 'aria-live': 'polite' });
	line.axis = el('div', { class: 'axis', 'aria-hidden': 'true' });
	line.clear = el('button', { type: 'button', id: 'line-all', onclick: () => lineSelect(null) }, 'Select all');
	line.table = new Table({ caption: 'States by thread', rows: [], empty: 'There were no threads.',
		columns: [threadColumn(),
			...line.states.map(([key, words]) => timeColumn(words, key))] });
	put(pane, el('div', { class: 'tools' }, el('span', { class: 'hint' },
		'What each thread did most at a time; the height is how much of it.'
		+ ' Drag, or press Shift with arrows, to select a range.' + lineMissing(report)), line.clear),
	lineLegend(), linePages(), line.said, el('div', { class: 'scroll flame', id: 'line-box' }, line.axis, line.canvas),
	line.table.element);
	new ResizeObserver(lineShow).observe(byId('line-box'));
	app.repaintTimeline = () => {
		line.swatches.forEach((paint) => paint());
		lineShow();
	};
	app.repaintTimeline();
	lineSums();
	lineSay();
}
