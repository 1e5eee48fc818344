/* SPDX-License-Identifier: Apache-2.0 */
/* Locks, tasks, and functions with their callers. */

function buildLocks(pane, report) {
	pane.append(new Table({ caption: 'Locks, critical sections and the like', rows: report.locks, filter: 'Filter', sort: 1,
		empty: 'No lock was used that the runtime tells of.', words: (row) => row.kind + ' ' + row.name + ' ' + place(row),
		columns: [nameColumn('lock'), estimateColumn('waited', 'wait_s', 'summed over threads'), placeColumn(),
			countColumn('acquired', 'acquired', 'how often'), { title: 'contended', number: true,
				hint: 'acquired after a wait', get: (row) => row.contended / row.acquired,
				show: (row) => percent(row.contended, row.acquired) },
			estimateColumn('mean wait', 'wait_mean_s', 'of those that waited'),
			estimateColumn('longest wait', 'wait_max_s'), estimateColumn('mean hold', 'hold_mean_s', 'from acquiring it to releasing it'), shareColumn('held', 'held_share',
				'of the wall time of the regions that waited for it'),
			countColumn('threads', 'threads', 'that acquired it')] }).element);
}

function taskName(row) {
	return row.name + (row.function ? ' in ' + row.function : '');
}

function buildTasks(pane, report) {
	const awaits = report.tasks.flatMap((task) => (task.awaits || []).map((of) => Object.assign({}, task, { of }, {
		tasks: of.tasks, wait_s: of.wait_s, mean_s: of.mean_s, max_s: of.max_s })));
	const words = (row) => taskName(row) + (row.of ? ' ' + taskName(row.of) : '');

	pane.append(new Table({ caption: 'Explicit tasks by the place that creates them', rows: report.tasks, filter: 'Filter',
		sort: 2, empty: 'This run had no explicit tasks.', words,
		columns: [{ title: 'task', choose: true, get: (row) => row.name, show: taskName },
			countColumn('created', 'created'), estimateColumn('busy', 'busy_s', 'time executing them, summed over threads'),
			estimateColumn('mean', 'mean_s', 'time of one task'), estimateColumn('longest', 'max_s', 'time of the longest task'),
			countColumn('creators', 'creators', 'threads that created any'),
			shareColumn('stolen', 'stolen_share', 'executed by another thread than created it'),
			estimateColumn('starved', 'starved_s', 'waiting for tasks, summed over threads'),
			...columnsWith(report.tasks, [timeColumn('blocks', 'blocked_s',
				'waiting with nothing to do while others waited for one of these to end'),
			countColumn('cancelled', 'cancelled', 'beside those executed')])] }).element);
	if (awaits.length)
		pane.append(new Table({ caption: 'Tasks that waited for tasks (depend)', rows: awaits, sort: 3, words,
			columns: [{ title: 'task', choose: true, get: (row) => row.name, show: taskName },
				{ title: 'waited for', get: (row) => taskName(row.of) },
				countColumn('tasks', 'tasks', 'that waited'),
				timeColumn('waited', 'wait_s', 'from their creation to the end of the last one that they depend on: no thread\u2019s time'),
				timeColumn('mean', 'mean_s', 'of one task'), timeColumn('longest', 'max_s', 'of one task')] }).element);
}

/* Functions by the metric in themselves; each line of a function is a row below it, as a caller. */
function groupNodes(entries) {
	const groups = new Map();

	for (const [node, amount] of entries) {
		const key = node.kind + '\0' + node.name + '\0' + node.module;
		const group = groups.get(key) || { name: node.name, kind: node.kind, node, amount: 0, entries: [] };

		group.amount += amount;
		group.entries.push([node, amount]);
		groups.set(key, group);
	}
	return Array.from(groups.values()).sort((a, b) => b.amount - a.amount);
}

const SELF = { total: (n) => n.selfWork + n.selfWait + n.selfOverhead, work: (n) => n.selfWork, wait: (n) => n.selfWait,
	blame: (n) => n.selfBlame };
const UP_MOST = 60;

function makeUp(group, whole, level) {
	const callers = groupNodes(group.entries.filter(([node]) => node.parent && node.parent.parent)
		.map(([node, amount]) => [node.parent, amount]));
	const words = [el('span', { class: 'amount' }, seconds(group.amount)),
		el('span', { class: 'amount' }, percent(group.amount, whole)),
		el('span', { class: 'name' }, group.name), el('small', {}, base(group.node.module))];

	if (!callers.length)
		return el('li', {}, el('div', { class: 'leaf' }, words));
	const opened = el('details', { ontoggle: () => {
		if (opened.open && opened.children.length === 1)
			opened.append(el('ul', {}, callers.slice(0, UP_MOST).map((caller) => makeUp(caller, whole, level + 1))));
	} }, el('summary', {}, words));

	return el('li', {}, opened);
}

function buildUp(pane) {
	const list = el('ul', { class: 'up' }), note = el('p', { class: 'hint' });
	const filter = el('input', { type: 'search', spellcheck: 'false', oninput: () => show() });
	const select = el('select', { onchange: () => show() }, Object.keys(SELF).map((word) =>
		el('option', { value: word }, METRICS[word].title)));

	function show() {
		const get = SELF[select.value], text = filter.value.trim().toLowerCase();
		const groups = groupNodes(userTree().slice(1).map((node) => [node, get(node)]).filter((entry) => entry[1] > 0));
		const whole = groups.reduce((total, group) => total + group.amount, 0);
		const shown = groups.filter((group) => group.name.toLowerCase().includes(text));

		list.replaceChildren(...shown.slice(0, UP_MOST).map((group) => makeUp(group, whole, 0)));
		note.textContent = shown.length ? 'Functions, constructs and waits by what is in themselves, summed over threads;'
			+ ' open one to see its callers.' + (shown.length > UP_MOST ? ' The first ' + UP_MOST + ' of ' + shown.length
			+ ': filter to see others.' : '') : groups.length ? 'Nothing matches.' : 'There is none of this.';
	}

	pane.append(el('div', { class: 'tools' }, el('label', {}, 'Sorted by ', select), el('label', {}, 'Filter ', filter)),
		note, list);
	range.listeners.push(show);
	show();
}
