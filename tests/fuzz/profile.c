/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A target for libFuzzer: a profile file of any bytes is read, attributed, measured, named, shown
 * in the views that are listed below, as text or CSV, annotated, and compared with itself. The
 * output must be text: valid UTF-8 without control characters other than the end of a line.
 *
 * Or the file is taken for two processes of a job. The second has its objects elsewhere, and every
 * other object of it is another.
 *
 * An input is a profile without the empty ends of its segments (compact.h), so that nearly every
 * byte of it means something; its first byte chooses how it is read and what is shown. Half of the
 * mutations change fields of records.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attribution/merge/merge.h"
#include "attribution/select/select_phase.h"
#include "attribution/select/select_time.h"
#include "src/annotate/annotate_print.h"
#include "src/report/report_internal.h"
#include "src/text/text.h"
#include "src/views/view_slices.h"
#include "tests/fuzz/compact.h"
#include "tests/unit/command/check_diff.h"
#include "tests/unit/scenes/scenes.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct view *const views[] = { &view_summary, &view_tree, &view_flat, &view_bottom_up,
	&view_by_region, &view_by_construct, &view_by_wait, &view_by_thread, &view_by_lock,
	&view_by_task, &view_by_event, &view_by_loop, &view_by_function, &view_by_line,
	&view_by_module, &view_pop, &view_json };

enum { N_VIEWS = sizeof(views) / sizeof(views[0]) };

/* Bits of the first byte. */
enum {
	IS_FULL = 1,
	BY_THREAD = 2,
	IS_RAW = 4,
	IS_KILLED = 8, /* and shown as CSV */
	IS_JOB = 16,
	HAS_PROGRAMS = 32, /* of a job; else a part of the run is shown */
	IS_MACHINE = 64,
	IS_FILTERED = 128
};

/* How far apart the objects of a job's two processes are. */
enum { APART_BYTES = 0x3210000 };

static void check_text(const char *text, size_t n, int is_csv)
{
	size_t at = 0;

	while (at < n) {
		uint32_t code;
		size_t bytes = text[at] ? text_decode(text + at, &code) : 0;

		if (is_csv && text[at] == '\r' && text[at + 1] == '\n') {
			at += 2;
			continue;
		}
		if (!bytes || (code < 0x20 && code != '\n') || (code >= 0x7f && code < 0xa0))
			abort();
		at += bytes;
	}
}

/* A terminal whose text is kept. */
struct shown {
	struct terminal terminal;
	char *text;
	size_t n;
};

static void begin_shown(struct shown *shown)
{
	FILE *out = open_memstream(&shown->text, &shown->n);

	if (!out)
		abort();
	terminal_plain(&shown->terminal, out);
}

static void end_shown(struct shown *shown, int is_csv)
{
	fclose(shown->terminal.out);
	check_text(shown->text, shown->n, is_csv);
	free(shown->text);
}

static void show(const struct report *report, const struct view *view, int is_csv)
{
	struct view_options options = { .table = { .limit_permyriad = 0,
						.n_rows = TABLE_DEFAULT,
						.max_depth = TABLE_DEFAULT,
						.is_csv = is_csv } };
	struct shown shown;

	begin_shown(&shown);
	view->print(report, &options, &shown.terminal);
	end_shown(&shown, is_csv);
}

/* Compares it with itself. */
static void show_diff(const struct report *report)
{
	char *text = NULL, *json = NULL;
	size_t n = 0, n_json = 0;
	FILE *out = open_memstream(&text, &n), *data = open_memstream(&json, &n_json);

	if (!out || !data || check_diff(report, out, data))
		abort();
	fclose(out);
	fclose(data);
	check_text(text, n, 0);
	check_text(json, n_json, 0);
	free(text);
	free(json);
}

/* Annotates a function, and the file that it is in; sources are not there. */
static void annotate(struct report *report, const char *place)
{
	static const struct names_options names = { TREE_USER, scene_lookup, NULL, NULL };
	static const struct annotate_options options = { .context = 1, .rules.n = 0 };
	struct annotate_listing listing;
	struct shown shown;
	struct diag diag;

	begin_shown(&shown);
	if (annotate_listing_make(&listing, report, &names, place, &options, &diag) == 0) {
		annotate_print_text(&listing, &shown.terminal);
		annotate_print_json(&listing, &shown.terminal);
		annotate_print_csv(&listing, &shown.terminal);
	}
	annotate_listing_release(&listing);
	end_shown(&shown, 1);
}

/* The view to show; of a part of the run, the one in its place, or NULL. */
static const struct view *view_of(const struct report *report, const struct view *view)
{
	if (!report->profile.part.is_cut)
		return view;
	if (view == &view_json || view == &view_summary)
		return view == &view_json ? &view_part_json : part_view(NULL);
	return view->part == VIEW_OF_RUN ? NULL : part_view(view);
}

