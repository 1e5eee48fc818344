/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the trees, threads, phases, timelines and objects of several processes; see merge.h. */
#include "attribution/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge_internal.h"

#define NONE UINT32_MAX

/* The timelines of the threads. Until timelines_finish their begin_ns is since the epoch. */
struct timelines {
	/* struct profile_timeline, for each thread; ns is NULL if it has none */
	struct merge_list list;
	uint64_t first_ns; /* the begin of the process that began first, since the epoch */
	int has_any;
};

struct merge {
	int by_program;
	struct merge_modules modules;
	struct tree_builder tree, user_tree;
	int has_user_tree;
	/* by node of the tree that is being added: its node in the merged tree */
	uint32_t *place;
	struct merge_list threads;   /* struct profile_thread */
	struct merge_list processes; /* struct profile_process */
	struct merge_list phases;    /* struct profile_phase_record */
	struct timelines timelines;
	struct merge_figures figures;
	struct profile profile; /* the result's header, texts and counts */
};

/* Phases without a name differ by their number. All phases that got no number are one phase. */
static int is_same_phase(const struct profile_phase_record *a, const struct profile_phase_record *b)
{
	uint32_t told_apart = PROFILE_PHASE_OTHER | PROFILE_PHASE_NUMBERED;

	return a->outer == b->outer && (a->flags & told_apart) == (b->flags & told_apart) &&
	       strcmp(a->name, b->name) == 0;
}

static size_t find_phase(const struct merge_list *phases, const struct profile_phase_record *phase)
{
	const struct profile_phase_record *known = phases->items;
	size_t i = 0;

	while (i < phases->n && !is_same_phase(&known[i], phase))
		i++;
	return i;
}

/*
 * Sets place[i + 1] to 1 + the merged index of profile.phases[i], or 0 if there is no room for it.
 * Returns 0, or -1 when out of memory.
 */
static int add_phases(struct merge_list *phases, const struct profile *profile, uint32_t *place)
{
	place[0] = 0;
	for (size_t i = 0; i < profile->n_phases; i++) {
		struct profile_phase_record phase = profile->phases[i], *known;
		size_t at;

		if (phase.outer != NONE)
			phase.outer = place[phase.outer + 1] ? place[phase.outer + 1] - 1 : NONE;
		at = find_phase(phases, &phase);
		if (at == phases->n && at == PROFILE_MOST_PHASES) {
			place[i + 1] = 0;
			continue;
		}
		place[i + 1] = (uint32_t)at + 1;
		if (at == phases->n) {
			phase.number = (uint32_t)at + 1;
			if (!merge_append(phases, &phase, 1, sizeof(phase)))
				return -1;
			continue;
		}
		known = (struct profile_phase_record *)phases->items + at;
		known->n += phase.n;
		known->own_ns += phase.own_ns;
		known->flags |= phase.flags;
	}
	return 0;
}

/* Copies a timeline and its used buckets. Returns 0, or -1 when out of memory. */
static int copy_timeline(
	struct profile_timeline *to, const struct profile_timeline *from, uint64_t begin_ns)
{
	*to = *from;
	to->ns = NULL;
	if (!from->ns)
		return 0;
	to->begin_ns = add_saturated(begin_ns, from->begin_ns);
	to->ns = malloc((from->n + 1) * sizeof(*to->ns));
	if (!to->ns)
		return -1;
	memcpy(to->ns, from->ns, from->n * sizeof(*to->ns));
	return 0;
}

static int timelines_add(struct timelines *timelines, const struct profile *profile)
{
	static const struct profile_timeline none;
	uint64_t begin_ns = add_saturated(profile->header.start_realtime_ns, 0);

	if (timelines->list.n == 0 || begin_ns < timelines->first_ns)
		timelines->first_ns = begin_ns;
	for (size_t i = 0; i < profile->n_threads; i++) {
		struct profile_timeline timeline;

		if (copy_timeline(&timeline, profile->timelines ? &profile->timelines[i] : &none,
			    begin_ns) != 0)
			return -1;
		timelines->has_any |= timeline.ns != NULL;
		if (!merge_append(&timelines->list, &timeline, 1, sizeof(timeline))) {
			free(timeline.ns);
			return -1;
		}
	}
	return 0;
}

static void timelines_finish(struct timelines *timelines, struct profile *profile)
{
	size_t n;

	if (!timelines->has_any)
		return;
	profile->timelines = merge_take(&timelines->list, &n);
	for (size_t i = 0; i < n; i++)
		if (profile->timelines[i].ns)
			profile->timelines[i].begin_ns -= timelines->first_ns;
}

