/* SPDX-License-Identifier: Apache-2.0 */
/* Names a report's trees, threads, mutexes and figures; see report.h and report_internal.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge.h"
#include "profile/shared/hash.h"
#include "src/findings/names_lookup.h"
#include "src/report/report_internal.h"
#include "src/text/progress.h"

void report_look_up(
	void *data, const struct symbols_object *object, uint64_t addr, struct symbols_at *at)
{
	progress_count("looking names up");
	symbols_lookup(data, object, addr, at);
}

int report_find_body(void *data, const struct symbols_object *object, uint64_t addr,
	enum names_function which, struct symbol *function)
{
	if (which == NAMES_TAIL)
		return symbols_tail(data, object, addr, function);
	return which == NAMES_AROUND ? symbols_begin(data, object, addr, function)
				     : symbols_body(data, object, addr, function);
}

/* Marks an id that is no address. A JSON reader represents such a number exactly. */
#define BY_NAME (UINT64_C(1) << 52)

/*
 * The id of a mutex in all processes. libomp allocates the mutex of a critical section anywhere, so
 * it is known by the name of its variable, which the call that enters the section shows.
 */
static uint64_t identify(void *data, const struct metrics_lock *lock)
{
	const struct report *report = data;
	const struct profile_module *module = profile_module_at(&report->profile, lock->codeptr);
	struct symbols_object object;
	const char *name;

	if (lock->kind != PROFILE_CRITICAL || !lock->wait_id || !module ||
		profile_module_at(&report->profile, lock->wait_id))
		return lock->wait_id;
	object = names_object(module);
	name = symbols_critical(report->symbols, &object, lock->codeptr - module->bias);
	if (!name)
		return lock->wait_id;
	return BY_NAME | hash_text(hash_text(HASH_START, module->path), name) % BY_NAME;
}

static int join_criticals(struct report *report)
{
	if (report->metrics.n_processes < 2 || !report->symbols)
		return 0;
	return merge_join_mutexes(&report->metrics, identify, report);
}

/* The thread's own name, or "" if it has that of the process's first thread. */
static const char *own_name(const struct profile *profile, const struct profile_thread *thread)
{
	const struct profile_process *process =
		profile_process_of(profile, (size_t)(thread - profile->threads));
	const struct profile_thread *first = &profile->threads[process ? process->first_thread : 0];

	return strcmp(thread->name, first->name) == 0 ? "" : thread->name;
}

/*
 * The name of the thread's start function; else its own name, MODULE+0xOFFSET or the address. NULL
 * when out of memory.
 */
static const char *name_of(struct report *report, const struct names_options *options,
	struct symbols_at *at, const struct profile_thread *thread)
{
	uint64_t addr = thread->start;
	const struct profile_module *module = profile_module_at(&report->profile, addr);
	char text[256];

	at->n = 0;
	if (module) {
		struct symbols_object object = names_object(module);

		options->lookup(options->data, &object, addr - module->bias, at);
	}
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
	if (at->n && strncmp(at->symbol[at->n - 1].name, "0x", 2) != 0)
		return name_tree_intern(&report->names, at->symbol[at->n - 1].name);
	if (own_name(&report->profile, thread)[0])
		return name_tree_intern(&report->names, thread->name);
	if (module)
		snprintf(text, sizeof(text), "%s+0x%llx", names_base(module->path),
			(unsigned long long)(addr - module->bias));
	return name_tree_intern(&report->names, text);
}

/*
 * The start function's name of thread i; "" if not known. Names of earlier threads are used again.
 */
static const char *start_of(
	struct report *report, const struct names_options *options, struct symbols_at *at, size_t i)
{
	const struct profile_thread *threads = report->profile.threads;

	if (!threads[i].start)
		return "";
	for (size_t k = i; k-- > 0;)
		if (threads[k].start == threads[i].start &&
			strcmp(threads[k].name, threads[i].name) == 0)
			return report->starts[k];
	return name_of(report, options, at, &threads[i]);
}

static int find_starts(
	struct report *report, const struct names_options *options, struct diag *diag)
{
	struct symbols_at *at = malloc(sizeof(*at));
	int status = -1;

	report->starts = calloc(report->profile.n_threads + 1, sizeof(*report->starts));
	if (at && report->starts)
		status = 0;
	for (size_t i = 0; status == 0 && i < report->profile.n_threads; i++) {
		report->starts[i] = start_of(report, options, at, i);
		if (!report->starts[i])
			status = -1;
	}
	free(at);
	return status ? diag_set(diag, "cannot name the threads: out of memory") : 0;
}

const char *report_thread_word(const struct report *report, size_t thread)
{
	return names_thread_word(&report->profile, thread);
}

static const char *find_variable(void *data, const struct symbols_object *object, uint64_t addr)
{
	return symbols_variable(data, object, addr);
}

static const char *find_critical(void *data, const struct symbols_object *object, uint64_t addr)
{
	return symbols_critical(data, object, addr);
}

int report_figure(struct report *report, struct diag *diag)
{
	const struct own_cost *own = &report->totals.own;
	int is_own = report->user_tree.n_nodes > 0;
	struct findings_input input = {
		.profile = &report->profile,
		.tree = is_own ? &report->user_tree : &report->tree,
		.names = is_own ? &report->user_names : &report->names,
		.metrics = &report->metrics,
		.run = { own->callback_ns, own->callback_ns + own->announce_ns, report->job.crowd },
		.variable = report->symbols ? find_variable : NULL,
		.critical = report->symbols ? find_critical : NULL,
		.data = report->symbols,
	};

	findings_release(&report->figures);
	if (findings_make(&report->figures, &input, diag) != 0)
		return -1;
	if (report_can_rank(report) && report_has_causes(report) && !report->is_event)
		advice_make(&report->advice, &report->figures);
	else
		memset(&report->advice, 0, sizeof(report->advice));
	return 0;
}

int report_name(struct report *report, const struct report_options *options, names_lookup *lookup,
	void *data, struct diag *diag)
{
	names_body *body = lookup == report_look_up ? report_find_body : NULL;
	struct names_options shown = { options->view, lookup, data, body };
	struct names_options user = { TREE_USER, lookup, data, body };

	if (join_criticals(report) != 0)
		return diag_set(diag, "cannot name the critical sections: out of memory");
	report->view = options->view;
	report->is_event = report->profile.header.clock_kind == PROFILE_CLOCK_EVENT;
	if (names_build(&report->names, &report->tree, &report->profile, &shown, diag) != 0 ||
		find_starts(report, &shown, diag) != 0 ||
		(report->user_tree.n_nodes && names_build(&report->user_names, &report->user_tree,
						      &report->profile, &user, diag) != 0))
		return -1;
	if (report_figure(report, diag) != 0)
		return -1;
	return report_filter(report, options->filter, diag);
}
