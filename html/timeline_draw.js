/* SPDX-License-Identifier: Apache-2.0 */
/* Paints the timeline: rows, axis, marks and legend. Rows out of sight are not painted. */
const LINE_CELL = 2, LANE_COLOURS = ['region', 'inlined', 'task', 'function'];

function linePaint(context) {
	const paints = new Map(), front = colour('hatch');

	for (const state of line.states)
		paints.set(state, state[3] ? hatch(context, colour(state[2]), front, state[3] === 2) : colour(state[2]));
	for (const name of LANE_COLOURS)
		paints.set(name, colour(name));
	return paints;
}

/* Paints before the next picture of the screen, however often it is called. */
function lineSoon() {
	if (!line.isDue)
		requestAnimationFrame(lineShow);
	line.isDue = true;
}

/* The rows in sight. Marks are painted over them at each step. */
function lineShow() {
	const box = byId('line-box');

	line.isDue = false;
	if (!box || !box.clientWidth || !line.rows.length)
		return;
	const ratio = window.devicePixelRatio || 1, height = line.rows.length * LINE_ROW;
	const picture = document.createElement('canvas'), context = picture.getContext('2d');

	context.font = '12px monospace';
	line.left = line.rows.reduce((most, row) => Math.max(most, context.measureText(lineName(row)).width + 10), LINE_LEFT);
	line.left = Math.min(Math.ceil(line.left), LINE_LEFT_MOST);
	line.width = box.clientWidth - 4 - line.left;
	line.canvas.style.width = line.width + line.left + 'px';
	line.canvas.style.height = height + 'px';
	picture.width = Math.round((line.width + line.left) * ratio);
	picture.height = Math.round(height * ratio);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = '12px monospace';
	context.textBaseline = 'middle';
	const paints = linePaint(context), first = Math.floor(box.scrollTop / LINE_ROW) - 1;
	const last = first + Math.ceil(box.clientHeight / LINE_ROW) + 2;

	paints.text = colour('text');
	paints.on = colour('on-flame');
	for (let i = Math.max(first, 0); i < Math.min(last, line.rows.length); i++)
		lineRow(context, paints, line.rows[i], i * LINE_ROW);
	line.picture = picture;
	lineAxis();
	lineMarks();
	performance.mark('timeline');
}

/* Round times, as many as fit. */
function lineAxis() {
	const scale = line.width / (line.to - line.from), least = LINE_TICK / scale, power = 10 ** Math.floor(Math.log10(least));
	const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= least), ticks = [];
	const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

	for (let i = Math.ceil(line.from / step - 1e-6); (i * step - line.from) * scale < line.width - LINE_TICK / 2; i++) {
		const tick = el('span', {}, (i * step).toFixed(digits) + ' s');

		tick.style.left = line.left + (i * step - line.from) * scale + 'px';
		ticks.push(tick);
	}
	line.axis.replaceChildren(...ticks);
}

/* Calls f(x, width, what, share, words) for each stretch of cells in which a row shows the same. */
function lineCells(row, f) {
	const scale = line.width / (line.to - line.from), parts = lineParts(row);
	const length = range.trace ? LINE_CELL / scale : line.bucket * Math.max(1, Math.round(LINE_CELL / scale / line.bucket));
	const whole = row.parts ? length * line.all.length : length;
	let cell = Math.floor(line.from / length) * length, sums = parts.map((part) => part[2].before(cell));

	for (; cell < line.to; cell += length) {
		let most = null, amount = 0, known = 0;

		parts.forEach((part, i) => {
			const sum = part[2].before(cell + length), mine = sum - sums[i];

			sums[i] = sum;
			known += mine;
			if (mine > amount) {
				amount = mine;
				most = part;
			}
		});
		f(line.left + (cell - line.from) * scale, Math.max(length * scale, 1), most, Math.min(known / whole, 1));
	}
}

function lineRow(context, paints, row, y) {
	context.fillStyle = paints.text;
	context.fillText(fit(context, lineName(row), line.left - 8), 2, y + LINE_ROW / 2);
	context.save();
	context.beginPath();
	context.rect(line.left, y, line.width, LINE_ROW);
	context.clip();
	if (row.parts)
		laneRow(context, paints, row, y);
	else
		lineCells(row, (x, width, most, share) => {
			if (!most)
				return;
			const height = Math.max(3, share * (LINE_ROW - 2));

			context.fillStyle = paints.get(most[0]);
			context.fillRect(x, y + LINE_ROW - 1 - height, width, height);
		});
	context.restore();
}

/* Cells of one region or phase are a box, with its name if there is room. */
function laneRow(context, paints, row, y) {
	let box = null;
	const paint = () => {
		if (!box)
			return;
		context.fillStyle = paints.get(box.part.colour);
		context.fillRect(box.x, y + 1, Math.max(box.width - 0.5, 1), LINE_ROW - 2);
		context.fillStyle = paints.on;
		if (box.width > 40)
			context.fillText(fit(context, clean(box.part.name), box.width - 6), box.x + 3, y + LINE_ROW / 2);
	};

	lineCells(row, (x, width, most) => {
		if (box && most && box.part === most[0]) {
			box.width = x + width - box.x;
			return;
		}
		paint();
		box = most && { part: most[0], x: Math.max(x, line.left), width };
	});
	paint();
}

function lineMarks() {
	const ratio = window.devicePixelRatio || 1, context = line.canvas.getContext('2d'), scale = line.width / (line.to - line.from);
	const x = (time) => line.left + (time - line.from) * scale;

	if (!line.picture)
		return;
	line.canvas.width = line.picture.width;
	line.canvas.height = line.picture.height;
	context.drawImage(line.picture, 0, 0);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.beginPath();
	context.rect(line.left - 1, 0, line.width + 2, line.canvas.height);
	context.clip();
	context.strokeStyle = colour('found');
	context.lineWidth = 2;
	if (!rangeIsAll())
		context.strokeRect(x(range.begin), 1, x(range.end) - x(range.begin), line.rows.length * LINE_ROW - 2);
	context.strokeStyle = colour('focus');
	context.strokeRect(x(line.at), line.row * LINE_ROW + 1, Math.max(lineStep() * scale, 3), LINE_ROW - 2);
}

function lineSwatch(state) {
	const swatch = el('canvas', { class: 'swatch', width: 14, height: 12 }), context = swatch.getContext('2d');

	swatch.paint = () => {
		context.fillStyle = linePaint(context).get(state);
		context.fillRect(0, 0, 14, 12);
	};
	swatch.paint();
	return swatch;
}

function lineLegend() {
	return el('p', { class: 'legend' }, line.states.map((state) => el('span', {}, lineSwatch(state), state[1])),
		el('span', {}, 'a low or empty part: ' + LINE_NOTHING));
}

/* With other colours. */
function lineRepaint() {
	for (const swatch of document.querySelectorAll('canvas.swatch'))
		swatch.paint();
	lineShow();
}
