/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the OpenMP runtimes with OMPT on the machine; see doctor.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/doctor/doctor.h"
#include "src/run/run_runtime.h"

enum { RUNTIMES_MOST = 32 };

struct runtimes {
	struct doctor *doctor;
	char *seen[RUNTIMES_MOST]; /* real paths of the runtimes that have been checked */
	size_t n;
	size_t n_good;
};

static int is_new(struct runtimes *runtimes, const char *path)
{
	char *real = realpath(path, NULL);

	for (size_t i = 0; real && i < runtimes->n; i++) {
		if (strcmp(runtimes->seen[i], real) == 0) {
			free(real);
			return 0;
		}
	}
	if (!real || runtimes->n == RUNTIMES_MOST) {
		free(real);
		return 0;
	}
	runtimes->seen[runtimes->n++] = real;
	return 1;
}

static void judge(struct runtimes *runtimes, const char *path, const struct doctor_ompt *ompt)
{
	if (!ompt->is_loaded) {
		doctor_add(runtimes->doctor, DOCTOR_LIMITED, "runtime",
			"install its package again, or another libomp",
			"'%s' cannot be started: %s", path, ompt->version);
	} else if (!ompt->is_started) {
		doctor_add(runtimes->doctor, DOCTOR_LIMITED, "runtime",
			"use a libomp that is built with OMPT, as LLVM's are since version 14",
			"'%s' starts no tool (OMPT): no regions and waits", path);
	} else if (ompt->missing[0]) {
		doctor_add(runtimes->doctor, DOCTOR_LIMITED, "runtime", "use a newer libomp",
			"'%s', %s: without %s", path, ompt->version, ompt->missing);
		runtimes->n_good++;
	} else {
		doctor_add(runtimes->doctor, DOCTOR_OK, "runtime", NULL,
			"'%s', %s: all %u events of OMPT", path, ompt->version, ompt->n_wanted);
		runtimes->n_good++;
	}
}

static void take(void *data, const char *path, int is_found_by_name)
{
	struct runtimes *runtimes = data;
	struct doctor_ompt ompt = { 0 };

	(void)is_found_by_name;
	if (!is_new(runtimes, path))
		return;
	if (doctor_ask_runtime(&ompt, path) != 0)
		snprintf(ompt.version, sizeof(ompt.version), "no process for it");
	judge(runtimes, runtimes->seen[runtimes->n - 1], &ompt);
}

void doctor_check_runtimes(struct doctor *doctor)
{
	struct runtimes runtimes = { .doctor = doctor };
	struct loader loader;

	loader_init(&loader);
	libomp_each(&loader, take, &runtimes);
	loader_release(&loader);
	for (size_t i = 0; i < runtimes.n; i++)
		free(runtimes.seen[i]);
	if (!runtimes.n_good)
		doctor_add(doctor, DOCTOR_OK, "runtime", NULL,
			"no libomp with OMPT was found; programs on GCC's libgomp need none");
}
