/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out and paints a flame graph; flame.js has what a page defines. */
const FLAME_ROW = 20, FLAME_LEAST = 0.5, FLAME_ROWS_MOST = 1200;

function colour(name) {
	return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

/* Draws diagonal lines on a colour. */
function hatch(context, back, front, isCrossed) {
	const tile = document.createElement('canvas'), ratio = window.devicePixelRatio || 1;
	const size = Math.round(8 * ratio), pen = tile.getContext('2d');

	tile.width = size;
	tile.height = size;
	pen.fillStyle = back;
	pen.fillRect(0, 0, size, size);
	pen.strokeStyle = front;
	pen.lineWidth = ratio;
	for (let i = -1; i <= 1; i++) {
		pen.moveTo(i * size, size);
		pen.lineTo((i + 1) * size, 0);
		if (isCrossed) {
			pen.moveTo(i * size, 0);
			pen.lineTo((i + 1) * size, size);
		}
	}
	pen.stroke();
	const made = context.createPattern(tile, 'repeat');

	made.setTransform(new DOMMatrix().scale(1 / ratio));
	return made;
}

/* Of each word of FLAME_FILLS the `fill`, and with a pattern the `plain` colour below it. */
function flamePaint(context) {
	const line = colour('hatch'), paint = { text: colour('on-flame'), edge: colour('back'), found: colour('found'), focus: colour('focus'), fills: {} };

	for (const [word, [name, pattern]] of Object.entries(FLAME_FILLS))
		paint.fills[word] = pattern ? { fill: hatch(context, colour(name), line, pattern === 'crossed'), plain: colour(name) }
			: { fill: colour(name) };
	return paint;
}

/* Boxes { node, x, width, row } of the node's ancestors and of all visible nodes below it. */
function flameLayout(top, get, width) {
	const boxes = [], stack = [];
	let row = 0;

	for (let up = top.parent, line = []; ; up = up.parent) {
		if (!up) {
			for (const node of line.reverse())
				boxes.push({ node, x: 0, width, row: row++, isAbove: true });
			break;
		}
		line.push(up);
	}
	stack.push({ node: top, x: 0, width, row });
	while (stack.length) {
		const box = stack.pop(), whole = get(box.node);
		let x = box.x;

		boxes.push(box);
		if (!whole || box.row >= FLAME_ROWS_MOST)
			continue;
		for (const child of sortedChildren(box.node, get)) {
			const part = box.width * get(child) / whole;

			if (part < FLAME_LEAST)
				break;
			stack.push({ node: child, x, width: part, row: box.row + 1 });
			x += part;
		}
	}
	return boxes;
}

function sortedChildren(node, get) {
	if (node.sortedBy !== get) {
		node.sorted = node.children.slice().sort((a, b) => get(b) - get(a));
		node.sortedBy = get;
	}
	return node.sorted;
}

/* As much of the text as fits. The font's characters have about the same width. */
function fit(context, text, width) {
	const most = Math.floor(width / context.measureText('0').width);

	return text.length <= most ? text : most < 3 ? '' : text.slice(0, most - 1) + '\u2026';
}

function flameDraw(canvas, flame) {
	const ratio = window.devicePixelRatio || 1, context = canvas.getContext('2d');
	const rows = flame.boxes.reduce((most, box) => Math.max(most, box.row + 1), 1);
	const paint = flamePaint(context);

	canvas.width = Math.round(flame.width * ratio);
	canvas.height = Math.round(rows * FLAME_ROW * ratio);
	canvas.style.height = rows * FLAME_ROW + 'px';
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = '12px monospace';
	context.textBaseline = 'middle';
	for (const box of flame.boxes)
		flameBox(context, paint, flame, box);
}

function flameBox(context, paint, flame, box) {
	const y = box.row * FLAME_ROW, isFocus = box.node === flame.focus;
	const width = Math.max(box.width - 1, 0.5), isFound = flame.found && flame.found.has(box.node);
	const { fill, plain } = paint.fills[flameColour(box.node)] || paint.fills.other;

	context.globalAlpha = box.isAbove || (flame.found && !isFound) ? 0.55 : 1;
	context.fillStyle = fill;
	context.fillRect(box.x, y, width, FLAME_ROW - 1);
	context.globalAlpha = 1;
	if (width > 24) {
		const text = fit(context, clean(box.node.name), width - 8);

		if (text && plain) {
			context.fillStyle = plain;
			context.fillRect(box.x + 2, y + 2, context.measureText(text).width + 4, FLAME_ROW - 5);
		}
		context.fillStyle = paint.text;
		context.fillText(text, box.x + 4, y + FLAME_ROW / 2);
	}
	if (isFound || isFocus) {
		/* A second line in the page's colour makes the mark visible on any colour. */
		for (const [style, by] of [[paint.edge, 2], [isFocus ? paint.focus : paint.found, 0]]) {
			context.strokeStyle = style;
			context.lineWidth = (isFocus ? 3 : 2) + by;
			context.strokeRect(box.x + 1, y + 1, Math.max(width - 2, 1), FLAME_ROW - 3);
		}
	}
}
