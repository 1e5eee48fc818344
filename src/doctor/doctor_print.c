/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the findings as text and as JSON; see doctor.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/doctor/doctor.h"
#include "src/text/json.h"
#include "src/text/text.h"

/* The columns of a line, and the column where the text begins after state and topic. */
enum { COLUMNS = 80, TEXT_COLUMN = 24 };

static const char *const states[] = {
	[DOCTOR_OK] = "ok",
	[DOCTOR_LIMITED] = "limited",
	[DOCTOR_MISSING] = "missing",
};

static void print_finding(const struct doctor_finding *finding)
{
	static const struct text_lines lines = { COLUMNS, TEXT_COLUMN, TEXT_COLUMN };
	char clean[4096], remedy[4096];

	text_clean(clean, sizeof(clean), finding->text);
	printf("  %-7s  %-13s", states[finding->state], finding->topic);
	text_put(stdout, clean, lines);
	if (!finding->remedy)
		return;
	snprintf(remedy, sizeof(remedy), "remedy: %s", finding->remedy);
	text_clean(clean, sizeof(clean), remedy);
	printf("%*s", TEXT_COLUMN, "");
	text_put(stdout, clean, lines);
}

void doctor_print_text(const struct doctor *doctor)
{
	const char *group = "";

	for (size_t i = 0; i < doctor->n; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		if (strcmp(group, finding->group) != 0) {
			group = finding->group;
			printf("%s%c%s\n", i ? "\n" : "", group[0] - 'a' + 'A', group + 1);
		}
		print_finding(finding);
	}
}

void doctor_print_json(const struct doctor *doctor)
{
	struct json json = { .out = stdout };

	json_object(&json, NULL);
	json_string(&json, "state", states[doctor_worst(doctor)]);
	json_array(&json, "findings");
	for (size_t i = 0; i < doctor->n; i++) {
		const struct doctor_finding *finding = &doctor->findings[i];

		json_row(&json);
		json_strings(&json, "group topic state text remedy", finding->group, finding->topic,
			states[finding->state], finding->text, finding->remedy);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	putchar('\n');
}
