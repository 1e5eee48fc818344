/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flame graph's pane: view, metric, search, zoom and its history, mouse and keys, and its text.
 */
const flame = { view: 'user', metric: 'total', paint: 'kind', top: null, focus: null, history: [], boxes: [], found: null, width: 0 };

function flameGet(node) {
	return METRICS[flame.metric].get(node);
}

function flameChoice(title, key, choices, change) {
	const select = el('select', { onchange: () => {
		flame[key] = select.value;
		change();
	} }, Object.keys(choices).map((word) => el('option', { value: word }, choices[word])));

	select.id = 'flame-' + key;
	return el('label', {}, title + ' ', select);
}

function buildFlame(pane) {
	const metrics = {};

	for (const key in METRICS)
		metrics[key] = METRICS[key].title;
	flame.canvas = el('canvas', { tabindex: '0', role: 'application', 'aria-label': 'Flame graph: arrows move,'
		+ ' Enter zooms, Backspace goes back, Escape shows all', 'aria-describedby': 'flame-said' });
	flame.said = el('p', { id: 'flame-said', 'aria-live': 'polite' });
	flame.search = el('input', { type: 'search', id: 'flame-search', placeholder: 'regular expression', spellcheck: 'false', autocomplete: 'off',
		oninput: flameSearch });
	flame.result = el('span', { id: 'flame-found', role: 'status' });
	flame.back = el('button', { type: 'button', id: 'flame-back', onclick: flameBack }, 'Back');
	flame.all = el('button', { type: 'button', id: 'flame-all', onclick: () => flameZoom(flame.nodes[0]) }, 'Show all');
	flame.words = el('div', { class: 'scroll' });
	pane.append(el('div', { class: 'tools' },
		flameChoice('View', 'view', { user: 'your code', full: 'all frames, the runtime\u2019s too' },
			() => flameLoad().catch(fail)),
		flameChoice('Width is', 'metric', metrics, () => {
			flameSearch();
			flameShow();
		}),
		flameChoice('Colour by', 'paint', { kind: 'kind', module: 'module' }, flameShow), el('label', {}, 'Search ', flame.search), flame.back, flame.all, flame.result),
	flame.legend = el('p', { class: 'legend' }), flame.said, el('div', { class: 'scroll flame', id: 'flame-box' }, flame.canvas),
	el('p', { class: 'hint' }, 'A click or Enter zooms; arrows move, Backspace goes back, Escape shows all.'),
	el('details', { ontoggle: flameWords }, el('summary', {}, 'The same as text'), flame.words));
	flame.canvas.addEventListener('click', flameClick);
	flame.canvas.addEventListener('mousemove', flameHover);
	flame.canvas.addEventListener('keydown', flameKey);
	new ResizeObserver(flameShow).observe(byId('flame-box'));
	app.listeners.push(flameRegion);
	range.listeners.push(() => flameCut().catch(fail));
	flameLoad().catch(fail);
}

/* A program, its libraries and MPI by their modules. The program is where most time is. */
const FLAME_MODULES = ['function', 'module3', 'module2', 'module4', 'module1'], FLAME_MPI = 'mpi';
const MPI_MODULE = /^(libmpi|libopen-|mca_|libpmi|libprrte|libuc[pmst]|libfabric|libpsm)/;

function flameModules() {
	const work = new Map(), shown = new Map();
	let n = 0;

	for (const node of app.trees.user)
		if (node.module)
			work.set(node.module, (work.get(node.module) || 0) + node.selfWork);
	for (const module of Array.from(work.keys()).sort((a, b) => work.get(b) - work.get(a)))
		shown.set(module, MPI_MODULE.test(base(module)) ? FLAME_MPI : FLAME_MODULES[n++] || 'other');
	return shown;
}

/* Waits and overhead keep their patterns. */
function flameColour(node) {
	return flame.paint === 'module' && (node.kind === 'function' || node.kind === 'inlined')
		? flame.modules.get(node.module) || 'other' : node.kind;
}

function flameLegend() {
	const kinds = [['function', 'function'], ['inlined', 'inlined'], ['region', 'parallel region, target'],
		['task', 'task'], ['wait', 'wait (hatched)'], ['runtime', 'runtime overhead (crossed)']];

	const modules = Array.from(flame.modules).filter(([, kind]) => kind !== 'other').map(([module, kind]) => [kind, base(module)]);

	flame.legend.replaceChildren(...[...flame.paint === 'module' ? [...modules, ['other', 'other modules'], ...kinds.slice(2)] : kinds]
		.map(([kind, words]) => el('span', {}, el('i', { class: 'swatch ' + kind }), words)));
}

async function flameLoad() {
	const view = flame.view, begin = range.begin, end = range.end, nodes = view === 'full' ? await fullTree() : userTree();

	/* The user may have chosen another view or time meanwhile. */
	if (view !== flame.view || begin !== range.begin || end !== range.end)
		return;
	flameTake(nodes);
	flame.top = flame.nodes[0];
	flame.focus = flame.top;
	flame.history = [];
	flameSearch();
	flameRegion(app.region);
}

/* Another time is selected: what is zoomed to stays. */
async function flameCut() {
	const top = flame.top;

	await flameLoad();
	if (top && flame.from[top.id])
		flameZoom(flame.from[top.id].folded);
	flame.history = [];
	flameShow();
}

