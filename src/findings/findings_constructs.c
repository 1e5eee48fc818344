/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constructs that threads waited at; see findings.h. The waits of a team are known by construct.
 * The waits for mutexes are known by mutex, which several lines can acquire: their lines come from
 * the tree.
 */
#include <stdlib.h>

#include "src/findings/findings.h"
#include "src/findings/order.h"

/* Whether the waits of this kind are known by mutex, and not by construct. */
static int is_by_mutex(enum profile_wait kind)
{
	return findings_is_mutex(kind) && kind != PROFILE_ORDERED;
}

static int compare_places(const struct findings_construct *a, const struct findings_construct *b)
{
	return ORDER({ a->kind, b->kind }, ORDER_STRINGS(a->label->name, b->label->name),
		ORDER_STRINGS(a->place.file, b->place.file), { a->place.line, b->place.line });
}

/* Entries that have a wait come first. */
static int by_place(const void *left, const void *right)
{
	const struct findings_construct *a = left, *b = right;
	int order = compare_places(a, b);

	return order ? order : ORDER({ a->wait, b->wait }, { b->wait_ns, a->wait_ns });
}

static int by_wait_time(const void *left, const void *right)
{
	const struct findings_construct *a = left, *b = right;
	int order = ORDER({ b->wait_ns, a->wait_ns });

	return order ? order : compare_places(a, b);
}

static struct findings_construct construct_of(const struct findings *figures, uint32_t index)
{
	const struct findings_wait *wait = &figures->waits[index];

	return (struct findings_construct){
		.kind = wait->sum.kind,
		.name = wait->name,
		.label = wait->label,
		.place = wait->place,
		.n = wait->sum.n,
		.wait_ns = wait->sum.wait_ns,
		.unblamed_ns = wait->sum.unblamed_ns,
		.has_blame = 1,
		.thread = wait->thread,
		.thread_ns = wait->thread_ns,
		.wait = index,
	};
}

/* The kind of mutex that is waited for in a node with these figures; PROFILE_NO_WAIT: none. */
static enum profile_wait mutex_kind(const struct tree_metrics *self)
{
	for (enum profile_wait kind = PROFILE_NO_WAIT + 1; kind < PROFILE_N_WAITS; kind++)
		if (is_by_mutex(kind) && self->wait_ns[kind])
			return kind;
	return PROFILE_NO_WAIT;
}

/* Lists the waits of the tree for mutexes. Returns how many there are; `to` may be NULL. */
static size_t list_lines(const struct findings *figures, struct findings_construct *to)
{
	size_t n = 0;

	for (uint32_t i = 0; i < figures->tree->n_nodes; i++) {
		const struct tree_metrics self = tree_self(figures->tree, i);
		enum profile_wait kind = mutex_kind(&self);

		if (kind == PROFILE_NO_WAIT)
			continue;
		if (to)
			to[n] = (struct findings_construct){
				.kind = (uint8_t)kind,
				.name = findings_wait_name(kind),
				.label = findings_label(figures, i),
				.place = findings_place(figures, i),
				.n = self.n_waits,
				.wait_ns = self.wait_ns[kind],
				.wait = UINT32_MAX,
			};
		n++;
	}
	return n;
}

/* Joins n entries of one place. */
static struct findings_construct join(const struct findings_construct *from, size_t n)
{
	struct findings_construct all = from[0];

	for (size_t i = 1; i < n; i++) {
		all.n += from[i].n;
		all.wait_ns += from[i].wait_ns;
		all.unblamed_ns += from[i].unblamed_ns;
		all.name = findings_wait_name(all.kind);
		all.thread_ns = 0;
	}
	return all;
}

/*
 * Makes the construct of a place from n entries: first the mutexes that threads wait for most at
 * this place, then the lines of the tree. The mutexes tell name and blame if all waits for them are
 * here, and no others.
 */
static struct findings_construct make_line(const struct findings_construct *from, size_t n)
{
	struct findings_construct mutexes, lines;
	size_t n_mutexes = 0;

	while (n_mutexes < n && from[n_mutexes].has_blame)
		n_mutexes++;
	if (n_mutexes == 0)
		return join(from, n);
	mutexes = join(from, n_mutexes);
	if (n_mutexes == n)
		return mutexes;
	lines = join(from + n_mutexes, n - n_mutexes);
	return mutexes.n == lines.n && mutexes.wait_ns == lines.wait_ns ? mutexes : lines;
}

int findings_add_constructs(struct findings *figures)
{
	size_t n_lines = list_lines(figures, NULL), n = 0, n_kept = 0;
	struct findings_construct *all = calloc(figures->n_waits + n_lines + 1, sizeof(*all));

	figures->constructs = all;
	if (!all)
		return -1;
	for (uint32_t i = 0; i < figures->n_waits; i++)
		if (!profile_wait_is(figures->waits[i].sum.kind, PROFILE_TIME_IDLE))
			all[n++] = construct_of(figures, i);
	n += list_lines(figures, all + n);
	qsort(all, n, sizeof(*all), by_place);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; is_by_mutex(all[i].kind) && end < n &&
				  compare_places(&all[i], &all[end]) == 0;)
			end++;
		all[n_kept++] = make_line(&all[i], end - i);
	}
	qsort(all, n_kept, sizeof(*all), by_wait_time);
	figures->n_constructs = n_kept;
	return 0;
}
