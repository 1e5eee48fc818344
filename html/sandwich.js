/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function with all that calls it above and all that it calls below. Of calls within calls of
 * itself the outermost count, so each time counts once.
 */
const sandwich = { key: null, views: [], metric: 'total' };

function functionKey(node) {
	return node.kind + '\0' + node.name + '\0' + node.module;
}

function addTo(lists, key, item) {
	if (!lists.has(key))
		lists.set(key, []);
	lists.get(key).push(item);
}

/* The outermost nodes of each function. */
function functionNodes(tree) {
	const of = new Map();

	for (const node of tree.slice(1)) {
		const key = functionKey(node);
		let up = node.parent;

		while (up && functionKey(up) !== key)
			up = up.parent;
		if (!up)
			addTo(of, key, node);
	}
	return of;
}

/* A tree with one child for each function that `next` leads to from the entries [node, figures]. */
function joinNodes(name, entries, next, parent) {
	const made = Object.assign({}, entries[0][0], { name, parent, children: [], sorted: null, sortedBy: null });
	const groups = new Map();

	for (const figure of ['work', 'wait', 'overhead', 'blame'])
		made[figure] = entries.reduce((total, entry) => total + entry[1][figure], 0);
	for (const entry of entries.flatMap(next))
		addTo(groups, functionKey(entry[0]), entry);
	made.children = Array.from(groups.values(), (group) => joinNodes(group[0][0].name, group, next, made));
	return made;
}

function callees(nodes) {
	return joinNodes(nodes[0].name, nodes.map((node) => [node, node]), ([node]) => node.children.map((child) => [child, child]), null);
}

/* The time of a caller is what the function took below it. */
function callers(nodes) {
	return joinNodes(nodes[0].name, nodes.map((node) => [node, node]),
		([node, figures]) => node.parent && node.parent.parent ? [[node.parent, figures]] : [], null);
}

/* A flame graph of a joined tree. Enter or a click chooses the function of a box. */
class SandwichView {
	constructor(title, isUp) {
		this.isUp = isUp;
		this.canvas = el('canvas', { tabindex: '0', role: 'application', 'aria-label': title + ': arrows move, Enter chooses',
			'aria-describedby': 'sandwich-said', onclick: (event) => this.choose(this.at(event)), onmousemove: (event) => this.hover(event),
			onkeydown: (event) => this.key(event) });
		this.box = el('div', { class: 'scroll flame' }, this.canvas);
	}

	show(top) {
		this.top = this.focus = top;
		this.paint();
	}

	paint() {
		if (!this.box.clientWidth || !this.top)
			return;
		this.width = this.box.clientWidth - 4;
		this.canvas.style.width = this.width + 'px';
		this.boxes = flameLayout(this.top, METRICS[sandwich.metric].get, this.width);
		const last = this.boxes.reduce((most, box) => Math.max(most, box.row), 0);

		if (this.isUp)
			for (const box of this.boxes)
				box.row = last - box.row;
		flameDraw(this.canvas, this);
	}

	at(event) {
		const row = Math.floor(event.offsetY / FLAME_ROW), x = event.offsetX;
		const box = this.boxes.find((one) => one.row === row && x >= one.x && x < one.x + Math.max(one.width, 1));

		return box && box.node;
	}

	hover(event) {
		const node = this.at(event);

		if (node)
			sandwichSay(node);
	}

	choose(node) {
		if (node && node.parent)
			sandwichChoose(functionKey(node));
	}

	key(event) {
		const get = METRICS[sandwich.metric].get, { focus } = this, below = (node) => sortedChildren(node, get).filter(get);
		const beside = (step) => focus.parent && below(focus.parent)[below(focus.parent).indexOf(focus) + step];
		const [deeper, back] = this.isUp ? ['ArrowUp', 'ArrowDown'] : ['ArrowDown', 'ArrowUp'];
		const to = { [deeper]: () => below(focus)[0], [back]: () => focus.parent, ArrowLeft: () => beside(-1), ArrowRight: () => beside(1) }[event.key];

		if (event.key === 'Enter')
			this.choose(focus);
		else if (to)
			this.focus = to() || focus;
		else
			return;
		event.preventDefault();
		this.paint();
		sandwichSay(this.focus);
	}
}

function sandwichSay(node) {
	const whole = METRICS[sandwich.metric].get(sandwich.views[1].top), mine = METRICS[sandwich.metric].get(node);

	byId('sandwich-said').textContent = clean(node.name) + ': ' + seconds(mine) + ', ' + percent(mine, whole)
		+ ' of ' + clean(sandwich.views[1].top.name) + ' (summed over threads)';
}

/* Shows the function, or the one with most time if there is none of it. */
function sandwichChoose(key) {
	const of = functionNodes(userTree()), rows = sandwich.table.options.rows;
	const nodes = of.get(key) || rows.length && of.get(rows[0].key);

	if (!nodes)
		return;
	sandwich.key = functionKey(nodes[0]);
	sandwich.views[0].show(callers(nodes));
	sandwich.views[1].show(callees(nodes));
	sandwich.table.select(rows.find((row) => row.key === sandwich.key));
	sandwichSay(sandwich.views[1].top);
}

function sandwichRows() {
	return Array.from(functionNodes(userTree()), ([key, nodes]) => {
		const sums = ['work', 'wait', 'overhead'].map((figure) => nodes.reduce((total, node) => total + node[figure], 0));

		return { key, name: nodes[0].name, module: base(nodes[0].module), work_s: sums[0], total_s: sums[0] + sums[1] + sums[2] };
	}).filter((row) => row.total_s).sort((a, b) => b.total_s - a.total_s);
}

function sandwichShow() {
	sandwich.table.setRows(sandwichRows());
	sandwichChoose(sandwich.key);
}

function buildSandwich(pane) {
	sandwich.views = [new SandwichView('Callers', true), new SandwichView('Callees', false)];
	sandwich.table = new Table({ caption: 'Functions and constructs, with all that they call', rows: [], filter: 'Filter', sort: 1, most: 20,
		empty: 'There are none.', words: (row) => row.name + ' ' + row.module, onselect: (row) => sandwichChoose(row.key),
		columns: [nameColumn('function'), timeColumn('total', 'total_s', 'summed over threads'), timeColumn('work', 'work_s'),
			{ title: 'module', isShort: true, get: (row) => row.module }] });
	pane.append(el('div', { class: 'sides' }, sandwich.table.element, el('div', {}, el('p', { id: 'sandwich-said', 'aria-live': 'polite' }),
		el('p', { class: 'caption' }, 'Who calls it'), sandwich.views[0].box, el('p', { class: 'caption' }, 'What it calls'), sandwich.views[1].box,
		el('p', { class: 'hint' }, 'A click or Enter on a box chooses its function; arrows move.'))));
	new ResizeObserver(() => sandwich.views.forEach((view) => view.paint())).observe(sandwich.views[1].box);
	range.listeners.push(sandwichShow);
	sandwichShow();
}
