/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of libgomp that libomp has but does not do as libgomp does; see run_runtime.h. Each was seen to
 * fail with libomp 14, 15, 16 and 19, but where it says otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/run_runtime.h"

static const char taskloop[] = "aborts where a taskloop counts down";
static const char scan[] = "ends the program where there is a scan";
static const char cancelled[] = "can abort with OMP_CANCELLATION";

static const struct fault {
	const char *symbol;
	const char *why;
	const char *variable; /* fails only if this is set, and not to "false" */
} faults[] = {
	{ "GOMP_taskloop", taskloop, NULL },
	{ "GOMP_taskloop_ull", taskloop, NULL },
	{ "GOMP_loop_start", scan, NULL },
	{ "GOMP_loop_ordered_start", scan, NULL },
	{ "GOMP_loop_doacross_start", scan, NULL },
	{ "GOMP_loop_ull_start", scan, NULL },
	{ "GOMP_loop_ull_ordered_start", scan, NULL },
	{ "GOMP_loop_ull_doacross_start", scan, NULL },
	{ "GOMP_sections2_start", scan, NULL },
	/* 15 and 16 did, some of the time. */
	{ "GOMP_cancel", cancelled, "OMP_CANCELLATION" },
};

static int applies(const struct fault *fault)
{
	const char *value = fault->variable ? getenv(fault->variable) : "";

	return value && strcasecmp(value, "false") != 0;
}

static int find_fault(void *data, const char *name, const char *version, int is_weak)
{
	const struct fault **found = data;

	for (size_t i = 0; name && i < sizeof(faults) / sizeof(faults[0]); i++) {
		if (strcmp(name, faults[i].symbol) == 0 && applies(&faults[i])) {
			*found = &faults[i];
			return 1;
		}
	}
	return 0;
}

int gomp_fault_find(const struct loader *loader, struct gomp_missing *fault, const char **why)
{
	const struct fault *found;

	for (size_t i = 0; i < loader->n; i++) {
		const struct elf_dynamic *file = &loader->objects[i].file;

		if (!elf_dynamic_has_need(file, LIBGOMP_NAME) ||
			!elf_dynamic_each_need(file, LIBGOMP_NAME, find_fault, &found))
			continue;
		snprintf(fault->symbol, sizeof(fault->symbol), "%s", found->symbol);
		snprintf(fault->file, sizeof(fault->file), "%s", file->path);
		*why = found->why;
		return 1;
	}
	return 0;
}
