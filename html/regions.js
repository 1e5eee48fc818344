/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The head of the page: the run, where its time went, what to fix first; and the table of regions.
 */
/* So few that the tabs fit on the first screen. */
const REGIONS_FIRST = 4;

function buildHead(report) {
	const run = report.run, all = report.summary;
	const command = run.command.join(' ') || '(command not known)';
	const facts = [seconds(all.wall_s) + ' wall', run.threads + (run.threads === 1 ? ' thread' : ' threads'),
		run.cpus + (run.cpus === 1 ? ' CPU' : ' CPUs'), run.runtime, run.host ? 'on ' + run.host : null, count(run.samples) + ' samples',
		run.complete ? null : 'the run is not complete'].filter(Boolean);

	document.title = clean(command) + ' \u2014 ompprof';
	put(byId('head'), el('div', { class: 'title' }, el('h1', {}, command), makeFold(), makeTheme()),
		el('p', { class: 'facts' }, facts.join(' \u00b7 ')),
		all.measured ? el('p', { class: 'efficiency' }, el('strong', {}, 'Parallel efficiency ' + percent(all.efficiency, 1)),
			' \u2014 the threads did the work of ' + figure(all.efficiency * all.threads) + '; without any loss it takes '
			+ seconds(all.ideal_s)) : null,
		all.measured ? makeBar(all) : null, makeWarnings(report.warnings));
}

/* Parts of a bar. The text beside each part says what its colour and pattern mean. */
function makeBar(all) {
	const parts = CAUSES.filter(([key]) => all[key] >= all.wall_s / 2000);
	const bar = el('div', { class: 'bar', 'aria-hidden': 'true' });

	for (const [key, words] of parts) {
		const part = el('span', { class: 'cause ' + key, title: words });

		part.style.flexGrow = all[key] / all.wall_s;
		bar.append(part);
	}
	return el('div', {}, bar, el('ul', { class: 'causes' }, parts.map(([key, words]) =>
		el('li', {}, el('i', { class: 'swatch cause ' + key }), words + ' ' + seconds(all[key]) + ', '
			+ percent(all[key], all.wall_s)))));
}

function repaint() {
	flameShow();
	lineRepaint();
	sandwich.views.forEach((view) => view.paint());
}

function buildFirst(report) {
	const list = report.advice.map((advice, i) => el('li', {}, el('button', { type: 'button', class: 'advice',
		onclick: () => follow(advice, report, i + 1) }, el('b', {}, '\u2212' + seconds(advice.gain_s)
		+ (advice.error_s !== undefined ? ' \u00b1 ' + seconds(advice.error_s) : '')), ' ',
	el('span', { class: 'kind' }, advice.cause.replace('_', ' ')), ' ', (place(advice) + ' ' + advice.name).trim(),
	el('small', {}, advice.text))));

	byId('first').append(el('div', { class: 'heading' }, el('h2', { id: 'first-title' }, 'Fix first'),
		el('span', { class: 'hint' }, list.length ? 'The most that each could gain; choose one to see its region and cause.'
			: report.run.samples < 50 ? 'Too few samples to rank losses.' : 'Nothing stands out.')),
	list.length ? el('ol', { class: 'advices' }, list) : '', el('p', { id: 'why', 'aria-live': 'polite' }));
}

/* The evidence of the item that was chosen, and what to try. */
function showWhy(advice, number) {
	const directive = advice.directive && [el('code', {}, advice.directive), ' '];
	const remedy = advice.remedy && ['Try: ', directive, '(' + advice.remedy + '). '].flat();

	byId('why').replaceChildren();
	put(byId('why'), advice.evidence.map((sentence) => sentence + ' '), remedy, 'More: ', el('code', {}, 'ompprof why ' + number));
}

/* The region that contains the node, or that has its place in the source. */
function findRegion(report, advice) {
	return report.regions.find((region) => advice.node !== null && region.nodes.includes(advice.node))
		|| report.regions.find((region) => advice.line && region.line === advice.line && region.file === advice.file);
}

function follow(advice, report, number) {
	const region = findRegion(report, advice);

	showWhy(advice, number);
	selectRegion(region || null);
	showTab(CAUSE_TABS[advice.cause] || 'flame');
	if (!region && advice.node !== null && tabs.entries.find((entry) => entry.id === 'flame').isBuilt
		&& flame.view === 'user')
		flameZoom(flame.from[advice.node].folded);
	say('Shown: ' + advice.name);
}

/* The time of each region in the selected part of the run. */
function rangeRegions(report) {
	const tree = userTree(), sum = (region, figure) => region.nodes.reduce((total, node) => total + tree[node][figure], 0);

	return report.regions.map((region) => {
		const row = { of: region, name: region.name, function: region.function, file: region.file, line: region.line,
			work_s: sum(region, 'work'), wait_s: sum(region, 'wait'), overhead_s: sum(region, 'overhead') };

		return Object.assign(row, { total_s: row.work_s + row.wait_s + row.overhead_s });
	}).filter((row) => row.total_s);
}

function buildRegions(report) {
	const table = new Table({ caption: 'Parallel regions', isTitled: true, rows: report.regions, filter: 'Filter', sort: 1, most: REGIONS_FIRST,
		empty: 'This run had no parallel region.', words: (row) => row.name + ' ' + row.function + ' ' + place(row),
		onselect: (row) => selectRegion(app.region === row ? null : row),
		columns: [{ title: 'region', choose: true, get: (row) => row.function || row.name,
			show: (row) => (row.function ? row.function + ' ' : '') + row.name },
		estimateColumn('gain', 'gain_s', 'wall time lost in it: the most that could be gained'),
		timeColumn('wall', 'wall_s', 'wall time of all executions'), countColumn('runs', 'executions', 'executions'),
		shareColumn('eff.', 'efficiency', 'efficiency: the useful share of its threads\u2019 time'),
		estimateColumn('imbalance', 'imbalance_s', 'lost by waiting at barriers for the slowest, as wall time'),
		timeColumn('locks', 'lock_s', 'lost waiting for locks, as wall time'),
		estimateColumn('tasks', 'task_s', 'lost for want of tasks, as wall time'),
		timeColumn('overhead', 'overhead_s', 'taken by the runtime, as wall time'),
		timeColumn('mean', 'mean_s', 'wall time of one execution'),
		timeColumn('longest', 'max_s', 'wall time of the longest execution')] });

	const box = el('div', {}, table.element), columns = [table.options.columns[0], timeColumn('time', 'total_s', 'summed over threads'),
		timeColumn('work', 'work_s'), timeColumn('waits', 'wait_s'), timeColumn('overhead', 'overhead_s')];

	app.listeners.push((region) => table.select(region));
	/* What is below stays where it is. */
	range.listeners.push(() => {
		box.style.minHeight = rangeIsCut() ? box.offsetHeight + 'px' : '';
		box.replaceChildren(rangeIsCut() ? new Table({ caption: 'Parallel regions in the selected time', rows: rangeRegions(report),
		filter: 'Filter', sort: 1, most: REGIONS_FIRST, isTitled: true, columns, words: table.options.words,
		onselect: (row) => selectRegion(row.of), empty: 'No region was executed then.' }).element : table.element);
	});
	byId('regions').append(el('h2', { id: 'regions-title' }, 'Parallel regions'), box);
}
