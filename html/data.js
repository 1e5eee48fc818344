/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a tree of a report's nodes; each node has the sums of the nodes below it. */

function sum(object) {
	let total = 0;

	for (const key in object)
		total += object[key];
	return total;
}

/* The place shown if no line is known: the text after the '@' of a construct, or the function. */
function whereOf(node) {
	return node.parent === null ? '' : node.name.startsWith('[') ? constructPlace(node.name) : node.name;
}

function constructPlace(name) {
	return (/@(.*)]$/.exec(name) || ['', ''])[1];
}

/* Completes the names of a report that has just been decoded, and returns the report. */
function nameCode(report) {
	const lists = [report.regions, report.waits, report.locks, report.tasks, report.advice, report.targets || [],
		report.events || [], (report.rank_waits || { late: [] }).late, ...report.waits.map((wait) => wait.causes), ...report.tasks.map((task) => task.awaits || [])];

	for (const node of report.nodes) {
		node.name = codeName(node.name, node.module);
		if (node.function)
			node.function = codeName(node.function, node.module);
	}
	for (const row of lists.flat()) {
		const node = report.nodes[row.node];

		if (!node)
			continue;
		row.name = codeName(row.name, node.module);
		row.function = codeName(row.function || '', node.module);
		row.where = row.file || row.name === node.name && node.kind === 'function' ? '' : whereOf(node);
	}
	return report;
}

const METRICS = {
	total: { title: 'work, waits and overhead', get: (n) => n.work + n.wait + n.overhead },
	work: { title: 'work', get: (n) => n.work },
	wait: { title: 'waits', get: (n) => n.wait },
	blame: { title: 'blame: waiting of others that it caused', get: (n) => n.blame },
};

function makeNode(from) {
	return { id: from.id, parent: null, children: [], depth: 0, kind: from.kind,
		name: from.name || 'the whole run', file: from.file, line: from.line,
		module: from.module, function: from.function || '',
		selfWork: from.work_s, selfWait: sum(from.wait) - (from.wait.reduction || 0),
		selfOverhead: from.overhead_s, selfBlame: from.blame_s || 0 };
}

/* Parents come before their children. */
function makeTree(report) {
	const nodes = report.nodes.map(makeNode);

	for (const node of nodes) {
		const parent = report.nodes[node.id].parent;

		node.parent = parent === null ? null : nodes[parent];
		node.depth = node.parent ? node.parent.depth + 1 : 0;
		if (node.parent)
			node.parent.children.push(node);
	}
	return sumTree(nodes);
}

/* Adds what is below each node to it. */
function sumTree(nodes) {
	for (const node of nodes)
		node.work = node.wait = node.overhead = node.blame = 0;
	for (let i = nodes.length - 1; i >= 0; i--) {
		const node = nodes[i], up = node.parent;

		node.work += node.selfWork;
		node.wait += node.selfWait;
		node.overhead += node.selfOverhead;
		node.blame += node.selfBlame;
		if (up) {
			up.work += node.work;
			up.wait += node.wait;
			up.overhead += node.overhead;
			up.blame += node.blame;
		}
	}
	return nodes;
}

/*
 * The tree in which calls of one function from different lines are one node, as in --tree. Each
 * node of `nodes` gets the node with its figures as `folded`. Sums stay the same.
 */
function foldTree(nodes) {
	const made = [];

	for (const node of nodes) {
		const up = node.parent && node.parent.folded;
		const key = node.kind + '\0' + node.name + '\0' + node.module;
		let to = up && up.keys.get(key);

		if (!to) {
			to = Object.assign({}, node, { parent: up, children: [], keys: new Map(), sorted: null, sortedBy: null });
			made.push(to);
			if (up) {
				up.children.push(to);
				up.keys.set(key, to);
			}
		} else {
			for (const figure of ['work', 'wait', 'overhead', 'blame'])
				to[figure] += node[figure];
		}
		node.folded = to;
	}
	return made;
}

/* The page's data and selection. Listeners tell panes about changes. */
const app = { reports: {}, trees: {}, sources: [], region: null, listeners: [], process: null, narrowed: [] };

/* Decodes the data at the first call only. */
function loadFull() {
	app.trees.full = app.trees.full || decode('data-full').then((report) => makeTree(nameCode(report)));
	return app.trees.full;
}

function selectRegion(region) {
	app.region = region;
	for (const listener of app.listeners)
		listener(region);
	say(region ? 'Region selected: ' + region.name : 'No region selected');
}
