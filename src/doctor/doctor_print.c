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

/*
 * Prints text in lines, each broken at a blank if it has a blank. The first line has begun already.
 */
static void print_wrapped(const char *text)
{
	size_t width = COLUMNS - TEXT_COLUMN;

	while (*text) {
		size_t n = strlen(text), end = n;

		if (n > width) {
			for (end = width; end > 0 && text[end] != ' '; end--)
				;
			if (end == 0)
				end = strcspn(text, " ");
		}
		printf("%.*s\n", (int)end, text);
		text += end;
		text += strspn(text, " ");
		if (*text)
			printf("%*s", TEXT_COLUMN, "");
	}
}

static void print_finding(const struct doctor_finding *finding)
{
	char clean[4096], remedy[4096];

	text_clean(clean, sizeof(clean), finding->text);
	printf("  %-7s  %-13s", states[finding->state], finding->topic);
	print_wrapped(clean);
	if (!finding->remedy)
		return;
	snprintf(remedy, sizeof(remedy), "remedy: %s", finding->remedy);
	text_clean(clean, sizeof(clean), remedy);
	printf("%*s", TEXT_COLUMN, "");
	print_wrapped(clean);
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

		json_newline(&json);
		json_object(&json, NULL);
		json_string(&json, "group", finding->group);
		json_string(&json, "topic", finding->topic);
		json_string(&json, "state", states[finding->state]);
		json_string(&json, "text", finding->text);
		if (finding->remedy)
			json_string(&json, "remedy", finding->remedy);
		else
			json_null(&json, "remedy");
		json_end_object(&json);
	}
	json_end_array(&json);
	json_end_object(&json);
	putchar('\n');
}
