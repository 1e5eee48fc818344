/* SPDX-License-Identifier: Apache-2.0 */
/* Profile files of a job; see job.h. */
#include "tests/scale/job.h"

#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/scenes/build_profile.h"

#define MS ((uint64_t)1000000)

enum {
	N_REGIONS = 8,
	N_FUNCTIONS = 1024,
	N_CHOICES = 3, /* functions that each calls */
	LEAST_DEPTH = 4,
	MOST_DEPTH = 10,
	MOST_PATHS = 64, /* for each node that is wanted: there may be no more paths */
	CODE_BYTES = 1 << 20,
	NO_NODE = 0,
};

/* A node of a thread's tree, by its place in the list. */
struct call {
	uint32_t id;
	uint32_t function;
	uint32_t next[N_CHOICES]; /* places in the list; 0 none */
	uint32_t samples;         /* id of the leaf that has them; NO_NODE none */
};

/* One process of the job under way. */
struct process {
	const struct job *job;
	struct call *calls; /* of the thread that is made; [0] is not used */
	uint32_t n_calls;
	struct build b;
	uint64_t base, random;
	uint32_t regions[N_REGIONS];
};

static uint32_t draw(struct process *process, uint32_t below)
{
	process->random = process->random * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(process->random >> 33) % below;
}

/* Three of four calls are the first, of the others three of four the second, ... */
static uint32_t draw_choice(struct process *process)
{
	uint32_t choice = 0;

	while (choice + 1 < N_CHOICES && draw(process, 4) == 0)
		choice++;
	return choice;
}

static uint64_t address_of(const struct process *process, uint32_t function)
{
	return process->base + 0x1000 + (uint64_t)function * (CODE_BYTES / 2 / N_FUNCTIONS);
}

static uint32_t add_call(struct process *process, uint32_t id, uint32_t function)
{
	process->calls[++process->n_calls] = (struct call){ .id = id, .function = function };
	return process->n_calls;
}

/* The place of the call that `at` makes by this choice. */
static uint32_t find_call(struct process *process, uint32_t at, uint32_t choice)
{
	struct call *calls = process->calls;
	uint32_t function = (calls[at].function * N_CHOICES + choice + 1) % N_FUNCTIONS;

	if (!calls[at].next[choice])
		calls[at].next[choice] = add_call(process,
			build_frame(&process->b, calls[at].id, address_of(process, function), 0),
			function);
	return calls[at].next[choice];
}

/* A path below `context`, with a sample at its end. */
static void add_path(struct process *process, uint32_t context)
{
	uint32_t depth = LEAST_DEPTH + draw(process, MOST_DEPTH - LEAST_DEPTH);
	struct call *calls = process->calls;
	struct profile_node *leaf;
	uint32_t at = context;

	for (uint32_t i = 0; i < depth; i++)
		at = find_call(process, at, draw_choice(process));
	if (calls[at].samples == NO_NODE)
		calls[at].samples = build_samples(&process->b, calls[at].id, PROFILE_WORK, 0, 0);
	leaf = build_node_at(&process->b, calls[at].samples);
	leaf->n++;
	leaf->time_ns += MS;
}

/* What the thread waited at the region's end and for the mutex, and who made it wait. */
static void add_waits(struct process *process, uint32_t thread, uint32_t region, uint32_t at)
{
	const struct call *context = &process->calls[at];
	uint64_t mutex = process->base + CODE_BYTES + 64 * (region % 3);
	uint32_t id = process->regions[region], first = context->next[0];
	struct build *b = &process->b;

	build_wait(b, context->id, PROFILE_BARRIER_CLOSING, 0, 10, MS * (thread % 7 + 1));
	if (!first)
		return;
	first = process->calls[first].id;
	build_wait(b, first, PROFILE_CRITICAL, mutex, 5, MS * (thread % 3 + 1));
	build_blame(b, first, PROFILE_WAIT_KEY(PROFILE_CRITICAL, mutex), 0, 5, MS);
	build_blame(b, first, PROFILE_WAIT_KEY(PROFILE_BARRIER_CLOSING, id), PROFILE_BLAME_SAMPLED,
		3, MS * (thread % 5));
}

