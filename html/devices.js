/* SPDX-License-Identifier: Apache-2.0 */
/* Target constructs and their devices: a pane for profiles that have them. */

function within(row, path) {
	return path.split('.').reduce((at, key) => at && at[key], row) || 0;
}

function deepColumn(title, path, show, hint) {
	return { title, number: true, hint, get: (row) => within(row, path), show: (row) => show(within(row, path)) };
}

function rateColumn(title, path, hint) {
	return deepColumn(title, path, (value) => value ? figure(value) + ' GB/s' : '\u2013', hint);
}

function deviceName(device) {
	return device === null || device < 0 ? 'not known' : String(device);
}

/* Data moved and kernels executed, as the host and as devices report them. */
function operationColumns() {
	return [deepColumn('to', 'to.bytes', bytes, 'moved to the device'), rateColumn('to, rate', 'to.gb_per_s'),
		deepColumn('from', 'from.bytes', bytes, 'moved from the device'), rateColumn('from, rate', 'from.gb_per_s'),
		deepColumn('kernels', 'kernel.count', count, 'how many were started'),
		deepColumn('in kernels', 'kernel.time_s', seconds, 'as the host sees it, the way there and back with it'),
		deepColumn('on device', 'on_device.kernel.time_s', seconds, 'in kernels, as the device recorded it'),
		deepColumn('queued', 'on_device.queue.time_s', seconds, 'from the submission of kernels to their begin')];
}

function buildDevices(pane, report) {
	const share = (row) => row.traced_s ? 1 - (row.busy_s || 0) / row.traced_s : 0;
	const lost = (row) => sum(row.lost || {});

	pane.append(new Table({ caption: 'Target constructs', rows: report.targets, filter: 'Filter', sort: 1,
		empty: 'No target construct was executed.', words: (row) => row.name + ' ' + row.function,
		columns: [{ title: 'target', choose: true, get: (row) => row.name,
			show: (row) => row.name + (row.function ? ' in ' + row.function : '') },
		timeColumn('time', 'time_s', 'in the construct, summed over threads'), countColumn('runs', 'executions', 'executions'),
		timeColumn('mean', 'mean_s', 'of one execution'), timeColumn('longest', 'max_s', 'of one execution'),
		{ title: 'device', isShort: true, get: (row) => deviceName(row.device) }, ...columnsWith(report.targets, [
			timeColumn('waits: data', 'data_wait_s', 'waited for operations on data'),
			timeColumn('waits: kernels', 'kernel_wait_s', 'waited for kernels'), ...operationColumns()])] }).element,
	new Table({ caption: 'Devices', rows: report.devices, empty: 'The runtime told of no device.',
		words: (row) => row.type || '', columns: [{ title: 'device', choose: true, get: (row) => row.device,
			show: (row) => deviceName(row.device) + (row.type ? ': ' + row.type : '') },
		timeColumn('time', 'time_s', 'in its target constructs, summed over threads'),
		countColumn('runs', 'executions', 'executions of target constructs'), ...columnsWith(report.devices, [
			timeColumn('traced', 'traced_s', 'how long it recorded what it did'),
			timeColumn('busy', 'busy_s', 'of that, in kernels and transfers'),
			{ title: 'idle', number: true, hint: 'of the time that it recorded', get: share, show: (row) => row.traced_s
				? percent(share(row), 1) : '\u2013' },
			...operationColumns(),
			{ title: 'lost', number: true, hint: 'records that could not be read or placed', get: lost, show: (row) => count(lost(row)) },
		])] }).element);
}
