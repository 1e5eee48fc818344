/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that are sorted by a click on a heading and cut by a filter. A column is { title, get,
 * show, number, hint, swatch, paint }: `get` gives the value to sort by, `show` a text or an
 * element, and `hint` says what the title does not. `swatch` is a class of the square before the
 * title, and `paint` changes the cell of a row.
 */
const ROWS_FIRST = 100;

function compareBy(column, isUp) {
	const sign = isUp ? 1 : -1;

	return (a, b) => {
		const x = column.get(a), y = column.get(b);

		if (typeof x === 'string' || typeof y === 'string')
			return sign * String(x).localeCompare(String(y));
		return sign * ((x || 0) - (y || 0));
	};
}

/* A box with scroll bars for content that is wider or higher than its place. */
function scrollBox(label, ...children) {
	return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, children);
}

/* Mixes a colour of style.css into the back of a cell. */
function tint(cell, colour, share) {
	cell.style.backgroundColor = 'color-mix(in srgb, var(--' + colour + ') ' + Math.round(share) + '%, var(--back))';
}

class Table {
	/* options: caption, columns, rows, filter (label), sort (index), most (rows shown), empty, onselect(row), words(row) */
	constructor(options) {
		this.options = options;
		this.sort = options.sort === undefined ? -1 : options.sort;
		this.isUp = false;
		this.most = options.most || ROWS_FIRST;
		this.selected = null;
		this.body = el('tbody');
		this.heads = options.columns.map((column, i) => this.makeHead(column, i));
		this.more = el('button', { type: 'button', hidden: true, onclick: () => {
			this.most = Infinity;
			this.show();
		} });
		this.caption = options.isTitled ? null : el('p', { class: 'caption' }, options.caption);
		this.table = el('table', { 'aria-label': options.caption }, el('thead', {}, el('tr', {}, this.heads)), this.body);
		this.element = el('div', { class: 'table' }, el('div', { class: 'top' }, this.caption, this.makeFilter()), scrollBox(options.caption, this.table),
			el('div', { class: 'below' }, this.more, this.makeHints()));
		this.show();
	}

	makeHead(column, i) {
		return el('th', { scope: 'col', class: column.number ? 'number' : '', title: column.hint },
			column.swatch ? el('i', { class: 'swatch ' + column.swatch }) : null, el('button', { type: 'button', onclick: () => this.sortBy(i) }, column.title));
	}

	/* Shows the hints without a mouse, too. */
	makeHints() {
		const columns = this.options.columns.filter((column) => column.hint);

		return columns.length ? el('details', {}, el('summary', {}, 'What the columns say'), el('dl', {},
			columns.flatMap((column) => [el('dt', {}, column.title), el('dd', {}, column.hint)]))) : null;
	}

	makeFilter() {
		if (!this.options.filter)
			return null;
		this.input = el('input', { type: 'search', spellcheck: 'false', autocomplete: 'off',
			oninput: () => this.show() });
		return el('label', { class: 'filter' }, this.options.filter + ' ', this.input);
	}

	sortBy(i) {
		const isText = !this.options.columns[i].number;

		this.isUp = this.sort === i ? !this.isUp : isText;
		this.sort = i;
		this.show();
	}

	setRows(rows, caption) {
		this.options.rows = rows;
		this.most = this.options.most || ROWS_FIRST;
		if (caption) {
			this.caption.textContent = clean(caption);
			this.table.setAttribute('aria-label', clean(caption));
		}
		this.show();
	}

	select(row) {
		this.selected = row;
		if (this.wanted().indexOf(row) >= this.most)
			this.most = Infinity;
		this.show();
	}

	wanted() {
		const text = this.input ? this.input.value.trim().toLowerCase() : '';
		const words = this.options.words || ((row) => row.name + ' ' + place(row));
		const rows = this.options.rows.filter((row) => !text || words(row).toLowerCase().includes(text));

		return this.sort < 0 ? rows : rows.sort(compareBy(this.options.columns[this.sort], this.isUp));
	}

	makeRow(row) {
		const isSelected = row === this.selected;

		return el('tr', { class: isSelected ? 'selected' : '', 'aria-selected': isSelected ? 'true' : null },
			this.options.columns.map((column) => {
				const shown = column.show ? column.show(row) : column.get(row);
				const choose = column.choose && this.options.onselect;

				const cell = el(column.choose ? 'th' : 'td', { class: column.number ? 'number' : column.isShort ? 'short' : 'name',
					scope: column.choose ? 'row' : null },
				choose ? el('button', { type: 'button', class: 'link', 'aria-pressed': String(isSelected),
					onclick: () => this.options.onselect(row) }, shown) : shown);

				if (column.paint)
					column.paint(cell, row);
				return cell;
			}));
	}

	show() {
		const rows = this.wanted(), had = this.body.contains(document.activeElement);
		const n = this.options.columns.length;

		this.heads.forEach((head, i) => {
			head.setAttribute('aria-sort', i !== this.sort ? 'none' : this.isUp ? 'ascending' : 'descending');
		});
		this.body.replaceChildren(...rows.slice(0, this.most).map((row) => this.makeRow(row)));
		if (!rows.length)
			this.body.append(el('tr', {}, el('td', { colspan: n, class: 'empty' },
				this.options.rows.length ? 'Nothing matches.' : this.options.empty || 'Nothing.')));
		this.more.hidden = rows.length <= this.most;
		this.more.textContent = 'Show all ' + rows.length + ' rows';
		if (had && this.body.querySelector('[aria-pressed=true]'))
			this.body.querySelector('[aria-pressed=true]').focus();
	}
}

/* Columns with a value in some row. */
function columnsWith(rows, columns) {
	return columns.filter((column) => !column.number || rows.some((row) => column.get(row)));
}

/* Columns that most tables have. */
function nameColumn(title) {
	return { title, choose: true, get: (row) => row.name, show: (row) => row.name || '(not known)' };
}

function placeColumn() {
	return { title: 'where', get: (row) => place(row) };
}

function timeColumn(title, key, hint) {
	return { title, number: true, hint, get: (row) => row[key], show: (row) => seconds(row[key]) };
}

/* The same column, with a mark where more than one percent of the row is an estimate. */
function estimateColumn(...args) {
	const column = timeColumn(...args), show = column.show;

	return Object.assign(column, { show: (row) => (row.estimated_share > 0.01 ? '~' : '') + show(row) });
}

function countColumn(title, key, hint) {
	return { title, number: true, hint, get: (row) => row[key], show: (row) => count(row[key]) };
}

function shareColumn(title, key, hint) {
	return { title, number: true, hint, get: (row) => row[key], show: (row) => percent(row[key], 1) };
}
