/* SPDX-License-Identifier: Apache-2.0 */
/* Tabs as in the ARIA practices: a single tab stop; arrow keys, Home and End move between tabs. */

const tabs = { entries: [], list: null };

function makeTabs(entries) {
	const list = el('div', { role: 'tablist', 'aria-label': 'Views' });

	tabs.entries = entries;
	tabs.list = list;
	byId('tabs').append(list);
	for (const entry of entries) {
		entry.tab = el('button', { type: 'button', role: 'tab', id: 'tab-' + entry.id,
			'aria-controls': 'pane-' + entry.id, 'aria-selected': 'false', tabindex: '-1',
			onclick: () => showTab(entry.id) }, entry.title);
		entry.pane = el('section', { role: 'tabpanel', id: 'pane-' + entry.id,
			'aria-labelledby': 'tab-' + entry.id, tabindex: '0', hidden: true });
		list.append(entry.tab);
		byId('tabs').append(entry.pane);
	}
	list.addEventListener('keydown', moveTab);
}

function moveTab(event) {
	const at = tabs.entries.findIndex((entry) => entry.tab === document.activeElement);
	const n = tabs.entries.length;
	const to = { ArrowRight: (at + 1) % n, ArrowLeft: (at + n - 1) % n, Home: 0, End: n - 1 }[event.key];

	if (at < 0 || to === undefined)
		return;
	event.preventDefault();
	showTab(tabs.entries[to].id);
	tabs.entries[to].tab.focus();
}

/* A pane is built when it is first shown. */
function showTab(id) {
	for (const entry of tabs.entries) {
		const isShown = entry.id === id;

		entry.tab.setAttribute('aria-selected', String(isShown));
		entry.tab.tabIndex = isShown ? 0 : -1;
		entry.pane.hidden = !isShown;
		if (!isShown)
			continue;
		if (!entry.isBuilt) {
			entry.isBuilt = true;
			entry.build(entry.pane);
		}
		if (entry.shown)
			entry.shown();
	}
}
