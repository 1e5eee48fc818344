/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph of a report: its views and metrics, and colours by kind or by module. */
Object.assign(flame, { view: 'user', metric: 'total', paint: 'kind' });

function flameGet(node) {
	return METRICS[flame.metric].get(node);
}

function buildFlame(pane) {
	const metrics = {};

	for (const key in METRICS)
		metrics[key] = METRICS[key].title;
	flameBuild(pane, [flameChoice('View', 'view', { user: 'your code', full: 'all frames, the runtime\u2019s too' },
		() => flameLoad().catch(fail)),
	flameChoice('Width is', 'metric', metrics, () => {
		flameSearch();
		flameShow();
	}),
	flameChoice('Colour by', 'paint', { kind: 'kind', module: 'module' }, flameShow)]);
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

const FLAME_FILLS = { function: ['function'], inlined: ['inlined'], region: ['region'], target: ['region'], task: ['task'],
	wait: ['wait', 'hatched'], runtime: ['runtime', 'crossed'], other: ['other'],
	...Object.fromEntries([...FLAME_MODULES, FLAME_MPI].map((name) => [name, [name]])) };

/* Waits and overhead keep their patterns. */
function flameColour(node) {
	return flame.paint === 'module' && (node.kind === 'function' || node.kind === 'inlined')
		? flame.modules.get(node.module) || 'other' : node.kind;
}

function flameLegend() {
	const kinds = [['function', 'function'], ['inlined', 'inlined'], ['region', 'parallel region, target'],
		['task', 'task'], ['wait', 'wait (hatched)'], ['runtime', 'runtime overhead (crossed)']];

	flame.modules = flame.modules || flameModules();
	const modules = Array.from(flame.modules).filter(([, kind]) => kind !== 'other').map(([module, kind]) => [kind, base(module)]);

	return (flame.paint === 'module' ? [...modules, ['other', 'other modules'], ...kinds.slice(2)] : kinds)
		.map(([kind, words]) => el('span', {}, el('i', { class: 'swatch ' + kind }), words));
}

async function flameLoad() {
	const view = flame.view, begin = range.begin, end = range.end, nodes = view === 'full' ? await fullTree() : userTree();

	/* The user may have chosen another view or time meanwhile. */
	if (view !== flame.view || begin !== range.begin || end !== range.end)
		return;
	flameTake(nodes);
	flameTop(flame.nodes[0]);
	flameRegion(app.region);
}

function flameFigures(node) {
	const whole = flameGet(flame.nodes[0]), mine = flameGet(node);

	return (whole ? seconds(mine) + ', ' + percent(mine, whole) : 'nothing of this') + '; work ' + seconds(node.work)
		+ ', waits ' + seconds(node.wait) + ', overhead ' + seconds(node.overhead)
		+ (node.blame ? ', to blame for ' + seconds(node.blame) : '') + ' (summed over threads)';
}

function flameFoundText(nodes) {
	return percent(nodes.reduce((total, node) => total + flameGet(node), 0), flameGet(flame.nodes[0]));
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
