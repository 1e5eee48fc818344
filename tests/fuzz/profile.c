/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: a profile file of any bytes is read, attributed, settled, measured, named and
 * shown in every view. What is printed must be text: no control character but the end of a line, and in
 * JSON nothing but valid UTF-8.
 *
 * An input is a profile without the empty ends of its segments (compact.h), so that nearly every byte of it
 * means something; its first byte chooses how it is read and what is shown. Half of the mutations are of a
 * field of a record.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/report_text.h"
#include "src/view.h"
#include "tests/fuzz/compact.h"
#include "tests/unit/scenes.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct view *const views[] = { &view_summary, &view_tree, &view_flat, &view_bottom_up,
	&view_by_region, &view_by_wait, &view_by_thread, &view_by_lock, &view_by_task,
	&view_by_function, &view_by_line, &view_by_module, &view_pop, &view_json };

enum { N_VIEWS = sizeof(views) / sizeof(views[0]) };

/* Bits of the first byte. */
enum { IS_FULL = 1, BY_THREAD = 2, IS_RAW = 4, IS_KILLED = 8, IS_NAMED = 16 };

static void check_text(const char *text, size_t n)
{
	size_t at = 0;

	while (at < n) {
		uint32_t code;
		size_t bytes = text[at] ? text_decode(text + at, &code) : 0;

		if (!bytes || (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0))
			abort();
		at += bytes;
	}
}

static void show(const struct report *report, const struct view *view)
{
	struct view_options options = { .table = { .limit_permyriad = 0,
						.n_rows = TABLE_DEFAULT,
						.max_depth = TABLE_DEFAULT } };
	struct terminal terminal;
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);

	if (!out)
		abort();
	terminal_plain(&terminal, out);
	view->print(report, &options, &terminal);
	fclose(out);
	check_text(text, n);
	free(text);
}

static void show_all(struct profile *profile, uint8_t how)
{
	struct report_options options = {
		.view = how & IS_FULL ? TREE_FULL : TREE_USER,
		.by_thread = (how & BY_THREAD) != 0,
	};
	struct report *report = calloc(1, sizeof(*report));
	struct diag diag;

	if (!report)
		abort();
	strcpy(report->path, "fuzz");
	report->profile = *profile;
	if (report_make(report, &options, scene_lookup, NULL, &diag) == 0) {
		for (size_t i = 0; i < N_VIEWS; i++) {
			if (!views[i]->is_of_user || !(how & (IS_FULL | BY_THREAD)))
				show(report, views[i]);
		}
	}
	report_release(report);
	free(report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct profile profile;
	struct diag diag;
	uint8_t *file;
	size_t n;

	if (size == 0)
		return 0;
	file = data[0] & IS_RAW ? NULL : compact_expand(data + 1, size - 1, &n);
	if (file && data[0] & IS_KILLED)
		((struct profile_header *)file)->flags &= ~(uint32_t)PROFILE_COMPLETE;
	if (profile_parse(&profile, file ? file : data + 1, file ? n : size - 1, "fuzz", &diag) ==
		0)
		show_all(&profile, data[0]);
	free(file);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return seed % 2 && size > 1 ? 1 + compact_mutate(data + 1, size - 1, seed)
				    : LLVMFuzzerMutate(data, size, max_size);
}
