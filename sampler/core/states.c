/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A runtime's states, and the class of a sample; see states.h and classify.h. Part of the
 * signal-safe core.
 */
#include "sampler/core/states.h"

#include <omp-tools.h>
#include <stddef.h>
#include <string.h>

#include "profile/shared/layout.h"
#include "sampler/core/classify.h"

/*
 * Each entry is written before the threads of its runtime are sampled, and n after the entry:
 * threads of other runtimes may be sampled meanwhile.
 */
static struct {
	uint32_t n;
	struct states_own own[STATES_MAX];
} states;

enum {
	/* A runtime whose enumeration does not end is not followed further. */
	MAX_ENUMERATED = 256,
	/* Deprecated, but libomp up to 18 returns them. */
	WAIT_BARRIER = 0x010,
	WAIT_BARRIER_IMPLICIT = 0x013,
};

/*
 * The states of the specification, by value: the class of a sample if only the runtime's state is
 * known, and the mark, if the class does not show the state. A reduction has the class of the wait
 * REDUCTION (waits.def).
 */
static const struct {
	const char *name;
	uint8_t class; /* enum profile_class */
	uint8_t mark;  /* enum profile_state; 0: PROFILE_STATE_PLAIN */
} standards[] = {
	[ompt_state_work_serial] = { "work_serial", PROFILE_WORK, 0 },
	[ompt_state_work_parallel] = { "work_parallel", PROFILE_WORK, 0 },
	[ompt_state_work_reduction] = { "work_reduction", PROFILE_OVERHEAD,
		PROFILE_STATE_REDUCTION },
	[WAIT_BARRIER] = { "wait_barrier", PROFILE_WAIT_BARRIER, 0 },
	[ompt_state_wait_barrier_implicit_parallel] = { "wait_barrier_implicit_parallel",
		PROFILE_WAIT_BARRIER, 0 },
	[ompt_state_wait_barrier_implicit_workshare] = { "wait_barrier_implicit_workshare",
		PROFILE_WAIT_BARRIER, 0 },
	[WAIT_BARRIER_IMPLICIT] = { "wait_barrier_implicit", PROFILE_WAIT_BARRIER, 0 },
	[ompt_state_wait_barrier_explicit] = { "wait_barrier_explicit", PROFILE_WAIT_BARRIER, 0 },
	[ompt_state_wait_barrier_implementation] = { "wait_barrier_implementation",
		PROFILE_WAIT_BARRIER, 0 },
	[ompt_state_wait_barrier_teams] = { "wait_barrier_teams", PROFILE_WAIT_BARRIER,
		PROFILE_STATE_BARRIER_TEAMS },
	[ompt_state_wait_taskwait] = { "wait_taskwait", PROFILE_WAIT_TASKWAIT, 0 },
	[ompt_state_wait_taskgroup] = { "wait_taskgroup", PROFILE_WAIT_TASKGROUP, 0 },
	[ompt_state_wait_mutex] = { "wait_mutex", PROFILE_WAIT_LOCK, PROFILE_STATE_MUTEX },
	[ompt_state_wait_lock] = { "wait_lock", PROFILE_WAIT_LOCK, 0 },
	[ompt_state_wait_critical] = { "wait_critical", PROFILE_WAIT_CRITICAL, 0 },
	[ompt_state_wait_atomic] = { "wait_atomic", PROFILE_WAIT_ATOMIC, 0 },
	[ompt_state_wait_ordered] = { "wait_ordered", PROFILE_WAIT_ORDERED, 0 },
	[ompt_state_wait_target] = { "wait_target", PROFILE_WAIT_TARGET, 0 },
	[ompt_state_wait_target_map] = { "wait_target_map", PROFILE_WAIT_TARGET,
		PROFILE_STATE_TARGET_MAP },
	[ompt_state_wait_target_update] = { "wait_target_update", PROFILE_WAIT_TARGET,
		PROFILE_STATE_TARGET_UPDATE },
	[ompt_state_idle] = { "idle", PROFILE_IDLE, 0 },
	[ompt_state_overhead] = { "overhead", PROFILE_OVERHEAD, 0 },
	[ompt_state_undefined] = { "undefined", PROFILE_WORK, PROFILE_STATE_UNDEFINED },
};

enum { N_STANDARDS = sizeof(standards) / sizeof(standards[0]) };

static int is_standard(uint32_t value)
{
	return value < N_STANDARDS && standards[value].name;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Whether `text` begins with the word, in upper or lower case. Sets *n to the word's length. */
static int begins_with(const char *text, const char *word, size_t *n)
{
	for (*n = 0; word[*n]; ++*n) {
		if (lower(text[*n]) != word[*n])
			return 0;
	}
	return 1;
}

/* A name is searched only as far as it is kept. */
static int has_word(const char *name, const char *word)
{
	size_t n;

	for (size_t i = 0; i < STATES_NAME_BYTES && name[i]; i++) {
		if (begins_with(name + i, word, &n))
			return 1;
	}
	return 0;
}

/* The name without the prefix that all names share. */
static const char *bare(const char *name)
{
	static const char *const prefixes[] = { "ompt_state_", "omp_state_" };
	size_t n;

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (begins_with(name, prefixes[i], &n))
			return name + n;
	}
	return name;
}

