/* SPDX-License-Identifier: Apache-2.0 */
/* Source lines with the time spent in each. */

function sumLines(nodes) {
	const files = new Map();

	for (const node of nodes) {
		let at = node;

		/* A wait belongs to the line that waits. Code without lines belongs to no line. */
		while (at && !at.file && at.kind !== 'function' && at.kind !== 'inlined')
			at = at.parent;
		if (!at || !at.file || !(node.selfWork || node.selfWait || node.selfOverhead || node.selfBlame))
			continue;
		if (!files.has(at.file))
			files.set(at.file, { file: at.file, work: 0, total: 0, lines: new Map() });
		const file = files.get(at.file);
		const line = file.lines.get(at.line) || { line: at.line, work: 0, wait: 0, overhead: 0, blame: 0 };

		line.work += node.selfWork;
		line.wait += node.selfWait;
		line.overhead += node.selfOverhead;
		line.blame += node.selfBlame;
		file.total += node.selfWork + node.selfWait + node.selfOverhead;
		file.lines.set(at.line, line);
	}
	return Array.from(files.values()).sort((a, b) => b.total - a.total);
}

function sourceRow(n, text, sums, hottest) {
	const line = sums || { work: 0, wait: 0, overhead: 0, blame: 0 };
	const cell = (value) => el('td', { class: 'number' }, value ? seconds(value) : '');

	return el('tr', { class: sums && line.work + line.wait + line.overhead > hottest / 2 ? 'hot' : '' },
		el('th', { scope: 'row', class: 'number' }, n || '?'), cell(line.work), cell(line.wait), cell(line.overhead),
		cell(line.blame), el('td', { class: 'code' }, text));
}

function sourceRows(file, source) {
	const texts = new Map(source ? source.lines : []), rows = [];
	const numbers = Array.from(new Set([...texts.keys(), ...file.lines.keys()])).sort((a, b) => a - b);
	const hottest = Math.max(...Array.from(file.lines.values(), (line) => line.work + line.wait + line.overhead));
	let last = 0;

	for (const n of numbers) {
		if (texts.size && last && n > last + 1)
			rows.push(el('tr', { class: 'gap' }, el('td', { class: 'number' }, '\u22ef'), el('td', { colspan: 5 })));
		rows.push(sourceRow(n, texts.get(n) || '', file.lines.get(n), hottest));
		last = n;
	}
	return rows;
}

/* Says why the lines have no text, or what is doubtful about it. */
function sourceDoubt(source) {
	if (source && source.found)
		return source.problem ? ' ' + source.problem[0].toUpperCase() + source.problem.slice(1) + '.' : '';
	return ' The lines are without their text' + (source && source.problem ? ': ' + source.problem : '') + '.'
		+ (source && !source.problem.includes('--source-path')
			? ' --source-path DIR of ompprof report --html quotes what is below that folder.' : '');
}

async function buildSource(pane) {
	let files = sumLines(app.trees.user);
	const body = el('tbody'), note = el('p', { class: 'hint' });
	const select = el('select', { id: 'source-file', onchange: () => show() },
		files.map((file, i) => el('option', { value: String(i) }, file.file)));

	const box = scrollBox('Source lines', el('table', { class: 'source', 'aria-label': 'Source lines' }, el('thead', {}, el('tr', {}, ['line', 'work', 'waits', 'overhead', 'blame']
				.map((title) => el('th', { scope: 'col', class: 'number' }, title)), el('th', { scope: 'col' }, 'source'))), body));

	app.sources = await decode('data-sources');
	function show() {
		const file = files[Number(select.value) || 0];
		const source = file && app.sources.find((one) => one.file === file.file);

		body.replaceChildren(...(file ? sourceRows(file, source) : []));
		/* Scrolls to the first line marked hot. */
		const hot = body.querySelector('.hot');

		box.scrollTop = hot ? Math.max(0, hot.offsetTop - box.clientHeight / 3) : 0;
		note.textContent = clean(!file ? 'No line of a source is known: compile with -g.'
			: 'Time in each line itself, summed over threads; blame is waiting of others that it caused.' + sourceDoubt(source));
	}
	app.listeners.push((region) => {
		const at = region ? files.findIndex((file) => file.file === region.file) : -1;

		if (at >= 0) {
			select.value = String(at);
			show();
		}
	});
	range.listeners.push(() => {
		const sums = new Map(sumLines(userTree()).map((file) => [file.file, file]));

		files = files.map(({ file }) => sums.get(file) || { file, work: 0, total: 0, lines: new Map() });
		show();
	});
	pane.append(el('div', { class: 'tools' }, el('label', {}, 'File ', select)), note, box);
	show();
}
