/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What both pages begin with: their data, what folds, warnings and colours. A page
 * defines repaint().
 */

function fail(error) {
	const place = byId('trouble');

	place.textContent = 'This page cannot be shown: ' + (typeof DecompressionStream === 'undefined'
		? 'the browser is too old (it has no DecompressionStream).' : String(error && error.message || error));
	place.hidden = false;
	console.error(error);
}

async function decode(id) {
	const text = byId(id).textContent.replace(/\s+/g, '');
	const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));

	return JSON.parse(await new Response(stream).text());
}

/* Code with a known address only is named MODULE+0xOFFSET, as in the text report. */
function codeName(name, module) {
	return module && String(name).startsWith('0x') ? base(module) + '+' + name : name;
}

/* Folds all above the tabs but the command, the facts and the bar. */
function makeFold() {
	const fold = el('button', { type: 'button', id: 'fold', 'aria-expanded': 'true', onclick: () => {
		const isFolded = byId('page').classList.toggle('folded');

		fold.setAttribute('aria-expanded', String(!isFolded));
		fold.textContent = isFolded ? 'Show the summary' : 'Fold the summary';
	} }, 'Fold the summary');

	return fold;
}

function makeWarnings(warnings) {
	if (!warnings.length)
		return null;
	return el('details', { class: 'warnings' },
		el('summary', {}, warnings.length + (warnings.length === 1 ? ' doubt' : ' doubts') + ' about the figures'),
		el('ul', {}, warnings.map((text) => el('li', {}, text))));
}

const THEMES = { 'as the system': '', light: 'light', dark: 'dark' };

function makeTheme() {
	const select = el('select', { id: 'theme', onchange: () => {
		document.documentElement.className = THEMES[select.value];
		repaint();
	} }, Object.keys(THEMES).map((word) => el('option', {}, word)));

	matchMedia('(prefers-color-scheme: dark)').addEventListener('change', repaint);
	return el('label', { class: 'theme' }, 'Colours ', select);
}
