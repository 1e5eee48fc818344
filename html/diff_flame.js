/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph of a comparison: the nodes of both runs, coloured by how they changed. */
const FLAME_FILLS = { other: ['other'], worse1: ['worse1'], worse2: ['worse2'], worse3: ['worse3'], added: ['worse3', 'crossed'],
	better1: ['better1'], better2: ['better2'], better3: ['better3'], gone: ['better3', 'hatched'] };
const FLAME_WORDS = { other: 'within twice its error', worse1: 'up to 20 % more', worse2: '20 to 50 % more', worse3: 'more than that',
	added: 'only after (crossed)', better1: 'up to 20 % less', better2: '20 to 50 % less', better3: 'less than that',
	gone: 'only before (hatched)' };
const FLAME_WIDTHS = { larger: 'the larger of both', after: 'after', before: 'before' };

flame.metric = 'larger';

function flameGet(node) {
	return node[flame.metric];
}

/* Parents come before their children. A node is as wide as its nodes below need. */
function diffTree(report) {
	const nodes = report.nodes.map((from) => {
		const of = from.function === null ? { name: 'the whole run' } : report.functions[from.function];

		return { parent: null, children: [], below: 0, name: of.name, file: of.file, line: of.line,
			before: from.before, after: from.after, change: from.change, error: from.error };
	});

	nodes.forEach((node, i) => {
		node.parent = i ? nodes[report.nodes[i].parent] : null;
		if (i)
			node.parent.children.push(node);
	});
	for (const node of nodes.slice().reverse()) {
		node.larger = Math.max(node.before, node.after, node.below);
		if (node.parent)
			node.parent.below += node.larger;
	}
	return nodes;
}

function flameColour(node) {
	const share = Math.abs(node.change) / Math.max(node.before, node.after), level = share > 0.5 ? 3 : share > 0.2 ? 2 : 1;

	if (isUnsure(node))
		return 'other';
	if (!node.before || !node.after)
		return node.before ? 'gone' : 'added';
	return (node.change > 0 ? 'worse' : 'better') + level;
}

function flameLegend() {
	return Object.keys(FLAME_WORDS).map((word) => el('span', {}, el('i', { class: 'swatch ' + word }), FLAME_WORDS[word]));
}

function flameFigures(node) {
	return changeText(node) + (isUnsure(node) ? ', within twice its error' : !node.before ? ', only after' : !node.after ? ', only before' : '');
}

function flameFoundText(nodes) {
	const sum = (key) => nodes.reduce((total, node) => total + node[key], 0);

	return amount(sum('before')) + ' \u2192 ' + amount(sum('after'));
}

function buildFlame(pane) {
	pane.append(el('p', { class: 'hint' }, (comparison.counts_events ? 'Events' : 'Time')
		+ ' of all threads together. Red took more after, blue less.' + medianNote()));
	flameBuild(pane, flameChoice('Width is', 'metric', FLAME_WIDTHS, flameShow));
	flame.nodes = diffTree(comparison);
	flameTop(flame.nodes[0]);
}

function medianNote() {
	return comparison.before.runs || comparison.after.runs
		? ' If runs were repeated, it shows the run with the median wall time; the tables have medians.' : '';
}

/* Marks the nodes of a row of a table. */
function flameFind(row) {
	const wanted = row.construct && row.line && row.kind !== 'mutex' ? place(row) : row.kind === 'mutex' ? row.code : row.name;

	showTab('flame');
	flame.search.value = '^' + wanted.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + '$';
	flameSearch();
	say('Marked in the flame graph: ' + row.name + ', ' + flame.result.textContent);
}
