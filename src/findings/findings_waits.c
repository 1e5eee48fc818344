/* SPDX-License-Identifier: Apache-2.0 */
/* Waits, the functions that caused them, and the mutexes; see findings.h. */
#include "src/findings/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/order.h"

static const char *look_up(
	const struct findings_input *input, findings_variable *lookup, uint64_t addr)
{
	const struct profile_module *module = profile_module_at(input->profile, addr);
	struct symbols_object object;

	if (!module || !lookup)
		return NULL;
	object = names_object(module);
	return lookup(input->data, &object, addr - module->bias);
}

static int compare_keys(const void *left, const void *right)
{
	const struct findings_lock_key *a = left, *b = right;

	return ORDER({ a->kind, b->kind }, { a->wait_id, b->wait_id });
}

int findings_sort_locks(struct findings *figures)
{
	const struct metrics *metrics = figures->metrics;

	figures->lock_keys = calloc(metrics->n_locks + 1, sizeof(*figures->lock_keys));
	if (!figures->lock_keys)
		return -1;
	for (uint32_t i = 0; i < metrics->n_locks; i++)
		figures->lock_keys[i] = (struct findings_lock_key){ metrics->locks[i].wait_id, i,
			metrics->locks[i].kind };
	qsort(figures->lock_keys, metrics->n_locks, sizeof(*figures->lock_keys), compare_keys);
	return 0;
}

uint32_t findings_find_lock(
	const struct findings *figures, enum profile_wait kind, uint64_t wait_id)
{
	struct findings_lock_key wanted = { wait_id, 0, kind };
	const struct findings_lock_key *found = bsearch(&wanted, figures->lock_keys,
		figures->metrics->n_locks, sizeof(wanted), compare_keys);

	return found ? found->index : UINT32_MAX;
}

/* The address to which a call that acquires the mutex returns, or 0. */
static uint64_t find_codeptr(
	const struct findings *figures, enum profile_wait kind, uint64_t wait_id)
{
	uint32_t lock = findings_find_lock(figures, kind, wait_id);

	return lock == UINT32_MAX ? 0 : figures->metrics->locks[lock].codeptr;
}

static const char *mutex_name(const struct findings *figures, const struct findings_input *input,
	enum profile_wait kind, uint64_t wait_id)
{
	const char *variable = look_up(input, input->variable, wait_id);
	char text[512];

	if (!variable && kind == PROFILE_CRITICAL && wait_id)
		variable = look_up(input, input->critical, find_codeptr(figures, kind, wait_id));
	findings_mutex_name(text, sizeof(text), kind, wait_id, variable);
	return name_tree_intern(input->names, text);
}

/* Compares functions without the lines of their calls, but constructs with their lines. */
static int compare_functions(const struct name_label *a, const struct name_label *b)
{
	int order =
		ORDER(ORDER_STRINGS(a->name, b->name), ORDER_STRINGS(a->decl_file, b->decl_file),
			{ a->decl_line, b->decl_line }, ORDER_STRINGS(a->module, b->module));

	return order || !names_is_construct(a->kind) ? order : ORDER({ a->line, b->line });
}

static int compare_waits(const struct findings_wait *a, const struct findings_wait *b)
{
	int is_mutex = findings_is_mutex(a->sum.kind) && a->sum.wait_id;
	int order = ORDER({ a->sum.kind, b->sum.kind }, { a->sum.wait_id, b->sum.wait_id });

	if (order || is_mutex)
		return order;
	order = compare_functions(a->label, b->label);
	if (!order)
		order = ORDER({ a->sum.has_site, b->sum.has_site });
	return order || !a->sum.has_site ? order
					 : ORDER(ORDER_STRINGS(a->place.file, b->place.file),
						   { a->place.line, b->place.line });
}

static int by_wait(const void *left, const void *right)
{
	const struct findings_wait *a = left, *b = right;
	int order = compare_waits(a, b);

	return order ? order : ORDER({ b->sum.wait_ns, a->sum.wait_ns });
}

static int by_wait_time(const void *left, const void *right)
{
	const struct findings_wait *a = left, *b = right;

	return ORDER({ b->sum.wait_ns, a->sum.wait_ns }, { a->sum.kind, b->sum.kind },
		{ a->sum.node, b->sum.node });
}

