/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings; see doctor.h. */
#include "src/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct doctor_finding *grow(struct doctor *doctor)
{
	if (doctor->n == doctor->n_allocated) {
		size_t n = doctor->n ? 2 * doctor->n : 32;
		struct doctor_finding *findings =
			reallocarray(doctor->findings, n, sizeof(*findings));

		if (!findings)
			return NULL;
		doctor->findings = findings;
		doctor->n_allocated = n;
	}
	return &doctor->findings[doctor->n];
}

void doctor_add(struct doctor *doctor, enum doctor_state state, const char *topic,
	const char *remedy, const char *format, ...)
{
	struct doctor_finding *finding = grow(doctor);
	char *text = NULL, *copy = remedy ? strdup(remedy) : NULL;
	va_list args;

	va_start(args, format);
	/* What text is after a failure is not said. */
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (!finding || !text || (remedy && !copy)) {
		doctor->is_out_of_memory = 1;
		free(text);
		free(copy);
		return;
	}
	*finding = (struct doctor_finding){ state, doctor->group, topic, text, copy };
	doctor->n++;
}

enum doctor_state doctor_worst(const struct doctor *doctor)
{
	enum doctor_state worst = DOCTOR_OK;

	for (size_t i = 0; i < doctor->n; i++) {
		if (doctor->findings[i].state > worst)
			worst = doctor->findings[i].state;
	}
	return worst;
}

void doctor_release(struct doctor *doctor)
{
	for (size_t i = 0; i < doctor->n; i++) {
		free(doctor->findings[i].text);
		free(doctor->findings[i].remedy);
	}
	free(doctor->findings);
}
