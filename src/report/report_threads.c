/* SPDX-License-Identifier: Apache-2.0 */
/* What the views say of a thread; see report.h. */
#include "src/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/findings/names_lookup.h"

/* The name of the function that begins at `addr`; NULL when out of memory. */
static const char *name_of(struct report *report, const struct names_options *options,
	struct symbols_at *at, uint64_t addr)
{
	const struct profile_module *module = profile_module_at(&report->profile, addr);
	char text[256];

	at->n = 0;
	if (module) {
		struct symbols_object object = {
			.path = module->path,
			.build_id = module->build_id_bytes ? module->build_id : NULL,
			.build_id_bytes = module->build_id_bytes,
		};
		options->lookup(options->data, &object, addr - module->bias, at);
	}
	snprintf(text, sizeof(text), "0x%llx", (unsigned long long)addr);
	if (at->n && strncmp(at->symbol[at->n - 1].name, "0x", 2) != 0)
		return name_tree_intern(&report->names, at->symbol[at->n - 1].name);
	if (module)
		snprintf(text, sizeof(text), "%s+0x%llx", names_base(module->path),
			(unsigned long long)(addr - module->bias));
	return name_tree_intern(&report->names, text);
}

/* That of thread i, looked up if none before it has the same. */
static const char *start_of(
	struct report *report, const struct names_options *options, struct symbols_at *at, size_t i)
{
	const struct profile_thread *threads = report->profile.threads;

	if (!threads[i].start)
		return "";
	for (size_t k = i; k-- > 0;)
		if (threads[k].start == threads[i].start)
			return report->starts[k];
	return name_of(report, options, at, threads[i].start);
}

int report_find_starts(
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