static uint32_t standard_of_words(const char *name)
{
	static const struct {
		const char *first, *second;
		uint32_t standard;
	} words[] = {
		{ "wait", "barrier", ompt_state_wait_barrier_implementation },
		{ "wait", "taskgroup", ompt_state_wait_taskgroup },
		{ "wait", "target", ompt_state_wait_target },
		{ "wait", "device", ompt_state_wait_target },
		{ "wait", "task", ompt_state_wait_taskwait },
		{ "wait", "depend", ompt_state_wait_taskwait },
		{ "wait", "critical", ompt_state_wait_critical },
		{ "wait", "atomic", ompt_state_wait_atomic },
		{ "wait", "ordered", ompt_state_wait_ordered },
		{ "wait", "lock", ompt_state_wait_lock },
		{ "wait", "mutex", ompt_state_wait_mutex },
		{ "wait", "", ompt_state_overhead },
		{ "idle", "", ompt_state_idle },
		{ "overhead", "", ompt_state_overhead },
		{ "reduction", "", ompt_state_work_reduction },
		{ "serial", "", ompt_state_work_serial },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (has_word(name, words[i].first) &&
			(!words[i].second[0] || has_word(name, words[i].second)))
			return words[i].standard;
	}
	return ompt_state_work_parallel;
}

uint32_t states_of_name(const char *name)
{
	const char *own = bare(name);
	size_t n;

	for (uint32_t i = 0; i < N_STANDARDS; i++) {
		if (is_standard(i) && begins_with(own, standards[i].name, &n) && !own[n])
			return i;
	}
	return standard_of_words(name);
}

/* The state that was learnt last with this value, or NULL. */
static const struct states_own *find_own(uint32_t value)
{
	for (uint32_t i = __atomic_load_n(&states.n, __ATOMIC_ACQUIRE); i-- > 0;) {
		if (states.own[i].value == value)
			return &states.own[i];
	}
	return NULL;
}

/* Copies the part of a name that is kept. */
static void copy_name(char *to, const char *name)
{
	for (size_t i = 0; i < STATES_NAME_BYTES - 1 && name[i]; i++)
		to[i] = name[i];
}

static void learn(uint32_t value, const char *name)
{
	struct states_own own = { .value = value, .standard = states_of_name(name) };
	const struct states_own *known = find_own(value);

	copy_name(own.name, name);
	if (states.n == STATES_MAX ||
		(known && memcmp(known->name, own.name, sizeof(own.name)) == 0))
		return;
	states.own[states.n] = own;
	__atomic_store_n(&states.n, states.n + 1, __ATOMIC_RELEASE);
}

void states_learn(ompt_enumerate_states_t enumerate)
{
	int state = ompt_state_undefined, next;
	const char *name;

	for (int i = 0; enumerate && i < MAX_ENUMERATED; i++) {
		name = NULL;
		if (!enumerate(state, &next, &name))
			return;
		state = next;
		if (name && !is_standard((uint32_t)state))
			learn((uint32_t)state, name);
	}
}

struct states_meaning states_meaning(uint32_t state)
{
	const struct states_own *own;

	if (is_standard(state))
		return (struct states_meaning){ state, standards[state].mark };
	own = find_own(state);
	if (own)
		return (struct states_meaning){ own->standard,
			(uint8_t)(PROFILE_STATE_OWN + (own - states.own)) };
	return (struct states_meaning){ state, PROFILE_STATE_UNKNOWN };
}

const struct states_own *states_own(uint32_t index)
{
	return index < states.n ? &states.own[index] : NULL;
}

static const enum profile_class class_of_own[] = {
	[OWN_NONE] = PROFILE_WORK,
	[OWN_BARRIER] = PROFILE_WAIT_BARRIER,
	[OWN_TASKWAIT] = PROFILE_WAIT_TASKWAIT,
	[OWN_TASKGROUP] = PROFILE_WAIT_TASKGROUP,
	[OWN_LOCK] = PROFILE_WAIT_LOCK,
	[OWN_CRITICAL] = PROFILE_WAIT_CRITICAL,
	[OWN_ORDERED] = PROFILE_WAIT_ORDERED,
	[OWN_ATOMIC] = PROFILE_WAIT_ATOMIC,
	[OWN_TARGET] = PROFILE_WAIT_TARGET,
	[OWN_MPI] = PROFILE_WAIT_MPI,
};

enum profile_class classify(uint32_t state, const struct own_state *own)
{
	enum profile_class class = PROFILE_WORK;

	if (own->mutex != OWN_NONE)
		return class_of_own[own->mutex];
	if (own->sync != OWN_NONE)
		class = class_of_own[own->sync];
	else if (is_standard(state))
		class = (enum profile_class)standards[state].class;
	if (!own->has_team && own->is_worker &&
		(class == PROFILE_WAIT_BARRIER || class == PROFILE_OVERHEAD))
		return PROFILE_IDLE;
	return class;
}

enum own_wait classify_mutex(uint32_t kind)
{
	switch (kind) {
	case ompt_mutex_lock:
	case ompt_mutex_nest_lock:
		return OWN_LOCK;
	case ompt_mutex_critical:
		return OWN_CRITICAL;
	case ompt_mutex_atomic:
		return OWN_ATOMIC;
	case ompt_mutex_ordered:
		return OWN_ORDERED;
	default:
		return OWN_NONE;
	}
}
