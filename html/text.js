/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text, numbers and elements. Names from the profile get into the page as text nodes only, by el().
 */

/* Characters that change the writing direction or are invisible are shown as numbers. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const NAME_MOST = 300;

function clean(text) {
	const shown = String(text).slice(0, 4 * NAME_MOST).replace(HIDDEN,
		(c) => '\u27e8' + c.charCodeAt(0).toString(16).padStart(4, '0') + '\u27e9');
	const letters = Array.from(shown);

	return letters.length > NAME_MOST || text.length > 4 * NAME_MOST
		? letters.slice(0, NAME_MOST).join('') + '\u2026' : shown;
}

/*
 * el('td', { class: 'number', onclick: f }, 'text', child): attributes that are functions become
 * listeners.
 */
function el(tag, attributes, ...children) {
	const made = document.createElement(tag);

	for (const key of Object.keys(attributes || {})) {
		const value = attributes[key];

		if (typeof value === 'function')
			made.addEventListener(key.slice(2), value);
		else if (value !== false && value !== null && value !== undefined)
			made.setAttribute(key, value === true ? '' : value);
	}
	return put(made, ...children);
}

/* Puts texts and elements into an element, and leaves out null and false. Returns the element. */
function put(to, ...children) {
	for (const child of children.flat())
		if (child !== null && child !== undefined && child !== false)
			to.append(child instanceof Node ? child : document.createTextNode(clean(child)));
	return to;
}

function byId(id) {
	return document.getElementById(id);
}

/* Three significant digits, as in the text report. */
function figure(value) {
	const size = Math.abs(value);

	if (!size)
		return '0';
	if (size >= 1e6)
		return value.toExponential(2);
	return size >= 100 ? value.toFixed(0) : value.toFixed(Math.max(0, 2 - Math.floor(Math.log10(size))));
}

function seconds(value) {
	const size = Math.abs(value || 0);

	if (size === 0)
		return '0 s';
	if (size < 1e-6)
		return figure(value * 1e9) + ' ns';
	if (size < 1e-3)
		return figure(value * 1e6) + ' \u00b5s';
	return size < 0.1 ? figure(value * 1e3) + ' ms' : figure(value) + ' s';
}

function count(value) {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

function percent(part, whole) {
	return (whole ? 100 * part / whole : 0).toFixed(1) + ' %';
}

function bytes(value) {
	const unit = value < 1e3 ? 0 : value < 1e6 ? 1 : value < 1e9 ? 2 : 3;

	return unit ? figure(value / 1000 ** unit) + ' ' + ['kB', 'MB', 'GB'][unit - 1] : count(value) + ' B';
}

function base(path) {
	return path ? path.slice(path.lastIndexOf('/') + 1) : '';
}

function place(of) {
	return !of ? '' : of.file ? base(of.file) + (of.line ? ':' + of.line : '') : of.where || '';
}

/* Tells screen readers what has just happened. */
function say(text) {
	byId('said').textContent = clean(text);
}