static void timelines_release(struct timelines *timelines)
{
	struct profile_timeline *all = timelines->list.items;

	for (size_t i = 0; i < timelines->list.n; i++)
		free(all[i].ns);
	free(all);
}

struct merge *merge_begin(int by_program)
{
	struct merge *merge = calloc(1, sizeof(*merge));

	if (!merge)
		return NULL;
	merge->by_program = by_program;
	tree_builder_init(&merge->tree);
	tree_builder_init(&merge->user_tree);
	if (!merge->tree.is_out_of_memory && !merge->user_tree.is_out_of_memory)
		return merge;
	merge_abandon(merge);
	return NULL;
}

/* The merged index of the process' executable, or NONE. */
static uint32_t find_program(const struct merge *merge, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->n_modules; i++)
		if (profile->modules[i].flags & PROFILE_MODULE_MAIN)
			return merge_modules_index(&merge->modules, i);
	return NONE;
}

/* The node of the merged tree that the process' root becomes. */
static uint32_t find_base(
	const struct merge *merge, struct tree_builder *tree_builder, const struct profile *profile)
{
	struct tree_builder_child program = { .kind = TREE_PROGRAM, .module = NONE };

	if (!merge->by_program)
		return 0;
	program.module = find_program(merge, profile);
	return tree_builder_child(tree_builder, 0, &program);
}

static int join(struct tree *to, uint32_t *at, const struct tree *from, uint32_t from_at)
{
	return sparse_metrics_join(&to->figures, at, &from->figures, from_at);
}

/* Adds a tree, and fills merge->place. Returns 0, or -1 when out of memory. */
static int add_tree(struct merge *merge, struct tree_builder *tree_builder, const struct tree *tree,
	const struct profile *profile)
{
	uint32_t *place = realloc(merge->place, (tree->n_nodes + 1) * sizeof(*place));

	if (!place)
		return -1;
	merge->place = place;
	if (tree->kept)
		tree_builder_keep(tree_builder);
	for (uint32_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];
		struct tree_builder_child child = { .kind = node->kind,
			.flags = node->flags,
			.class = node->class,
			.addr = node->addr };

		child.module = merge_modules_index(&merge->modules, node->module);
		if (node->kind == TREE_FRAME || tree_is_construct(node->kind))
			child.addr = merge_modules_addr(&merge->modules, node->module, node->addr);
		else if (node->kind == TREE_THREAD)
			child.addr += merge->threads.n;
		place[i] = i ? tree_builder_child(tree_builder, place[node->parent], &child)
			     : find_base(merge, tree_builder, profile);
		if (tree_builder->is_out_of_memory)
			return -1;
		if (join(&tree_builder->tree, &tree_builder->tree.nodes[place[i]].self, tree,
			    node->self) != 0)
			return -1;
		if (tree->kept && join(&tree_builder->tree, &tree_builder->tree.kept[place[i]],
					  tree, tree->kept[i]) != 0)
			return -1;
	}
	return 0;
}

static int add_threads(struct merge *merge, const struct profile *profile)
{
	struct profile_process process = { profile->header.around.rank, profile->header.pid,
		merge->threads.n, profile->n_threads };
	struct profile_thread *threads;

	if (!merge_append(&merge->processes, &process, 1, sizeof(process)))
		return -1;
	threads = merge_append(
		&merge->threads, profile->threads, profile->n_threads, sizeof(*threads));
	for (size_t i = 0; threads && i < profile->n_threads; i++)
		threads[i].start = merge_modules_any(&merge->modules, threads[i].start);
	return threads ? 0 : -1;
}