static int by_function_and_thread(const void *left, const void *right)
{
	const struct findings_cause *a = left, *b = right;
	int order = ORDER({ a->wait, b->wait });

	if (!order)
		order = compare_functions(a->label, b->label);
	return order ? order : ORDER({ a->thread, b->thread });
}

static int by_thread(const void *left, const void *right)
{
	const struct findings_cause *a = left, *b = right;

	return ORDER({ a->wait, b->wait }, { a->thread, b->thread });
}

/* Sets, for each wait, the thread that is blamed for most of it. */
static void find_threads(struct findings *figures, size_t n_causes)
{
	struct findings_cause *causes = figures->causes;
	uint64_t ns = 0;

	qsort(causes, n_causes, sizeof(*causes), by_thread);
	for (size_t i = 0; i < n_causes; i++) {
		struct findings_wait *wait = &figures->waits[causes[i].wait];

		ns = i && by_thread(&causes[i - 1], &causes[i]) == 0 ? ns + causes[i].ns
								     : causes[i].ns;
		if (ns > wait->thread_ns) {
			wait->thread_ns = ns;
			wait->thread = causes[i].thread;
		}
	}
}

static int by_blame(const void *left, const void *right)
{
	const struct findings_cause *a = left, *b = right;

	int order = ORDER({ a->wait, b->wait }, { b->ns, a->ns });

	return order ? order : strcmp(a->label->name, b->label->name);
}

/*
 * Joins the causes of one wait and function; the thread with most blame stays. Returns their new
 * number.
 */
static size_t merge_causes(struct findings_cause *causes, size_t n_causes)
{
	size_t n = 0;
	uint64_t thread_ns = 0;

	for (size_t i = 0; i < n_causes; i++) {
		struct findings_cause *last = n ? &causes[n - 1] : NULL;
		struct findings_cause cause = causes[i];
		int is_same = last && last->wait == cause.wait &&
			      compare_functions(last->label, cause.label) == 0;

		thread_ns = is_same && i && causes[i - 1].thread == cause.thread
				    ? thread_ns + cause.ns
				    : cause.ns;
		if (!is_same) {
			last = &causes[n++];
			*last = cause;
			last->ns = last->thread_ns = last->asleep_ns = 0;
		}
		last->ns += cause.ns;
		last->asleep_ns += cause.asleep_ns;
		if (thread_ns > last->thread_ns) {
			last->thread_ns = thread_ns;
			last->thread = cause.thread;
		}
	}
	return n;
}

const struct name_label *findings_cause_label(const struct findings *figures, uint32_t node)
{
#define WITHOUT_PLACE(text)                                                                        \
	{                                                                                          \
		.kind = NAME_FUNCTION, .name = text, .module = "", .file = "", .decl_file = "",    \
		.function = ""                                                                     \
	}
	static const struct name_label no_cpu = WITHOUT_PLACE("had no CPU");
	/* The runtime's or ompprof's own code, met where no call path could be taken. */
	static const struct name_label no_path = WITHOUT_PLACE("(no call path)");
#undef WITHOUT_PLACE
	const struct name_label *label;

	if (node == METRICS_NO_CPU)
		return &no_cpu;
	label = findings_label(figures, node);
	return label && label->kind == NAME_ROOT ? &no_path : label;
}

/* Copies the causes of one entry of the metrics. Returns -1 if a cause has no node. */
static int gather_causes(struct findings *figures, struct findings_cause *to,
	const struct metrics_wait *wait, uint32_t index)
{
	for (size_t k = 0; k < wait->n_causes; k++) {
		const struct metrics_blame *blame = &wait->causes[k];

		to[k] = (struct findings_cause){ .wait = index,
			.label = findings_cause_label(figures, blame->node),
			.ns = blame->ns,
			.asleep_ns = blame->asleep_ns,
			.thread = blame->thread };
		if (!to[k].label)
			return -1;
	}
	return 0;
}

/*
 * Joins entries that read the same. Sets entry_of[i] to the joined entry of metrics.waits[i]. A
 * joined entry keeps its number in first_cause through the sort by time.
 */