static void show_all(struct report *report, uint8_t how)
{
	int is_of_user = !(how & (IS_FULL | BY_THREAD | IS_MACHINE));

	for (size_t i = 0; i < N_VIEWS; i++) {
		const struct view *view = view_of(report, views[i]);

		if (view && (!view->is_of_user || is_of_user))
			show(report, view, (how & IS_KILLED) != 0 && view->columns);
	}
	if (!is_of_user || report->profile.part.is_cut)
		return;
	annotate(report, NULL);
	annotate(report, "cg.c");
	annotate(report, "tree.c:48");
	show_diff(report);
}

static void show_one(struct report *report, struct profile *profile,
	const struct report_options *options, uint8_t how)
{
	struct diag diag;

	if (how & HAS_PROGRAMS &&
		select_time(profile, select_wall(profile) / 3, select_wall(profile) / 2) != 0)
		abort();
	report->profile = *profile;
	if (report_make(report, options, scene_lookup, NULL, &diag) == 0)
		show_all(report, how);
}

/* Returns 0, or -1 when out of memory. */
static int add_process(
	struct merge *merge, struct profile *profile, const struct report_options *options)
{
	static const struct tree_options user = { .view = TREE_USER };
	struct tree_selection selection;
	struct tree_options shown = { .view = options->view, .by_thread = options->by_thread };
	struct tree tree = { 0 }, user_tree = { 0 };
	struct metrics metrics = { 0 };
	struct merge_process added = { profile, &tree, &user_tree, &metrics };
	struct diag diag;
	int status = -1;

	if (filter_select(options->filter, profile, &selection) > 0)
		shown.selection = &selection;
	if (attribute(&tree, profile, &shown, &diag) == 0 &&
		attribute(&user_tree, profile, &user, &diag) == 0 &&
		metrics_make(&metrics, profile, &user_tree, &diag) == 0)
		status = merge_add(merge, &added);
	free(selection.threads);
	metrics_release(&metrics);
	tree_release(&user_tree);
	tree_release(&tree);
	return status;
}

static void move_objects(struct profile *profile)
{
	profile->header.start_realtime_ns += 1000;
	for (size_t i = 0; i < profile->n_modules; i++) {
		profile->modules[i].bias += APART_BYTES;
		profile->modules[i].build_id[0] ^= i % 2;
	}
}

static void show_job(struct report *report, struct profile *profile,
	const struct report_options *options, uint8_t how)
{
	struct merge *merge = merge_begin((how & HAS_PROGRAMS) != 0);
	struct merged merged;
	struct diag diag;
	int status = -1;

	if (!merge)
		abort();
	if (add_process(merge, profile, options) == 0) {
		move_objects(profile);
		status = add_process(merge, profile, options);
	}
	if (status != 0) {
		merge_abandon(merge);
	} else if (merge_finish(merge, &merged) == 0) {
		report->profile = merged.profile;
		report->tree = merged.tree;
		report->user_tree = merged.user_tree;
		report->metrics = merged.metrics;
		if (report_name(report, options, scene_lookup, NULL, &diag) == 0)
			show_all(report, how);
	}
	profile_release(profile);
}

static void set_filters(struct filter *filter)
{
	static const struct {
		enum filter_kind kind;
		const char *text;
	} given[] = { { FILTER_FOCUS, "a|[.]c:[0-9]*[02468]$" }, { FILTER_IGNORE, "^main.*(x|y)" },
		{ FILTER_THREAD, "0-2,native" }, { FILTER_REGION, "parallel" },
		{ FILTER_REGION, "none" }, { FILTER_STATE, "work,wait" } };
	struct diag diag;

	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		if (filter_add(filter, given[i].kind, given[i].text, &diag) != 0)
			abort();
}

static void show_profile(struct profile *profile, uint8_t how)
{
	struct report_options options = {
		.view = how & IS_MACHINE ? TREE_MACHINE
			: how & IS_FULL  ? TREE_FULL
					 : TREE_USER,
		.by_thread = (how & BY_THREAD) != 0,
	};
	struct filter filter = { 0 };
	struct report *report = calloc(1, sizeof(*report));

	if (!report)
		abort();
	if (how & IS_FILTERED)
		set_filters(&filter);
	options.filter = &filter;
	strcpy(report->path, "fuzz");
	if (how & IS_JOB)
		show_job(report, profile, &options, how);
	else
		show_one(report, profile, &options, how);
	report_release(report);
	filter_release(&filter);
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
		show_profile(&profile, data[0]);
	free(file);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return seed % 2 && size > 1 ? 1 + compact_mutate(data + 1, size - 1, seed)
				    : LLVMFuzzerMutate(data, size, max_size);
}
