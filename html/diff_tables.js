/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a comparison as text, and its tables; tables that are shown are in `lists`. */
const CAUSE_WORDS = Object.fromEntries(CAUSES.map(([key, words]) => [key.replace(/_s$/, ''), words]));
const lists = [];
let comparison = null, showsAll = false;

/* Time, or events if the clock counts events. */
function amount(value) {
	return comparison.counts_events ? count(value) : seconds(value);
}

function signed(value, shown) {
	return (value > 0 ? '+' : value < 0 ? '\u2212' : '') + shown(Math.abs(value));
}

function signedPercent(part, whole) {
	return whole ? signed(part, (size) => percent(size, whole)) : 'new';
}

function isUnsure(row) {
	return Math.abs(row.change) <= 2 * row.error;
}

function changeText(row) {
	return amount(row.before) + ' \u2192 ' + amount(row.after) + ', ' + signed(row.change, amount) + ' \u00b1 ' + amount(2 * row.error)
		+ (row.before ? ' (' + signedPercent(row.change, row.before) + ')' : '');
}

/* `before` is the ideal if the numbers of threads differ. */
function takeFigures(row) {
	const unit = 'after_s' in row ? '_s' : '', get = (key) => row[key + unit];

	row.before = get('ideal') === undefined ? get('before') : get('ideal');
	for (const key of ['after', 'change', 'error'])
		row[key] = get(key);
}

function nameRow(row) {
	row.code = codeName(row.function, row.module);
	row.name = row.kind === 'outside' ? 'outside of regions' : row.construct
		? row.construct + (row.function ? ' in ' + row.code : '') : row.code;
	row.line = row.line || row.line_before;
}

/* Completes the data, and returns it. */
function takeComparison(data) {
	for (const rows of [data.causes, data.places, data.regions, data.functions, data.nodes, [data.wall]])
		rows.forEach(takeFigures);
	for (const row of data.functions)
		takeFigures(row.total);
	for (const row of [data.places, data.regions, data.functions].flat())
		nameRow(row);
	comparison = data;
	return data;
}

/* A bar to the left is less, to the right more. */
function changeBar(change, most) {
	const bar = el('i', { class: change > 0 ? 'more' : 'less' });

	bar.style.width = (most ? 50 * Math.abs(change) / most : 0) + '%';
	return el('span', { class: 'change', 'aria-hidden': 'true' }, bar);
}

/* The columns of both figures, the change, and twice its error. */
function valueColumns(rows, shown) {
	const most = rows.reduce((size, row) => Math.max(size, Math.abs(row.change)), 0);
	const before = comparison.mode === 'change' ? 'before' : 'ideal';

	return [{ title: before === 'ideal' ? 'lost' : 'change', number: true, get: (row) => Math.abs(row.change), hint: before === 'ideal' ? 'against the ideal' : undefined,
		show: (row) => [changeBar(row.change, most), el('span', { class: 'size' }, signed(row.change, shown))] },
	{ title: '\u00b1', number: true, hint: 'twice the error of the change', get: (row) => row.error, show: (row) => shown(2 * row.error) },
	{ title: before, number: true, hint: before === 'ideal' ? 'the figure before, divided by the ideal speed-up' : undefined,
		get: (row) => row.before, show: (row) => row.is === 'new' ? '' : shown(row.before) },
	{ title: 'after', number: true, get: (row) => row.after, show: (row) => row.is === 'gone' ? '' : shown(row.after) }];
}

function wordColumn() {
	return { title: 'is', isShort: true, get: (row) => row.hidden ? '' : row.is,
		show: (row) => row.hidden ? '' : el('span', { class: 'word ' + row.is }, row.is) };
}

/* A column of a change without an error. */
function changeColumn(title, get, shown, hint) {
	return { title, number: true, hint, get: (row) => Math.abs(get(row) || 0), show: (row) => get(row) === undefined ? '' : signed(get(row), shown) };
}

/* A table of rows of which the hidden ones can be left out. */
function makeList(pane, options, rows) {
	const seen = () => rows.filter((row) => showsAll || !row.hidden);
	const table = new Table({ filter: 'Filter', sort: 2, onselect: flameFind, words: (row) => [row.name, place(row), row.is, row.cause].join(' '),
		empty: rows.length ? 'Nothing changed by more than twice its error.' : 'There are none.', ...options, rows: seen() });

	lists.push(() => table.setRows(seen()));
	pane.append(table.element);
}

function buildCauses() {
	const rows = comparison.causes.filter((row) => row.before_s || row.after_s);

	for (const row of rows)
		row.name = CAUSE_WORDS[row.cause];
	byId('tabs').before(el('section', { id: 'first', 'aria-labelledby': 'first-title' }, el('h2', { id: 'first-title' },
		comparison.mode === 'change' ? 'Where the time went' : 'Where speed-up is lost'),
	new Table({ caption: 'Wall time by cause', isTitled: true, rows, sort: 1, empty: 'No time.',
		columns: [{ title: 'cause', get: (row) => row.name }, ...valueColumns(rows, seconds)] }).element));
}

function buildChanges(pane) {
	makeList(pane, { caption: 'Wall time by place and cause', columns: [wordColumn(), nameColumn('place'),
		...valueColumns(comparison.places, seconds), { title: 'cause', isShort: true, get: (row) => row.cause.replace(/_/g, ' ') }, placeColumn()] },
	comparison.places);
}

function buildRegions(pane) {
	const rows = comparison.regions, causes = Object.keys(CAUSE_WORDS).filter((cause) => rows.some((row) => row.change_of_s[cause]));

	makeList(pane, { caption: 'Wall time of parallel regions', columns: [wordColumn(), nameColumn('region'), ...valueColumns(rows, seconds),
		countColumn('runs before', 'executions_before', 'executions before'), countColumn('runs', 'executions', 'executions after'), placeColumn(),
		...causes.map((cause) => changeColumn(cause.replace(/_/g, ' '), (row) => row.change_of_s[cause], seconds,
			'change: ' + CAUSE_WORDS[cause]))] }, rows);
}

/* The columns of functions and constructs. */
function amountColumns(rows) {
	return [...valueColumns(rows, amount), changeColumn('with callees', (row) => row.total.change, amount, 'the change with all that it calls'),
		{ title: '\u00b1', number: true, hint: 'twice the error of that', get: (row) => row.total.error, show: (row) => amount(2 * row.total.error) }];
}

function buildConstructs(pane) {
	const bodies = comparison.functions.filter((row) => row.kind === 'body'), mutexes = comparison.places.filter((row) => row.kind === 'mutex');
	const unit = comparison.counts_events ? 'Events' : 'Thread time';

	makeList(pane, { caption: unit + ' of the code of regions, tasks and target constructs', columns: [wordColumn(), nameColumn('construct'),
		...amountColumns(bodies), placeColumn()] }, bodies);
	makeList(pane, { caption: 'Wall time of waits for locks and critical sections', columns: [wordColumn(), nameColumn('construct'),
		...valueColumns(mutexes, seconds), placeColumn()] }, mutexes);
}

function buildFunctions(pane) {
	const rows = comparison.functions.filter((row) => row.kind !== 'body'), unit = comparison.counts_events ? 'Events' : 'Thread time';

	makeList(pane, { caption: unit + ' of functions and of waits', columns: [wordColumn(), nameColumn('function'), ...amountColumns(rows), placeColumn()] }, rows);
}
