/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Who waits, and who is to blame: a choice on one side shows the related entries on the other side.
 */

function causeKey(cause) {
	return [cause.name, cause.file, cause.line].join('\0');
}

function listCauses(waits) {
	const causes = new Map();

	for (const wait of waits) {
		for (const cause of wait.causes) {
			const key = causeKey(cause);
			const sum = causes.get(key) || Object.assign({}, cause, { blame_s: 0, waits: new Map(), threads: new Set() });

			sum.blame_s += cause.blame_s;
			sum.threads.add(cause.thread);
			sum.waits.set(wait, (sum.waits.get(wait) || 0) + cause.blame_s);
			causes.set(key, sum);
		}
	}
	return Array.from(causes.values());
}

function isOfRegion(wait, region) {
	return !region || region.nodes.includes(wait.node) || (wait.file === region.file && wait.line === region.line);
}

function buildBlame(pane, report) {
	const all = listCauses(report.waits), state = { wait: null, cause: null };
	const note = el('p', { class: 'hint' });
	const nothing = report.summary.measured ? 'No waiting was measured.' : 'Waits were not measured in this run.';
	const waits = new Table({ caption: 'Who waits', rows: report.waits, filter: 'Filter', sort: 1, empty: nothing,
		words: (row) => row.kind + ' ' + row.name + ' ' + row.function + ' ' + place(row),
		onselect: (row) => choose(row === state.wait ? null : row, null),
		columns: [{ title: 'waiting at', choose: true, get: (row) => row.name, show: (row) => row.name
			+ (row.function ? ' in ' + row.function : '') },
		estimateColumn('waited', 'wait_s', 'summed over threads'), placeColumn(), countColumn('times', 'waits'),
		timeColumn('unblamed', 'unblamed_s', 'no sample or lock holder tells why')] });
	const causes = new Table({ caption: 'Who is to blame', rows: all, filter: 'Filter', sort: 1, empty: nothing,
		onselect: (row) => choose(null, row === state.cause ? null
			: all.find((cause) => causeKey(cause) === causeKey(row))),
		columns: [nameColumn('running meanwhile'), timeColumn('caused', 'blame_s', 'waiting of others, summed over them'),
			placeColumn(), { title: 'threads', get: (row) => row.threads.size, number: true },
			{ title: 'more', isShort: true, get: () => '', show: (row) => row.node === null ? '' : el('button', { type: 'button', class: 'link',
				onclick: () => showInFlame(row.node) }, 'in flame graph') }] });

	function choose(wait, cause) {
		const shown = report.waits.filter((row) => isOfRegion(row, app.region));
		const of = shown.length ? shown : report.waits;

		state.wait = wait;
		state.cause = cause;
		waits.selected = wait;
		causes.selected = cause;
		waits.setRows(cause ? report.waits.filter((row) => cause.waits.has(row)) : of);
		causes.setRows(wait ? listCauses([wait]) : cause ? all : listCauses(of));
		note.textContent = clean(wait ? 'To blame for ' + wait.name + ' ' + place(wait) + '; choose it again to see all.'
			: cause ? 'What ' + cause.name + ' ' + place(cause) + ' made wait; choose it again to see all.'
				: app.region ? (shown.length ? 'Of the region ' + app.region.name + '.'
					: 'The region ' + app.region.name + ' has no waits: all are shown.')
					: 'Choose a line on either side to see what belongs to it on the other.');
	}

	app.listeners.push(() => choose(null, null));
	choose(null, null);
	pane.append(note, el('div', { class: 'sides' }, waits.element, causes.element));
}

function showInFlame(node) {
	flame.view = 'user';
	showTab('flame');
	byId('flame-view').value = 'user';
	flameTake(userTree());
	flameZoom(flame.from[node].folded);
	flame.canvas.focus();
}