static void count_samples(struct process *process, uint32_t thread)
{
	struct profile_thread *record = build_thread_at(&process->b, thread);
	const struct call *calls = process->calls;

	for (uint32_t i = 1; i <= process->n_calls; i++)
		if (calls[i].samples != NO_NODE)
			record->n_samples += build_node_at(&process->b, calls[i].samples)->n;
	record->n_signals = (uint32_t)record->n_samples;
	record->time_ns[PROFILE_WORK] = record->n_samples * MS;
	record->cpu_last_ns = 900 * MS;
	record->n_callbacks = 20 * N_REGIONS;
}

static void add_thread(struct process *process, uint32_t thread)
{
	uint32_t n_nodes = process->job->n_nodes, contexts[N_REGIONS];
	uint64_t n_paths = (uint64_t)n_nodes * MOST_PATHS;

	process->n_calls = 0;
	for (uint32_t i = 0; i < N_REGIONS; i++) {
		uint32_t id = build_context(&process->b, thread, process->regions[i]);

		build_stays(&process->b, id, 10, 90 * MS);
		contexts[i] = add_call(process, id, i * 37);
	}
	while (process->n_calls < n_nodes && n_paths--)
		add_path(process, contexts[draw(process, N_REGIONS)]);
	for (uint32_t i = 0; i < N_REGIONS; i++)
		add_waits(process, thread, i, contexts[i]);
	count_samples(process, thread);
}

static void add_objects(struct process *process)
{
	static const char *const paths[] = { "/made/up/program", "/made/up/libomp.so.5",
		"/made/up/libc.so.6" };
	static const uint32_t flags[] = { PROFILE_MODULE_MAIN, PROFILE_MODULE_RUNTIME, 0 };

	for (uint32_t i = 0; i < 3; i++)
		build_module(&process->b, paths[i], process->base + (uint64_t)i * 4 * CODE_BYTES,
			process->base + (uint64_t)i * 4 * CODE_BYTES + 2 * CODE_BYTES, flags[i]);
}

static void add_regions(struct process *process)
{
	struct build *b = &process->b;
	uint32_t at = build_frame(b, build_root(b, 1), process->base + 0x800, 0);

	for (uint32_t i = 0; i < N_REGIONS; i++) {
		process->regions[i] = build_region(b, at, process->base + 0x900 + 16 * i, 10);
		build_region_record(b, process->regions[i], 10, 100 * MS, process->job->n_threads);
	}
}

static void fill_header(struct process *process, uint32_t rank)
{
	struct profile_header *header = build_header(&process->b);

	header->waits = (1u << PROFILE_N_WAITS) - 2;
	header->around.rank = rank + 1;
	header->around.n_ranks =
		process->job->n_ranks ? process->job->n_ranks : process->job->n_processes;
	header->pid = 1000 + rank;
	header->run_id = 1;
	header->start_realtime_ns += rank % 16 * MS;
}

static int write_process(const struct job *job, const char *folder, uint32_t rank)
{
	struct process process = {
		.job = job, .base = 0x555500000000 + (uint64_t)rank * 0x10000000, .random = rank + 1
	};
	char path[4096];
	int status;

	process.calls = calloc(job->n_nodes + N_REGIONS + MOST_DEPTH + 2, sizeof(*process.calls));
	if (!process.calls)
		return -1;
	build_begin(&process.b);
	fill_header(&process, rank);
	build_text(&process.b, "arg", "./program");
	build_text(&process.b, "exe", "/made/up/program");
	add_objects(&process);
	for (uint32_t i = 1; i <= job->n_threads; i++)
		build_thread(&process.b, i == 1 ? 1 : 2);
	add_regions(&process);
	for (uint32_t i = 1; i <= job->n_threads; i++)
		add_thread(&process, i);
	snprintf(path, sizeof(path), "%s/rank-%05u.ompprof", folder, rank);
	status = build_write(&process.b, path);
	build_release(&process.b);
	free(process.calls);
	return status;
}

int job_write(const struct job *job, const char *folder)
{
	int status = 0;

	for (uint32_t i = 0; status == 0 && i < job->n_processes; i++)
		status = write_process(job, folder, job->first + i);
	return status;
}