static void merge_waits(struct findings *figures, uint32_t *entry_of)
{
	struct findings_wait *waits = figures->waits;
	size_t n = 0;

	for (size_t i = 0; i < figures->metrics->n_waits; i++) {
		struct findings_wait *last = n ? &waits[n - 1] : NULL;

		entry_of[waits[i].first_cause] = n;
		if (!last || compare_waits(last, &waits[i]) != 0) {
			waits[n++] = waits[i];
			continue;
		}
		entry_of[waits[i].first_cause] = n - 1;
		last->sum.n += waits[i].sum.n;
		last->sum.wait_ns += waits[i].sum.wait_ns;
		last->sum.unseen_ns += waits[i].sum.unseen_ns;
		last->sum.unblamed_ns += waits[i].sum.unblamed_ns;
	}
	figures->n_waits = n;
	for (size_t i = 0; i < n; i++)
		waits[i].first_cause = i;
	qsort(waits, n, sizeof(*waits), by_wait_time);
}

uint32_t findings_wait_node(const struct metrics_wait *wait)
{
	int is_regions = !findings_is_mutex(wait->kind) && wait->region != UINT32_MAX;
	uint32_t node = is_regions && !wait->has_site ? wait->region : wait->node;

	return node == UINT32_MAX ? 0 : node;
}

struct name_place findings_wait_place(
	const struct findings *figures, const struct metrics_wait *wait)
{
	struct name_place place = findings_place(figures, findings_wait_node(wait));
	int has_construct = wait->kind != PROFILE_BARRIER_CLOSING &&
			    (profile_wait_is(wait->kind, PROFILE_TIME_BARRIER) ||
				    profile_wait_is(wait->kind, PROFILE_TIME_TASKS));

	if (has_construct && !wait->has_site)
		place.line = 0;
	return place;
}

const char *findings_wait_function(const struct findings_wait *wait)
{
	int is_code = wait->sum.has_site && !names_is_construct(wait->label->kind);

	return is_code ? wait->label->name : wait->label->function;
}

static int name_waits(struct findings *figures, const struct findings_input *input)
{
	for (size_t i = 0; i < figures->metrics->n_waits; i++) {
		struct findings_wait *wait = &figures->waits[i];

		wait->sum = figures->metrics->waits[i];
		wait->sum.causes = NULL;
		wait->first_cause = i;
		wait->label = findings_label(figures, findings_wait_node(&wait->sum));
		wait->place = findings_wait_place(figures, &wait->sum);
		wait->name = figures->wait_names[i] =
			findings_is_mutex(wait->sum.kind)
				? mutex_name(figures, input, wait->sum.kind, wait->sum.wait_id)
				: findings_wait_name(wait->sum.kind);
		if (!wait->name || !wait->label)
			return -1;
	}
	qsort(figures->waits, figures->metrics->n_waits, sizeof(*figures->waits), by_wait);
	return 0;
}

/* The region whose team waits at a barrier; NULL for other waits, and if there is none. */
static struct findings_region *region_of(
	const struct findings *figures, const struct metrics_wait *wait)
{
	uint32_t index = wait->region < figures->tree->n_nodes ? figures->region_of[wait->region]
							       : UINT32_MAX;

	return index != UINT32_MAX && profile_wait_is(wait->kind, PROFILE_TIME_BARRIER)
		       ? &figures->regions[index]
		       : NULL;
}

/*
 * Divides each region's imbalance among its barriers, in the ratio of their waiting. The closing
 * barrier's part stays the region's.
 */
static void divide_imbalance(
	struct findings *figures, const uint32_t *entry_of, const uint32_t *rank_of)
{
	const struct metrics *metrics = figures->metrics;

	for (size_t i = 0; i < metrics->n_waits; i++) {
		struct findings_region *region = region_of(figures, &metrics->waits[i]);

		if (region)
			metrics_add(&region->barrier_ns, metrics->waits[i].wait_ns);
	}
	for (size_t i = 0; i < metrics->n_waits; i++) {
		const struct metrics_wait *wait = &metrics->waits[i];
		struct findings_region *region = region_of(figures, wait);
		uint64_t part;

		if (!region || !wait->has_site || !region->barrier_ns)
			continue;
		part = (uint64_t)((unsigned __int128)region->sum.cause_ns[METRICS_IMBALANCE] *
				  wait->wait_ns / region->barrier_ns);
		metrics_add(&figures->waits[rank_of[entry_of[i]]].imbalance_ns, part);
		metrics_add(&region->at_constructs_ns, part);
	}
}

