/* SPDX-License-Identifier: Apache-2.0 */
/* Shows the progress of the command; see progress.h. */
#include "src/text/progress.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DELAY_NS UINT64_C(1000000000)
#define AGAIN_NS UINT64_C(200000000)

static struct {
	FILE *err; /* NULL: no progress is shown */
	uint64_t begin_ns, shown_ns;
	size_t n_counted;
} progress;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void progress_begin(FILE *err)
{
	const char *term = getenv("TERM");
	int can_take_back = term && term[0] && strcmp(term, "dumb") != 0;

	memset(&progress, 0, sizeof(progress));
	if (isatty(fileno(err)) && can_take_back)
		progress_pretend(err, 0);
}

void progress_pretend(FILE *err, unsigned long long ns_ago)
{
	progress.err = err;
	progress.begin_ns = now_ns() - ns_ago;
	progress.shown_ns = 0;
}

void progress_show(const char *what, size_t n, size_t whole)
{
	uint64_t ns;

	if (!progress.err)
		return;
	ns = now_ns();
	if (ns - progress.begin_ns < DELAY_NS || ns - progress.shown_ns < AGAIN_NS)
		return;
	progress.shown_ns = ns;
	fprintf(progress.err, "\rompprof: %s: %zu", what, n);
	if (whole)
		fprintf(progress.err, " of %zu", whole);
	fputs("\033[K", progress.err);
	fflush(progress.err);
}

void progress_count(const char *what)
{
	progress_show(what, ++progress.n_counted, 0);
}

void progress_end(void)
{
	if (progress.err && progress.shown_ns) {
		fputs("\r\033[K", progress.err);
		fflush(progress.err);
	}
	memset(&progress, 0, sizeof(progress));
}
