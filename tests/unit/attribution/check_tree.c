/* SPDX-License-Identifier: Apache-2.0 */
/* Attributed trees as text; see check_tree.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/attribution/check_tree.h"

static const char *const kind_names[] = { [TREE_ROOT] = "root",
	[TREE_FRAME] = "frame",
	[TREE_REGION] = "region",
	[TREE_TASK] = "task",
	[TREE_WAIT] = "wait",
	[TREE_RUNTIME] = "runtime",
	[TREE_THREAD] = "thread",
	[TREE_TRUNCATED] = "truncated",
	[TREE_TARGET] = "target" };

static const char *const class_names[] = { "work", "overhead", "barrier", "taskwait", "taskgroup",
	"lock", "critical", "ordered", "atomic", "target", "idle", "blocked", "mpi" };

static const char *const wait_names[PROFILE_N_WAITS] = { "none", "closing", "explicit", "workshare",
	"other", "taskwait", "taskgroup", "lock", "nest_lock", "critical", "ordered", "atomic",
	"reduction", "before", "between", "after", "device data", "device kernel" };

void build_program(struct build *b)
{
	build_begin(b);
	build_module(b, "/bin/a.out", USER, USER + 0xffff, PROFILE_MODULE_MAIN);
	build_module(b, "/lib/libomp.so.5", RUNTIME, RUNTIME + 0xffff, PROFILE_MODULE_RUNTIME);
	build_module(b, "/lib/libc.so.6", LIBC, LIBC + 0xffff, 0);
	build_module(b, "/lib/libmine.so", LIBUSER, LIBUSER + 0xffff, 0);
	build_module(b, "[vdso]", VDSO, VDSO + 0xffff, PROFILE_MODULE_VDSO);
	build_module(b, "/lib/libomptarget-19.so", OFFLOAD, OFFLOAD + 0xffff, 0);
}

static void print_node(FILE *out, const struct tree *tree, uint32_t at, int depth)
{
	const struct tree_node *node = &tree->nodes[at];
	static const struct {
		uint8_t flag;
		char letter;
	} flags[] = { { PROFILE_FRAME_EXACT, 'e' }, { PROFILE_FRAME_RUNTIME, 'r' },
		{ PROFILE_FRAME_OUTLINED, 'o' }, { PROFILE_FRAME_GUESSED, 'g' } };
	struct tree_metrics self = tree_self(tree, at);

	fprintf(out, "%*s%s", depth, "", kind_names[node->kind]);
	if (node->kind == TREE_WAIT || node->kind == TREE_RUNTIME)
		fprintf(out, " %s", class_names[node->class]);
	else if (node->kind != TREE_ROOT)
		fprintf(out, " %llx", (unsigned long long)node->addr);
	for (int i = 0; i < 4; i++) {
		if (node->kind == TREE_FRAME && node->flags & flags[i].flag)
			fprintf(out, " %c", flags[i].letter);
	}
	if (self.n_executions)
		fprintf(out, " x%llu", (unsigned long long)self.n_executions);
	if (self.samples)
		fprintf(out, " n=%llu", (unsigned long long)self.samples);
	for (int i = 0; i < PROFILE_N_CLASSES; i++) {
		if (self.time_ns[i])
			fprintf(out, " %s=%llu", class_names[i],
				(unsigned long long)self.time_ns[i]);
	}
	if (self.sampled_ns)
		fprintf(out, " sampled=%llu", (unsigned long long)self.sampled_ns);
	if (self.n_waits)
		fprintf(out, " waits=%llu", (unsigned long long)self.n_waits);
	for (int i = 0; i < PROFILE_N_WAITS; i++) {
		if (self.wait_ns[i])
			fprintf(out, " %s:%llu", wait_names[i],
				(unsigned long long)self.wait_ns[i]);
	}
	for (int i = 0; i < PROFILE_N_WAITS; i++) {
		if (self.blame_wait_ns[i])
			fprintf(out, " blame-%s:%llu", wait_names[i],
				(unsigned long long)self.blame_wait_ns[i]);
	}
	fputc('\n', out);
}

static char *tree_to_text(const struct tree *tree)
{
	uint32_t at = 0;
	int depth = 0;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (at != UINT32_MAX) {
		print_node(out, tree, at, depth);
		if (tree->nodes[at].first_child != UINT32_MAX) {
			at = tree->nodes[at].first_child;
			depth++;
			continue;
		}
		while (at != UINT32_MAX && tree->nodes[at].next_sibling == UINT32_MAX) {
			at = tree->nodes[at].parent;
			depth--;
		}
		if (at != UINT32_MAX)
			at = tree->nodes[at].next_sibling;
	}
	fclose(out);
	return text;
}

/* The tree's figures are the profile's: all samples and all waits, once. */
static void check_sums(const struct tree_metrics *sum, const struct profile *profile)
{
	uint64_t samples = 0, time_ns = 0, events = 0, n_executions = 0, n_waits = 0;
	uint64_t wait_ns[PROFILE_N_WAITS] = { 0 }, in_time_ns = 0;

	for (size_t i = 0; i < profile->n_nodes; i++) {
		const struct profile_tree_node *node = &profile->nodes[i];

		if (node->kind == PROFILE_NODE_REGION || node->kind == PROFILE_NODE_TASK ||
			node->kind == PROFILE_NODE_TARGET)
			n_executions += node->n;
		if (node->kind == PROFILE_NODE_WAIT) {
			n_waits += node->n;
			wait_ns[node->wait] += profile_waited_ns(node);
			in_time_ns += node->wait == PROFILE_REDUCTION ? 0 : profile_waited_ns(node);
		}
		if (node->kind != PROFILE_NODE_SAMPLES)
			continue;
		samples += node->n;
		time_ns += node->time_ns;
		events += node->events;
	}
	assert_int_equal(sum->samples, samples);
	assert_int_equal(tree_metrics_time(sum) - in_time_ns + sum->sampled_ns, time_ns);
	assert_int_equal(sum->events, events);
	assert_int_equal(sum->n_executions, n_executions);
	assert_int_equal(sum->n_waits, n_waits);
	assert_memory_equal(sum->wait_ns, wait_ns, sizeof(wait_ns));
}

