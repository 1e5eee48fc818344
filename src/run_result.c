/* SPDX-License-Identifier: Apache-2.0 */
/* What is said when the program has ended; see run.h. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "profile/reader.h"
#include "src/message.h"
#include "src/report.h"
#include "src/run.h"

static int has_module(const struct profile *profile, const char *name)
{
	for (size_t i = 0; i < profile->n_modules; i++) {
		const char *slash = strrchr(profile->modules[i].path, '/');

		if (slash && strncmp(slash + 1, name, strlen(name)) == 0)
			return 1;
	}
	return 0;
}

/* The sentence for a program whose runtime never started the tool. */
static void explain_no_openmp(const struct profile *profile, char **argv)
{
	if (profile->header.flags & PROFILE_OMPT_STARTED)
		return;
	if (has_module(profile, "libgomp.so"))
		message("'%s' uses GCC's libgomp, which does not support tools (OMPT): only its "
			"initial thread was sampled; run it on LLVM's libomp to see all",
			argv[0]);
	else
		message("'%s' started no OpenMP runtime: only its initial thread was sampled",
			argv[0]);
}

static uint64_t count_samples(const struct profile *profile)
{
	uint64_t n = 0;

	for (size_t i = 0; i < profile->n_threads; i++)
		n += profile->threads[i].n_samples;
	return n;
}

/* ", incomplete (...)" if the tool did not come to its end. */
static void describe_end(
	char *text, size_t text_bytes, const struct profile *profile, const struct run_end *end)
{
	const char *name = WIFSIGNALED(end->status) ? sigabbrev_np(WTERMSIG(end->status)) : NULL;

	if (profile->header.flags & PROFILE_COMPLETE)
		text[0] = '\0';
	else if (name)
		snprintf(text, text_bytes, ", incomplete (killed by SIG%s)", name);
	else if (WIFSIGNALED(end->status))
		snprintf(text, text_bytes, ", incomplete (killed by signal %d)",
			WTERMSIG(end->status));
	else
		snprintf(text, text_bytes, ", incomplete (it did not end by exit)");
}

static void print_line(const struct run_options *options, const struct profile *profile,
	size_t n_others, const struct run_end *end)
{
	const struct profile_header *header = &profile->header;
	uint64_t end_ns = header->end_ns ? header->end_ns : header->last_ns;
	int is_default = strcmp(options->output, REPORT_DEFAULT_INPUT) == 0;
	char others[64] = "", how[64];

	if (n_others)
		snprintf(others, sizeof(others), " and %zu more process%s", n_others,
			n_others > 1 ? "es" : "");
	describe_end(how, sizeof(how), profile, end);
	message("%llu samples, %zu thread%s, %.3g s%s%s -> %s (%llu kB); view with: ompprof "
		"report%s%s",
		(unsigned long long)count_samples(profile), profile->n_threads,
		profile->n_threads == 1 ? "" : "s", (double)end_ns / 1e9, others, how,
		options->output, (unsigned long long)(profile->file_bytes + 1023) / 1024,
		is_default ? "" : " -i ", is_default ? "" : options->output);
}

void run_print_result(const struct run_options *options, const struct run_output *output,
	char **argv, const struct run_end *end)
{
	char file[4096];
	size_t n_others;
	struct profile profile = { 0 };
	struct diag diag;

	if (options->is_quiet)
		return;
	if (profile_find(output->path, file, sizeof(file), &n_others, &diag) != 0) {
		message("'%s' wrote no profile; linked statically or set-user-ID, it could not",
			argv[0]);
		return;
	}
	if (profile_open(&profile, file, &diag) != 0) {
		message_diag(&diag);
		return;
	}
	explain_no_openmp(&profile, argv);
	print_line(options, &profile, n_others, end);
	profile_release(&profile);
}
