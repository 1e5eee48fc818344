/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program's phases by name, and in which phases the program is; see phase.h. Not for the signal
 * handler.
 */
#include <stdio.h>
#include <string.h>

#include "profile/core/writer.h"
#include "sampler/core/phase_internal.h"
#include "sampler/core/tool.h"
#include "unwinder/core/remote.h"

/* A name is copied in pieces of so many bytes: it can end before memory that cannot be read. */
enum { COPIED_AT_ONCE = 64, NAME_BYTES = sizeof(((struct profile_phase *)0)->name) };

struct phase {
	uint32_t outer;
	uint32_t flags; /* enum profile_phase_flags */
	int64_t id;
	char name[NAME_BYTES];
	struct profile_phase *record; /* NULL without space, and in a child made by fork at first */
};

static struct {
	struct phase phase[PHASE_MOST]; /* number - 1; the last is PHASE_OTHER */
	uint32_t n;                     /* phases that have a number of their own */
	uint32_t open[PHASE_MAX_DEPTH]; /* numbers */
	uint32_t depth;                 /* may exceed PHASE_MAX_DEPTH */
} phases;

static uint32_t current(void)
{
	uint32_t depth = phases.depth < PHASE_MAX_DEPTH ? phases.depth : PHASE_MAX_DEPTH;

	return depth ? phases.open[depth - 1] : PHASE_NONE;
}

/*
 * Copies the readable bytes of the text, as many as fit. Returns PROFILE_PHASE_CUT if bytes are
 * missing.
 */
static uint32_t copy_name(char *name, const void *from)
{
	size_t n = 0, bytes;
	uintptr_t at;

	memset(name, 0, NAME_BYTES);
	for (; n < NAME_BYTES - 1; n += bytes) {
		at = (uintptr_t)from + n;
		bytes = COPIED_AT_ONCE - at % COPIED_AT_ONCE;
		if (bytes > NAME_BYTES - 1 - n)
			bytes = NAME_BYTES - 1 - n;
		if (remote_read(at, name + n, bytes) != 0) {
			memset(name + n, 0, bytes);
			return PROFILE_PHASE_CUT;
		}
		if (memchr(name + n, 0, bytes)) {
			memset(name + strlen(name), 0, NAME_BYTES - strlen(name));
			return 0;
		}
	}
	return remote_read((uintptr_t)from + n, &(char){ 0 }, 1) == 0 &&
			       *((const char *)from + n) == '\0'
		       ? 0
		       : PROFILE_PHASE_CUT;
}

static void describe(struct phase *phase, uint32_t outer, int64_t id, const void *name)
{
	*phase = (struct phase){ .outer = outer, .id = id };
	/* In Fortran only the number is valid: runtimes pass any pointer. */
	if (name && !id)
		phase->flags = copy_name(phase->name, name);
	if (phase->name[0])
		return;
	phase->flags |= PROFILE_PHASE_NUMBERED;
	snprintf(phase->name, sizeof(phase->name), "%lld", (long long)id);
}

static struct profile_phase *record_of(uint32_t number)
{
	struct phase *phase = &phases.phase[number - 1];
	struct profile_phase *record = phase->record;

	if (record)
		return record;
	record = writer_record(PROFILE_SEGMENT_PHASES, PROFILE_PHASE_BYTES);
	if (!record)
		return NULL;
	record->outer = phase->outer;
	record->flags = phase->flags;
	record->id = phase->id;
	memcpy(record->name, phase->name, sizeof(record->name));
	__atomic_store_n(&record->number, number, __ATOMIC_RELEASE);
	return phase->record = record;
}

/*
 * The number of a phase; a new number if no known phase is equal; PHASE_OTHER if there are too
 * many.
 */
static uint32_t number_of(const struct phase *wanted)
{
	for (uint32_t i = 0; i < phases.n; i++) {
		const struct phase *known = &phases.phase[i];

		if (known->outer == wanted->outer && known->flags == wanted->flags &&
			(known->id == wanted->id || !(known->flags & PROFILE_PHASE_NUMBERED)) &&
			strcmp(known->name, wanted->name) == 0)
			return i + 1;
	}
	if (phases.n == PHASE_OTHER - 1) {
		phases.phase[PHASE_OTHER - 1].flags = PROFILE_PHASE_OTHER;
		return PHASE_OTHER;
	}
	phases.phase[phases.n] = *wanted;
	return ++phases.n;
}

static void change(uint32_t from, uint32_t to)
{
	struct profile_phase *old = from ? record_of(from) : NULL;
	struct profile_phase *new = to ? record_of(to) : NULL;
	uint64_t now = tool_time();

	if (from == to)
		return;
	if (old) {
		writer_count(&old->ticks, now - old->open_since);
		__atomic_store_n(&old->open_since, 0, __ATOMIC_RELAXED);
	}
	if (new)
		__atomic_store_n(&new->open_since, now, __ATOMIC_RELAXED);
	phase_ring_add(now, to);
	thread_tell_all();
}

void phase_begin(int64_t id, const void *name)
{
	uint32_t from = current(), number;
	struct profile_phase *record;
	struct phase wanted;

	if (phases.depth++ >= PHASE_MAX_DEPTH) {
		writer_header()->left_out.n_deep++;
		return;
	}
	describe(&wanted, from, id, name);
	number = number_of(&wanted);
	phases.open[phases.depth - 1] = number;
	change(from, number);
	record = record_of(number);
	if (record)
		tool_count(&record->n);
}

int phase_end(void)
{
	uint32_t from = current();

	if (phases.depth == 0) {
		writer_header()->left_out.n_unbegun++;
		return -1;
	}
	phases.depth--;
	change(from, current());
	return 0;
}

void phase_forget(void)
{
	phase_ring.n = 0;
	for (uint32_t i = 0; i < PHASE_MOST; i++)
		phases.phase[i].record = NULL;
}

void phase_begin_again(void)
{
	uint32_t depth = phases.depth < PHASE_MAX_DEPTH ? phases.depth : PHASE_MAX_DEPTH;

	for (uint32_t i = 0; i < depth; i++) {
		struct profile_phase *record = record_of(phases.open[i]);

		if (record)
			tool_count(&record->n);
	}
	change(PHASE_NONE, current());
}