/* All blame is for waiting that was measured. */
static void check_blame(const struct tree_metrics *sum)
{
	uint64_t blame_ns = 0;

	for (int i = 0; i < PROFILE_N_WAITS; i++) {
		uint64_t wait_ns = i == PROFILE_IDLE_BETWEEN
					   ? sum->wait_ns[PROFILE_IDLE_BEFORE] +
						     sum->wait_ns[PROFILE_IDLE_BETWEEN] +
						     sum->wait_ns[PROFILE_IDLE_AFTER]
					   : sum->wait_ns[i];

		blame_ns += sum->blame_wait_ns[i];
		if (i != PROFILE_IDLE_AFTER)
			assert_true(sum->blame_wait_ns[i] <= wait_ns);
	}
	assert_int_equal(sum->blame_ns, blame_ns);
}

/* The tree is one, and holds exactly the profile's samples and waits. */
static struct tree_metrics check_tree(const struct tree *tree, const struct profile *profile)
{
	struct tree_metrics sum = { 0 }, self;
	size_t n_children = 0;

	for (size_t i = 0; i < profile->n_nodes; i++)
		assert_true(tree->place[i] < tree->n_nodes);
	assert_int_equal(tree->nodes[0].kind, TREE_ROOT);
	assert_int_equal(tree->nodes[0].parent, UINT32_MAX);
	for (size_t i = 0; i < tree->n_nodes; i++) {
		const struct tree_node *node = &tree->nodes[i];

		self = tree_self(tree, i);
		tree_metrics_add(&sum, &self);
		assert_true(i == 0 || node->parent < i);
		for (uint32_t c = node->first_child; c != UINT32_MAX;
			c = tree->nodes[c].next_sibling) {
			assert_int_equal(tree->nodes[c].parent, i);
			n_children++;
		}
		if (node->kind == TREE_WAIT || node->kind == TREE_RUNTIME)
			assert_int_equal(node->first_child, UINT32_MAX);
	}
	assert_int_equal(n_children, tree->n_nodes - 1);
	check_sums(&sum, profile);
	check_blame(&sum);
	return sum;
}

/* The scaled blame of the plain user view. */
static void settled_blame(const struct profile *profile, uint64_t *blame_ns)
{
	static const struct tree_options options = { .view = TREE_USER };
	struct tree_metrics sum = { 0 };
	struct diag diag;
	struct tree tree;

	assert_int_equal(attribute(&tree, profile, &options, &diag), 0);
	for (size_t i = 0; i < tree.n_nodes; i++) {
		struct tree_metrics self = tree_self(&tree, i);

		tree_metrics_add(&sum, &self);
	}
	memcpy(blame_ns, sum.blame_wait_ns, sizeof(sum.blame_wait_ns));
	tree_release(&tree);
}

void check_view(const struct build *build, enum tree_view view, int by_thread, const char *expected)
{
	struct tree_options options = { .view = view, .by_thread = by_thread };
	uint64_t blame_ns[PROFILE_N_WAITS];
	struct profile profile;
	struct tree_metrics sum;
	struct diag diag;
	struct tree tree;
	char *text;

	assert_int_equal(profile_parse(&profile, build->bytes, build->size, "x", &diag), 0);
	assert_int_equal(attribute(&tree, &profile, &options, &diag), 0);
	sum = check_tree(&tree, &profile);
	settled_blame(&profile, blame_ns);
	assert_memory_equal(sum.blame_wait_ns, blame_ns, sizeof(blame_ns));
	if (expected) {
		text = tree_to_text(&tree);
		assert_string_equal(text, expected);
		free(text);
	}
	tree_release(&tree);
	profile_release(&profile);
}

uint32_t build_main_region(struct build *b, uint32_t n_threads)
{
	uint32_t frame;

	build_program(b);
	for (uint32_t i = 0; i < n_threads; i++)
		build_thread(b, i ? 2 : 1);
	frame = build_frame(b, build_root(b, 1), USER + 0x100, 0);
	frame = build_frame(b, frame, RUNTIME + 0x100, PROFILE_FRAME_RUNTIME);
	return build_region(b, frame, USER + 0x104, 3);
}