/* `all` are the report's nodes, `nodes` the nodes that are shown. */
function flameTake(all) {
	flame.from = all;
	flame.nodes = all[0].folded ? all.folded : all.folded = foldTree(all);
}

/* Regions name nodes of the user view. */
function flameRegion(region) {
	const node = region && flame.view === 'user' && region.node !== null && flame.from[region.node].folded;

	if (node)
		flameZoom(node);
	else
		flameShow();
}

function flameZoom(node) {
	if (node !== flame.top) {
		flame.history.push(flame.top);
		flame.top = node;
	}
	flame.focus = node;
	flameShow();
}

function flameBack() {
	if (!flame.history.length)
		return;
	flame.top = flame.history.pop();
	flame.focus = flame.top;
	flameShow();
}

function flameShow() {
	const box = byId('flame-box');

	if (!box || !box.clientWidth || !flame.nodes)
		return;
	flame.width = box.clientWidth - 4;
	flame.canvas.style.width = flame.width + 'px';
	flame.modules = flame.modules || flameModules();
	flameLegend();
	flame.boxes = flameLayout(flame.top, flameGet, flame.width);
	flameDraw(flame.canvas, flame);
	flame.canvas.dataset.nodes = flame.from.length;
	performance.mark('flame');
	flame.back.disabled = !flame.history.length;
	flame.all.disabled = flame.top === flame.nodes[0];
	flameSay(flame.focus);
	flameWords();
}

function flameSay(node) {
	const whole = flameGet(flame.nodes[0]), mine = flameGet(node);
	const where = place(node);

	flame.said.textContent = clean(node.name) + (where ? ' (' + clean(where) + ')' : '') + ': '
		+ (whole ? seconds(mine) + ', ' + percent(mine, whole) : 'nothing of this') + '; work ' + seconds(node.work)
		+ ', waits ' + seconds(node.wait) + ', overhead ' + seconds(node.overhead)
		+ (node.blame ? ', to blame for ' + seconds(node.blame) : '') + ' (summed over threads)';
}

/* Counts a match inside another match once. */
function flameSearch() {
	const text = flame.search.value;
	let pattern, amount = 0;

	flame.found = null;
	flame.result.textContent = '';
	if (text) {
		try {
			pattern = new RegExp(text, 'iu');
		} catch (error) {
			flame.result.textContent = 'This is no regular expression.';
			flameShow();
			return;
		}
		const found = new Set(), within = new Set();

		for (const node of flame.nodes) {
			const isFound = pattern.test(node.name) || pattern.test(place(node));

			if (isFound)
				found.add(node);
			if (isFound && !within.has(node.parent))
				amount += flameGet(node);
			if (isFound || within.has(node.parent))
				within.add(node);
		}
		flame.found = found;
		flame.result.textContent = found.size + ' found, ' + percent(amount, flameGet(flame.nodes[0]));
	}
	flameShow();
}

function flameAt(event) {
	const x = event.offsetX, row = Math.floor(event.offsetY / FLAME_ROW);

	return flame.boxes.find((box) => box.row === row && x >= box.x && x < box.x + Math.max(box.width, 1));
}

function flameClick(event) {
	const box = flameAt(event);

	if (box)
		flameZoom(box.node);
}

function flameHover(event) {
	const box = flameAt(event);

	if (box && box.node !== flame.hovered) {
		flame.hovered = box.node;
		flameSay(box.node);
	}
}

/* The children with a figure of the metric that widths show. */
function flameBelow(node) {
	return sortedChildren(node, flameGet).filter(flameGet);
}

function flameBeside(node, step) {
	const all = node.parent ? flameBelow(node.parent) : [node];

	return all[all.indexOf(node) + step];
}

function flameKey(event) {
	const node = flame.focus;
	const to = { ArrowUp: () => node.parent, ArrowDown: () => flameBelow(node)[0],
		ArrowLeft: () => flameBeside(node, -1), ArrowRight: () => flameBeside(node, 1), Home: () => flame.top }[event.key];

	if (event.key === 'Enter' || event.key === ' ')
		flameZoom(node);
	else if (event.key === 'Backspace')
		flameBack();
	else if (event.key === 'Escape')
		flameZoom(flame.nodes[0]);
	else if (to)
		flameFocus(to());
	else
		return;
	event.preventDefault();
}

/* Zooms to a node without a box: it is too narrow, or not below the node zoomed to. */
function flameFocus(node) {
	const box = node && flame.boxes.find((one) => one.node === node), frame = byId('flame-box');

	if (!node)
		return;
	if (!box) {
		flameZoom(node);
		return;
	}
	flame.focus = node;
	flameDraw(flame.canvas, flame);
	flameSay(node);
	frame.scrollTop = Math.max(Math.min(frame.scrollTop, (box.row - 1) * FLAME_ROW),
		(box.row + 2) * FLAME_ROW - frame.clientHeight);
}

/* A list of the node zoomed to, with three levels below it. */
function flameWords() {
	const whole = flameGet(flame.nodes[0]);
	const list = (node, levels) => el('li', {}, node.name + ' ' + place(node) + ': ' + seconds(flameGet(node)) + ', '
		+ percent(flameGet(node), whole), levels && node.children.length ? el('ul', {},
		sortedChildren(node, flameGet).slice(0, 12).filter(flameGet).map((child) => list(child, levels - 1))) : null);

	if (flame.words.parentNode.open)
		flame.words.replaceChildren(el('ul', {}, list(flame.top, 3)));
}
