/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The selected time, and what of the run was in it: from the trace exactly, or from the timeline,
 * which has states of threads alone. A pane that shows a part of the run adds a function to
 * range.listeners.
 */
const range = { begin: 0, end: Infinity, isExact: false, trace: null, cut: null, listeners: [], timer: null };

/*
 * Amounts of time, each spread evenly from its begin to its end, in the order of their ends.
 * `before` gives their sum up to a moment.
 */
class Spans {
	constructor(begin, end, amount) {
		const n = end.length;

		Object.assign(this, { begin, end, amount, sums: new Float64Array(n + 1), least: new Float64Array(n + 1) });
		for (let i = 0; i < n; i++)
			this.sums[i + 1] = this.sums[i] + amount[i];
		this.least[n] = Infinity;
		for (let i = n - 1; i >= 0; i--)
			this.least[i] = Math.min(this.least[i + 1], begin[i]);
	}

	/* The first one that ends after the moment. */
	after(moment) {
		let low = 0, high = this.end.length;

		while (low < high) {
			const middle = (low + high) >> 1;

			if (this.end[middle] > moment)
				high = middle;
			else
				low = middle + 1;
		}
		return low;
	}

	before(moment) {
		let i = this.after(moment), total = this.sums[i];

		for (; this.least[i] < moment; i++)
			if (this.begin[i] < moment)
				total += this.amount[i] * (moment - this.begin[i]) / (this.end[i] - this.begin[i]);
		return total;
	}

	within(begin, end) {
		return this.before(end) - this.before(begin);
	}
}

/* Spans of [begin, end, amount] each. */
function spansOf(list) {
	list.sort((a, b) => a[1] - b[1]);
	return new Spans(...[0, 1, 2].map((i) => Float64Array.from(list, (one) => one[i])));
}

/* The moments of each thread, in seconds, and the last moment up to which the trace has all. */
function unpackTrace(trace) {
	const threads = new Map();

	for (const { thread, end, length, more, key } of trace.threads) {
		let last = 0;
		const ends = Float64Array.from(end, (step) => (last += step) / 1e9);

		threads.set(thread, { key, spans: new Spans(ends.map((one, i) => one - length[i] / 1e9), ends,
			Float64Array.from(length, (one, i) => (one + more[i]) / 1e9)) });
	}
	return { threads, keys: trace.keys, phases: trace.phases, until: trace.traced === undefined ? Infinity : trace.traced / 1e9 };
}

async function takeTrace() {
	range.trace = byId('data-trace') && unpackTrace(await decode('data-trace'));
}

function rangeIsAll() {
	return range.begin === 0 && range.end === Infinity;
}

/* Whether call paths of the selected time are known. */
function rangeIsCut() {
	return !rangeIsAll() && range.isExact;
}

/* Calls f(key, amount, thread) for each moment, with its amount in the selected time. */
function rangeMoments(f) {
	for (const [thread, { key, spans }] of range.trace.threads) {
		const { begin, end, amount, least } = spans;

		for (let i = spans.after(range.begin); least[i] < range.end; i++) {
			const length = end[i] - begin[i], inside = Math.min(end[i], range.end) - Math.max(begin[i], range.begin);

			if (begin[i] < range.end)
				f(key[i], length ? amount[i] * inside / length : amount[i], thread);
		}
	}
}

/* A report's tree with the figures of the selected time. `nodeOf` has the node of each key. */
function cutTree(nodes, nodeOf) {
	const made = nodes.map((node) => Object.assign({}, node, { children: [], keys: null, folded: null, sorted: null, sortedBy: null,
		selfWork: 0, selfWait: 0, selfOverhead: 0, selfBlame: 0 }));
	const figures = { work: 'selfWork', overhead: 'selfOverhead', wait: 'selfWait' };

	rangeMoments((key, amount) => {
		const figure = figures[range.trace.keys[key][1]];

		if (figure)
			made[nodeOf[key]][figure] += amount;
	});
	for (const node of made) {
		node.parent = node.parent && made[node.parent.id];
		if (node.parent)
			node.parent.children.push(node);
	}
	made[0].name = 'the selected time';
	return sumTree(made);
}

/* The user view's tree of the whole run or, if call paths are known, of the selected time. */
function userTree() {
	if (!rangeIsCut())
		return app.trees.user;
	return range.cut = range.cut || cutTree(app.trees.user, range.trace.keys.map((key) => key[0]));
}

async function fullTree() {
	const all = await loadFull();

	return rangeIsCut() ? cutTree(all, await decode('data-trace-full')) : all;
}

/* Time by region and thread in the selected time, as in data-threads. */
function rangeCells() {
	const tree = userTree(), cells = new Map();
	const regionOf = (node) => !node || node.kind === 'region' ? node : regionOf(node.parent);

	rangeMoments((key, amount, thread) => {
		const [at, figure] = range.trace.keys[key], region = regionOf(tree[at]);
		const id = (region ? region.id : '') + ' ' + thread;
		const cell = cells.get(id) || { thread: threadName(app.reports.user.threads.find((row) => row.thread === thread)), name: region ? region.name : '', file: region ? region.file : '',
			line: region ? region.line : 0, function: region ? region.function : '', work_s: 0, wait_s: 0, overhead_s: 0 };

		if (figure)
			cell[figure + '_s'] += amount;
		cells.set(id, cell);
	});
	return Array.from(cells.values());
}

/* Panes are told when the selection rests. */
function selectRange(begin, end) {
	range.begin = begin;
	range.end = end;
	range.isExact = Boolean(range.trace) && end <= range.trace.until;
	range.cut = null;
	clearTimeout(range.timer);
	range.timer = setTimeout(tellRange, 60);
}

function tellRange() {
	showRange();
	for (const listener of range.listeners)
		listener();
}

/* The states of the threads in the selected time. */
function rangeStates() {
	const sums = line.states.map((state) => [state, line.all.reduce((total, row) => total + lineSum(row, state[0], range.begin, range.end), 0)])
		.filter((sum) => sum[1] > 0);
	const whole = (range.end - range.begin) * line.all.length;

	return el('ul', { class: 'causes' }, sums.sort((a, b) => b[1] - a[1]).map(([state, amount]) =>
		el('li', {}, lineSwatch(state), state[1] + ' ' + seconds(amount) + ', ' + percent(amount, whole))));
}

const RANGE_EXACT = 'From the trace: exact. Flame graph, bottom-up, source, threads and regions are of this time;'
	+ ' what to fix first, blame, locks, tasks and efficiency are known only of the whole run.';
const RANGE_BUCKETS = 'From the timeline: states of threads, by shares of buckets of ';
const RANGE_NO_PATHS = '. All else is of the whole run: a part of the run has call paths only where ompprof run --trace recorded them.';

function showRange() {
	const place = byId('range');

	place.hidden = rangeIsAll() && !app.process;
	place.replaceChildren();
	if (app.process)
		put(place, processBar(app.process));
	if (rangeIsAll())
		return;
	put(place, el('div', { class: 'heading' }, el('h2', {}, 'Only ' + seconds(range.begin) + ' to ' + seconds(range.end)),
		el('button', { type: 'button', id: 'range-all', onclick: () => lineSelect(null) }, 'Whole run')), rangeStates(),
	el('p', { class: 'hint', id: 'range-source' }, range.isExact ? RANGE_EXACT : RANGE_BUCKETS + seconds(line.bucket) + RANGE_NO_PATHS));
}
