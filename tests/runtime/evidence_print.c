/* SPDX-License-Identifier: Apache-2.0 */
/* The tree of a profile as text; see evidence.h. */
#include <inttypes.h>
#include <string.h>

#include "tests/runtime/evidence.h"
#include "tests/runtime/user.h"

static const char *const kinds[] = { "?", "thread", "frame", "region", "task", "context", "samples",
	"truncated", "wait", "blame", "event", "target", "phase" };

static void print_code(const struct evidence *evidence, uint64_t address, FILE *out)
{
	const struct profile_module *module = profile_module_at(evidence->profile, address);
	int function = user_function_at(address);
	const char *path = module ? strrchr(module->path, '/') : NULL;

	if (function >= 0)
		fprintf(out, " %s", user_functions[function].name);
	else
		fprintf(out, " %s+0x%" PRIx64, path ? path + 1 : "?",
			module ? address - module->start : address);
}

static void print_node(const struct evidence *evidence, uint32_t i, FILE *out)
{
	const struct profile_tree_node *node = &evidence->profile->nodes[i];
	int is_exact = node->kind == PROFILE_NODE_FRAME && node->flags & PROFILE_FRAME_EXACT;

	fprintf(out, "%" PRIu32 " %s", i,
		node->kind < sizeof(kinds) / sizeof(kinds[0]) ? kinds[node->kind] : "?");
	if (node->kind == PROFILE_NODE_FRAME || node->kind == PROFILE_NODE_REGION ||
		node->kind == PROFILE_NODE_TASK || node->kind == PROFILE_NODE_TARGET)
		print_code(evidence, node->addr - !is_exact, out);
	else if (node->kind == PROFILE_NODE_CONTEXT)
		fprintf(out, " of %" PRIu32, node->context);
	else
		fprintf(out, " addr=%" PRIu64, node->addr);
	/* Figures share their places; see profile/reader/reader.h. */
	fprintf(out,
		" flags=%d wait=%d n=%" PRIu32 " time=%" PRIu64 " %s=%" PRIu64 " %s=%" PRIu64 "\n",
		node->flags, node->wait, node->n, node->time_ns,
		node->kind == PROFILE_NODE_CONTEXT ? "n_stolen" : "events", node->events,
		node->kind == PROFILE_NODE_BLAME ? "blame" : "longest", node->longest_ns);
}

/* The nodes under a parent. Deep trees are cut. */
static void print_under(const struct evidence *evidence, uint32_t parent, int depth, FILE *out)
{
	enum { MOST = 100 };

	for (uint32_t i = parent == UINT32_MAX ? 0 : parent + 1;
		i < evidence->profile->n_nodes && depth < MOST; i++) {
		if (evidence->profile->nodes[i].parent != parent)
			continue;
		fprintf(out, "# %*s", 2 * depth, "");
		print_node(evidence, i, out);
		print_under(evidence, i, depth + 1, out);
	}
}

void evidence_print(const struct evidence *evidence, FILE *out)
{
	const struct profile *profile = evidence->profile;

	for (size_t i = 0; i < profile->n_threads; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		fprintf(out,
			"# thread %u tid=%u type=%u samples=%" PRIu64 " callbacks=%" PRIu64 "\n",
			thread->index, thread->tid, thread->type, thread->n_samples,
			thread->n_callbacks);
	}
	for (size_t i = 0; i < profile->n_regions; i++) {
		const struct profile_region_record *region = &profile->regions[i];

		fprintf(out,
			"# region of node %u n=%" PRIu64 " wall=%" PRIu64 " team_wall=%" PRIu64
			"\n",
			region->node, region->n, region->wall_ns, region->team_wall_ns);
	}
	for (size_t i = 0; i < profile->n_locks; i++) {
		const struct profile_lock_record *lock = &profile->locks[i];

		fprintf(out,
			"# lock kind=%u id=0x%" PRIx64 " thread=%u acquired=%" PRIu64
			" contended=%" PRIu64 " wait=%" PRIu64 " held=%" PRIu64 "\n",
			lock->kind, lock->wait_id, lock->thread, lock->n_acquired,
			lock->n_contended, lock->wait_ns, lock->held_ns);
	}
	print_under(evidence, UINT32_MAX, 0, out);
}
