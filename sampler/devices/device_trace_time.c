/* SPDX-License-Identifier: Apache-2.0 */
/* A device's time; see device_trace_time.h. */
#include "sampler/devices/device_trace_time.h"

#include <string.h>

void device_trace_time_add(struct device_trace_time *time, uint64_t device, uint64_t host)
{
	struct device_trace_pair pair = { .device = device, .host = host };

	if (time->n_pairs > 0 && host <= time->last.host)
		return;
	if (time->n_pairs > 0 && device < time->last.device) {
		time->n_resets++;
		time->n_pairs = 0;
	}
	if (time->n_pairs++ == 0)
		time->first = pair;
	time->last = pair;
}

int device_trace_time_is_known(const struct device_trace_time *time)
{
	return time->n_pairs > 1 && time->last.device > time->first.device;
}

uint64_t device_trace_time_host(const struct device_trace_time *time, uint64_t device)
{
	__int128 rise = (__int128)time->last.host - (__int128)time->first.host;
	__int128 run = (__int128)time->last.device - (__int128)time->first.device;
	/* Beyond 2^62 on either side it is no valid time, and the product would overflow. */
	const __int128 most = (__int128)1 << 62;
	__int128 away = (__int128)device - (__int128)time->first.device, host;

	away = away > most ? most : away < -most ? -most : away;
	/* Rounded to the nearest; halves are rounded away from the first pair. */
	host = (away * rise * 2 + (away < 0 ? -run : run)) / (run * 2) + (__int128)time->first.host;
	return host < 0 ? 0 : host > most ? (uint64_t)most : (uint64_t)host;
}

static void give_up_first(struct device_trace_busy *busy)
{
	busy->done += busy->span[0].end - busy->span[0].begin;
	busy->until = busy->span[0].end;
	busy->n--;
	memmove(busy->span, busy->span + 1, busy->n * sizeof(busy->span[0]));
}

void device_trace_busy_add(struct device_trace_busy *busy, uint64_t begin, uint64_t end)
{
	uint32_t from = 0, to;

	if (begin < busy->until)
		begin = busy->until;
	if (end <= begin)
		return;
	/* The spans in [from, to) touch it and are merged with it. */
	while (from < busy->n && busy->span[from].end < begin)
		from++;
	for (to = from; to < busy->n && busy->span[to].begin <= end; to++) {
		begin = busy->span[to].begin < begin ? busy->span[to].begin : begin;
		end = busy->span[to].end > end ? busy->span[to].end : end;
	}
	if (from == to && busy->n == DEVICE_TRACE_BUSY_SPANS) {
		if (from == 0) {
			busy->done += end - begin;
			busy->until = end;
			return;
		}
		give_up_first(busy);
		from--;
		to--;
	}
	memmove(&busy->span[from + 1], &busy->span[to], (busy->n - to) * sizeof(busy->span[0]));
	busy->n = busy->n - (to - from) + 1;
	busy->span[from].begin = begin;
	busy->span[from].end = end;
}

uint64_t device_trace_busy_ticks(const struct device_trace_busy *busy)
{
	uint64_t ticks = busy->done;

	for (uint32_t i = 0; i < busy->n; i++)
		ticks += busy->span[i].end - busy->span[i].begin;
	return ticks;
}