/* Keeps the header of the first process, and joins flags and counts of the others to it. */
static int add_header(struct merge *merge, const struct profile *profile)
{
	struct profile *all = &merge->profile;
	struct profile_header *header = &all->header;
	uint32_t either = PROFILE_OMPT_STARTED | PROFILE_SPACE_OUT | PROFILE_PAUSED |
			  PROFILE_ENDED | PROFILE_LOCKED_DOWN | PROFILE_OTHER_TOOL |
			  PROFILE_PYTHON_UNREAD;
	uint32_t flags = header->flags;

	if (merge->figures.spans.n == 0) {
		*header = profile->header;
		flags = profile->header.flags;
		all->program.exe = strdup(profile->program.exe ? profile->program.exe : "");
		all->program.cwd = strdup(profile->program.cwd ? profile->program.cwd : "");
		if (!all->program.exe || !all->program.cwd)
			return -1;
	} else {
		header->left_out.n_threads += profile->header.left_out.n_threads;
		header->usage.n_python_lost += profile->header.usage.n_python_lost;
	}
	/* Counters are added up by their numbers. */
	if (memcmp(header->counters.names, profile->header.counters.names,
		    sizeof(header->counters.names)) != 0)
		header->counters.n = 0;
	header->counters.counted &= profile->header.counters.counted;
	header->counters.is_user_only |= profile->header.counters.is_user_only;
	if (!header->counters.refusal)
		header->counters.refusal = profile->header.counters.refusal;
	header->flags = ((flags | profile->header.flags) & either) |
			(flags & profile->header.flags & PROFILE_COMPLETE);
	header->counted.asked |= profile->header.counted.asked;
	header->counted.never |= profile->header.counted.never;
	header->counted.sometimes |= profile->header.counted.sometimes;
	if (!header->note[0])
		memcpy(header->note, profile->header.note, sizeof(header->note));
	if (!header->runtime[0])
		memcpy(header->runtime, profile->header.runtime, sizeof(header->runtime));
	all->waits |= profile->waits;
	all->is_truncated |= profile->is_truncated;
	all->has_ticks |= profile->has_ticks;
	all->n_dropped += profile->n_dropped;
	all->n_open_waits += profile->n_open_waits;
	all->file_bytes += profile->file_bytes;
	metrics_raise(&all->cut_ns, profile->cut_ns);
	metrics_raise(&header->paused_ns, profile->header.paused_ns);
	if (profile->header.n_pauses > header->n_pauses)
		header->n_pauses = profile->header.n_pauses;
	return 0;
}

/* Adds the mutex implementations whose numbers are not known yet. */
static int add_impls(struct merge *merge, const struct profile *profile)
{
	for (size_t i = 0; i < profile->runtime.n_impls; i++) {
		uint32_t number = profile->runtime.impls[i].number;
		const char *name = profile_impl_name(profile, number);

		if (!profile_impl_name(&merge->profile, number) &&
			profile_add_impl(&merge->profile, number, name, strlen(name)) != 0)
			return -1;
	}
	return 0;
}

int merge_add(struct merge *merge, const struct merge_process *process)
{
	const struct profile *profile = process->profile;
	uint32_t phases[PROFILE_MOST_PHASES + 1];
	struct merge_places places = { NULL, (uint32_t)merge->processes.n,
		(uint32_t)merge->threads.n, &merge->modules, &merge->profile, phases };

	if (add_phases(&merge->phases, profile, phases) != 0 ||
		merge_modules_add(&merge->modules, profile) != 0 ||
		add_tree(merge, &merge->tree, process->tree, profile) != 0)
		return -1;
	if (process->user_tree) {
		merge->has_user_tree = 1;
		if (add_tree(merge, &merge->user_tree, process->user_tree, profile) != 0)
			return -1;
	}
	places.node = merge->place;
	if (add_header(merge, profile) != 0 || add_impls(merge, profile) != 0 ||
		merge_figures_add(&merge->figures, process, &places) != 0 ||
		timelines_add(&merge->timelines, profile) != 0)
		return -1;
	return add_threads(merge, profile);
}

static void take_tree(struct tree_builder *tree_builder, struct tree *tree)
{
	*tree = tree_builder->tree;
	tree_builder->tree = (struct tree){ 0 };
}

int merge_finish(struct merge *merge, struct merged *merged)
{
	int status;

	*merged = (struct merged){ .profile = merge->profile };
	merge->profile = (struct profile){ 0 };
	status = merge_modules_finish(&merge->modules, &merged->profile);
	merged->profile.threads = merge_take(&merge->threads, &merged->profile.n_threads);
	timelines_finish(&merge->timelines, &merged->profile);
	merged->profile.processes = merge_take(&merge->processes, &merged->profile.n_processes);
	merged->profile.phases = merge_take(&merge->phases, &merged->profile.n_phases);
	take_tree(&merge->tree, &merged->tree);
	if (merge->has_user_tree)
		take_tree(&merge->user_tree, &merged->user_tree);
	if (status == 0)
		status = merge_figures_finish(&merge->figures, &merged->metrics);
	merge_abandon(merge);
	if (status == 0)
		return 0;
	profile_release(&merged->profile);
	tree_release(&merged->tree);
	tree_release(&merged->user_tree);
	return -1;
}

void merge_abandon(struct merge *merge)
{
	tree_release(&merge->tree.tree);
	tree_release(&merge->user_tree.tree);
	tree_builder_finish(&merge->tree);
	tree_builder_finish(&merge->user_tree);
	merge_modules_release(&merge->modules);
	merge_figures_release(&merge->figures);
	timelines_release(&merge->timelines);
	free(merge->threads.items);
	free(merge->processes.items);
	free(merge->phases.items);
	free(merge->place);
	profile_release(&merge->profile);
	free(merge);
}
