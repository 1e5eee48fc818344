/* SPDX-License-Identifier: Apache-2.0 */
/* The list of findings; see doctor.h. */
#include "src/doctor/doctor.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/shared/array.h"

void doctor_add(struct doctor *doctor, enum doctor_state state, const char *topic,
	const char *remedy, const char *format, ...)
{
	char *text = NULL, *copy = remedy ? strdup(remedy) : NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (!text || (remedy && !copy) ||
		ARRAY_GROW(doctor->findings, doctor->n, doctor->n_allocated) != 0) {
		doctor->is_out_of_memory = 1;
		free(text);
		free(copy);
		return;
	}
	doctor->findings[doctor->n++] =
		(struct doctor_finding){ state, doctor->group, topic, text, copy };
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