static int add_causes(struct findings *figures, const uint32_t *entry_of, uint32_t *rank_of)
{
	const struct metrics *metrics = figures->metrics;
	size_t n = 0;

	for (uint32_t i = 0; i < figures->n_waits; i++) {
		rank_of[figures->waits[i].first_cause] = i;
		figures->waits[i].first_cause = figures->waits[i].n_causes = 0;
	}
	for (size_t i = 0; i < metrics->n_waits; i++) {
		if (gather_causes(figures, figures->causes + n, &metrics->waits[i],
			    rank_of[entry_of[i]]) != 0)
			return -1;
		n += metrics->waits[i].n_causes;
	}
	find_threads(figures, n);
	qsort(figures->causes, n, sizeof(*figures->causes), by_function_and_thread);
	n = merge_causes(figures->causes, n);
	qsort(figures->causes, n, sizeof(*figures->causes), by_blame);
	figures->n_causes = n;
	for (size_t i = n; i-- > 0;) {
		struct findings_wait *wait = &figures->waits[figures->causes[i].wait];

		wait->first_cause = i;
		wait->n_causes++;
	}
	return 0;
}

/* A wait for a mutex, to be sorted by place. */
struct place {
	const struct findings_wait *wait;
	uint32_t index;
};

static int compare_places(const struct place *a, const struct place *b)
{
	const struct findings_wait *x = a->wait, *y = b->wait;

	return ORDER({ x->sum.kind, y->sum.kind }, ORDER_STRINGS(x->label->name, y->label->name),
		ORDER_STRINGS(x->place.file, y->place.file), { x->place.line, y->place.line });
}

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	int order = compare_places(a, b);

	return order ? order : ORDER({ a->index, b->index });
}

/* Links the mutexes of each place, longest wait first. */
static int link_places(struct findings *figures)
{
	struct place *places = calloc(figures->n_waits + 1, sizeof(*places));
	size_t n = 0;

	if (!places)
		return -1;
	for (uint32_t i = 0; i < figures->n_waits; i++)
		if (findings_is_mutex(figures->waits[i].sum.kind))
			places[n++] = (struct place){ &figures->waits[i], i };
	qsort(places, n, sizeof(*places), by_place);
	for (size_t i = 0; i < n; i++) {
		struct findings_wait *wait = &figures->waits[places[i].index];

		wait->is_first_at_place = !i || compare_places(&places[i - 1], &places[i]) != 0;
		wait->next_at_place = i + 1 < n && compare_places(&places[i], &places[i + 1]) == 0
					      ? places[i + 1].index
					      : UINT32_MAX;
	}
	free(places);
	return 0;
}

int findings_add_waits(struct findings *figures, const struct findings_input *input)
{
	const struct metrics *metrics = figures->metrics;
	uint32_t *entry_of = calloc(metrics->n_waits + 1, sizeof(*entry_of));
	uint32_t *rank_of = calloc(metrics->n_waits + 1, sizeof(*rank_of));
	size_t n_causes = 0;
	int status = -1;

	for (size_t i = 0; i < metrics->n_waits; i++)
		n_causes += metrics->waits[i].n_causes;
	figures->waits = calloc(metrics->n_waits + 1, sizeof(*figures->waits));
	figures->causes = calloc(n_causes + 1, sizeof(*figures->causes));
	figures->wait_names = calloc(metrics->n_waits + 1, sizeof(*figures->wait_names));
	if (entry_of && rank_of && figures->waits && figures->causes && figures->wait_names &&
		name_waits(figures, input) == 0) {
		merge_waits(figures, entry_of);
		status = add_causes(figures, entry_of, rank_of) || link_places(figures) ? -1 : 0;
		divide_imbalance(figures, entry_of, rank_of);
	}
	free(entry_of);
	free(rank_of);
	return status;
}

int findings_add_locks(struct findings *figures, const struct findings_input *input)
{
	const struct metrics *metrics = figures->metrics;

	figures->locks = calloc(metrics->n_locks + 1, sizeof(*figures->locks));
	if (!figures->locks)
		return -1;
	figures->n_locks = metrics->n_locks;
	for (size_t i = 0; i < metrics->n_locks; i++) {
		struct findings_lock *lock = &figures->locks[i];

		lock->sum = metrics->locks[i];
		lock->name = mutex_name(figures, input, lock->sum.kind, lock->sum.wait_id);
		lock->label = findings_label(figures, lock->sum.node);
		lock->place = findings_place(figures, lock->sum.node);
		lock->impl = profile_impl_name(figures->profile, lock->sum.impl);
		if (!lock->name)
			return -1;
	}
	return 0;
}
