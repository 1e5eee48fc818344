/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flame graph's pane: search, zoom and its history, mouse and keys, and its text. A page sets
 * flame.nodes, its root first, and defines:
 *
 *   FLAME_FILLS            by word a colour of the style, and a pattern if it has any
 *   flameGet(node)         its width
 *   flameColour(node)      a word of FLAME_FILLS
 *   flameFigures(node)     its figures as text
 *   flameFoundText(nodes)  how much these are together
 *   flameLegend()          the elements of the legend
 */
const flame = { top: null, focus: null, history: [], boxes: [], found: null, width: 0 };

/* Puts a flame graph into the pane, behind the page's own choices. */
function flameBuild(pane, choices) {
	flame.canvas = el('canvas', { tabindex: '0', role: 'application', 'aria-label': 'Flame graph: arrows move,'
		+ ' Enter zooms, Backspace goes back, Escape shows all', 'aria-describedby': 'flame-said' });
	flame.said = el('p', { id: 'flame-said', 'aria-live': 'polite' });
	flame.search = el('input', { type: 'search', id: 'flame-search', placeholder: 'regular expression', spellcheck: 'false', autocomplete: 'off',
		oninput: flameSearch });
	flame.result = el('span', { id: 'flame-found', role: 'status' });
	flame.back = el('button', { type: 'button', id: 'flame-back', onclick: flameBack }, 'Back');
	flame.all = el('button', { type: 'button', id: 'flame-all', onclick: () => flameZoom(flame.nodes[0]) }, 'Show all');
	flame.words = el('div', { class: 'scroll' });
	pane.append(el('div', { class: 'tools' }, choices, el('label', {}, 'Search ', flame.search), flame.back, flame.all, flame.result),
		flame.legend = el('p', { class: 'legend' }), flame.said, el('div', { class: 'scroll flame', id: 'flame-box' }, flame.canvas),
		el('p', { class: 'hint' }, 'A click or Enter zooms; arrows move, Backspace goes back, Escape shows all.'),
		el('details', { ontoggle: flameWords }, el('summary', {}, 'The same as text'), flame.words));
	flame.canvas.addEventListener('click', flameClick);
	flame.canvas.addEventListener('mousemove', flameHover);
	flame.canvas.addEventListener('keydown', flameKey);
	new ResizeObserver(flameShow).observe(byId('flame-box'));
}

/* Begins anew at this node. */
function flameTop(node) {
	flame.top = flame.focus = node;
	flame.history = [];
	flameSearch();
}

function flameChoice(title, key, choices, change) {
	const select = el('select', { onchange: () => {
		flame[key] = select.value;
		change();
	} }, Object.keys(choices).map((word) => el('option', { value: word }, choices[word])));

	select.id = 'flame-' + key;
	return el('label', {}, title + ' ', select);
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

function flameSay(node) {
	const where = place(node);

	flame.said.textContent = clean(node.name) + (where ? ' (' + clean(where) + ')' : '') + ': ' + flameFigures(node);
}

function flameShow() {
	const box = byId('flame-box');

	if (!box || !box.clientWidth || !flame.nodes)
		return;
	flame.width = box.clientWidth - 4;
	flame.canvas.style.width = flame.width + 'px';
	flame.legend.replaceChildren(...flameLegend());
	flame.boxes = flameLayout(flame.top, flameGet, flame.width);
	flameDraw(flame.canvas, flame);
	flame.canvas.dataset.nodes = (flame.from || flame.nodes).length;
	performance.mark('flame');
	flame.back.disabled = !flame.history.length;
	flame.all.disabled = flame.top === flame.nodes[0];
	flameSay(flame.focus);
	flameWords();
}

/* Counts a match inside another match once. */
function flameSearch() {
	const text = flame.search.value;
	const outermost = [];
	let pattern;

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
				outermost.push(node);
			if (isFound || within.has(node.parent))
				within.add(node);
		}
		flame.found = found;
		flame.result.textContent = found.size + ' found, ' + flameFoundText(outermost);
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
	const list = (node, levels) => el('li', {}, node.name + ' ' + place(node) + ': ' + flameFigures(node), levels && node.children.length ? el('ul', {},
		sortedChildren(node, flameGet).slice(0, 12).filter(flameGet).map((child) => list(child, levels - 1))) : null);

	if (flame.words.parentNode.open)
		flame.words.replaceChildren(el('ul', {}, list(flame.top, 3)));
}
