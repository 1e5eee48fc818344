/* SPDX-License-Identifier: Apache-2.0 */
/* The head of the page of a comparison, and the order in which the page is built. */

function repaint() {
	flameShow();
}

function runsText(run) {
	return run.runs ? 'median of ' + run.runs + ' runs, ' + seconds(run.least_s) + ' to ' + seconds(run.most_s) : 'one run';
}

function factsOf(data) {
	const { before, after, scaling, wall } = data, threads = after.threads + (after.threads === 1 ? ' thread' : ' threads');
	const both = seconds(wall.before_s) + ' \u2192 ' + seconds(wall.after_s);

	if (!scaling)
		return ['wall ' + both + ', ' + signed(wall.change, seconds) + ' (' + signedPercent(wall.change, wall.before) + ')',
			...data.comparable ? ['parallel efficiency ' + percent(before.efficiency, 1) + ' \u2192 ' + percent(after.efficiency, 1)] : [], threads];
	return [before.threads + ' \u2192 ' + threads + (data.mode === 'weak' ? ', more work' : ', the same work'), 'wall ' + both,
		'speed-up ' + scaling.speed_up.toFixed(2) + ', ' + percent(scaling.of_ideal, 1) + ' of the ideal',
		data.comparable && 'global efficiency ' + percent(before.efficiency, 1) + ' \u2192 ' + percent(scaling.global_efficiency, 1)
			+ ' = parallel efficiency ' + percent(after.efficiency, 1) + ' \u00d7 computation scaling ' + percent(scaling.computation_scaling, 1)].filter(Boolean);
}

/* What the runs are; a line alone if it is the same of both. */
function describeRuns(before, after) {
	const pairs = [[before.command, after.command], [before.label, after.label].map((label) => label || '')]
		.filter(([a, b]) => a || b);

	return pairs.flatMap(([a, b]) => a === b ? el('p', {}, a) : [el('p', {}, 'before: ' + (a || '(none)')), el('p', {}, 'after: ' + (b || '(none)'))]);
}

function noiseText({ before, after, noise_s }) {
	return 'Before: ' + runsText(before) + '. After: ' + runsText(after) + '. ' + (noise_s === null ? 'How much runs differ by chance is not known.'
		: 'Changes of the wall time below ' + seconds(2 * noise_s) + ' mean nothing.');
}

function makeConditions(conditions) {
	return conditions.length ? el('ul', { class: 'conditions' }, conditions.map((condition) => el('li', {}, el('b', {},
		condition.holds ? 'holds' : condition.unsure ? 'not sure' : 'does not hold'), ' ', el('code', {}, condition.condition), ' ', condition.why))) : null;
}

function buildHead(data) {
	const { before, after } = data;

	document.title = clean(base(before.path) + ' \u2192 ' + base(after.path)) + ' \u2014 ompprof';
	put(byId('head'), el('div', { class: 'title' }, el('h1', {}, before.path + ' \u2192 ' + after.path), makeFold(), makeTheme()),
		data.comparable ? null : el('p', { class: 'apart', role: 'alert' }, el('strong', {}, 'These runs cannot be compared: '), data.warnings.join('; ')),
		describeRuns(before, after), el('p', { class: 'facts' }, factsOf(data).join(' \u00b7 ')), el('p', { class: 'hint' }, noiseText(data)),
		makeConditions(data.conditions), data.comparable ? makeWarnings(data.warnings) : null);
}

function makeSwitch() {
	const box = el('input', { type: 'checkbox', id: 'all', onchange: () => {
		showsAll = box.checked;
		lists.forEach((show) => show());
	} });

	return el('label', {}, box, ' Tables also show changes below twice their error or 0.1 % of the wall time');
}

async function main() {
	const data = takeComparison(await decode('data-diff'));

	byId('page').hidden = false;
	buildHead(data);
	buildCauses();
	byId('tabs').before(makeSwitch());
	makeTabs([
		{ id: 'flame', title: 'Flame graph', build: buildFlame, shown: () => flameShow() },
		{ id: 'changes', title: 'Changes', build: buildChanges },
		{ id: 'regions', title: 'Regions', build: buildRegions },
		{ id: 'constructs', title: 'Constructs', build: buildConstructs },
		{ id: 'functions', title: 'Functions', build: buildFunctions },
	]);
	showTab('flame');
	document.documentElement.dataset.ready = 'yes';
}

main().catch(fail);
